"""Sharing in the graph."""

import strawberry

from app.domains.community.inputs import ShareWithInput, UnshareInput
from app.domains.community.types import Share
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page


@strawberry.type
class SharingQuery:
    @query(description="What others let you read, newest first.")
    async def shared_with_me(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Share]:
        fetch = info.context.sharing.shared_with_me
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="What you let others read.")
    async def shared_by_me(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Share]:
        fetch = info.context.sharing.shared_by_me
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class SharingMutation:
    @mutation(description="Lets somebody read one record of yours; again is once.")
    async def share_with(self, info: Info, input: ShareWithInput) -> Share:
        return await info.context.sharing.share(input)

    @mutation(description="Takes it back at once; or, as the partner, gives it up.")
    async def unshare(self, info: Info, input: UnshareInput) -> Share:
        return await info.context.sharing.unshare(input)
