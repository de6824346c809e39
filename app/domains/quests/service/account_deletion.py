"""When an account is deleted, its quests are erased and its claims given back. A quest for which
others have submitted work stays, without the name of its creator."""

import dataclasses

from app.domains.people.service.ports import DeletedAccounts
from app.domains.quests import keys
from app.domains.quests.rules.attestations import has_attested, without_name
from app.domains.quests.rules.performer_tasks import REASON_ERASED
from app.domains.quests.rules.quest import with_deadlines_applied, with_end_by
from app.domains.quests.rules.transitions import may_begin
from app.domains.quests.service.base import QuestChange, QuestService, is_unchanged
from app.domains.quests.types import (
    AttesterRole,
    ListingRole,
    Quest,
    QuestAction,
    QuestListing,
    QuestStatus,
    TaskOutcome,
)
from app.domains.service import Decision
from app.table.transaction import room_for
from app.table.writes import Delete, Update, Write, stale

NO_REVIEWER = "The creator's account was deleted before the review. A moderator decides."


class QuestAccountDeletion(QuestService, DeletedAccounts):
    """May be interrupted and repeated: what is done already is not found again."""

    async def on_account_deleted(self) -> None:
        user_id = self.caller.user_id
        async for listing in self.table.query_all(keys.created_quests(user_id)):
            await self._remove_created(listing)
        async for listing in self.table.query_all(keys.performed_quests(user_id)):
            await self._remove_performed(listing.id)
        async for past in self.table.query_all(keys.past_attestations_of_user(user_id)):
            key = keys.past_attestation(past.quest_id, past.attested_at, user_id)
            await self.table.write(Delete(key))

    async def _remove_created(self, listing: QuestListing) -> None:
        async def decide() -> Decision[None]:
            quest = await self.table.get(keys.quest(listing.id))
            if quest is None:
                return Decision(None)
            if with_deadlines_applied(quest, self.now).submitted_at:
                return Decision(None, self._orphaned(quest, listing))
            return Decision(None, await self._erased(quest))

        await self.commit(decide)

    async def _erased(self, quest: Quest) -> list[Write]:
        """The quest and what points to it. Its history lies in its partition, which is erased with
        the account."""
        seats = await self.repository.seats_of_quest(quest.id)
        gone = Delete(
            keys.quest(quest.id), when=is_unchanged(quest), otherwise=stale("quest"), record=quest
        )
        removed = [write for seat in seats for write in self._seat_removal(seat)]
        dropped = self.performer_tasks.writes_for(seats, TaskOutcome.DROPPED, REASON_ERASED)
        writes = [gone, *removed, *dropped]
        # Besides them: the category, and a change note for each performer.
        room = room_for(1, besides=len(writes) + len(seats) + 1)
        return [*writes, *self._index_removal(quest, room=room)]

    def _orphaned(self, quest: Quest, listing: QuestListing) -> list[Write]:
        """Without its listing in the account, through which the account would erase it."""
        user_id = self.caller.user_id
        nameless = with_end_by(without_name(quest, user_id), self._claim_ends_at())
        waits = quest.status is QuestStatus.PENDING_REVIEW
        if waits and not has_attested(quest, user_id, AttesterRole.CREATOR):
            change = self._dispute(QuestChange(stored=quest, quest=nameless))
        else:
            change = QuestChange(stored=quest, quest=nameless.evolve(self.now))
        place = keys.listing(user_id, ListingRole.CREATED, listing.created_at, listing.id)
        return [*change.decision().writes, Delete(place)]

    def _dispute(self, change: QuestChange) -> QuestChange:
        disputed = dataclasses.replace(
            change.quest, status=QuestStatus.DISPUTED, dispute_reason=NO_REVIEWER
        )
        return self._transition(change, QuestAction.DISPUTE, disputed, by=None, note=NO_REVIEWER)

    def _index_removal(self, quest: Quest, *, room: int) -> list[Write]:
        """Tags that do not fit into the transaction of a large team are erased with the partition.
        Until then readers skip them."""
        tags: list[Write] = [Delete(keys.tag_of_quest(quest.id, t)) for t in quest.tags[:room]]
        if quest.category_id is None:
            return tags
        counted = Update(keys.category(quest.category_id), add={"questCount": -1, "version": 1})
        return [*tags, counted]

    async def _remove_performed(self, quest_id: str) -> None:
        async def decide() -> Decision[None]:
            quest = await self.table.get(keys.quest(quest_id))
            if quest is None:
                return Decision(None)
            if not may_begin(QuestAction.UNCLAIM, quest.status):
                return Decision(None, self._unnamed(quest))
            change = self._remove_caller(QuestChange(stored=quest, quest=quest))
            seat = await self.table.get(keys.seat(quest_id, self.caller.user_id))
            removed = self._seat_removal(seat) if seat else ()
            return Decision(None, change.with_writes(*removed).decision().writes)

        await self.commit(decide)

    def _unnamed(self, quest: Quest) -> list[Write]:
        nameless = without_name(quest, self.caller.user_id)
        if nameless == quest:
            return []
        change = QuestChange(stored=quest, quest=nameless.evolve(self.now))
        return list(change.decision().writes)
