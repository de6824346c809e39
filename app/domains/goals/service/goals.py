"""Goals: made, changed, put into a hierarchy, and measured."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import strawberry

from app.core.caller import Caller
from app.core.clock import day
from app.core.errors import BadInput
from app.domains.goals import keys
from app.domains.goals.errors import IdTaken
from app.domains.goals.inputs import (
    CreateGoalInput,
    ProgressConfigInput,
    RecomputeGoalProgressInput,
    UpdateGoalInput,
)
from app.domains.goals.repository import WantedGoals
from app.domains.goals.rules.states import counted
from app.domains.goals.rules.tree import Branch, roll_up
from app.domains.goals.service.base import GoalsService, present_only
from app.domains.goals.service.criteria import Criteria
from app.domains.goals.service.hierarchy import Hierarchy
from app.domains.goals.service.progress import GoalKeeper, Happened
from app.domains.goals.service.ripples import completed
from app.domains.goals.types import (
    ActivityType,
    Goal,
    GoalActivity,
    GoalProgress,
    GoalStatus,
    GoalTag,
    ProgressConfig,
    RollUp,
)
from app.domains.people.service import Profiles
from app.domains.service import Decision, expect_version
from app.domains.tracking.types import Habit, Metric
from app.graph.paging import Fetch
from app.resources import Resources
from app.table.entity import WHOLE, Fields
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Put, Write, create

NEVER_NULL = ("title", "priority", "status", "tags", "progress_config")


class Goals(GoalsService):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        keeper: GoalKeeper,
        criteria: Criteria,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.keeper = keeper
        self.criteria = criteria
        self.hierarchy = Hierarchy(resources, caller, profiles, keeper)

    # Reading.

    async def goal(self, goal_id: str, *, without: Fields = WHOLE) -> Goal | None:
        return await self.repository.goal(goal_id, without)

    async def goals_by_ids(self, ids: Sequence[str]) -> list[Goal]:
        return present_only(await self.repository.goals_by_ids(ids))

    def wanted(self, **filters: Any) -> WantedGoals:
        return WantedGoals(**filters)

    async def goals(self, wanted: WantedGoals, *, limit: int, start: Position | None) -> Rows[Goal]:
        listing = self.repository.goals(wanted)
        return await self.repository.page(listing, limit=limit, start=start)

    def children_of(self, goal: Goal) -> Fetch[Goal]:
        return partial(self.repository.page, self.repository.children_of_goal(goal.id))

    def activity_of(self, goal: Goal) -> Fetch[GoalActivity]:
        return partial(self.repository.activity_of_goal, goal)

    async def progress(self, goal: Goal) -> GoalProgress:
        return await self.keeper.explained(goal)

    async def metrics_of(self, goal: Goal) -> list[Metric]:
        found = await asyncio.gather(*map(self.keeper.metrics.metric, goal.metric_ids))
        return present_only(found)

    async def habits_of(self, goal: Goal) -> list[Habit]:
        found = await asyncio.gather(*map(self.keeper.habits.habit, goal.habit_ids))
        return present_only(found)

    async def roll_up(self, goal: Goal) -> RollUp:
        if not goal.child_count:
            return RollUp(percent=goal.cached_progress, goals=0, achieved=0)
        branches = [
            Branch(
                id=each.id,
                parent=each.parent_goal_id,
                percent=each.cached_progress,
                is_achieved=each.status is GoalStatus.Achieved,
                is_abandoned=each.status is GoalStatus.Abandoned,
            )
            for each in await self.read_once(self.repository.all_goals)
        ]
        found = roll_up(goal.id, branches)
        return RollUp(percent=found.percent, goals=found.goals, achieved=found.achieved)

    # Making and changing.

    async def create(self, request: CreateGoalInput) -> Goal:
        return await self.once(request, Goal, partial(self._create, request))

    async def _create(self, request: CreateGoalInput) -> Decision[Goal]:
        given = {name: value for name, value in request.given().items() if value is not None}
        given.pop("idempotency_key", None)
        wishes = given.pop("success_criteria", [])
        config = configured(ProgressConfig(), given.pop("progress_config", None))
        parent_id = given.pop("parent_goal_id", None)
        id = self.new_id(given.pop("id", None))
        goal = Goal(
            **self.stamp(),  # type: ignore[arg-type]
            id=id,
            progress_config=config,
            last_activity_at=self.now,
            tasks_in_order=True,
            **given,
        )
        goal = await self._dated(None, goal)
        goal, writes = await self.criteria.first(goal, wishes)
        goal, placing = await self.hierarchy.moving(goal, parent_id)
        story = Happened(type=ActivityType.goal_created, title=goal.title)
        goal, told = await self.keeper.begin(goal, [story])
        first = create(goal, otherwise=IdTaken("goal"))
        if isinstance(request.id, str):
            told.append(self.not_being_removed("GOAL", goal.id, "goal"))
        return Decision(goal, [first, *writes, *placing, *told, *self._tags(None, goal)])

    async def update(self, request: UpdateGoalInput) -> Goal:
        return await self.once(request, Goal, partial(self._update, request))

    async def _update(self, request: UpdateGoalInput) -> Decision[Goal]:
        old = await self.own_goal(request.id)
        expect_version(request, old, "goal")
        changes = request.changes(NEVER_NULL)
        parent = changes.pop("parent_goal_id", strawberry.UNSET)
        if "progress_config" in changes:
            wish = changes["progress_config"]
            changes["progress_config"] = configured(old.progress_config, wish)
        new = await self._dated(old, old.evolve(self.now, **changes))
        placing: list[Write] = []
        if parent is not strawberry.UNSET and parent != old.parent_goal_id:
            new, placing = await self.hierarchy.moving(new, parent)
        new, writes = await self.keeper.change(old, new, list(_story(old, new)))
        return Decision(new, [*writes, *placing, *self._tags(old, new)])

    async def _dated(self, old: Goal | None, new: Goal) -> Goal:
        """Achieved today, or no longer."""
        was_achieved = old is not None and old.status is GoalStatus.Achieved
        is_achieved = new.status is GoalStatus.Achieved
        if was_achieved == is_achieved:
            return new
        today = (await self.days()).of(self.resources.clock.now())
        return replace(new, completed_date=day(today) if is_achieved else None)

    def _tags(self, old: Goal | None, new: Goal) -> list[Write]:
        before, after = set(old.tags if old else []), set(new.tags)
        puts: list[Write] = [
            Put(GoalTag(**self.stamp(), goal_id=new.id, tag=tag))  # type: ignore[arg-type]
            for tag in sorted(after - before)
        ]
        return [*puts, *(Delete(keys.goal_tag(new.id, tag)) for tag in sorted(before - after))]

    # Measuring.

    async def refresh(self, goal_ids: Sequence[str]) -> None:
        """After a change of a metric or habit: the criteria and the progress that hang on it."""
        for goal_id in goal_ids:
            await self.commit(partial(self._refreshed, goal_id))

    async def _refreshed(self, goal_id: str) -> Decision[Goal | None]:
        old = await self.repository.goal(goal_id)
        if old is None:
            return Decision(None)
        new = await self._without_lost_links(old)
        new, happened = await self._following_metrics(new)
        measured = await self.keeper.counted(new)
        if not happened and measured == old:
            return Decision(old)
        return Decision(*await self.keeper.change(old, new.evolve(self.now), happened))

    async def _without_lost_links(self, goal: Goal) -> Goal:
        """The link of a metric or habit goes with it, and then the goal lets go of it too."""
        metric_ids = await self._linked(keys.goal_metric, goal.id, goal.metric_ids)
        habit_ids = await self._linked(keys.goal_habit, goal.id, goal.habit_ids)
        criteria = [
            each
            if each.linked_metric_id is None or each.linked_metric_id in metric_ids
            else replace(each, linked_metric_id=None)
            for each in goal.success_criteria
        ]
        return replace(goal, metric_ids=metric_ids, habit_ids=habit_ids, success_criteria=criteria)

    async def _linked(
        self, key: Any, goal_id: str, ids: Sequence[strawberry.ID]
    ) -> list[strawberry.ID]:
        links = await self.table.get_many([key(goal_id, each) for each in ids])
        return [each for each, link in zip(ids, links, strict=True) if link is not None]

    async def _following_metrics(self, goal: Goal) -> tuple[Goal, list[Happened]]:
        wanted = [each.linked_metric_id for each in goal.success_criteria if each.linked_metric_id]
        found = await self.keeper.metrics.progress_of(wanted) if wanted else {}
        criteria, happened = [], []
        for each in goal.success_criteria:
            if each.linked_metric_id is not None:
                progress = found.get(each.linked_metric_id)
                is_reached = progress is not None and progress.reached
                each, story = completed(each, is_reached, self.now)
                happened += story
            criteria.append(each)
        return replace(goal, success_criteria=criteria), happened

    async def recompute(self, request: RecomputeGoalProgressInput) -> Goal:
        async def decide() -> Decision[Goal]:
            old = await self.own_goal(request.id)
            tasks = await self.repository.all_of(self.repository.tasks_of_goal(old.id))
            counts = [counted(each.status) for each in tasks]
            new = replace(
                await self._without_lost_links(old),
                tasks_total=sum(total for total, _ in counts),
                tasks_done=sum(done for _, done in counts),
            )
            new, happened = await self._following_metrics(new)
            if not happened and await self.keeper.counted(new) == old:
                return Decision(old)
            return Decision(*await self.keeper.change(old, new.evolve(self.now), happened))

        return await self.commit(decide)

    # For the domains below, injected in app/services.py.

    def metric_links(self, metric_id: str, goal_ids: Sequence[str]) -> list[Write]:
        """What removes the links of a metric that is deleted."""
        return [Delete(keys.goal_metric(each, metric_id)) for each in goal_ids]

    def habit_links(self, habit_id: str, goal_ids: Sequence[str]) -> list[Write]:
        return [Delete(keys.goal_habit(each, habit_id)) for each in goal_ids]


def configured(config: ProgressConfig, wish: ProgressConfigInput | None) -> ProgressConfig:
    given = wish.given() if wish else {}
    for name, value in given.items():
        if value is None and name != "manual_override":
            raise BadInput(
                "A weight cannot be null; 0 leaves the part out.", field="input.progressConfig"
            )
    return replace(config, **given)


def _story(old: Goal, new: Goal) -> Any:
    if new.status is not old.status:
        change = f"{old.status.value} to {new.status.value}"
        yield Happened(type=ActivityType.status_changed, title=change)
    before, after = (each.progress_config.manual_override for each in (old, new))
    if before != after:
        said = "computed again" if after is None else f"{after} %"
        yield Happened(type=ActivityType.progress_overridden, title=said)
    same = replace(new, status=old.status, completed_date=old.completed_date)
    if replace(same, version=old.version, updated_at=old.updated_at) != old and before == after:
        yield Happened(type=ActivityType.goal_updated, title=new.title)
