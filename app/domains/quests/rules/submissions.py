"""An attestation is about one submission, and counts for no other."""

import dataclasses
from collections.abc import Iterable

from app.core.scalars import AWSDateTime
from app.domains.quests.types import (
    Attestation,
    PastAttestation,
    Quest,
    QuestAction,
    QuestStatus,
    QuestTransition,
)

# Nothing is submitted, or what was submitted has been returned.
WITHOUT_SUBMISSION = frozenset({QuestStatus.OPEN, QuestStatus.CLAIMED, QuestStatus.EXPIRED})


def counts(attestation: Attestation, quest: Quest) -> bool:
    """Whether it is about the present submission. Earlier releases did not store which submission
    an attestation is about, and left it on the quest when the work was returned."""
    if quest.status in WITHOUT_SUBMISSION:
        return False
    if attestation.submitted_at is None:
        return quest.submitted_at is None or attestation.timestamp >= quest.submitted_at
    return attestation.submitted_at == quest.submitted_at


def counting_attestations(quest: Quest) -> list[Attestation]:
    return [each for each in quest.attestations if counts(each, quest)]


def past_attestation(quest: Quest, attestation: Attestation, now: AWSDateTime) -> PastAttestation:
    return PastAttestation(
        created_at=now,
        updated_at=now,
        quest_id=quest.id,
        attester_id=attestation.attester_id,
        attestation=attestation,
    )


def needs_submissions(quest: Quest) -> bool:
    """Whether an earlier release stored its attestations."""
    return any(each.submitted_at is None or not counts(each, quest) for each in quest.attestations)


def with_submission(
    attestation: Attestation, quest: Quest, history: Iterable[QuestTransition]
) -> Attestation:
    """With the last submission before it, by the history of the quest."""
    if attestation.submitted_at is not None:
        return attestation
    if counts(attestation, quest):
        return dataclasses.replace(attestation, submitted_at=quest.submitted_at)
    earlier = [
        each.created_at
        for each in history
        if each.action is QuestAction.SUBMIT and each.created_at <= attestation.timestamp
    ]
    return dataclasses.replace(attestation, submitted_at=max(earlier, default=None))
