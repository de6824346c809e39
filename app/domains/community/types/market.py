"""Companies, what they offer, and the tags it is found by."""

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

import strawberry

from app.core.record import Node, Record, computed
from app.core.scalars import AWSURL, AWSDateTime
from app.domains.community.rules import OfferStatus
from app.domains.goals.types import Goal
from app.domains.people.types import User
from app.graph.paging import Limit, NextToken, Page, page

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info


@strawberry.enum(description="ADMIN: writes offers, adds and removes people.")
class CompanyRole(Enum):
    ADMIN = "ADMIN"
    MEMBER = "MEMBER"


@strawberry.type(description="Somebody of a company. createdAt is when they came.")
class CompanyMember(Record):
    company_id: strawberry.ID
    user_id: strawberry.ID
    role: CompanyRole
    goal_count: strawberry.Private[int] = 0

    @computed(description="Null if the account is hidden or gone.")
    async def user(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.user_id)


@strawberry.type(
    description="A goal that somebody of a company has put under it, for its admins to read. "
    "createdAt is when they did."
)
class CompanyGoal(Record):
    company_id: strawberry.ID
    user_id: strawberry.ID = strawberry.field(description="Whose goal it is.")
    goal_id: strawberry.ID

    @computed(description="Whose goal it is; null if the account is hidden or gone.")
    async def user(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.user_id)

    @computed(
        description="The goal as it is now, with its progress; its tasks, milestones and other "
        "lists are empty. Null once it is deleted or taken away."
    )
    async def goal(self, info: Info) -> Goal | None:
        return await info.context.sharing.read_in_company(self)


@strawberry.type(description="Everybody sees a company and what it offers.")
class Company(Node):
    name: str
    description: str | None = None
    website: AWSURL | None = None
    admin_count: strawberry.Private[int] = 1
    closing_since: strawberry.Private[str | None] = None

    @computed(description="Null unless you are one of them.")
    async def my_role(self, info: Info) -> CompanyRole | None:
        seat = await info.context.companies.my_seat(self.id)
        return seat.role if seat else None

    @computed(description="For its admins; null for everybody else.")
    async def members(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[CompanyMember] | None:
        if not await info.context.companies.is_admin(self.id):
            return None
        fetch = partial(info.context.companies.members, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(
        description="What its people have put under it, the latest first. For its admins; null "
        "for everybody else."
    )
    async def goals(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[CompanyGoal] | None:
        if not await info.context.companies.is_admin(self.id):
            return None
        fetch = partial(info.context.sharing.goals_of_company, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="What you have put under it. Null unless you are of the company.")
    async def my_goals(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[CompanyGoal] | None:
        if not await info.context.companies.my_seat(self.id):
            return None
        fetch = partial(info.context.sharing.my_goals_in_company, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


@strawberry.type(
    description="What a company offers. Only its admins see one that is not OPEN or has expired."
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

    @computed(description="Who offers it.")
    async def company(self, info: Info) -> Company | None:
        return await info.context.companies.company(self.company_id)


@strawberry.type
class OfferTag(Record):
    """One for each tag of an open offer: a list cannot be an index key."""

    offer_id: str
    tag: str
    shard: str | None = None


@strawberry.enum(description="PUBLIC: open offers and quests of everybody. PRIVATE: what is yours.")
class TagScope(Enum):
    PUBLIC = "PUBLIC"
    PRIVATE = "PRIVATE"


@strawberry.type(description="Something that has the tag.")
class TaggedRecord:
    type: str = strawberry.field(description="Goal, Task, Quest or Offer.")
    id: strawberry.ID
    is_public: bool

    @computed(description="The record itself; null if it is hidden or gone meanwhile.")
    async def record(self, info: Info) -> Node | None:
        return await info.context.tags.record(self.type, self.id)
