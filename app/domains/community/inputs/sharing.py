"""Inputs of the mutations about sharing."""

import strawberry

from app.core.inputs import Input
from app.core.text import IdempotencyKey, ShortText
from app.domains.community.types import ShareKind


@strawberry.input
class ShareWithInput(Input):
    user_id: strawberry.ID = strawberry.field(description="The user who may read it from now on.")
    kind: ShareKind
    id: strawberry.ID = strawberry.field(description="Your goal, habit or project.")
    note: ShortText | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(
    description="Your own record: userId is the user who may no longer read it. "
    "A record shared with you: ownerId is its owner, and userId is you."
)
class UnshareInput(Input):
    user_id: strawberry.ID
    kind: ShareKind
    id: strawberry.ID
    owner_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="The owner, if it was shared with you; left out: you are the owner.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
