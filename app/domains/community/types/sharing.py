"""What one person lets another one see."""

from enum import Enum
from typing import TYPE_CHECKING

import strawberry

from app.core.record import Node, Record, computed
from app.domains.people.types import User

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info


@strawberry.enum(description="What can be shared.")
class ShareKind(Enum):
    GOAL = "GOAL"
    HABIT = "HABIT"
    PROJECT = "PROJECT"


@strawberry.type(
    description="Someone lets an accountability partner read one record, until it is taken back."
)
class Share(Record):
    user_id: strawberry.ID = strawberry.field(description="Whose record it is.")
    partner_id: strawberry.ID = strawberry.field(description="Who may read it.")
    kind: ShareKind
    record_id: strawberry.ID
    note: str | None = None

    @computed(description="Whose record it is.")
    async def owner(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.user_id)

    @computed(description="Who may read it.")
    async def partner(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.partner_id)

    @computed(
        description="The record as it is now; null once it is deleted or no longer shared. Its "
        "progress, health or streak is what its owner sees. What else they have, such as a goal's "
        "tasks, activity and milestones or a habit's logs, is not shared: those lists are empty."
    )
    async def record(self, info: Info) -> Node | None:
        return await info.context.sharing.read(self.user_id, self.kind, self.record_id)
