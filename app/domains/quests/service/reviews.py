"""Reviewing submitted work: changes requested, attested, disputed. Completion pays the rewards."""

import dataclasses
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

import orjson
import strawberry

from app.core.errors import BadInput, Forbidden
from app.core.inputs import IdempotentInput
from app.core.scalars import AWSJSON
from app.domains.people.service import Profiles
from app.domains.quests import keys
from app.domains.quests.errors import AlreadyAttested, RewardUndeliverable
from app.domains.quests.inputs import (
    AttestQuestInput,
    DisputeQuestInput,
    RecordOnChainInput,
    RequestChangesInput,
    ResolveDisputeInput,
)
from app.domains.quests.rules.attestations import (
    attester_role,
    check_attest,
    check_dispute,
    has_attested,
    is_fully_attested,
    must_have_attested,
    with_on_chain_record,
)
from app.domains.quests.rules.performer_tasks import (
    REASON_CHANGES_REQUESTED,
    REASON_CONTINUED,
    REASON_DROPPED,
)
from app.domains.quests.rules.quest import is_party, must_be_creator, returned_to_performers
from app.domains.quests.rules.submissions import counting_attestations, counts
from app.domains.quests.rules.transitions import TRANSITIONS
from app.domains.quests.service.base import QuestChange, QuestService
from app.domains.quests.service.payouts import Payouts
from app.domains.quests.service.signing import AttestationSigner, RatedComments
from app.domains.quests.types import (
    Attestation,
    AttesterRole,
    Quest,
    QuestAction,
    QuestStatus,
    TaskOutcome,
)
from app.domains.service import Decision, uses
from app.table.writes import Write

ACCEPTED = "You have accepted this work. If something is wrong with it, use disputeQuest."


