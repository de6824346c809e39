"""When an account goes, its offers go with it, and it gives up what it does for others. What others
have handed in stays theirs: the quest stays too, without the name of whoever asked for it."""

import dataclasses

from app.domains.quests import keys
from app.domains.quests.rules import QuestAction, QuestStatus, may_begin
from app.domains.quests.service.step import QuestWork, Step, unchanged
from app.domains.quests.types import NOBODY, AttesterRole, ListingRole, Quest, QuestListing
from app.domains.service import Decision
from app.table.together import MOST_IN_A_TRANSACTION
from app.table.writes import Delete, Update, Write, stale

NOBODY_TO_REVIEW = "The creator's account was deleted before the review. A moderator decides."

# The category, and what tells the creator and the performer that the quest is gone.
ROOM = MOST_IN_A_TRANSACTION - 3
WHY_ERASED = "The creator of the quest has left, and it with them."


class QuestDeparture(QuestWork):
    """May be broken off and begun again: what is done already is not found again."""

    async def leave(self) -> None:
        me = self.caller.user_id
        async for listing in self.table.query_all(keys.created_quests(me)):
            await self._withdraw(listing)
        async for listing in self.table.query_all(keys.performed_quests(me)):
            await self._step_back(listing.id)

    async def _withdraw(self, listing: QuestListing) -> None:
        async def decide() -> Decision[None]:
            quest = await self.repository.stored_quest(listing.id)
            if quest is None:
                return Decision(None)
            if quest.as_of(self.now).submitted_at:
                return Decision(None, self._left_behind(quest, listing))
            return Decision(None, await self._erased(quest))

        await self.commit(decide)

    async def _erased(self, quest: Quest) -> list[Write]:
        """The quest with what points to it. Its history lies in its own partition, which is erased
        with the account."""
        seats = await self.repository.seats_of_quest(quest.id)
        gone = Delete(
            keys.quest(quest.id), when=unchanged(quest), otherwise=stale("quest"), record=quest
        )
        left = [write for seat in seats for write in self._leaving(seat)]
        writes = [gone, *left, *self._dropped(seats, WHY_ERASED)]
        room = max(0, ROOM - len(writes) - len(seats))
        return [*writes, *self._unlisted(quest, room=room)]

    def _left_behind(self, quest: Quest, listing: QuestListing) -> list[Write]:
        """Without its place in the account, so that it is not erased with that."""
        me = self.caller.user_id
        nameless = self._ending(without_name(quest, me))
        waits = quest.status is QuestStatus.PENDING_REVIEW
        if waits and not quest.has_attested(me, AttesterRole.CREATOR):
            step = self._to_a_judge(Step(stored=quest, quest=nameless))
        else:
            step = Step(stored=quest, quest=nameless.evolve(self.now))
        place = keys.listing(me, ListingRole.CREATED, listing.created_at, listing.id)
        return [*step.decision().writes, Delete(place)]

    def _ending(self, quest: Quest) -> Quest:
        """If it comes to nothing, it must not stand open for ever with nobody to review it."""
        if quest.status in (QuestStatus.COMPLETE, QuestStatus.CANCELLED):
            return quest
        end = self._stale_at()
        return dataclasses.replace(
            quest,
            expires_at=min(quest.expires_at or end, end),
            stale_at=end if quest.stale_at else None,
        )

    def _to_a_judge(self, step: Step) -> Step:
        disputed = dataclasses.replace(
            step.quest, status=QuestStatus.DISPUTED, dispute_reason=NOBODY_TO_REVIEW
        )
        return self._moved(step, QuestAction.DISPUTE, disputed, by=None, note=NOBODY_TO_REVIEW)

    def _unlisted(self, quest: Quest, *, room: int) -> list[Write]:
        """Tags that do not fit in beside a large team lead nowhere, and go with the partition."""
        gone = quest.tags[:room]
        tags: list[Write] = [Delete(keys.tag_of_quest(quest.id, tag)) for tag in gone]
        if quest.category_id is None:
            return tags
        counted = Update(keys.category(quest.category_id), add={"questCount": -1, "version": 1})
        return [*tags, counted]

    async def _step_back(self, quest_id: str) -> None:
        async def decide() -> Decision[None]:
            quest = await self.repository.stored_quest(quest_id)
            if quest is None:
                return Decision(None)
            if not may_begin(QuestAction.UNCLAIM, quest.status):
                return Decision(None, self._unnamed(quest))
            step = self._without_me(Step(stored=quest, quest=quest))
            seat = await self.repository.seat(quest_id, self.caller.user_id)
            freed = self._leaving(seat) if seat else ()
            return Decision(None, step.having(*freed).decision().writes)

        await self.commit(decide)

    def _unnamed(self, quest: Quest) -> list[Write]:
        nameless = without_name(quest, self.caller.user_id)
        if nameless == quest:
            return []
        return list(Step(stored=quest, quest=nameless.evolve(self.now)).decision().writes)


def without_name(quest: Quest, user_id: str) -> Quest:
    """What they attested stays, and no longer leads to them."""
    nameless = [
        dataclasses.replace(each, attester_username=NOBODY, signature=None, signer=None)
        if each.attester_id == user_id
        else each
        for each in quest.attestations
    ]
    return dataclasses.replace(quest, attestations=nameless)
