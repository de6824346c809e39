"""Companies, offers and tags in the graph."""

from functools import partial
from typing import Annotated

import strawberry

from app.domains.community.inputs import (
    AddGoalToCompanyInput,
    AddToCompanyInput,
    CreateCompanyInput,
    CreateOfferInput,
    DeleteCompanyInput,
    RemoveFromCompanyInput,
    RemoveGoalFromCompanyInput,
    UpdateCompanyInput,
    UpdateOfferInput,
)
from app.domains.community.types import (
    Company,
    CompanyGoal,
    Offer,
    OfferStatus,
    TaggedRecord,
    TagScope,
)
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.guards import readers
from app.graph.paging import Limit, NextToken, Page, page

OfferStatusArgument = Annotated[
    OfferStatus,
    strawberry.argument(
        description="OPEN if left out. Other statuses only with the companyId of a company whose "
        "admin you are."
    ),
]
TaggedTypeArgument = Annotated[
    str | None, strawberry.argument(description="Goal, Task, Quest or Offer; null: all.")
]
TagScopeArgument = Annotated[TagScope | None, strawberry.argument(description="Null: both.")]


@strawberry.type
class MarketQuery:
    @query(readers, description="Null if there is none.")
    async def company(self, info: Info, id: strawberry.ID) -> Company | None:
        return await info.context.companies.company(id)

    @query(description="The companies you are a member of, the latest joined first.")
    async def companies(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Company]:
        fetch = info.context.companies.companies
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(readers, description="Null if it is hidden from you.")
    async def offer(self, info: Info, id: strawberry.ID) -> Offer | None:
        return await info.context.offers.offer(id)

    @query(readers, description="Newest first.")
    async def offers(
        self,
        info: Info,
        tag: str | None = None,
        company_id: strawberry.ID | None = None,
        status: OfferStatusArgument = OfferStatus.OPEN,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Offer]:
        fetch = partial(info.context.offers.offers, tag, company_id, status)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="Public records and your own with this tag.")
    async def by_tag(
        self,
        info: Info,
        tag: str,
        type: TaggedTypeArgument = None,
        scope: TagScopeArgument = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[TaggedRecord]:
        search = info.context.tag_search
        fetch = partial(search.by_tag, tag, type, scope)
        found = await page(info, fetch, limit=limit, next_token=next_token)
        return Page(items=[*map(search.tagged_record, found.items)], next_token=found.next_token)


@strawberry.type
class MarketMutation:
    @mutation(description="You become its admin.")
    async def create_company(self, info: Info, input: CreateCompanyInput) -> Company:
        return await info.context.companies.create(input)

    @mutation(description="For its admins.")
    async def update_company(self, info: Info, input: UpdateCompanyInput) -> Company:
        return await info.context.companies.update(input)

    @mutation(
        description="For its admins: at once the company, its offers and its links to members' "
        "goals are hidden, then deleted. The goals themselves stay."
    )
    async def delete_company(self, info: Info, input: DeleteCompanyInput) -> Company:
        return await info.context.company_deletion.delete(input)

    @mutation(description="For its admins: adds a member, or changes the role of one.")
    async def add_to_company(self, info: Info, input: AddToCompanyInput) -> Company:
        return await info.context.companies.add(input)

    @mutation(description="For its admins, or to leave it yourself. The last admin cannot leave.")
    async def remove_from_company(self, info: Info, input: RemoveFromCompanyInput) -> Company:
        return await info.context.companies.remove(input)

    @mutation(
        description="For its members: lets its admins read a goal of yours, until you remove it or "
        "leave the company. At most 50 goals; adding one again changes nothing."
    )
    async def add_goal_to_company(self, info: Info, input: AddGoalToCompanyInput) -> CompanyGoal:
        return await info.context.sharing.add_to_company(input)

    @mutation(description="The company's admins can no longer read your goal.")
    async def remove_goal_from_company(
        self, info: Info, input: RemoveGoalFromCompanyInput
    ) -> CompanyGoal:
        return await info.context.sharing.remove_from_company(input)

    @mutation(description="For the company's admins.")
    async def create_offer(self, info: Info, input: CreateOfferInput) -> Offer:
        return await info.context.offers.create(input)

    @mutation(description="For the company's admins.")
    async def update_offer(self, info: Info, input: UpdateOfferInput) -> Offer:
        return await info.context.offers.update(input)
