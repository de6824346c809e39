"""The states of a quest, and what can be done to it."""

from enum import Enum

from app.core.enums import enum_type


@enum_type(
    "COMPLETE and CANCELLED are final; an EXPIRED quest can be extended by its creator.",
    OPEN="It can be claimed.",
    CLAIMED="Somebody does it.",
    PENDING_REVIEW="The work is handed in and waits for attestation.",
    COMPLETE="Attested and rewarded: final.",
    DISPUTED="A moderator decides.",
    EXPIRED="Its time ran out; its creator can extend it.",
    CANCELLED="Withdrawn: final.",
)
class QuestStatus(Enum):
    OPEN = "OPEN"
    CLAIMED = "CLAIMED"
    PENDING_REVIEW = "PENDING_REVIEW"
    COMPLETE = "COMPLETE"
    DISPUTED = "DISPUTED"
    EXPIRED = "EXPIRED"
    CANCELLED = "CANCELLED"


@enum_type(
    "What was done to a quest.",
    CREATE="It was created.",
    UPDATE="It was changed.",
    CLAIM="Somebody claimed it, or joined the team.",
    START="The team began.",
    UNCLAIM="A performer gave it back.",
    RELEASE="The creator took it from a performer who did not deliver.",
    LAPSE="The claim ran out without a submission.",
    SUBMIT="The work was handed in.",
    REQUEST_CHANGES="The creator wants changes.",
    ATTEST="The work was attested.",
    DISPUTE="A party disagrees.",
    RESOLVE="A moderator decided.",
    EXPIRE="Its time ran out.",
    EXTEND="Its creator gave it more time.",
    CANCEL="Its creator withdrew it.",
)
class QuestAction(Enum):
    CREATE = "CREATE"
    UPDATE = "UPDATE"
    CLAIM = "CLAIM"
    START = "START"
    UNCLAIM = "UNCLAIM"
    RELEASE = "RELEASE"
    LAPSE = "LAPSE"
    SUBMIT = "SUBMIT"
    REQUEST_CHANGES = "REQUEST_CHANGES"
    ATTEST = "ATTEST"
    DISPUTE = "DISPUTE"
    RESOLVE = "RESOLVE"
    EXPIRE = "EXPIRE"
    EXTEND = "EXTEND"
    CANCEL = "CANCEL"
