"""Companies, their members and offers, and the tags that offers are found by."""

from enum import Enum

import strawberry

from app.core.record import Node, Record
from app.core.scalars import AWSURL, AWSDateTime


@strawberry.enum(description="Offers that are OPEN are public; the others are for the company.")
class OfferStatus(Enum):
    DRAFT = "DRAFT"
    OPEN = "OPEN"
    CLOSED = "CLOSED"


@strawberry.enum(description="ADMIN: writes offers, adds and removes people.")
class CompanyRole(Enum):
    ADMIN = "ADMIN"
    MEMBER = "MEMBER"


@strawberry.type(description="A member of a company. createdAt is when they joined.")
class CompanyMember(Record):
    company_id: strawberry.ID
    user_id: strawberry.ID
    role: CompanyRole
    goal_count: strawberry.Private[int] = 0


@strawberry.type(
    description="A goal that a member has added to a company, for its admins to read. "
    "createdAt is when it was added."
)
class CompanyGoal(Record):
    company_id: strawberry.ID
    user_id: strawberry.ID = strawberry.field(description="The owner of the goal.")
    goal_id: strawberry.ID


@strawberry.type(description="A company is public, and so are its open offers.")
class Company(Node):
    name: str
    description: str | None = None
    website: AWSURL | None = None
    admin_count: strawberry.Private[int] = 1
    closing_since: strawberry.Private[str | None] = None


@strawberry.type(
    description="An offer of a company. Only its admins see one that is not OPEN or has expired."
)
class Offer(Node):
    company_id: strawberry.ID
    title: str
    description: str | None = None
    url: AWSURL | None = None
    tags: list[str] = strawberry.field(default_factory=list, description="At most 20.")
    status: OfferStatus = OfferStatus.OPEN
    expires_at: AWSDateTime | None = strawberry.field(
        default=None, description="From then on it is hidden. Null: never."
    )


@strawberry.type
class OfferTag(Record):
    """One item for each tag of an open offer: a list cannot be an index key."""

    offer_id: str
    tag: str
    shard: str | None = None


@strawberry.enum(
    description="PUBLIC: open offers and quests of everybody. PRIVATE: your own records."
)
class TagScope(Enum):
    PUBLIC = "PUBLIC"
    PRIVATE = "PRIVATE"


@strawberry.type(description="A record that has the tag.")
class TaggedRecord:
    type: str = strawberry.field(description="Goal, Task, Quest or Offer.")
    id: strawberry.ID
    is_public: bool
