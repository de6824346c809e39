"""A quest as a task of one's own goal: made with the claim, it follows the quest to its end."""

import contextlib
from collections.abc import Callable, Iterable, Iterator

from app.core.caller import Caller
from app.core.errors import AppError, NotFound, StaleVersion
from app.core.shards import shard_of
from app.domains.goals.errors import DependencyOpen
from app.domains.goals.service import Tasks
from app.domains.goals.types import Task, TaskStatus
from app.domains.quests import keys
from app.domains.quests.repository import QuestsRepository
from app.domains.quests.types import ErrandTurn, Quest, QuestErrand, QuestSeat
from app.domains.rewards.errors import InsufficientPoints, WalletFull
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.conditions import attr
from app.table.writes import Delete, Put, Write

STATUS = {
    ErrandTurn.DONE: TaskStatus.Done,
    ErrandTurn.DROPPED: TaskStatus.Cancelled,
    ErrandTurn.RESUMED: TaskStatus.NotStarted,
}


class Errands(Service):
    """What a task has to become is written with the quest's own step, and done right after it: a
    quest must not wait for twenty people's goals, nor fail because of them. Should that be broken
    off, a job does it. The latest step counts."""

    # A task moves its goals on, as others do at the same time.
    attempts = 60

    def __init__(
        self, resources: Resources, caller: Caller, tasks_of: Callable[[str], Tasks]
    ) -> None:
        super().__init__(resources, caller)
        self.tasks_of = tasks_of
        self.repository = QuestsRepository(resources.table, resources.settings.shards)
        self.behind: dict[str, QuestErrand] = {}

    async def taken_on(
        self, quest: Quest, user_id: str, goal_id: str | None
    ) -> tuple[str | None, list[Write]]:
        if goal_id is None:
            return None, []
        if not goal_id:
            raise NotFound("goal")
        task, writes = await self.tasks_of(user_id).writes_for_goal(
            goal_id, quest.title, quest.description, quest.expires_at
        )
        return task.id, writes

    def following(self, seats: Iterable[QuestSeat], turn: ErrandTurn, why: str) -> Iterator[Write]:
        """For the transaction of the quest; catch_up comes after it."""
        for seat in seats:
            if seat.task_id is not None:
                errand = QuestErrand(
                    created_at=self.now,
                    updated_at=self.now,
                    user_id=seat.user_id,
                    task_id=seat.task_id,
                    quest_id=seat.quest_id,
                    turn=turn,
                    why=why,
                    shard=shard_of(seat.quest_id, self.resources.settings.shards),
                )
                self.behind[errand.task_id] = errand
                yield Put(errand)

    async def catch_up(self) -> None:
        """The quest's step has happened, whatever becomes of the tasks."""
        while self.behind:
            _, errand = self.behind.popitem()
            with contextlib.suppress(AppError):
                await self.finish(errand)

    async def finish(self, errand: QuestErrand) -> None:
        """What was deleted stays deleted; what waits for another task, or was paid with points that
        are spent, stays as it is."""

        async def decide() -> Decision[None]:
            found = await self.repository.errand(errand.user_id, errand.task_id)
            if found is None:
                return Decision(None)
            return Decision(None, [*await self._turned(found), _done(found)])

        try:
            await self.commit(decide)
        except (NotFound, DependencyOpen, InsufficientPoints, WalletFull):
            await self.table.write(_done(errand))

    async def _turned(self, errand: QuestErrand) -> Iterable[Write]:
        tasks = self.tasks_of(errand.user_id)
        task = await tasks.task(errand.task_id)
        if task is None or not _has_to_turn(task, errand.turn):
            return []
        change = {"status": STATUS[errand.turn]}
        return (await tasks.changed(task, change, why=errand.why)).writes


def _has_to_turn(task: Task, turn: ErrandTurn) -> bool:
    match turn:
        case ErrandTurn.DONE:
            return not task.is_done
        case ErrandTurn.DROPPED:
            return task.is_open
        case ErrandTurn.RESUMED:
            return task.is_done


def _done(errand: QuestErrand) -> Write:
    """Unless the quest has taken another step meanwhile."""
    same = attr("turn").equals(errand.turn) & attr("updatedAt").equals(errand.updated_at)
    key = keys.errand(errand.user_id, errand.task_id)
    return Delete(key, when=same, otherwise=StaleVersion("errand", None))
