"""What clients send about sharing."""

import strawberry

from app.core.inputs import Input
from app.core.text import Line
from app.domains.community.types import ShareKind


@strawberry.input
class ShareWithInput(Input):
    user_id: strawberry.ID = strawberry.field(description="Who may read it from now on.")
    kind: ShareKind
    id: strawberry.ID = strawberry.field(description="Your goal, habit or project.")
    note: Line | None = strawberry.UNSET


@strawberry.input(
    description="Your own record: userId is who shall not read it any more. "
    "Another's: ownerId is its owner, and userId yourself."
)
class UnshareInput(Input):
    user_id: strawberry.ID
    kind: ShareKind
    id: strawberry.ID
    owner_id: strawberry.ID | None = strawberry.UNSET