class Reviews(QuestService):
    profiles = uses(Profiles)
    payouts = uses(Payouts)

    @property
    def signer(self) -> AttestationSigner:
        return AttestationSigner(self.resources.settings)

    async def request_changes(self, request: RequestChangesInput) -> Quest:
        user_id = self.caller.user_id

        async def decide() -> Decision[Quest]:
            action = QuestAction.REQUEST_CHANGES
            change = await self._load_for(request, action)
            must_be_creator(change.quest, user_id)
            if has_attested(change.quest, user_id, AttesterRole.CREATOR):
                raise AlreadyAttested(ACCEPTED)
            new = self._returned(change.quest)
            change = self._transition(change, action, new, by=user_id, note=request.comments)
            resumed = await self._task_changes(new, TaskOutcome.RESUMED, REASON_CHANGES_REQUESTED)
            return self._with_past_attestations(change).with_writes(*resumed).decision()

        return await self.once(request, Quest, decide)

    def _returned(self, quest: Quest) -> Quest:
        return returned_to_performers(quest, self.resources.clock.now(), self._claim_ends_at())

    async def _task_changes(
        self, quest: Quest, outcome: TaskOutcome, reason: str
    ) -> Iterable[Write]:
        seats = await self.repository.seats_of_quest(quest.id)
        return self.performer_tasks.writes_for(seats, outcome, reason)

    async def attest(self, request: AttestQuestInput) -> Quest:
        """Pays the rewards in the same transaction, if it completes the quest."""
        user_id = self.caller.user_id

        async def decide(undeliverable: set[str]) -> Decision[Quest]:
            change = await self._load(request, lambda quest: check_attest(quest, user_id))
            attestation = await self._attestation(request, change.quest)
            change = self._add_attestation(change, attestation, undeliverable)
            return self._with_past_attestations(change).decision()

        return await self._pay_deliverable(request, decide)

    async def _pay_deliverable(
        self, request: IdempotentInput, decide: Callable[[set[str]], Awaitable[Decision[Quest]]]
    ) -> Quest:
        """Each attempt is a whole transaction. If a user cannot be paid (a closed account), the
        next attempt stores their reward for a retry: the others must get theirs."""
        undeliverable: set[str] = set()
        while True:
            try:
                return await self.once(request, Quest, partial(decide, undeliverable))
            except RewardUndeliverable as refusal:
                if refusal.user_id in undeliverable:
                    raise
                undeliverable.add(refusal.user_id)

    async def _attestation(self, request: AttestQuestInput, quest: Quest) -> Attestation:
        me = await self.profiles.me()
        attestation = Attestation(
            attester_id=me.id,
            attester_username=me.nickname,
            role=attester_role(quest, me.id),
            rating=request.rating,
            comments=request.comments or None,
            timestamp=self.now,
            submitted_at=quest.submitted_at,
        )
        if not isinstance(request.signature, str):
            return attestation
        return await self.signer.with_signature(
            quest, attestation, me.wallet_address, request.signature
        )

    async def typed_data(
        self, quest_id: str, rating: int | None, comments: str | None
    ) -> AWSJSON | None:
        """What the caller signs to attest this submission."""
        rated = self._rated_comments(quest_id, rating, comments)
        quest = await self.table.load(keys.quest(quest_id))
        if quest is None:
            return None
        check_attest(quest, self.caller.user_id)
        me = await self.profiles.me()
        role = attester_role(quest, me.id)
        data = self.signer.typed_data(quest, role, me.wallet_address, rated)
        return AWSJSON(orjson.dumps(data).decode())

    def _rated_comments(
        self, quest_id: str, rating: int | None, comments: str | None
    ) -> RatedComments | None:
        """Validated as for attestQuest, so that the signed text is the stored text."""
        if rating is None:
            if comments is not None:
                raise BadInput("Comments are signed with a rating. Give one.", field="rating")
            return None
        request = AttestQuestInput(
            quest_id=strawberry.ID(quest_id), rating=rating, comments=comments
        ).validate()
        return RatedComments(rating=request.rating, comments=request.comments or None)

    def _add_attestation(
        self, change: QuestChange, attestation: Attestation, undeliverable: set[str]
    ) -> QuestChange:
        old, note = change.quest, attestation.comments
        given = [*counting_attestations(old), attestation]
        new = dataclasses.replace(old, attestations=given)
        by_creator = attestation.role is AttesterRole.CREATOR
        counts = list(self._given_count(undeliverable))
        if not is_fully_attested(new):
            receivers = old.performers if by_creator else [old.creator_id]
            counts += self._received_counts(receivers, undeliverable)
            change = self._transition(change, QuestAction.ATTEST, new, by=self.caller.id, note=note)
            return change.with_writes(*counts)
        # Performers' counts rise with their payments.
        counts += [] if by_creator else self._received_counts([old.creator_id], undeliverable)
        done = dataclasses.replace(new, status=QuestStatus.COMPLETE, completed_at=self.now)
        change = self._transition(change, QuestAction.ATTEST, done, by=self.caller.id, note=note)
        paid = self.payouts.writes_for(done, undeliverable=undeliverable, attested=by_creator)
        return change.with_writes(*counts, *paid)

    def _given_count(self, undeliverable: set[str]) -> Iterable[Write]:
        user_id = self.caller.user_id
        if user_id in undeliverable:
            return []
        refused = RewardUndeliverable(user_id)
        return self.profiles.stats_writes(user_id, otherwise=refused, attestations_given=1)

    def _received_counts(self, receivers: Iterable[str], undeliverable: set[str]) -> list[Write]:
        return [
            write
            for user_id in receivers
            if user_id not in undeliverable
            for write in self.profiles.stats_writes(
                user_id, otherwise=RewardUndeliverable(user_id), attestations_received=1
            )
        ]

    async def dispute(self, request: DisputeQuestInput) -> Quest:
        user_id = self.caller.user_id

        async def decide() -> Decision[Quest]:
            change = await self._load(request, lambda quest: check_dispute(quest, user_id))
            new = dataclasses.replace(
                change.quest, status=QuestStatus.DISPUTED, dispute_reason=request.reason
            )
            return self._transition(
                change, QuestAction.DISPUTE, new, by=user_id, note=request.reason
            ).decision()

        return await self.once(request, Quest, decide)

    async def resolve(self, request: ResolveDisputeInput) -> Quest:
        async def decide(undeliverable: set[str]) -> Decision[Quest]:
            self.caller.must_be_moderator()
            change = await self._load_for(request, QuestAction.RESOLVE)
            if is_party(change.quest, self.caller.user_id):
                raise Forbidden("Its creator and performers cannot resolve a dispute.")
            change = self._resolve(change, request, undeliverable)
            change = self._with_past_attestations(change)
            return change.with_writes(*await self._resolved_tasks(change.quest)).decision()

        return await self._pay_deliverable(request, decide)

    def _resolve(
        self, change: QuestChange, request: ResolveDisputeInput, undeliverable: set[str]
    ) -> QuestChange:
        old, outcome = change.quest, request.outcome
        if (old.status, outcome) not in TRANSITIONS[QuestAction.RESOLVE]:
            raise BadInput(
                "A dispute ends as COMPLETE, CLAIMED or CANCELLED.", field="input.outcome"
            )
        if outcome is QuestStatus.CLAIMED:
            new = self._returned(old)
        else:
            done = self.now if outcome is QuestStatus.COMPLETE else None
            new = dataclasses.replace(old, status=outcome, completed_at=done)
        note = request.comments or None
        change = self._transition(change, QuestAction.RESOLVE, new, by=self.caller.id, note=note)
        if outcome is not QuestStatus.COMPLETE:
            return change
        return change.with_writes(
            *self.payouts.writes_for(new, undeliverable=undeliverable, attested=False)
        )

    async def _resolved_tasks(self, quest: Quest) -> Iterable[Write]:
        match quest.status:
            case QuestStatus.CLAIMED:
                return await self._task_changes(quest, TaskOutcome.RESUMED, REASON_CONTINUED)
            case QuestStatus.CANCELLED:
                reason = REASON_DROPPED[QuestAction.RESOLVE]
                return await self._task_changes(quest, TaskOutcome.DROPPED, reason)
            case _:
                return []

    async def record_on_chain(self, request: RecordOnChainInput) -> Quest:
        """By the attester or a moderator."""

        async def decide() -> Decision[Quest]:
            attester_id = request.attester_id or self.caller.user_id
            if attester_id != self.caller.user_id:
                self.caller.must_be_moderator()
            change = await self._load(request, lambda q: must_have_attested(q, attester_id))
            attestations = [
                with_on_chain_record(each, request)
                if each.attester_id == attester_id and counts(each, change.quest)
                else each
                for each in change.quest.attestations
            ]
            new = change.quest.evolve(self.now, attestations=attestations)
            return dataclasses.replace(change, quest=new).decision()

        return await self.once(request, Quest, decide)
