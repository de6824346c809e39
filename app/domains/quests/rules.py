"""Decisions about quests, without any I/O. MOVES is the whole state machine."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum

import strawberry

from app.domains.quests.errors import WrongStatus

MOST_CLAIMS = 5
MOST_SEATS = 20
RELEASE_AFTER = timedelta(hours=72)
MOST_RETRIES = 5
FIRST_RETRY = timedelta(minutes=1)
LEASE = timedelta(seconds=300)
JITTER = 0.2


@strawberry.enum(
    description="COMPLETE and CANCELLED are final; an EXPIRED quest can be extended by its creator."
)
class QuestStatus(Enum):
    OPEN = "OPEN"
    CLAIMED = "CLAIMED"
    PENDING_REVIEW = "PENDING_REVIEW"
    COMPLETE = "COMPLETE"
    DISPUTED = "DISPUTED"
    EXPIRED = "EXPIRED"
    CANCELLED = "CANCELLED"


@strawberry.enum(description="What was done to a quest.")
class QuestAction(Enum):
    CREATE = "CREATE"
    UPDATE = "UPDATE"
    CLAIM = "CLAIM"
    START = "START"
    UNCLAIM = "UNCLAIM"
    RELEASE = "RELEASE"
    LAPSE = strawberry.enum_value("LAPSE", description="The claim ran out without a submission.")
    SUBMIT = "SUBMIT"
    REQUEST_CHANGES = "REQUEST_CHANGES"
    ATTEST = "ATTEST"
    DISPUTE = "DISPUTE"
    RESOLVE = "RESOLVE"
    EXPIRE = "EXPIRE"
    EXTEND = "EXTEND"
    CANCEL = "CANCEL"


@strawberry.enum
class RewardType(Enum):
    XP = "XP"
    REPUTATION = "REPUTATION"


_S = QuestStatus

# A team's quest stays OPEN while seats are free, and a quest of two attestations PENDING_REVIEW
# until both are there: these steps change the record, not the status.
MOVES: Mapping[QuestAction, frozenset[tuple[QuestStatus, QuestStatus]]] = {
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


# Who may do what from outside; the clock does the rest.
MAY: Mapping[str, Mapping[str, QuestAction]] = {
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
    return frozenset(action for action, moves in MOVES.items() if (old, new) in moves)


def may_begin(action: QuestAction, status: QuestStatus) -> bool:
    return any(old is status for old, _ in MOVES[action])


def check_begin(action: QuestAction, status: QuestStatus) -> None:
    if not may_begin(action, status):
        raise not_while(status)


def check_move(action: QuestAction, old: QuestStatus, new: QuestStatus) -> None:
    if (old, new) not in MOVES[action]:
        raise not_while(old)


def not_while(status: QuestStatus) -> WrongStatus:
    """It says what can be done instead, and who can."""
    possible = {
        who: [name for name, action in does.items() if may_begin(action, status)]
        for who, does in MAY.items()
    }
    offers = [f"{', '.join(names)} by {who}" for who, names in possible.items() if names]
    remedy = f"Possible now: {'; '.join(offers)}." if offers else "That is final: make a new one."
    names = dict.fromkeys(name for each in possible.values() for name in each)
    message = f"This does not go with a quest that is {status.value}. {remedy}"
    return WrongStatus(status.value, message, list(names))


def split(amount: int, people: int) -> list[int]:
    """Equal shares, rounded down; what is left over goes to the first."""
    share, rest = divmod(amount, people)
    return [share + rest, *[share] * (people - 1)]


def rewards(amount: int, people: Sequence[str], *, each_in_full: bool) -> list[tuple[str, int]]:
    """Who gets how much, in the order in which they joined."""
    if not people:
        return []
    shares = [amount] * len(people) if each_in_full else split(amount, len(people))
    return list(zip(people, shares, strict=True))


def retry_delay(attempts: int, jitter: float) -> timedelta:
    """After the first failure 1 minute, then 2, 4, 8, 16; `jitter` from 0 to 1 adds up to a
    fifth, so that what failed together does not come back together."""
    doubled: int = 2 ** (attempts - 1)
    return FIRST_RETRY * doubled * (1 + JITTER * jitter)


def is_given_up(attempts: int) -> bool:
    """The first attempt was made at completion."""
    return attempts > MOST_RETRIES


def release_from(claimed_at: datetime) -> datetime:
    return claimed_at + RELEASE_AFTER
