"""How a quest changes: from the stored quest to the new one, its history and all other writes, in
one transaction."""

import dataclasses
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

import strawberry

from app.core.clock import instant
from app.core.errors import NotFound
from app.core.scalars import AWSDateTime
from app.domains.quests import keys
from app.domains.quests.inputs import QuestActionInput
from app.domains.quests.repository import QuestsRepository
from app.domains.quests.rules.performer_tasks import REASON_DROPPED
from app.domains.quests.rules.quest import (
    due_action,
    quest_visible_to,
    reindexed_for,
    with_deadlines_applied,
    without_performer,
    without_performers,
)
from app.domains.quests.rules.submissions import past_attestation
from app.domains.quests.rules.transitions import check_begin, check_transition
from app.domains.quests.service.performer_tasks import PerformerTasks
from app.domains.quests.types import (
    ListingRole,
    Quest,
    QuestAction,
    QuestSeat,
    QuestStatus,
    QuestTransition,
    TaskOutcome,
)
from app.domains.service import Decision, Service, expect_version, required, uses
from app.table.conditions import Condition, attr, version_is
from app.table.entity import NO_FIELDS, FieldNames
from app.table.writes import Delete, Put, Write, put_if_absent, stale

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestChange:
    """A quest as stored, as it will be, and what is written with it."""

    stored: Quest
    quest: Quest
    writes: Sequence[Write] = field(default_factory=list)

    def with_writes(self, *writes: Write) -> "QuestChange":
        return dataclasses.replace(self, writes=[*self.writes, *writes])

    def decision(self) -> Decision[Quest]:
        changed = Put(self.quest, when=is_unchanged(self.stored), otherwise=stale("quest"))
        return Decision(self.quest, [changed, *self.writes])


def is_unchanged(quest: Quest) -> Condition:
    return attr("status").equals(quest.status) & version_is(quest.version)


