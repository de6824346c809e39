"""Milestones of a goal."""

from functools import partial

from app.core.errors import BadInput, IdTaken
from app.domains.goals import keys
from app.domains.goals.inputs import (
    CreateMilestoneInput,
    DeleteMilestoneInput,
    UpdateMilestoneInput,
)
from app.domains.goals.rules.activities import ActivityDraft, milestone_activity
from app.domains.goals.service.base import GoalsService, put_or_retry
from app.domains.goals.service.goal_writer import GoalWriter
from app.domains.goals.types import ActivityType, Goal, Milestone
from app.domains.service import Decision, expect_version, required, uses
from app.table.writes import delete_if_unchanged, put_if_absent

MOST_MILESTONES = 20


class Milestones(GoalsService):
    goal_writer = uses(GoalWriter)

    async def of_goal(self, goal: Goal) -> list[Milestone]:
        found = await self.read_all(keys.milestones_of_goal(self.caller.user_id, goal.id))
        return sorted(found, key=lambda each: (each.percentage, each.created_at, each.id))

    async def milestone(self, goal_id: str, milestone_id: str) -> Milestone | None:
        return await self.table.load(keys.milestone(self.caller.user_id, goal_id, milestone_id))

    async def milestone_by_id(self, milestone_id: str) -> Milestone | None:
        """Without its goal's id: reads all milestones of the user."""
        query = keys.milestones_of_user(self.caller.user_id)
        milestones = await self.share_read(partial(self.read_all, query))
        return next((each for each in milestones if each.id == milestone_id), None)

    async def create(self, request: CreateMilestoneInput) -> Milestone:
        return await self.once(request, Milestone, partial(self._create, request))

    async def _create(self, request: CreateMilestoneInput) -> Decision[Milestone]:
        goal = await self.own_goal(request.goal_id)
        if goal.milestone_count >= MOST_MILESTONES:
            raise BadInput(
                f"A goal has at most {MOST_MILESTONES} milestones.", field="input.goalId"
            )
        milestone = Milestone(
            **self.stamp(),
            id=self.new_id(),
            goal_id=goal.id,
            name=request.name,
            percentage=request.percentage,
            description=request.description or None,
        )
        added = milestone_activity(ActivityType.milestone_added, milestone)
        milestone, achieved = self._achieve_if_reached(milestone, goal)
        new_goal = goal.evolve(self.now, milestone_count=goal.milestone_count + 1)
        _, writes = await self.goal_writer.apply_change(goal, new_goal, [added, *achieved])
        first = put_if_absent(milestone, otherwise=IdTaken("milestone"))
        return Decision(milestone, [first, *writes])

    async def update(self, request: UpdateMilestoneInput) -> Milestone:
        async def decide() -> Decision[Milestone]:
            old = await self._own_milestone(request.goal_id, request.id)
            expect_version(request, old, "milestone")
            changes = request.changes(("name", "percentage"))
            changes.pop("goal_id", None)
            goal = await self.own_goal(old.goal_id)
            new, achieved = self._achieve_if_reached(old.evolve(self.now, **changes), goal)
            # The goal is written too: a concurrent change of its progress must see the percentage.
            _, writes = await self.goal_writer.apply_change(goal, goal.evolve(self.now), achieved)
            return Decision(new, [put_or_retry(new, old, "milestone"), *writes])

        return await self.once(request, Milestone, decide)

    def _achieve_if_reached(
        self, milestone: Milestone, goal: Goal
    ) -> tuple[Milestone, list[ActivityDraft]]:
        if milestone.achieved or milestone.percentage > goal.cached_progress:
            return milestone, []
        achieved, activity = self.goal_writer.achieve(milestone)
        return achieved, [activity]

    async def delete(self, request: DeleteMilestoneInput) -> Milestone:
        async def decide() -> Decision[Milestone]:
            old = await self._own_milestone(request.goal_id, request.id)
            expect_version(request, old, "milestone")
            goal = await self.own_goal(old.goal_id)
            new_goal = goal.evolve(self.now, milestone_count=max(0, goal.milestone_count - 1))
            _, writes = await self.goal_writer.apply_change(goal, new_goal)
            return Decision(old, [delete_if_unchanged(old, "milestone"), *writes])

        return await self.once(request, Milestone, decide)

    async def _own_milestone(self, goal_id: str | None, milestone_id: str) -> Milestone:
        if isinstance(goal_id, str):
            return required(await self.milestone(goal_id, milestone_id), "milestone")
        return required(await self.milestone_by_id(milestone_id), "milestone")
