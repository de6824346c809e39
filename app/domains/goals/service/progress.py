"""How far a goal is: counted anew with every change, and achieving milestones on its way."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import strawberry

from app.core.caller import Caller
from app.domains.goals.rules.progress import Part, average, clamped, percent, share
from app.domains.goals.service.base import GoalsService, swap
from app.domains.goals.types import ActivityType, Goal, GoalActivity, GoalProgress, ProgressPart
from app.domains.people.service import Profiles
from app.domains.service import Decision
from app.domains.tracking.service import Habits, Metrics
from app.resources import Resources
from app.table.writes import Put, Write

# Each with its story: what is left of a transaction's hundred writes for the goal's own change.
AT_ONCE = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """What a GoalActivity will tell."""

    type: ActivityType
    title: str
    description: str | None = None
    entity: str | None = None
    id: str | None = None


class GoalKeeper(GoalsService):
    """Writes goals: the only place where progress and milestones are worked out."""

    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        metrics: Metrics,
        habits: Habits,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.metrics = metrics
        self.habits = habits
        self.behind: set[str] = set()

    async def parts(self, goal: Goal) -> list[Part]:
        config = goal.progress_config
        criteria = goal.success_criteria
        completed = sum(each.is_completed for each in criteria)
        return [
            share("criteria", config.criteria_weight, completed, len(criteria)),
            share("tasks", config.tasks_weight, goal.tasks_done, goal.tasks_total),
            await self._metrics_part(goal),
            await self._habits_part(goal),
        ]

    async def _metrics_part(self, goal: Goal) -> Part:
        """The mean of the metrics that have a target."""
        found = await self.metrics.progress_of(goal.metric_ids) if goal.metric_ids else {}
        values = [clamped(each.value, reached=each.reached) for each in found.values()]
        return average("metrics", goal.progress_config.metrics_weight, values)

    async def _habits_part(self, goal: Goal) -> Part:
        """What was done in the last 30 days out of what was to be done."""
        found = await self.habits.completion_of(goal.habit_ids) if goal.habit_ids else {}
        expected = sum(each.expected for each in found.values())
        done = sum(min(each.done, each.expected) for each in found.values())
        return share("habits", goal.progress_config.habits_weight, done, expected)

    async def explained(self, goal: Goal) -> GoalProgress:
        parts = await self.parts(goal)
        override = goal.progress_config.manual_override
        return GoalProgress(
            percent=percent(parts, override),
            is_manual=override is not None,
            parts=[_shown(part) for part in parts],
        )

    async def counted(self, goal: Goal) -> Goal:
        """The goal with its progress as it is now."""
        override = goal.progress_config.manual_override
        return replace(goal, cached_progress=percent(await self.parts(goal), override))

    async def begin(self, goal: Goal, happened: Sequence[Happened]) -> tuple[Goal, list[Write]]:
        """A new goal's activities, and its progress."""
        return await self.counted(goal), self._told(goal, happened)

    async def change(
        self, old: Goal, new: Goal, happened: Sequence[Happened], most: int = AT_ONCE
    ) -> tuple[Goal, list[Write]]:
        """The goal as `new` says, what happened to it, and the milestones that it reaches: only so
        many fit into one transaction, and `catch_up` does the rest."""
        new = await self.counted(new)
        reached, also = await self._milestones(new, most)
        happened = [*happened, *also]
        if happened:
            new = replace(new, last_activity_at=self.now)
        return new, [swap(new, old, "goal"), *self._told(new, happened), *reached]

    async def _milestones(self, goal: Goal, most: int) -> tuple[list[Write], list[Happened]]:
        if not goal.milestone_count:
            return [], []
        reached = [
            each
            for each in await self.repository.milestones_of_goal(goal.id)
            if not each.achieved and each.percentage <= goal.cached_progress
        ]
        if len(reached) > most:
            self.behind.add(goal.id)
        happened = [achieved(each.name, each.id) for each in reached[:most]]
        writes: list[Write] = [
            swap(each.evolve(self.now, achieved=True, achieved_at=self.now), each, "milestone")
            for each in reached[:most]
        ]
        return writes, happened

    async def catch_up(self) -> None:
        """Milestones that did not fit into the transaction that reached them. Should this be broken
        off, the goal's next change does it."""
        while self.behind:
            await self.commit(partial(self._next_milestones, self.behind.pop()))

    async def _next_milestones(self, goal_id: str) -> Decision[None]:
        goal = await self.repository.goal(goal_id)
        if goal is None:
            return Decision(None)
        _, writes = await self.change(goal, goal.evolve(self.now), [])
        return Decision(None, writes)

    def _told(self, goal: Goal, happened: Sequence[Happened]) -> list[Write]:
        return [Put(self._activity(goal, each)) for each in happened]

    def _activity(self, goal: Goal, happened: Happened) -> GoalActivity:
        return GoalActivity(
            **self.stamp(),  # type: ignore[arg-type]
            id=self.new_id(),
            goal_id=goal.id,
            type=happened.type,
            title=happened.title,
            description=happened.description,
            related_entity_type=happened.entity,
            related_entity_id=strawberry.ID(happened.id) if happened.id else None,
        )


def achieved(name: str, milestone_id: str) -> Happened:
    return Happened(
        type=ActivityType.milestone_achieved, title=name, entity="Milestone", id=milestone_id
    )


def _shown(part: Part) -> ProgressPart:
    return ProgressPart(
        name=part.name,
        weight=part.weight,
        value=round(float(part.value * 100), 2),
        count=part.count,
        total=part.total,
    )