class QuestService(Service):
    """What the services that change quests have in common."""

    attempts = 30

    performer_tasks = uses(PerformerTasks)

    @property
    def repository(self) -> QuestsRepository:
        return QuestsRepository(self.table, self.resources.settings.shards)

    async def commit(
        self,
        decide: Callable[[], Awaitable[Decision[T]]],
        receipt: Callable[[T], Write] | None = None,
    ) -> T:
        async def decide_with_seats() -> Decision[T]:
            decision = await decide()
            seats = await self._reindexed_seats(decision.writes)
            return Decision(decision.answer, [*decision.writes, *seats])

        answer = await super().commit(decide_with_seats, receipt)
        await self.performer_tasks.finish_pending()
        return answer

    async def _reindexed_seats(self, writes: Sequence[Write]) -> list[Write]:
        """The seats of every team quest that is written, unless they are written themselves."""
        written = {write.key for write in writes}
        quests = [w.record for w in writes if isinstance(w, Put) and isinstance(w.record, Quest)]
        return [
            Put(reindexed_for(seat, quest))
            for quest in quests
            if quest.performers and quest.max_performers > 1
            for seat in await self.repository.seats_of_quest(quest.id)
            if keys.seat(seat.quest_id, seat.user_id) not in written
        ]

    async def quest(self, quest_id: str, *, without: FieldNames = NO_FIELDS) -> Quest | None:
        found = await self.table.load(keys.quest(quest_id).without(without))
        return quest_visible_to(self.caller, found, self.now) if found else None

    async def _load_for(self, request: QuestActionInput, action: QuestAction) -> QuestChange:
        return await self._load(request, lambda quest: check_begin(action, quest.status))

    async def _load(self, request: QuestActionInput, check: Callable[[Quest], None]) -> QuestChange:
        """The quest with its deadlines applied, if it passes the check."""
        stored = await self._stored_quest(request.quest_id)
        expect_version(request, stored, "quest")
        check(with_deadlines_applied(stored, self.now))
        while due_action(stored, self.now):
            await self.apply_deadlines(stored.id)
            stored = await self._stored_quest(stored.id)
            check(stored)
        return QuestChange(stored=stored, quest=stored)

    async def _stored_quest(self, quest_id: str) -> Quest:
        return required(await self.table.get(keys.quest(quest_id)), "quest")

    async def apply_deadlines(self, quest_id: str) -> bool:
        """Writes that the quest has expired or its claim has lapsed. False if neither is so."""

        async def decide() -> Decision[bool]:
            stored = await self.table.get(keys.quest(quest_id))
            action = due_action(stored, self.now) if stored else None
            if stored is None or action is None:
                return Decision(False)
            status = with_deadlines_applied(stored, self.now).status
            change = QuestChange(stored=stored, quest=stored)
            change = await self._remove_performers(change, action, status, by=None)
            return Decision(True, change.decision().writes)

        return await self.commit(decide)

    async def _remove_performers(
        self, change: QuestChange, action: QuestAction, status: QuestStatus, *, by: str | None
    ) -> QuestChange:
        old = change.quest
        seats = await self.repository.seats_of_quest(old.id) if old.performers else []
        change = self._transition(change, action, without_performers(old, status=status), by=by)
        removed = (write for seat in seats for write in self._seat_removal(seat))
        dropped = self.performer_tasks.writes_for(
            seats, TaskOutcome.DROPPED, REASON_DROPPED[action]
        )
        return change.with_writes(*removed, *dropped)

    def _remove_caller(self, change: QuestChange) -> QuestChange:
        new = without_performer(change.quest, self.caller.user_id)
        return self._transition(change, QuestAction.UNCLAIM, new, by=self.caller.id)

    def _seat_removal(self, seat: QuestSeat) -> Iterable[Write]:
        yield Delete(keys.seat(seat.quest_id, seat.user_id))
        yield Delete(
            keys.listing(seat.user_id, ListingRole.PERFORMED, seat.created_at, seat.quest_id)
        )
        yield from self._slot_release(seat)

    def _slot_release(self, seat: QuestSeat) -> Iterable[Write]:
        """Does nothing if another quest has taken the slot meanwhile."""
        if seat.slot is not None:
            is_own = attr("questId").equals(seat.quest_id) | attr("questId").absent()
            yield Delete(keys.claim_slot(seat.user_id, seat.slot), when=is_own)

    def _transition(
        self,
        change: QuestChange,
        action: QuestAction,
        new: Quest,
        *,
        by: str | None,
        note: str | None = None,
    ) -> QuestChange:
        """The changed quest with its entry in the history."""
        old = change.quest
        check_transition(action, old.status, new.status)
        entry = self._history_entry(new, action, old.status, by=by, note=note)
        quest = new.evolve(self.now)
        return QuestChange(stored=change.stored, quest=quest, writes=[*change.writes, entry])

    def _with_past_attestations(self, change: QuestChange) -> QuestChange:
        """Attestations that the changed quest no longer has are kept beside it."""
        stored, kept = change.stored, change.quest.attestations
        past = [each for each in stored.attestations if each not in kept]
        return change.with_writes(*(Put(past_attestation(stored, e, self.now)) for e in past))

    def _history_entry(
        self,
        quest: Quest,
        action: QuestAction,
        old_status: QuestStatus | None,
        *,
        by: str | None,
        note: str | None = None,
    ) -> Write:
        entry = QuestTransition(
            id=self.new_id(),
            created_at=self.now,
            updated_at=self.now,
            quest_id=quest.id,
            action=action,
            by_user_id=strawberry.ID(by) if by else None,
            from_status=old_status,
            to_status=quest.status,
            note=note or None,
        )
        return put_if_absent(entry, otherwise=NotFound("quest"))

    def _claim_ends_at(self) -> AWSDateTime:
        hours = self.resources.settings.stale_claim_hours
        return instant(self.resources.clock.now() + timedelta(hours=hours))
