"""The states of a quest, and what can be done to it."""

from enum import Enum

import strawberry


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
