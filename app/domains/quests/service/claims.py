"""Performing a quest: claiming it or a seat of it, giving it back, submitting the work."""

import dataclasses
from collections.abc import Iterable

import strawberry

from app.core.errors import BadInput, StaleVersion
from app.domains.quests import keys
from app.domains.quests.errors import ClaimLimit
from app.domains.quests.inputs import (
    CheckRequirementInput,
    ClaimQuestInput,
    ReleaseQuestInput,
    StartQuestInput,
    SubmitQuestInput,
    UnclaimQuestInput,
)
from app.domains.quests.rules.performer_tasks import REASON_DROPPED, REASON_SUBMITTED
from app.domains.quests.rules.quest import (
    check_claim,
    check_release,
    free_slot,
    has_claimed,
    must_be_creator,
    must_perform,
    reindexed_for,
    with_performers,
    with_requirement,
)
from app.domains.quests.service.base import QuestChange, QuestService
from app.domains.quests.types import (
    ClaimSlot,
    ListingRole,
    Quest,
    QuestAction,
    QuestListing,
    QuestSeat,
    QuestStatus,
    TaskOutcome,
)
from app.domains.service import Decision
from app.table.writes import Put, Write, put_if_absent

NO_PERFORMER = "Nobody has joined this quest yet. Start it when somebody has claimed a seat."


class QuestClaims(QuestService):
    async def claim(self, request: ClaimQuestInput) -> Quest:
        user_id = self.caller.user_id

        async def decide() -> Decision[Quest]:
            change = await self._load(request, lambda quest: check_claim(quest, user_id))
            quest = change.quest
            if has_claimed(quest, user_id):
                return await self._add_task(change, request.goal_id)
            task_id, task = await self.performer_tasks.new_task(quest, user_id, request.goal_id)
            slot = await self._free_slot()
            return self._join(change, slot, task_id).with_writes(*task).decision()

        return await self.once(request, Quest, decide)

    async def _add_task(self, change: QuestChange, goal_id: object) -> Decision[Quest]:
        """Once, for a performer who claimed without a goal. The quest gets a new version, so that a
        concurrent change, which has read the seat without the task, is refused."""
        quest, user_id = change.quest, self.caller.user_id
        seat = await self.table.get(keys.seat(quest.id, user_id))
        if seat is None or seat.task_id is not None:
            return Decision(quest)
        task_id, task = await self.performer_tasks.new_task(quest, user_id, goal_id)
        if task_id is None:
            return Decision(quest)
        new = quest.evolve(self.now)
        with_task = Put(reindexed_for(dataclasses.replace(seat, task_id=task_id), new))
        return dataclasses.replace(change, quest=new).with_writes(with_task, *task).decision()

    async def _free_slot(self) -> int:
        found = self.table.query_all(keys.claim_slots(self.caller.user_id))
        slots = [slot async for slot in found]
        try:
            return free_slot(slots)
        except ClaimLimit:
            # A lapsed claim holds its slot until that is written.
            if not any([await self.apply_deadlines(slot.quest_id) for slot in slots]):
                raise
        return await self._free_slot()

    def _join(self, change: QuestChange, slot: int, task_id: str | None) -> QuestChange:
        old = change.quest
        user_id = strawberry.ID(self.caller.user_id)
        new = with_performers(old, [*old.performers, user_id])
        if len(new.performers) >= old.max_performers:
            new = self._as_claimed(new)
        change = self._transition(change, QuestAction.CLAIM, new, by=user_id)
        return change.with_writes(*self._seat_writes(change.quest, slot, task_id))

    def _as_claimed(self, quest: Quest) -> Quest:
        return dataclasses.replace(
            quest, status=QuestStatus.CLAIMED, claimed_at=self.now, stale_at=self._claim_ends_at()
        )

    def _seat_writes(self, quest: Quest, slot: int, task_id: str | None) -> Iterable[Write]:
        # If another claim of the caller has just taken the slot, a free one is looked for again.
        late = StaleVersion("quest", None)
        # One time for all: the seat's leads to the listing.
        stamp = self.stamp
        seat = QuestSeat(**stamp(), quest_id=quest.id, slot=slot, task_id=task_id)
        yield put_if_absent(reindexed_for(seat, quest), otherwise=late)
        listing = QuestListing(**stamp(), id=quest.id, role=ListingRole.PERFORMED)
        yield put_if_absent(listing, otherwise=late)
        taken = ClaimSlot(**stamp(), number=slot, quest_id=quest.id)
        yield put_if_absent(taken, otherwise=late)

    async def start(self, request: StartQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            change = await self._load_for(request, QuestAction.START)
            must_be_creator(change.quest, self.caller.user_id)
            if not change.quest.performers:
                raise BadInput(NO_PERFORMER, field="input.questId")
            new = self._as_claimed(change.quest)
            return self._transition(change, QuestAction.START, new, by=self.caller.id).decision()

        return await self.once(request, Quest, decide)

    async def unclaim(self, request: UnclaimQuestInput) -> Quest:
        user_id = self.caller.user_id

        async def decide() -> Decision[Quest]:
            change = await self._load_for(request, QuestAction.UNCLAIM)
            must_perform(change.quest, user_id)
            seat = await self.table.get(keys.seat(change.quest.id, user_id))
            change = self._remove_caller(change)
            if seat is None:
                return change.decision()
            reason = REASON_DROPPED[QuestAction.UNCLAIM]
            dropped = self.performer_tasks.writes_for([seat], TaskOutcome.DROPPED, reason)
            return change.with_writes(*self._seat_removal(seat), *dropped).decision()

        return await self.once(request, Quest, decide)

    async def release(self, request: ReleaseQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            change = await self._load_for(request, QuestAction.RELEASE)
            must_be_creator(change.quest, self.caller.user_id)
            check_release(change.quest, self.now)
            change = await self._remove_performers(
                change, QuestAction.RELEASE, QuestStatus.OPEN, by=self.caller.id
            )
            return change.decision()

        return await self.once(request, Quest, decide)

    async def check_requirement(self, request: CheckRequirementInput) -> Quest:
        async def decide() -> Decision[Quest]:
            change = await self._load_for(request, QuestAction.SUBMIT)
            quest = change.quest
            must_perform(quest, self.caller.user_id)
            met = with_requirement(quest, request.index, done=request.done)
            new = quest.evolve(self.now, requirements_met=met)
            return dataclasses.replace(change, quest=new).decision()

        return await self.once(request, Quest, decide)

    async def submit(self, request: SubmitQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            change = await self._load_for(request, QuestAction.SUBMIT)
            must_perform(change.quest, self.caller.user_id)
            new = dataclasses.replace(
                change.quest,
                status=QuestStatus.PENDING_REVIEW,
                submission=request.submission,
                submitted_at=self.now,
                stale_at=None,
                attestations=[],
            )
            change = self._transition(
                change, QuestAction.SUBMIT, new, by=self.caller.id, note=request.submission
            )
            seats = await self.repository.seats_of_quest(new.id)
            freed = (write for seat in seats for write in self._without_slot(change.quest, seat))
            done = self.performer_tasks.writes_for(seats, TaskOutcome.DONE, REASON_SUBMITTED)
            return self._with_past_attestations(change).with_writes(*freed, *done).decision()

        return await self.once(request, Quest, decide)

    def _without_slot(self, quest: Quest, seat: QuestSeat) -> Iterable[Write]:
        """Submitted work takes no claim slot."""
        if seat.slot is not None:
            yield from self._slot_release(seat)
            yield Put(reindexed_for(dataclasses.replace(seat, slot=None), quest))
