"""Judging the work: changes wanted, attested, disputed; completion pays the rewards."""

import dataclasses
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

import orjson
import strawberry

from app.core.caller import Caller
from app.core.clock import instant
from app.core.errors import BadInput, Conflict, Forbidden, NotFound
from app.core.scalars import AWSJSON
from app.domains.goals.service import Tasks
from app.domains.people.service import Profiles
from app.domains.quests.errors import (
    AlreadyAttested,
    RewardUndeliverable,
)
from app.domains.quests.inputs import (
    AttestQuestInput,
    DisputeQuestInput,
    RecordOnChainInput,
    RequestChangesInput,
    ResolveDisputeInput,
)
from app.domains.quests.rules import MOVES, QuestAction, QuestStatus, check_begin, release_from
from app.domains.quests.service.payouts import Payouts
from app.domains.quests.service.signing import Signing, Words
from app.domains.quests.service.step import WHY_DROPPED, QuestWork, Step
from app.domains.quests.types import Attestation, AttesterRole, ErrandTurn, Quest
from app.domains.service import Decision, Repeatable
from app.resources import Resources
from app.table.writes import Write

ACCEPTED = "You have accepted this work. If something is wrong with it, disputeQuest."
CHANGES_WANTED = "The quest's creator wants changes."
GOES_ON = "A moderator let the quest go on."
ON_CHAIN = ("block_number", "contract_address", "token_id")


