"""Sharing in the graph."""

import strawberry

from app.domains.community.inputs import ShareWithInput, UnshareInput
from app.domains.community.types import Share
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page


@strawberry.type
class SharingQuery:
    @query(description="Records that others share with you, newest first.")
    async def shared_with_me(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Share]:
        fetch = info.context.sharing.shared_with_me
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="Records that you share with others.")
    async def shared_by_me(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Share]:
        fetch = info.context.sharing.shared_by_me
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class SharingMutation:
    @mutation(description="Lets a user read one record of yours. Sharing it again changes nothing.")
    async def share_with(self, info: Info, input: ShareWithInput) -> Share:
        return await info.context.sharing.share(input)

    @mutation(description="Ends the sharing at once, by the owner or by the partner.")
    async def unshare(self, info: Info, input: UnshareInput) -> Share:
        return await info.context.sharing.unshare(input)
