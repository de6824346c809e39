"""How a quest changes: from what is stored, step by step, to one transaction."""

import dataclasses
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol, TypeVar

import strawberry

from app.core.caller import Caller
from app.core.clock import instant
from app.core.errors import Forbidden, NotFound
from app.core.scalars import AWSDateTime
from app.domains.goals.service import Tasks
from app.domains.quests import keys
from app.domains.quests.repository import QuestsRepository
from app.domains.quests.rules import QuestAction, QuestStatus, check_begin, check_move
from app.domains.quests.service.errands import Errands
from app.domains.quests.types import ErrandTurn, ListingRole, Quest, QuestSeat, QuestTransition
from app.domains.service import Decision, Service, Versioned, expect_version
from app.resources import Resources
from app.table.conditions import Condition, attr, version_is
from app.table.entity import WHOLE, Fields
from app.table.writes import Delete, Put, Write, create, stale

T = TypeVar("T")

# What a performer reads in the activity of a goal of theirs.
WHY_DROPPED: Mapping[QuestAction, str] = {
    QuestAction.UNCLAIM: "You gave the quest back.",
    QuestAction.RELEASE: "Its creator took the quest back.",
    QuestAction.LAPSE: "Your claim on the quest ran out.",
    QuestAction.EXPIRE: "The quest has expired.",
    QuestAction.CANCEL: "Its creator cancelled the quest.",
    QuestAction.RESOLVE: "A moderator cancelled the quest.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A quest on its way: as stored, as it will be, and what is written with it."""

    stored: Quest
    quest: Quest
    writes: Sequence[Write] = field(default_factory=list)

    def having(self, *writes: Write) -> "Step":
        return dataclasses.replace(self, writes=[*self.writes, *writes])

    def decision(self) -> Decision[Quest]:
        changed = Put(self.quest, when=unchanged(self.stored), otherwise=stale("quest"))
        return Decision(self.quest, [changed, *self.writes])


def unchanged(quest: Quest) -> Condition:
    return attr("status").equals(quest.status) & version_is(quest.version)


class OnQuest(Versioned, Protocol):
    """An input about one quest."""

    quest_id: strawberry.ID


class QuestWork(Service):
    """What the services of quests have in common."""

    attempts = 30

    def __init__(
        self, resources: Resources, caller: Caller, tasks_of: Callable[[str], Tasks]
    ) -> None:
        super().__init__(resources, caller)
        self.repository = QuestsRepository(resources.table, resources.settings.shards)
        self.errands = Errands(resources, caller, tasks_of)

    async def commit(
        self,
        decide: Callable[[], Awaitable[Decision[T]]],
        receipt: Callable[[T], Write] | None = None,
    ) -> T:
        async def decide_for_all() -> Decision[T]:
            decision = await decide()
            seats = await self._moved_seats(decision.writes)
            return Decision(decision.answer, [*decision.writes, *seats])

        answer = await super().commit(decide_for_all, receipt)
        await self.errands.catch_up()
        return answer

    async def _moved_seats(self, writes: Sequence[Write]) -> list[Write]:
        """A team's seats stand in the index as their quest does; whatever else is done to a seat
        says so itself."""
        written = {write.key for write in writes}
        moved = [w.record for w in writes if isinstance(w, Put) and isinstance(w.record, Quest)]
        return [
            Put(seat.beside(quest))
            for quest in moved
            if quest.performers and quest.max_performers > 1
            for seat in await self.repository.seats_of_quest(quest.id)
            if keys.seat(seat.quest_id, seat.user_id) not in written
        ]

    async def quest(self, quest_id: str, *, without: Fields = WHOLE) -> Quest | None:
        found = await self.repository.quest(quest_id, without)
        return self._seen(found) if found else None

    def _seen(self, quest: Quest) -> Quest:
        """As of now, and as this caller may see it."""
        quest = quest.as_of(self.now)
        if self.caller.is_moderator or quest.concerns(self.caller.id):
            return quest
        return dataclasses.replace(quest, submission=None, dispute_reason=None)

    async def _begin(self, request: OnQuest, action: QuestAction) -> Step:
        return await self._load(request, lambda quest: check_begin(action, quest.status))

    async def _load(self, request: OnQuest, check: Callable[[Quest], None]) -> Step:
        """The quest as of now, if it passes the check."""
        stored = await self._stored(request.quest_id)
        expect_version(request, stored, "quest")
        check(stored.as_of(self.now))
        while stored.overdue(self.now):
            await self.settle(stored.id)
            stored = await self._stored(stored.id)
            check(stored)
        return Step(stored=stored, quest=stored)

    async def _stored(self, quest_id: str) -> Quest:
        found = await self.repository.stored_quest(quest_id)
        if found is None:
            raise NotFound("quest")
        return found

    async def settle(self, quest_id: str) -> bool:
        """Writes down what the clock has done to it. False if there was nothing to do."""

        async def decide() -> Decision[bool]:
            stored = await self.repository.stored_quest(quest_id)
            action = stored.overdue(self.now) if stored else None
            if stored is None or action is None:
                return Decision(False)
            step = Step(stored=stored, quest=stored)
            status = stored.as_of(self.now).status
            step = await self._vacate(step, action, status, by=None)
            return Decision(True, step.decision().writes)

        return await self.commit(decide)

    async def _vacate(
        self, step: Step, action: QuestAction, status: QuestStatus, *, by: str | None
    ) -> Step:
        """Nobody performs it any more."""
        seats = await self.repository.seats_of_quest(step.quest.id) if step.quest.performers else []
        moved = self._moved(step, action, step.quest.vacated(status=status), by=by)
        left = (write for seat in seats for write in self._leaving(seat))
        return moved.having(*left, *self._dropped(seats, WHY_DROPPED[action]))

    def _dropped(self, seats: Iterable[QuestSeat], why: str) -> Iterable[Write]:
        """Nobody keeps the task of a quest that they do not do any more."""
        return self.errands.following(seats, ErrandTurn.DROPPED, why)

    def _without_me(self, step: Step) -> Step:
        rest = [each for each in step.quest.performers if each != self.caller.user_id]
        new = step.quest.vacated(status=QuestStatus.OPEN).with_performers(rest)
        return self._moved(step, QuestAction.UNCLAIM, new, by=self.caller.id)

    def _leaving(self, seat: QuestSeat) -> Iterable[Write]:
        yield Delete(keys.seat(seat.quest_id, seat.user_id))
        yield Delete(
            keys.listing(seat.user_id, ListingRole.PERFORMED, seat.created_at, seat.quest_id)
        )
        yield from self._freeing(seat)

    def _freeing(self, seat: QuestSeat) -> Iterable[Write]:
        """The slot, unless it has gone to another quest meanwhile."""
        if seat.slot is not None:
            mine = attr("questId").equals(seat.quest_id) | attr("questId").absent()
            yield Delete(keys.claim_slot(seat.user_id, seat.slot), when=mine)

    def _moved(
        self,
        step: Step,
        action: QuestAction,
        new: Quest,
        *,
        by: str | None,
        note: str | None = None,
    ) -> Step:
        """The next step, with its line in the quest's history."""
        old = step.quest
        check_move(action, old.status, new.status)
        entry = self._entry(old, action, new.status, by=by, note=note)
        quest = new.evolve(self.now)
        return Step(stored=step.stored, quest=quest, writes=[*step.writes, entry])

    def _entry(
        self,
        quest: Quest,
        action: QuestAction,
        status: QuestStatus,
        *,
        by: str | None,
        note: str | None = None,
        first: bool = False,
    ) -> Write:
        entry = QuestTransition(
            id=self.resources.ids.new(),
            created_at=self.now,
            updated_at=self.now,
            quest_id=quest.id,
            action=action,
            by_user_id=strawberry.ID(by) if by else None,
            from_status=None if first else quest.status,
            to_status=status,
            note=note or None,
        )
        return create(entry, otherwise=NotFound("quest"))

    def _must_be_creator(self, quest: Quest) -> None:
        if quest.creator_id != self.caller.user_id:
            raise Forbidden("Only the creator of this quest may do that.")

    def _must_perform(self, quest: Quest) -> None:
        if self.caller.user_id not in quest.performers:
            raise Forbidden("Only those who perform this quest may do that.")

    def _stale_at(self) -> AWSDateTime:
        hours = self.resources.settings.stale_claim_hours
        return instant(self.resources.clock.now() + timedelta(hours=hours))