class Reviews(QuestWork):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        tasks_of: Callable[[str], Tasks],
        profiles: Profiles,
        payouts: Payouts,
    ) -> None:
        super().__init__(resources, caller, tasks_of)
        self.profiles = profiles
        self.payouts = payouts
        self.signing = Signing(resources.settings)

    async def request_changes(self, request: RequestChangesInput) -> Quest:
        async def decide() -> Decision[Quest]:
            step = await self._begin(request, QuestAction.REQUEST_CHANGES)
            self._must_be_creator(step.quest)
            if step.quest.has_attested(self.caller.user_id, AttesterRole.CREATOR):
                raise AlreadyAttested(ACCEPTED)
            new = self._given_back(step.quest)
            note = request.comments or None
            step = self._moved(step, QuestAction.REQUEST_CHANGES, new, by=self.caller.id, note=note)
            return step.having(*await self._resumed(new, CHANGES_WANTED)).decision()

        return await self.once(request, Quest, decide)

    def _given_back(self, quest: Quest) -> Quest:
        """To its performers, who have as much time again, though the quest should have ended
        before. What was attested stays attested."""
        least = instant(release_from(self.resources.clock.now()))
        return dataclasses.replace(
            quest,
            status=QuestStatus.CLAIMED,
            stale_at=self._stale_at(),
            returned_at=self.now,
            expires_at=quest.expires_at and max(quest.expires_at, least),
            dispute_reason=None,
        )

    async def _resumed(self, quest: Quest, why: str) -> Iterable[Write]:
        """Their tasks, which were done with the submission."""
        seats = await self.repository.seats_of_quest(quest.id)
        return self.errands.following(seats, ErrandTurn.RESUMED, why)

    async def attest(self, request: AttestQuestInput) -> Quest:
        """Together with the rewards, if it completes the quest. Who cannot be paid now (a closed
        account) must not keep the others from theirs: their reward is kept for later."""

        async def decide(undeliverable: set[str]) -> Decision[Quest]:
            step = await self._load(request, self._check_attest)
            role = self._role(step.quest)
            attestation = await self._attestation(request, step.quest, role)
            return self._attested(step, attestation, undeliverable).decision()

        return await self._paying_whom_it_can(request, decide)

    async def _paying_whom_it_can(
        self, request: Repeatable, decide: Callable[[set[str]], Awaitable[Decision[Quest]]]
    ) -> Quest:
        """Each attempt is a whole transaction. It names one who cannot be paid; the next does
        without, and keeps their reward for later."""
        undeliverable: set[str] = set()
        while True:
            try:
                return await self.once(request, Quest, partial(decide, undeliverable))
            except RewardUndeliverable as refusal:
                if refusal.user_id in undeliverable:
                    raise
                undeliverable.add(refusal.user_id)

    def _check_attest(self, quest: Quest) -> None:
        self._role(quest)
        check_begin(QuestAction.ATTEST, quest.status)

    def _role(self, quest: Quest) -> AttesterRole:
        me = self.caller.user_id
        role = AttesterRole.CREATOR if me == quest.creator_id else AttesterRole.PERFORMER
        if quest.has_attested(me, role):
            raise AlreadyAttested
        if role is AttesterRole.PERFORMER:
            self._must_perform(quest)
            if not quest.dual_attestation:
                raise Forbidden("Only the creator attests this quest.")
        return role

    async def _attestation(
        self, request: AttestQuestInput, quest: Quest, role: AttesterRole
    ) -> Attestation:
        me = await self.profiles.me()
        attestation = Attestation(
            attester_id=me.id,
            attester_username=me.nickname,
            role=role,
            rating=request.rating,
            comments=request.comments or None,
            timestamp=self.now,
        )
        if not isinstance(request.signature, str):
            return attestation
        return await self.signing.signed(quest, attestation, me.wallet_address, request.signature)

    async def typed_data(
        self, quest_id: str, rating: int | None, comments: str | None
    ) -> AWSJSON | None:
        """What the caller would sign to attest this submission."""
        words = self._words(quest_id, rating, comments)
        quest = await self.repository.quest(quest_id)
        if quest is None:
            return None
        self._check_attest(quest)
        me = await self.profiles.me()
        data = self.signing.data(quest, self._role(quest), me.wallet_address, words)
        return AWSJSON(orjson.dumps(data).decode())

    def _words(self, quest_id: str, rating: int | None, comments: str | None) -> Words | None:
        """Cleaned as attestQuest cleans them, so that what is signed is what is stored."""
        if rating is None:
            if comments is not None:
                raise BadInput("Comments are signed with a rating: give one.", field="rating")
            return None
        request = AttestQuestInput(
            quest_id=strawberry.ID(quest_id), rating=rating, comments=comments
        ).checked()
        return Words(rating=request.rating, comments=request.comments or None)

    def _attested(self, step: Step, attestation: Attestation, undeliverable: set[str]) -> Step:
        old = step.quest
        new = dataclasses.replace(old, attestations=[*old.attestations, attestation])
        note = attestation.comments
        by_creator = attestation.role is AttesterRole.CREATOR
        counts = list(self._given(undeliverable))
        if not is_agreed(new):
            receivers = old.performers if by_creator else [old.creator_id]
            counts += self._received(receivers, undeliverable)
            step = self._moved(step, QuestAction.ATTEST, new, by=self.caller.id, note=note)
            return step.having(*counts)
        counts += [] if by_creator else self._received([old.creator_id], undeliverable)
        done = dataclasses.replace(new, status=QuestStatus.COMPLETE, completed_at=self.now)
        step = self._moved(step, QuestAction.ATTEST, done, by=self.caller.id, note=note)
        paid = self.payouts.writes_for(done, undeliverable=undeliverable, attested=by_creator)
        return step.having(*counts, *paid)

    def _given(self, undeliverable: set[str]) -> Iterable[Write]:
        me = self.caller.user_id
        if me in undeliverable:
            return []
        refused = RewardUndeliverable(me)
        return self.profiles.stats_writes(me, otherwise=refused, attestations_given=1)

    def _received(self, receivers: Iterable[str], undeliverable: set[str]) -> list[Write]:
        return [
            write
            for user_id in receivers
            if user_id not in undeliverable
            for write in self.profiles.stats_writes(
                user_id, otherwise=RewardUndeliverable(user_id), attestations_received=1
            )
        ]

    async def dispute(self, request: DisputeQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            step = await self._load(request, self._check_dispute)
            new = dataclasses.replace(
                step.quest, status=QuestStatus.DISPUTED, dispute_reason=request.reason
            )
            return self._moved(
                step, QuestAction.DISPUTE, new, by=self.caller.id, note=request.reason
            ).decision()

        return await self.once(request, Quest, decide)

    def _check_dispute(self, quest: Quest) -> None:
        if not quest.concerns(self.caller.user_id):
            raise Forbidden("Only those who take part in this quest may dispute it.")
        check_begin(QuestAction.DISPUTE, quest.status)

    async def resolve(self, request: ResolveDisputeInput) -> Quest:
        async def decide(undeliverable: set[str]) -> Decision[Quest]:
            self.caller.must_be_moderator()
            step = await self._begin(request, QuestAction.RESOLVE)
            if step.quest.concerns(self.caller.user_id):
                raise Forbidden("Whoever takes part in a quest cannot be its judge.")
            step = self._resolved(step, request, undeliverable)
            return step.having(*await self._followed(step.quest)).decision()

        return await self._paying_whom_it_can(request, decide)

    def _resolved(self, step: Step, request: ResolveDisputeInput, undeliverable: set[str]) -> Step:
        old, outcome = step.quest, request.outcome
        if (old.status, outcome) not in MOVES[QuestAction.RESOLVE]:
            raise BadInput(
                "A dispute ends as COMPLETE, CLAIMED or CANCELLED.", field="input.outcome"
            )
        if outcome is QuestStatus.CLAIMED:
            new = self._given_back(old)
        else:
            done = self.now if outcome is QuestStatus.COMPLETE else None
            new = dataclasses.replace(old, status=outcome, completed_at=done)
        note = request.comments or None
        step = self._moved(step, QuestAction.RESOLVE, new, by=self.caller.id, note=note)
        if outcome is not QuestStatus.COMPLETE:
            return step
        return step.having(
            *self.payouts.writes_for(new, undeliverable=undeliverable, attested=False)
        )

    async def _followed(self, quest: Quest) -> Iterable[Write]:
        """What a judge's decision means for the performers' tasks."""
        match quest.status:
            case QuestStatus.CLAIMED:
                return await self._resumed(quest, GOES_ON)
            case QuestStatus.CANCELLED:
                seats = await self.repository.seats_of_quest(quest.id)
                return self._dropped(seats, WHY_DROPPED[QuestAction.RESOLVE])
            case _:
                return []

    async def record_on_chain(self, request: RecordOnChainInput) -> Quest:
        """By the attester, or a moderator; once."""

        async def decide() -> Decision[Quest]:
            attester_id = request.attester_id or self.caller.user_id
            if attester_id != self.caller.user_id:
                self.caller.must_be_moderator()
            step = await self._load(request, partial(must_have_attested, attester_id))
            attestations = [
                self._recorded(each, request) if each.attester_id == attester_id else each
                for each in step.quest.attestations
            ]
            new = step.quest.evolve(self.now, attestations=attestations)
            return dataclasses.replace(step, quest=new).decision()

        return await self.once(request, Quest, decide)

    def _recorded(self, attestation: Attestation, request: RecordOnChainInput) -> Attestation:
        """What was recorded before and is left out now stays."""
        recorded = attestation.transaction_hash or ""
        if attestation.on_chain and recorded.lower() != request.transaction_hash.lower():
            raise Conflict("This attestation is recorded with another transaction already.")
        more = {n: v for n, v in request.given().items() if n in ON_CHAIN and v is not None}
        return dataclasses.replace(
            attestation,
            on_chain=True,
            transaction_hash=recorded or request.transaction_hash,
            **more,
        )


def must_have_attested(user_id: str, quest: Quest) -> None:
    if not any(each.attester_id == user_id for each in quest.attestations):
        raise NotFound("attestation")


def is_agreed(quest: Quest) -> bool:
    roles = {attestation.role for attestation in quest.attestations}
    wanted = set(AttesterRole) if quest.dual_attestation else {AttesterRole.CREATOR}
    return wanted <= roles
