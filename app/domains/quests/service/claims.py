"""Doing a quest: taking it (or a seat of it), leaving it, submitting the work."""

import dataclasses
from collections.abc import Iterable

import strawberry

from app.core.clock import instant, moment_of
from app.core.errors import BadInput, StaleVersion
from app.domains.quests.errors import (
    AlreadyClaimed,
    ClaimLimit,
    OwnQuest,
    QuestExpired,
    TooEarly,
)
from app.domains.quests.inputs import (
    CheckRequirementInput,
    ClaimQuestInput,
    ReleaseQuestInput,
    StartQuestInput,
    SubmitQuestInput,
    UnclaimQuestInput,
)
from app.domains.quests.rules import (
    MOST_CLAIMS,
    QuestAction,
    QuestStatus,
    may_begin,
    not_while,
    release_from,
)
from app.domains.quests.service.step import WHY_DROPPED, QuestWork, Step
from app.domains.quests.types import (
    ClaimSlot,
    ErrandTurn,
    ListingRole,
    Quest,
    QuestListing,
    QuestSeat,
)
from app.domains.service import Decision
from app.table.writes import Put, Write, create

NOBODY_THERE = "Nobody has joined this quest yet. Start it when somebody has claimed a seat."
HANDED_IN = "The quest's work was handed in."


