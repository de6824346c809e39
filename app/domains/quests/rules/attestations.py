"""Who attests a quest, and when the attestations are complete."""

import dataclasses

from app.core.errors import Conflict, Forbidden, NotFound
from app.domains.quests.errors import AlreadyAttested
from app.domains.quests.inputs import RecordOnChainInput
from app.domains.quests.rules.quest import is_party, must_perform
from app.domains.quests.rules.submissions import counting_attestations
from app.domains.quests.rules.transitions import check_begin
from app.domains.quests.types import (
    DELETED_ACCOUNT,
    Attestation,
    AttesterRole,
    Quest,
    QuestAction,
)

OPTIONAL_ON_CHAIN = ("block_number", "contract_address", "token_id")


def has_attested(quest: Quest, user_id: str, role: AttesterRole) -> bool:
    """Whether the user has attested the present submission."""
    return any(
        each.attester_id == user_id and each.role is role for each in counting_attestations(quest)
    )


def attester_role(quest: Quest, user_id: str) -> AttesterRole:
    """The role in which the user may attest now."""
    is_creator = user_id == quest.creator_id
    role = AttesterRole.CREATOR if is_creator else AttesterRole.PERFORMER
    if has_attested(quest, user_id, role):
        raise AlreadyAttested
    if role is AttesterRole.PERFORMER:
        must_perform(quest, user_id)
        if not quest.dual_attestation:
            raise Forbidden("Only the creator attests this quest.")
    return role


def check_attest(quest: Quest, user_id: str) -> None:
    attester_role(quest, user_id)
    check_begin(QuestAction.ATTEST, quest.status)


def check_dispute(quest: Quest, user_id: str) -> None:
    if not is_party(quest, user_id):
        raise Forbidden("Only the creator and the performers of this quest may dispute it.")
    check_begin(QuestAction.DISPUTE, quest.status)


def must_have_attested(quest: Quest, user_id: str) -> None:
    if not any(each.attester_id == user_id for each in counting_attestations(quest)):
        raise NotFound("attestation")


def is_fully_attested(quest: Quest) -> bool:
    roles = {attestation.role for attestation in counting_attestations(quest)}
    required = set(AttesterRole) if quest.dual_attestation else {AttesterRole.CREATOR}
    return required <= roles


def with_on_chain_record(attestation: Attestation, request: RecordOnChainInput) -> Attestation:
    """What was recorded before and is absent now stays."""
    recorded = attestation.transaction_hash or ""
    if attestation.on_chain and recorded.lower() != request.transaction_hash.lower():
        raise Conflict("This attestation is recorded with another transaction already.")
    sent = {name: value for name, value in request.values().items() if name in OPTIONAL_ON_CHAIN}
    return dataclasses.replace(
        attestation,
        on_chain=True,
        transaction_hash=recorded or request.transaction_hash,
        **sent,
    )


def without_name(quest: Quest, user_id: str) -> Quest:
    """Attestations of a deleted account stay, but no longer lead to it."""
    nameless = [
        dataclasses.replace(
            each, attester_username=DELETED_ACCOUNT, signature=None, signer=None, typed_data=None
        )
        if each.attester_id == user_id
        else each
        for each in quest.attestations
    ]
    return dataclasses.replace(quest, attestations=nameless)
