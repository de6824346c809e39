"""Companies, their members and offers, and the tags that offers are found by."""

from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.record import Node, Record
from app.core.scalars import AWSURL, AWSDateTime


@enum_type(
    "Offers that are OPEN are public; the others are for the company.",
    DRAFT="Only the company sees it.",
    OPEN="Everybody sees it.",
    CLOSED="It is over; only the company sees it.",
)
class OfferStatus(Enum):
    DRAFT = "DRAFT"
    OPEN = "OPEN"
    CLOSED = "CLOSED"


@enum_type(
    "What a member of a company may do.",
    ADMIN="Writes offers, adds and removes people.",
    MEMBER="Sees what the company sees.",
)
class CompanyRole(Enum):
    ADMIN = "ADMIN"
    MEMBER = "MEMBER"


@strawberry.type(description="A member of a company. createdAt is when they joined.")
class CompanyMember(Record):
    company_id: strawberry.ID = strawberry.field(description="The company.")
    user_id: strawberry.ID = strawberry.field(description="The member.")
    role: CompanyRole = strawberry.field(description="What the member may do.")
    goal_count: strawberry.Private[int] = 0


@strawberry.type(
    description="A goal that a member has added to a company, for its admins to read. "
    "createdAt is when it was added."
)
class CompanyGoal(Record):
    company_id: strawberry.ID = strawberry.field(description="The company.")
    user_id: strawberry.ID = strawberry.field(description="The owner of the goal.")
    goal_id: strawberry.ID = strawberry.field(description="The member's goal.")


@strawberry.type(description="A company is public, and so are its open offers.")
class Company(Node):
    name: str = strawberry.field(description="Its name.")
    description: str | None = strawberry.field(
        default=None,
        description="What it does.",
    )
    website: AWSURL | None = strawberry.field(
        default=None,
        description="Its web address; null: none given.",
    )
    admin_count: strawberry.Private[int] = 1
    closing_since: strawberry.Private[str | None] = None


@strawberry.type(
    description="An offer of a company. Only its admins see one that is not OPEN or has expired."
)
class Offer(Node):
    company_id: strawberry.ID = strawberry.field(description="The company that offers it.")
    title: str = strawberry.field(description="What is offered, in one line.")
    description: str | None = strawberry.field(
        default=None,
        description="What is offered, in full.",
    )
    url: AWSURL | None = strawberry.field(
        default=None,
        description="Where to read more; null: not given.",
    )
    tags: list[str] = strawberry.field(
        default_factory=list,
        description="Words to find it by.",
    )
    status: OfferStatus = strawberry.field(
        default=OfferStatus.OPEN,
        description="Only OPEN offers are public.",
    )
    expires_at: AWSDateTime | None = strawberry.field(
        default=None, description="From then on it is hidden. Null: never."
    )


@strawberry.type
class OfferTag(Record):
    """One item for each tag of an open offer: a list cannot be an index key."""

    offer_id: str
    tag: str
    shard: str | None = None


@enum_type(
    "Whose records are searched.",
    PUBLIC="Open offers and quests of everybody.",
    PRIVATE="Your own records.",
)
class TagScope(Enum):
    PUBLIC = "PUBLIC"
    PRIVATE = "PRIVATE"


@strawberry.type(description="A record that has the tag.")
class TaggedRecord:
    type: str = strawberry.field(description="Goal, Task, Quest or Offer.")
    id: strawberry.ID = strawberry.field(description="The id of the record that has the tag.")
    is_public: bool = strawberry.field(description="Whether everybody sees it.")