class Claims(QuestWork):
    async def claim(self, request: ClaimQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            step = await self._load(request, self._check_claim)
            quest = step.quest
            if self._has(quest):
                return await self._taken_on_late(step, request.goal_id)
            task_id, errand = await self._taken_on(quest, request.goal_id)
            slot = await self._free_slot()
            return self._joined(step, slot, task_id).having(*errand).decision()

        return await self.once(request, Quest, decide)

    async def _taken_on(self, quest: Quest, goal_id: object) -> tuple[str | None, list[Write]]:
        goal = goal_id if isinstance(goal_id, str) else None
        return await self.errands.taken_on(quest, self.caller.user_id, goal)

    async def _taken_on_late(self, step: Step, goal_id: object) -> Decision[Quest]:
        """As a task by whoever has claimed it before, once. A new version: a step of the quest that
        has read the seat without the task would leave it behind."""
        quest = step.quest
        seat = await self.repository.seat(quest.id, self.caller.user_id)
        if seat is None or seat.task_id is not None:
            return Decision(quest)
        task_id, errand = await self._taken_on(quest, goal_id)
        if task_id is None:
            return Decision(quest)
        new = quest.evolve(self.now)
        taken = Put(dataclasses.replace(seat, task_id=task_id).beside(new))
        return dataclasses.replace(step, quest=new).having(taken, *errand).decision()

    def _has(self, quest: Quest) -> bool:
        """Whoever has it and claims it again is told that it is theirs."""
        mine = self.caller.user_id in quest.performers
        return mine and may_begin(QuestAction.UNCLAIM, quest.status)

    def _check_claim(self, quest: Quest) -> None:
        if self._has(quest):
            return
        if quest.creator_id == self.caller.user_id:
            raise OwnQuest
        match quest.status:
            case QuestStatus.OPEN:
                return
            case QuestStatus.EXPIRED:
                raise QuestExpired
            case QuestStatus.CANCELLED:
                raise not_while(quest.status)
            case _:
                raise AlreadyClaimed

    async def _free_slot(self) -> int:
        slots = await self.repository.claim_slots(self.caller.user_id)
        taken = {slot.number for slot in slots}
        free = next((n for n in range(1, MOST_CLAIMS + 1) if n not in taken), None)
        if free is not None:
            return free
        # A claim that has run out holds its slot until somebody writes that down.
        if any([await self.settle(slot.quest_id) for slot in slots]):
            return await self._free_slot()
        raise ClaimLimit(MOST_CLAIMS)

    def _joined(self, step: Step, slot: int, task_id: str | None) -> Step:
        old = step.quest
        me = strawberry.ID(self.caller.user_id)
        new = old.with_performers([*old.performers, me])
        if len(new.performers) >= old.max_performers:
            new = self._claimed(new)
        step = self._moved(step, QuestAction.CLAIM, new, by=me)
        return step.having(*self._seating(step.quest, slot, task_id))

    def _claimed(self, quest: Quest) -> Quest:
        return dataclasses.replace(
            quest, status=QuestStatus.CLAIMED, claimed_at=self.now, stale_at=self._stale_at()
        )

    def _seating(self, quest: Quest, slot: int, task_id: str | None) -> Iterable[Write]:
        me, now = self.caller.user_id, self.now
        # Another claim of the same person took the slot in this moment: look for a free one again.
        late = StaleVersion("quest", None)
        seat = QuestSeat(
            created_at=now,
            updated_at=now,
            quest_id=quest.id,
            user_id=me,
            slot=slot,
            task_id=task_id,
        )
        yield create(seat.beside(quest), otherwise=late)
        listing = QuestListing(
            created_at=now, updated_at=now, id=quest.id, user_id=me, role=ListingRole.PERFORMED
        )
        yield create(listing, otherwise=late)
        taken = ClaimSlot(
            created_at=now, updated_at=now, user_id=me, number=slot, quest_id=quest.id
        )
        yield create(taken, otherwise=late)

    async def start(self, request: StartQuestInput) -> Quest:
        """A team that is not complete begins without the rest."""

        async def decide() -> Decision[Quest]:
            step = await self._begin(request, QuestAction.START)
            self._must_be_creator(step.quest)
            if not step.quest.performers:
                raise BadInput(NOBODY_THERE, field="input.questId")
            new = self._claimed(step.quest)
            return self._moved(step, QuestAction.START, new, by=self.caller.id).decision()

        return await self.once(request, Quest, decide)

    async def unclaim(self, request: UnclaimQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            step = await self._begin(request, QuestAction.UNCLAIM)
            self._must_perform(step.quest)
            seat = await self.repository.seat(step.quest.id, self.caller.user_id)
            step = self._without_me(step)
            if seat is None:
                return step.decision()
            dropped = self._dropped([seat], WHY_DROPPED[QuestAction.UNCLAIM])
            return step.having(*self._leaving(seat), *dropped).decision()

        return await self.once(request, Quest, decide)

    async def release(self, request: ReleaseQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            step = await self._begin(request, QuestAction.RELEASE)
            self._must_be_creator(step.quest)
            self._check_patience(step.quest)
            step = await self._vacate(
                step, QuestAction.RELEASE, QuestStatus.OPEN, by=self.caller.id
            )
            return step.decision()

        return await self.once(request, Quest, decide)

    def _check_patience(self, quest: Quest) -> None:
        begun = quest.returned_at or quest.claimed_at or quest.updated_at
        when = instant(release_from(moment_of(begun)))
        if self.now < when:
            raise TooEarly(when)

    async def check_requirement(self, request: CheckRequirementInput) -> Quest:
        async def decide() -> Decision[Quest]:
            step = await self._begin(request, QuestAction.SUBMIT)
            quest = step.quest
            self._must_perform(quest)
            if not 0 <= request.index < len(quest.requirements):
                count = len(quest.requirements)
                message = f"This quest has {count} requirements, counted from 0."
                raise BadInput(message, field="input.index")
            met = set(quest.requirements_met) - {request.index}
            met |= {request.index} if request.done else set()
            new = quest.evolve(self.now, requirements_met=sorted(met))
            return dataclasses.replace(step, quest=new).decision()

        return await self.once(request, Quest, decide)

    async def submit(self, request: SubmitQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            step = await self._begin(request, QuestAction.SUBMIT)
            self._must_perform(step.quest)
            new = dataclasses.replace(
                step.quest,
                status=QuestStatus.PENDING_REVIEW,
                submission=request.submission,
                submitted_at=self.now,
                stale_at=None,
            )
            step = self._moved(
                step, QuestAction.SUBMIT, new, by=self.caller.id, note=request.submission
            )
            seats = await self.repository.seats_of_quest(step.quest.id)
            freed = (write for seat in seats for write in self._handed_in(step.quest, seat))
            done = self.errands.following(seats, ErrandTurn.DONE, HANDED_IN)
            return step.having(*freed, *done).decision()

        return await self.once(request, Quest, decide)

    def _handed_in(self, quest: Quest, seat: QuestSeat) -> Iterable[Write]:
        """Work that waits for its review is no open claim."""
        if seat.slot is not None:
            yield from self._freeing(seat)
            yield Put(dataclasses.replace(seat, slot=None).beside(quest))
