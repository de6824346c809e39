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
from app.graph.fields import mutation, query, readers
from app.graph.paging import Limit, NextToken, Page, page

Status = Annotated[
    OfferStatus,
    strawberry.argument(
        description="OPEN if left out; the others only with your own company's companyId."
    ),
]
Type = Annotated[
    str | None, strawberry.argument(description="Goal, Task, Quest or Offer; null: all.")
]
Scope = Annotated[TagScope | None, strawberry.argument(description="Null: both.")]


@strawberry.type
class MarketQuery:
    @query(readers, description="Null if there is none.")
    async def company(self, info: Info, id: strawberry.ID) -> Company | None:
        return await info.context.companies.company(id)

    @query(description="The companies you are of, the latest first.")
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
        status: Status = OfferStatus.OPEN,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Offer]:
        fetch = partial(info.context.offers.offers, tag, company_id, status)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="What is public, and what is yours, with this tag.")
    async def by_tag(
        self,
        info: Info,
        tag: str,
        type: Type = None,
        scope: Scope = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[TaggedRecord]:
        tags = info.context.tags
        fetch = partial(tags.by_tag, tag, type, scope)
        found = await page(info, fetch, limit=limit, next_token=next_token)
        return Page(items=[*map(tags.tagged, found.items)], next_token=found.next_token)


@strawberry.type
class MarketMutation:
    @mutation(description="You are its admin.")
    async def create_company(self, info: Info, input: CreateCompanyInput) -> Company:
        return await info.context.companies.create(input)

    @mutation(description="For its admins.")
    async def update_company(self, info: Info, input: UpdateCompanyInput) -> Company:
        return await info.context.companies.update(input)

    @mutation(
        description="For its admins: at once nobody sees it any more, nor its offers and the goals "
        "that its people put under it. The goals themselves stay."
    )
    async def delete_company(self, info: Info, input: DeleteCompanyInput) -> Company:
        return await info.context.company_closing.delete(input)

    @mutation(description="For its admins: somebody new, or another role.")
    async def add_to_company(self, info: Info, input: AddToCompanyInput) -> Company:
        return await info.context.companies.add(input)

    @mutation(description="For its admins, and for who leaves. One admin always stays.")
    async def remove_from_company(self, info: Info, input: RemoveFromCompanyInput) -> Company:
        return await info.context.companies.remove(input)

    @mutation(
        description="For its people: lets its admins read a goal of yours, until you take it away "
        "or are of the company no more. At most 50 of yours; again is once."
    )
    async def add_goal_to_company(self, info: Info, input: AddGoalToCompanyInput) -> CompanyGoal:
        return await info.context.sharing.add_to_company(input)

    @mutation(description="Takes a goal of yours away at once.")
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
