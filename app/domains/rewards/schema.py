"""Points and rewards in the graph."""

from functools import partial

import strawberry

from app.core.text import normal_words
from app.domains.rewards.inputs import (
    AdjustWalletInput,
    BuyFreezeInput,
    CreateRewardInput,
    DeleteRewardInput,
    RedeemRewardInput,
    RefundRedemptionInput,
    UpdateRewardInput,
)
from app.domains.rewards.types import Redemption, Reward, RewardStatus, Wallet
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page


@strawberry.type
class RewardsQuery:
    @query(description="Your points.")
    async def wallet(self, info: Info) -> Wallet:
        return await info.context.wallets.wallet()

    @query(description="One of your rewards; null if you have none with this id.")
    async def reward(self, info: Info, id: strawberry.ID) -> Reward | None:
        return await info.context.rewards.reward(id)

    @query(description="Your rewards, the oldest first.")
    async def rewards(
        self,
        info: Info,
        status: RewardStatus | None = None,
        category: str | None = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Reward]:
        fetch = partial(info.context.rewards.rewards, status, category and normal_words(category))
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class RewardsMutation:
    @mutation(description="Puts points in or takes some out by hand; never below zero.")
    async def adjust_wallet(self, info: Info, input: AdjustWalletInput) -> Wallet:
        return await info.context.wallets.adjust(input)

    @mutation(
        description="A freeze saves a habit's streak when a day is missed. At most 2 are held; "
        "they are used by themselves."
    )
    async def buy_freeze(self, info: Info, input: BuyFreezeInput) -> Wallet:
        return await info.context.wallets.buy_freeze(input)

    @mutation()
    async def create_reward(self, info: Info, input: CreateRewardInput) -> Reward:
        return await info.context.rewards.create(input)

    @mutation()
    async def update_reward(self, info: Info, input: UpdateRewardInput) -> Reward:
        return await info.context.rewards.update(input)

    @mutation(description="With its history. Points that were spent on it stay spent.")
    async def delete_reward(self, info: Info, input: DeleteRewardInput) -> Reward:
        return await info.context.rewards.delete(input)

    @mutation(
        description="Spends the points. Refused while it cools down (COOLDOWN), when the day's "
        "number is used up (DAILY_LIMIT), or with too few points (INSUFFICIENT_POINTS)."
    )
    async def redeem_reward(self, info: Info, input: RedeemRewardInput) -> Redemption:
        return await info.context.rewards.redeem(input)

    @mutation(
        description="Once: the points come back. The day's count and the cooldown stay as they are."
    )
    async def refund_redemption(self, info: Info, input: RefundRedemptionInput) -> Redemption:
        return await info.context.rewards.refund(input)
