"""Goals."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import strawberry

from app.core.errors import IdTaken
from app.domains.goals import keys
from app.domains.goals.inputs import CreateGoalInput, RecomputeGoalProgressInput, UpdateGoalInput
from app.domains.goals.rules.activities import ActivityDraft, goal_activities
from app.domains.goals.rules.counts import task_counts
from app.domains.goals.rules.criteria import follow_metrics, linked_ids
from app.domains.goals.rules.filters import GoalListFilter
from app.domains.goals.rules.goal_changes import (
    change_progress_config,
    goal_achievement_changes,
    with_goal_completed_date,
)
from app.domains.goals.rules.goal_tree import roll_up
from app.domains.goals.rules.orders import goal_value
from app.domains.goals.rules.sorting import SortOrder
from app.domains.goals.service.base import GoalsService
from app.domains.goals.service.criteria import Criteria
from app.domains.goals.service.goal_writer import GoalWriter
from app.domains.goals.service.hierarchy import Hierarchy
from app.domains.goals.service.tracking_links import TrackingLinks
from app.domains.goals.types import (
    ActivityType,
    Goal,
    GoalActivity,
    GoalOrder,
    GoalTag,
    ProgressConfig,
    RollUp,
)
from app.domains.service import Decision, expect_version, uses
from app.domains.tracking.service import Habits, Metrics
from app.domains.tracking.service.ports import LinkedGoals
from app.domains.tracking.types import Habit, Metric
from app.table.gateway import PageReader, Position, Rows
from app.table.writes import Delete, Put, Write, put_if_absent

NEVER_NULL = ("title", "priority", "status", "tags", "progress_config")


class Goals(GoalsService, LinkedGoals):
    goal_writer = uses(GoalWriter)
    criteria = uses(Criteria)
    hierarchy = uses(Hierarchy)
    metrics = uses(Metrics)
    habits = uses(Habits)
    tracking_links = uses(TrackingLinks)

    # Reading.

    async def goal(self, goal_id: str) -> Goal | None:
        return await self.table.load(keys.goal(self.caller.user_id, goal_id))

    async def goals_by_ids(self, ids: Sequence[str]) -> list[Goal]:
        return await self.load_existing(keys.goal, ids)

    async def goals(
        self,
        filter: GoalListFilter,
        *,
        order: GoalOrder = GoalOrder.CREATED,
        is_descending: bool = False,
        limit: int,
        start: Position | None,
    ) -> Rows[Goal]:
        if order is GoalOrder.CREATED:
            newest_first = is_descending or filter.newest_first
            listings = self.repository.goals(replace(filter, newest_first=newest_first))
            return await self.repository.page_across(listings, limit=limit, start=start)
        sorting = SortOrder(goal_value(order), is_descending)
        listings = self.repository.goals(filter)
        return await self.repository.sorted_page(listings, sorting, limit=limit, start=start)

    async def count(self, filter: GoalListFilter) -> int | None:
        return await self.repository.count(self.repository.goals(filter))

    def children_of(self, goal: Goal) -> PageReader[Goal]:
        return partial(self.repository.page, self.repository.children_of_goal(goal.id))

    async def activities_of(
        self, goal: Goal, *, limit: int, start: Position | None
    ) -> Rows[GoalActivity]:
        """Only for the owner, even of a shared goal: activities name tasks and projects."""
        if goal.user_id != self.caller.user_id:
            return Rows([])
        return await self.table.query(keys.activity_of_goal(goal.id), limit=limit, start=start)

    async def metrics_of(self, goal: Goal) -> list[Metric]:
        found = await asyncio.gather(*map(self.metrics.find, goal.metric_ids))
        return [each for each in found if each is not None]

    async def habits_of(self, goal: Goal) -> list[Habit]:
        found = await asyncio.gather(*map(self.habits.find, goal.habit_ids))
        return [each for each in found if each is not None]

    async def roll_up(self, goal: Goal) -> RollUp:
        if not goal.child_count:
            return roll_up(goal, [])
        query = keys.goals_of_user(self.caller.user_id)
        return roll_up(goal, await self.share_read(partial(self.read_all, query)))

    # Creating and changing.

    async def create(self, request: CreateGoalInput) -> Goal:
        return await self.once(request, Goal, partial(self._create, request))

    async def _create(self, request: CreateGoalInput) -> Decision[Goal]:
        values = request.values()
        criteria = values.pop("success_criteria", [])
        parent_id = values.pop("parent_goal_id", None)
        goal = await self._with_completed_date(None, self._new_goal(values))
        goal, writes = await self.criteria.set_first(goal, criteria)
        goal, parent_writes = await self.hierarchy.change_parent(goal, parent_id)
        goal = await self.goal_writer.with_progress(goal)
        created = ActivityDraft(type=ActivityType.goal_created, title=goal.title)
        writes += [*parent_writes, *self.goal_writer.activity_writes(goal, [created])]
        if isinstance(request.id, str):
            writes.append(self.check_id_is_free("GOAL", goal.id, "goal"))
        first = put_if_absent(goal, otherwise=IdTaken("goal"))
        return Decision(goal, [first, *writes, *self._tag_writes(None, goal)])

    def _new_goal(self, values: dict[str, Any]) -> Goal:
        config = values.pop("progress_config", None)
        return Goal(
            **self.stamp(),
            id=self.new_id(values.pop("id", None)),
            progress_config=change_progress_config(
                ProgressConfig(), config.sent_fields() if config else None
            ),
            last_activity_at=self.now,
            tasks_in_order=True,
            criteria_apart=True,
            **values,
        )

    async def update(self, request: UpdateGoalInput) -> Goal:
        return await self.once(request, Goal, partial(self._update, request))

    async def _update(self, request: UpdateGoalInput) -> Decision[Goal]:
        old = await self.own_goal(request.id)
        expect_version(request, old, "goal")
        changes = request.changes(NEVER_NULL)
        parent_id = changes.pop("parent_goal_id", old.parent_goal_id)
        if "progress_config" in changes:
            config = changes["progress_config"].sent_fields()
            changes["progress_config"] = change_progress_config(old.progress_config, config)
        new = await self._with_completed_date(old, old.evolve(self.now, **changes))
        parent_writes: list[Write] = []
        if parent_id != old.parent_goal_id:
            new, parent_writes = await self.hierarchy.change_parent(new, parent_id)
        activities = list(goal_activities(old, new))
        new, writes = await self.goal_writer.apply_change(old, new, activities)
        return Decision(new, [*writes, *parent_writes, *self._tag_writes(old, new)])

    async def _with_completed_date(self, old: Goal | None, new: Goal) -> Goal:
        if not goal_achievement_changes(old, new):
            return new
        return with_goal_completed_date(new, await self.today())

    def _tag_writes(self, old: Goal | None, new: Goal) -> list[Write]:
        before, after = set(old.tags if old else []), set(new.tags)
        puts: list[Write] = [
            Put(GoalTag(**self.stamp(), goal_id=new.id, tag=tag)) for tag in sorted(after - before)
        ]
        return [*puts, *(Delete(keys.goal_tag(new.id, tag)) for tag in sorted(before - after))]

    # Fields that are derived from tasks, metrics and habits.

    async def recompute(self, request: RecomputeGoalProgressInput) -> Goal:
        async def decide() -> Decision[Goal]:
            old = await self.own_goal(request.id)
            tasks = await self.repository.read_all(self.repository.tasks_of_goal(old.id))
            counts = [task_counts(each.status) for each in tasks]
            new = replace(
                old,
                tasks_total=sum(total for total, _ in counts),
                tasks_done=sum(done for _, done in counts),
            )
            return await self._follow_measures(old, new)

        return await self.once(request, Goal, decide)

    async def refresh(self, goal_ids: Sequence[str]) -> None:
        for goal_id in goal_ids:
            await self.commit(partial(self._refresh, goal_id))

    async def _refresh(self, goal_id: str) -> Decision[Goal | None]:
        old = await self.goal(goal_id)
        if old is None:
            return Decision(None)
        decision = await self._follow_measures(old, old)
        return Decision(decision.answer, decision.writes)

    async def _follow_measures(self, old: Goal, new: Goal) -> Decision[Goal]:
        """`new` with current links, criteria and progress; no writes if it equals `old`."""
        new = await self._without_lost_links(new)
        new, activities = await self._follow_metrics(new)
        if not activities and await self.goal_writer.with_progress(new) == old:
            return Decision(old)
        evolved = new.evolve(self.now)
        return Decision(*await self.goal_writer.apply_change(old, evolved, activities))

    async def _without_lost_links(self, goal: Goal) -> Goal:
        """A deleted metric or habit has deleted its link; the goal still names it."""
        return replace(
            goal,
            metric_ids=await self._linked(keys.goal_metric, goal.id, goal.metric_ids),
            habit_ids=await self._linked(keys.goal_habit, goal.id, goal.habit_ids),
        )

    async def _linked(
        self, key: Any, goal_id: str, ids: Sequence[strawberry.ID]
    ) -> list[strawberry.ID]:
        links = await self.table.get_many([key(goal_id, each) for each in ids])
        return [each for each, link in zip(ids, links, strict=True) if link is not None]

    async def _follow_metrics(self, goal: Goal) -> tuple[Goal, list[ActivityDraft]]:
        ids = linked_ids(goal.success_criteria, "linked_metric_id")
        if not ids:
            return goal, []
        existing, found = await asyncio.gather(
            self.metrics.existing_ids(ids), self.metrics.progress_of(ids)
        )
        reached = {id: id in found and found[id].reached for id in existing}
        criteria, activities = follow_metrics(goal.success_criteria, reached, self.now)
        return replace(goal, success_criteria=criteria), activities

    # The port of the tracking domain.

    async def following_metric(self, metric_id: str) -> list[str]:
        return await self.tracking_links.following(metric_id)

    def metric_links(
        self, metric_id: str, *, linked: Sequence[str], following: Sequence[str]
    ) -> list[Write]:
        return [
            *(Delete(keys.goal_metric(each, metric_id)) for each in linked),
            *(self.tracking_links.stop_following(each, metric_id) for each in following),
        ]

    def habit_links(self, habit_id: str, goal_ids: Sequence[str]) -> list[Write]:
        return [Delete(keys.goal_habit(each, habit_id)) for each in goal_ids]
