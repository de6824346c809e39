"""Points and rewards in the graph."""

import strawberry

from app.domains.rewards.inputs import AdjustWalletInput
from app.domains.rewards.types import Wallet
from app.graph.context import Info
from app.graph.fields import mutation, query


@strawberry.type
class RewardsQuery:
    @query(description="Your points.")
    async def wallet(self, info: Info) -> Wallet:
        return await info.context.wallets.wallet()


@strawberry.type
class RewardsMutation:
    @mutation(description="Puts points in or takes some out by hand; never below zero.")
    async def adjust_wallet(self, info: Info, input: AdjustWalletInput) -> Wallet:
        return await info.context.wallets.adjust(input)
