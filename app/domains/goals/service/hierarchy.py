"""The tree of goals, without cycles."""

from dataclasses import replace

import strawberry

from app.core.errors import BadInput
from app.domains.goals import keys
from app.domains.goals.errors import Circular
from app.domains.goals.rules.activities import child_activity
from app.domains.goals.service.base import GoalsService
from app.domains.goals.service.edge_lock import take_edge_lock
from app.domains.goals.service.goal_writer import GoalWriter
from app.domains.goals.types import ActivityType, Goal, GoalChild
from app.domains.service import uses
from app.table.writes import Delete, Put, Write

DEEPEST_LEVEL = 20


class Hierarchy(GoalsService):
    goal_writer = uses(GoalWriter)

    async def change_parent(self, goal: Goal, parent_id: str | None) -> tuple[Goal, list[Write]]:
        """The goal under another parent, or none, and the writes besides the goal itself."""
        writes: list[Write] = []
        if parent_id is not None:
            writes += await self._add_child(parent_id, goal)
        if goal.parent_goal_id is not None:
            writes += await self._remove_child(goal.parent_goal_id, goal)
        parent = strawberry.ID(parent_id) if parent_id is not None else None
        return replace(goal, parent_goal_id=parent), writes

    async def _add_child(self, parent_id: str, goal: Goal) -> list[Write]:
        lock = await take_edge_lock(self, "GOALS")
        parent = await self.own_goal(parent_id)
        await self._check_ancestors(goal, parent)
        link = GoalChild(**self.stamp(), goal_id=parent.id, child_id=goal.id)
        new_parent = parent.evolve(self.now, child_count=parent.child_count + 1)
        activity = child_activity(ActivityType.child_added, goal)
        _, writes = await self.goal_writer.apply_change(parent, new_parent, [activity])
        return [lock, Put(link), *writes]

    async def _remove_child(self, parent_id: str, goal: Goal) -> list[Write]:
        unlink = Delete(keys.goal_child(parent_id, goal.id))
        parent = await self.table.load(keys.goal(self.caller.user_id, parent_id))
        if parent is None:
            return [unlink]
        new_parent = parent.evolve(self.now, child_count=max(0, parent.child_count - 1))
        activity = child_activity(ActivityType.child_removed, goal)
        _, writes = await self.goal_writer.apply_change(parent, new_parent, [activity])
        return [unlink, *writes]

    async def _check_ancestors(self, goal: Goal, parent: Goal) -> None:
        """The goal must not be among the ancestors of its parent, and they must not be too many."""
        level = 0
        ancestor: Goal | None = parent
        while ancestor is not None:
            level += 1
            if ancestor.id == goal.id:
                raise Circular("A goal cannot be a part of itself.")
            if level >= DEEPEST_LEVEL:
                raise BadInput(
                    f"Goals are nested at most {DEEPEST_LEVEL} levels deep.",
                    field="input.parentGoalId",
                )
            next_id = ancestor.parent_goal_id
            key = keys.goal(self.caller.user_id, next_id) if next_id is not None else None
            ancestor = await self.table.load(key) if key else None
