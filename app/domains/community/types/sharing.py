"""Records that a user shares with another user."""

from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.record import Record


@enum_type(
    "The kinds of records that can be shared.",
    GOAL="A goal.",
    HABIT="A habit.",
    PROJECT="A project.",
)
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
    kind: ShareKind = strawberry.field(description="What kind of record is shared.")
    record_id: strawberry.ID = strawberry.field(description="The id of the record that is shared.")
    note: str | None = strawberry.field(
        default=None,
        description="What the owner wrote for the partner; null: nothing.",
    )
