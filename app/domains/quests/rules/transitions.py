"""The state machine of quests: TRANSITIONS is all of it."""

from collections.abc import Mapping

from app.domains.quests.errors import WrongStatus
from app.domains.quests.types import QuestAction, QuestStatus

_S = QuestStatus

# A team's quest stays OPEN while seats are free. A quest with dual attestation stays PENDING_REVIEW
# until both attestations are there. Such a transition changes the record, not the status.
TRANSITIONS: Mapping[QuestAction, frozenset[tuple[QuestStatus, QuestStatus]]] = {
    QuestAction.CREATE: frozenset(),
    QuestAction.UPDATE: frozenset({(_S.OPEN, _S.OPEN)}),
    QuestAction.CLAIM: frozenset({(_S.OPEN, _S.OPEN), (_S.OPEN, _S.CLAIMED)}),
    QuestAction.START: frozenset({(_S.OPEN, _S.CLAIMED)}),
    QuestAction.UNCLAIM: frozenset({(_S.OPEN, _S.OPEN), (_S.CLAIMED, _S.OPEN)}),
    QuestAction.RELEASE: frozenset({(_S.CLAIMED, _S.OPEN)}),
    QuestAction.LAPSE: frozenset({(_S.CLAIMED, _S.OPEN)}),
    QuestAction.SUBMIT: frozenset({(_S.CLAIMED, _S.PENDING_REVIEW)}),
    QuestAction.REQUEST_CHANGES: frozenset({(_S.PENDING_REVIEW, _S.CLAIMED)}),
    QuestAction.ATTEST: frozenset(
        {(_S.PENDING_REVIEW, _S.PENDING_REVIEW), (_S.PENDING_REVIEW, _S.COMPLETE)}
    ),
    QuestAction.DISPUTE: frozenset({(_S.PENDING_REVIEW, _S.DISPUTED)}),
    QuestAction.RESOLVE: frozenset(
        {(_S.DISPUTED, _S.COMPLETE), (_S.DISPUTED, _S.CLAIMED), (_S.DISPUTED, _S.CANCELLED)}
    ),
    QuestAction.EXPIRE: frozenset({(_S.OPEN, _S.EXPIRED), (_S.CLAIMED, _S.EXPIRED)}),
    QuestAction.EXTEND: frozenset(
        {(_S.OPEN, _S.OPEN), (_S.CLAIMED, _S.CLAIMED), (_S.EXPIRED, _S.OPEN)}
    ),
    QuestAction.CANCEL: frozenset({(_S.OPEN, _S.CANCELLED)}),
}


# Mutations by the role of their caller. LAPSE and EXPIRE happen by time alone.
POSSIBLE_ACTIONS: Mapping[str, Mapping[str, QuestAction]] = {
    "anyone but its creator": {"claimQuest": QuestAction.CLAIM},
    "a performer": {
        "unclaimQuest": QuestAction.UNCLAIM,
        "checkRequirement": QuestAction.SUBMIT,
        "submitQuest": QuestAction.SUBMIT,
        "disputeQuest": QuestAction.DISPUTE,
    },
    "its creator": {
        "updateQuest": QuestAction.UPDATE,
        "startQuest": QuestAction.START,
        "cancelQuest": QuestAction.CANCEL,
        "extendQuest": QuestAction.EXTEND,
        "releaseQuest": QuestAction.RELEASE,
        "attestQuest": QuestAction.ATTEST,
        "requestChanges": QuestAction.REQUEST_CHANGES,
        "disputeQuest": QuestAction.DISPUTE,
    },
    "a performer, if dualAttestation": {"attestQuest": QuestAction.ATTEST},
    "a moderator who takes no part": {"resolveDispute": QuestAction.RESOLVE},
}


def actions_between(old: QuestStatus, new: QuestStatus) -> frozenset[QuestAction]:
    return frozenset(action for action, moves in TRANSITIONS.items() if (old, new) in moves)


def may_begin(action: QuestAction, status: QuestStatus) -> bool:
    return any(old is status for old, _ in TRANSITIONS[action])


def check_begin(action: QuestAction, status: QuestStatus) -> None:
    if not may_begin(action, status):
        raise wrong_status(status)


def check_transition(action: QuestAction, old: QuestStatus, new: QuestStatus) -> None:
    if (old, new) not in TRANSITIONS[action]:
        raise wrong_status(old)


def wrong_status(status: QuestStatus) -> WrongStatus:
    """The error names the mutations that are possible instead, and who may use them."""
    possible = {
        role: [name for name, action in mutations.items() if may_begin(action, status)]
        for role, mutations in POSSIBLE_ACTIONS.items()
    }
    offers = [f"{', '.join(names)} by {role}" for role, names in possible.items() if names]
    remedy = (
        f"Possible now: {'; '.join(offers)}."
        if offers
        else "This status is final. Create a new quest."
    )
    names = dict.fromkeys(name for each in possible.values() for name in each)
    message = f"This is not possible while the quest is {status.value}. {remedy}"
    return WrongStatus(status.value, message, list(names))
