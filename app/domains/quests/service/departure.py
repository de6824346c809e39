"""When an account goes, its quests go with it, and it gives up what it does for others."""

from app.domains.quests import keys
from app.domains.quests.rules import QuestAction, may_begin
from app.domains.quests.service.step import QuestWork, Step, unchanged
from app.domains.quests.types import Quest
from app.domains.service import Decision
from app.table.writes import Delete, Update, Write, stale


class QuestDeparture(QuestWork):
    """May be broken off and begun again: what is done already is not found again."""

    async def leave(self) -> None:
        me = self.caller.user_id
        async for listing in self.table.query_all(keys.created_quests(me)):
            await self._withdraw(listing.id)
        async for listing in self.table.query_all(keys.performed_quests(me)):
            await self._step_back(listing.id)

    async def _withdraw(self, quest_id: str) -> None:
        """The quest with what points to it. Its history lies in its own partition, which is erased
        with the account."""

        async def decide() -> Decision[None]:
            quest = await self.repository.stored_quest(quest_id)
            if quest is None:
                return Decision(None)
            seats = await self.repository.seats_of_quest(quest_id)
            gone = Delete(keys.quest(quest_id), when=unchanged(quest), otherwise=stale("quest"))
            left = [write for seat in seats for write in self._leaving(seat)]
            return Decision(None, [gone, *left, *self._unlisted(quest)])

        await self.commit(decide)

    def _unlisted(self, quest: Quest) -> list[Write]:
        tags: list[Write] = [Delete(keys.tag_of_quest(quest.id, tag)) for tag in quest.tags]
        if quest.category_id is None:
            return tags
        counted = Update(keys.category(quest.category_id), add={"questCount": -1, "version": 1})
        return [*tags, counted]

    async def _step_back(self, quest_id: str) -> None:
        async def decide() -> Decision[None]:
            quest = await self.repository.stored_quest(quest_id)
            if quest is None or not may_begin(QuestAction.UNCLAIM, quest.status):
                return Decision(None)
            step = self._without_me(Step(stored=quest, quest=quest))
            seat = await self.repository.seat(quest_id, self.caller.user_id)
            freed = self._leaving(seat) if seat else ()
            return Decision(None, step.having(*freed).decision().writes)

        await self.commit(decide)
