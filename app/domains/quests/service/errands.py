"""A quest as a task of one's own goal: made with the claim, done with the submission."""

from collections.abc import Callable, Sequence

from app.core.errors import NotFound
from app.domains.goals.errors import DependencyOpen
from app.domains.goals.service import Tasks
from app.domains.goals.types import TaskStatus
from app.domains.quests.types import Quest, QuestSeat
from app.table.writes import Write


class Errands:
    """The writes of those whose task it is, for the transaction of the quest."""

    def __init__(self, tasks_of: Callable[[str], Tasks]) -> None:
        self.tasks_of = tasks_of

    async def taken_on(
        self, quest: Quest, user_id: str, goal_id: str | None
    ) -> tuple[str | None, list[Write]]:
        if goal_id is None:
            return None, []
        task, writes = await self.tasks_of(user_id).writes_for_goal(
            goal_id, quest.title, quest.description, quest.expires_at
        )
        return task.id, writes

    async def done(self, seats: Sequence[QuestSeat], *, first: str, room: int) -> list[Write]:
        """Theirs who submits, and of the rest of the team as many as go into one transaction."""
        writes: list[Write] = []
        for seat in sorted(seats, key=lambda each: each.user_id != first):
            more = await self._completing(seat)
            if len(writes) + len(more) > room:
                break
            writes += more
        return writes

    async def _completing(self, seat: QuestSeat) -> list[Write]:
        """None if they have deleted the task, or made it wait for another."""
        if seat.task_id is None:
            return []
        try:
            return (await self.tasks_of(seat.user_id).complete_writes(seat.task_id))[1]
        except (NotFound, DependencyOpen):
            return []

    async def dropped(self, seat: QuestSeat) -> Sequence[Write]:
        """Whoever gives the quest back does not keep its task as open."""
        if seat.task_id is None:
            return []
        tasks = self.tasks_of(seat.user_id)
        task = await tasks.task(seat.task_id)
        if task is None or not task.is_open:
            return []
        return (await tasks.changed(task, {"status": TaskStatus.Cancelled})).writes
