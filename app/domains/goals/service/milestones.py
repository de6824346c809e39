"""Milestones of a goal."""

from functools import partial

from app.core.caller import Caller
from app.core.errors import BadInput
from app.domains.goals import keys
from app.domains.goals.errors import IdTaken
from app.domains.goals.inputs import (
    CreateMilestoneInput,
    DeleteMilestoneInput,
    UpdateMilestoneInput,
)
from app.domains.goals.service.base import GoalsService, swap, there
from app.domains.goals.service.progress import GoalKeeper, Happened, achieved
from app.domains.goals.types import ActivityType, Goal, Milestone
from app.domains.people.service import Profiles
from app.domains.service import Decision, expect_version
from app.resources import Resources
from app.table.conditions import version_is
from app.table.writes import Delete, create, stale

MOST_MILESTONES = 20


class Milestones(GoalsService):
    def __init__(
        self, resources: Resources, caller: Caller, profiles: Profiles, keeper: GoalKeeper
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.keeper = keeper

    async def of_goal(self, goal: Goal) -> list[Milestone]:
        found = await self.repository.milestones_of_goal(goal.id)
        return sorted(found, key=lambda each: (each.percentage, each.created_at, each.id))

    async def milestone(self, goal_id: str, milestone_id: str) -> Milestone | None:
        return await self.repository.milestone(goal_id, milestone_id)

    async def by_id(self, milestone_id: str) -> Milestone | None:
        """Without its goal: there are few enough to look through them."""
        every = await self.read_once(self.repository.all_milestones)
        return next((each for each in every if each.id == milestone_id), None)

    async def create(self, request: CreateMilestoneInput) -> Milestone:
        return await self.once(request, Milestone, partial(self._create, request))

    async def _create(self, request: CreateMilestoneInput) -> Decision[Milestone]:
        goal = await self.own_goal(request.goal_id)
        if goal.milestone_count >= MOST_MILESTONES:
            raise BadInput(
                f"A goal has at most {MOST_MILESTONES} milestones.", field="input.goalId"
            )
        reached = request.percentage <= goal.cached_progress
        milestone = Milestone(
            **self.stamp(),  # type: ignore[arg-type]
            id=self.new_id(),
            goal_id=goal.id,
            name=request.name,
            percentage=request.percentage,
            description=request.description or None,
            achieved=reached,
            achieved_at=self.now if reached else None,
        )
        happened = [
            Happened(
                type=ActivityType.milestone_added,
                title=milestone.name,
                entity="Milestone",
                id=milestone.id,
            ),
            *([achieved(milestone.name, milestone.id)] if reached else []),
        ]
        more = goal.evolve(self.now, milestone_count=goal.milestone_count + 1)
        _, writes = await self.keeper.change(goal, more, happened)
        return Decision(milestone, [create(milestone, otherwise=IdTaken("milestone")), *writes])

    async def update(self, request: UpdateMilestoneInput) -> Milestone:
        async def decide() -> Decision[Milestone]:
            old = await self._own(request.goal_id, request.id)
            expect_version(request, old, "milestone")
            changes = request.changes(("name", "percentage"))
            changes.pop("goal_id", None)
            goal = await self.own_goal(old.goal_id)
            new = old.evolve(self.now, **changes)
            happened = []
            if not new.achieved and new.percentage <= goal.cached_progress:
                new = new.evolve(self.now, achieved=True, achieved_at=self.now)
                happened.append(achieved(new.name, new.id))
            # On the goal as it is: progress that moves meanwhile must see the new percentage.
            _, writes = await self.keeper.change(goal, goal.evolve(self.now), happened)
            return Decision(new, [swap(new, old, "milestone"), *writes])

        return await self.commit(decide)

    async def delete(self, request: DeleteMilestoneInput) -> Milestone:
        async def decide() -> Decision[Milestone]:
            old = await self._own(request.goal_id, request.id)
            expect_version(request, old, "milestone")
            goal = await self.own_goal(old.goal_id)
            fewer = goal.evolve(self.now, milestone_count=max(0, goal.milestone_count - 1))
            _, writes = await self.keeper.change(goal, fewer, [])
            key = keys.milestone(old.user_id, old.goal_id, old.id)
            gone = Delete(key, when=version_is(old.version), otherwise=stale("milestone"))
            return Decision(old, [gone, *writes])

        return await self.commit(decide)

    async def _own(self, goal_id: str | None, milestone_id: str) -> Milestone:
        if isinstance(goal_id, str):
            found = await self.repository.milestone(goal_id, milestone_id)
        else:
            found = await self.by_id(milestone_id)
        return there(found, "milestone")
