"""Goals as parts of goals, without circles."""

from dataclasses import replace

import strawberry

from app.core.caller import Caller
from app.core.errors import BadInput
from app.domains.goals import keys
from app.domains.goals.errors import Circular
from app.domains.goals.service.base import GoalsService
from app.domains.goals.service.progress import GoalKeeper, Happened
from app.domains.goals.service.structure import one_more_edge
from app.domains.goals.types import ActivityType, Goal, GoalChild
from app.domains.people.service import Profiles
from app.resources import Resources
from app.table.writes import Delete, Put, Write

DEEPEST = 20


class Hierarchy(GoalsService):
    def __init__(
        self, resources: Resources, caller: Caller, profiles: Profiles, keeper: GoalKeeper
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.keeper = keeper

    async def moving(self, goal: Goal, parent_id: str | None) -> tuple[Goal, list[Write]]:
        """The goal under another parent (or none), and what that changes beside itself."""
        writes: list[Write] = []
        if parent_id is not None:
            writes += await self._joined(goal, parent_id)
        if goal.parent_goal_id is not None:
            writes += await self._left(goal, goal.parent_goal_id)
        parent = strawberry.ID(parent_id) if parent_id is not None else None
        return replace(goal, parent_goal_id=parent), writes

    async def _joined(self, goal: Goal, parent_id: str) -> list[Write]:
        edge = await one_more_edge(self, "GOALS")
        parent = await self.own_goal(parent_id)
        await self._check(goal, parent)
        link = GoalChild(**self.stamp(), goal_id=parent.id, child_id=goal.id)  # type: ignore[arg-type]
        story = Happened(type=ActivityType.child_added, title=goal.title, entity="Goal", id=goal.id)
        more = parent.evolve(self.now, child_count=parent.child_count + 1)
        return [edge, Put(link), *(await self.keeper.change(parent, more, [story]))[1]]

    async def _left(self, goal: Goal, parent_id: str) -> list[Write]:
        gone: list[Write] = [Delete(keys.goal_child(parent_id, goal.id))]
        parent = await self.repository.goal(parent_id)
        if parent is None:
            return gone
        story = Happened(
            type=ActivityType.child_removed, title=goal.title, entity="Goal", id=goal.id
        )
        fewer = parent.evolve(self.now, child_count=max(0, parent.child_count - 1))
        return [*gone, *(await self.keeper.change(parent, fewer, [story]))[1]]

    async def _check(self, goal: Goal, parent: Goal) -> None:
        """Upwards from the parent: the goal must not be there, nor too many others."""
        above: list[str] = []
        each: Goal | None = parent
        while each is not None:
            above.append(each.id)
            if each.id == goal.id:
                raise Circular("A goal cannot be a part of itself.")
            if len(above) >= DEEPEST:
                raise BadInput(
                    f"Goals go at most {DEEPEST} levels deep.", field="input.parentGoalId"
                )
            up = each.parent_goal_id
            each = await self.repository.goal(up) if up is not None else None
