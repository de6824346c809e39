"""Writing goals: every change updates the progress and achieves milestones."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import strawberry

from app.domains.goals import keys
from app.domains.goals.rules.activities import ActivityDraft, milestone_activity
from app.domains.goals.rules.progress import (
    WeightedPart,
    goal_progress,
    measured_share,
    own_parts,
    part_of_counts,
    part_of_values,
    percent,
)
from app.domains.goals.service.base import GoalsService, put_or_retry
from app.domains.goals.types import ActivityType, Goal, GoalActivity, GoalProgress, Milestone
from app.domains.service import Decision, uses
from app.domains.tracking.service import Habits, Metrics
from app.table.transaction import room_for
from app.table.writes import Put, Write

# Besides its milestones, a goal may exchange all its tags (20 out, 20 in), and has its own item
# and three activities. A milestone takes two writes: itself and its activity.
MILESTONES_AT_ONCE = room_for(2, besides=2 * 20 + 4)


@dataclass(eq=False)
class GoalWriter(GoalsService):
    """The only place where the progress of a goal is computed and milestones are achieved.

    `pending`: the goals with milestones that did not fit into the transaction that reached them.
    """

    metrics = uses(Metrics)
    habits = uses(Habits)
    pending: set[str] = field(default_factory=set, init=False, repr=False)

    # Progress.

    async def progress(self, goal: Goal) -> GoalProgress:
        parts = await self._parts(goal)
        return goal_progress(parts, goal.progress_config.manual_override)

    async def with_progress(self, goal: Goal) -> Goal:
        """The goal with its current progress cached."""
        override = goal.progress_config.manual_override
        return replace(goal, cached_progress=percent(await self._parts(goal), override))

    async def _parts(self, goal: Goal) -> list[WeightedPart]:
        return [*own_parts(goal), await self._metrics_part(goal), await self._habits_part(goal)]

    async def _metrics_part(self, goal: Goal) -> WeightedPart:
        """The mean of the metrics that have a target."""
        found = await self.metrics.progress_of(goal.metric_ids) if goal.metric_ids else {}
        values = [measured_share(each.value, reached=each.reached) for each in found.values()]
        return part_of_values("metrics", goal.progress_config.metrics_weight, values)

    async def _habits_part(self, goal: Goal) -> WeightedPart:
        """Completed out of expected, over the last 30 days."""
        found = await self.habits.completion_of(goal.habit_ids) if goal.habit_ids else {}
        expected = sum(each.expected for each in found.values())
        done = sum(min(each.done, each.expected) for each in found.values())
        return part_of_counts("habits", goal.progress_config.habits_weight, done, expected)

    # Writing.

    async def apply_change(
        self,
        old: Goal,
        new: Goal,
        activities: Sequence[ActivityDraft] = (),
        *,
        most_milestones: int = MILESTONES_AT_ONCE,
    ) -> tuple[Goal, list[Write]]:
        """`new` with its progress, and the writes: the goal, its activities and the milestones
        that it reaches. Milestones beyond `most_milestones` become pending."""
        new = await self.with_progress(new)
        reached = await self._reached_milestones(new)
        if len(reached) > most_milestones:
            self.pending.add(new.id)
        achieved = [self.achieve(each) for each in reached[:most_milestones]]
        activities = [*activities, *(draft for _, draft in achieved)]
        if activities:
            new = replace(new, last_activity_at=self.now)
        return new, [
            put_or_retry(new, old, "goal"),
            *self.activity_writes(new, activities),
            *(
                put_or_retry(after.evolve(self.now), before, "milestone")
                for before, (after, _) in zip(reached, achieved, strict=False)
            ),
        ]

    async def _reached_milestones(self, goal: Goal) -> list[Milestone]:
        if not goal.milestone_count:
            return []
        query = keys.milestones_of_goal(self.caller.user_id, goal.id)
        return [
            each
            for each in await self.read_all(query)
            if not each.achieved and each.percentage <= goal.cached_progress
        ]

    def achieve(self, milestone: Milestone) -> tuple[Milestone, ActivityDraft]:
        achieved = replace(milestone, achieved=True, achieved_at=self.now)
        return achieved, milestone_activity(ActivityType.milestone_achieved, milestone)

    async def finish_pending_milestones(self) -> None:
        """If this is interrupted, the next change of the goal achieves the rest."""
        while self.pending:
            await self.commit(partial(self._achieve_pending, self.pending.pop()))

    async def _achieve_pending(self, goal_id: str) -> Decision[None]:
        goal = await self.table.load(keys.goal(self.caller.user_id, goal_id))
        if goal is None:
            return Decision(None)
        _, writes = await self.apply_change(goal, goal.evolve(self.now))
        return Decision(None, writes)

    def activity_writes(self, goal: Goal, drafts: Sequence[ActivityDraft]) -> list[Write]:
        return [Put(self._activity(goal, draft)) for draft in drafts]

    def _activity(self, goal: Goal, draft: ActivityDraft) -> GoalActivity:
        return GoalActivity(
            **self.stamp(),
            id=self.new_id(),
            goal_id=goal.id,
            type=draft.type,
            title=draft.title,
            description=draft.description,
            related_entity_type=draft.entity,
            related_entity_id=strawberry.ID(draft.id) if draft.id else None,
        )
