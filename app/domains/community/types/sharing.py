"""Records that a user shares with another user."""

from enum import Enum

import strawberry

from app.core.record import Record


@strawberry.enum(description="The kinds of records that can be shared.")
class ShareKind(Enum):
    GOAL = "GOAL"
    HABIT = "HABIT"
    PROJECT = "PROJECT"


@strawberry.type(
    description="A user lets an accountability partner read one record, until it is unshared."
)
class Share(Record):
    user_id: strawberry.ID = strawberry.field(description="The owner of the record.")
    partner_id: strawberry.ID = strawberry.field(description="The user who may read it.")
    kind: ShareKind
    record_id: strawberry.ID
    note: str | None = None
