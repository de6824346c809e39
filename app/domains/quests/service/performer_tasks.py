"""A quest as a task of a performer's own goal: created with the claim, it follows the quest."""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from app.core.errors import AppError, NotFound, StaleVersion
from app.core.shards import shard_of
from app.domains.goals.errors import DependencyOpen, NextOccurrenceChanged
from app.domains.goals.service import Tasks
from app.domains.quests import keys
from app.domains.quests.rules.performer_tasks import STATUS_AFTER, needs_change
from app.domains.quests.types import PendingTaskChange, Quest, QuestSeat, TaskOutcome
from app.domains.rewards.errors import InsufficientPoints, WalletFull
from app.domains.service import Decision, Service
from app.table.conditions import attr
from app.table.writes import Delete, Put, Write


@dataclass(eq=False)
class PerformerTasks(Service):
    """A change of a task is stored in the transaction of its quest and applied right after it: a
    quest must neither wait for the goals of twenty performers nor fail because of them. If that is
    interrupted, a job applies it. A later change of the quest replaces an earlier one."""

    # A task changes the counts of its goals, which other tasks change at the same time.
    attempts = 60

    pending: dict[str, PendingTaskChange] = field(default_factory=dict, init=False, repr=False)

    def tasks_of(self, user_id: str) -> Tasks:
        return self.scope.acting_for(user_id).get(Tasks)

    async def new_task(
        self, quest: Quest, user_id: str, goal_id: object
    ) -> tuple[str | None, list[Write]]:
        """The id of the new task and its writes; None if no goal is given."""
        if not isinstance(goal_id, str):
            return None, []
        if not goal_id:
            raise NotFound("goal")
        task, writes = await self.tasks_of(user_id).create_writes_for_goal(
            goal_id, quest.title, quest.description, quest.expires_at
        )
        return task.id, writes

    def writes_for(
        self, seats: Iterable[QuestSeat], outcome: TaskOutcome, reason: str
    ) -> Iterator[Write]:
        """For the transaction of the quest; `finish_pending` comes after it."""
        for seat in seats:
            if seat.task_id is not None:
                change = PendingTaskChange(
                    created_at=self.now,
                    updated_at=self.now,
                    user_id=seat.user_id,
                    task_id=seat.task_id,
                    quest_id=seat.quest_id,
                    outcome=outcome,
                    reason=reason,
                    shard=shard_of(seat.quest_id, self.resources.settings.shards),
                )
                self.pending[change.task_id] = change
                yield Put(change)

    async def finish_pending(self) -> None:
        """Refusals are ignored: the quest has changed already."""
        while self.pending:
            _, change = self.pending.popitem()
            with contextlib.suppress(AppError):
                await self.finish(change)

    async def finish(self, change: PendingTaskChange) -> None:
        """A deleted task stays deleted. A task that waits for another one, whose next occurrence is
        in use, or whose points are spent, stays as it is."""

        async def decide() -> Decision[None]:
            key = keys.pending_task_change(change.user_id, change.task_id)
            current = await self.table.get(key)
            if current is None:
                return Decision(None)
            return Decision(None, [*await self._task_writes(current), _removal(current)])

        try:
            await self.commit(decide)
        except (NotFound, DependencyOpen, NextOccurrenceChanged, InsufficientPoints, WalletFull):
            await self.table.write(_removal(change))

    async def _task_writes(self, change: PendingTaskChange) -> Iterable[Write]:
        tasks = self.tasks_of(change.user_id)
        task = await tasks.task(change.task_id)
        if task is None or not needs_change(task, change.outcome):
            return []
        status = {"status": STATUS_AFTER[change.outcome]}
        return (await tasks.apply_change(task, status, reason=change.reason)).writes


def _removal(change: PendingTaskChange) -> Write:
    """Refused if a later change of the quest has replaced it meanwhile."""
    same = attr("turn").equals(change.outcome) & attr("updatedAt").equals(change.updated_at)
    key = keys.pending_task_change(change.user_id, change.task_id)
    return Delete(key, when=same, otherwise=StaleVersion("task change", None))
