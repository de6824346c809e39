"""The GraphQL fields of points and rewards."""

from functools import partial
from typing import Annotated

import strawberry

from app.core.record import computed
from app.core.scalars import AWSDate, AWSDateTime
from app.core.text import normalize_text
from app.domains.rewards.inputs import (
    AdjustWalletInput,
    BuyFreezeInput,
    CreateRewardInput,
    DeleteRewardInput,
    RedeemRewardInput,
    RefundRedemptionInput,
    UpdateRewardInput,
)
from app.domains.rewards.rules import FREEZE_COST, LONGEST_RANGE, MOST_TRANSACTIONS, USUAL_RANGE
from app.domains.rewards.types import (
    PointsOfDay,
    Redemption,
    Reward,
    RewardStatus,
    TransactionType,
    Wallet,
    WalletTransaction,
)
from app.graph.context import Info
from app.graph.fields import fields_of, mutation, query
from app.graph.paging import Limit, NextToken, Page, page

FirstTransactionDay = Annotated[
    AWSDate | None,
    strawberry.argument(name="from", description="The first day, in your time zone; null: all."),
]
LastTransactionDay = Annotated[
    AWSDate | None,
    strawberry.argument(name="to", description="The last day, which is included; null: all."),
]
TypeArgument = Annotated[
    TransactionType | None, strawberry.argument(description="Only this type; null: all.")
]
FirstPointsDay = Annotated[
    AWSDate | None,
    strawberry.argument(
        name="from", description=f"The first day; null: so that there are {USUAL_RANGE} days."
    ),
]
LastPointsDay = Annotated[
    AWSDate | None,
    strawberry.argument(
        name="to",
        description="The last day, which is included; null: your today. At most "
        f"{LONGEST_RANGE} days in all.",
    ),
]


@fields_of(Wallet)
class WalletFields(Wallet):
    @computed(description="The price of buyFreeze, in points.")
    def freeze_cost(self) -> int:
        return FREEZE_COST

    @computed(description="The changes of the balance, newest first.")
    async def transactions(
        self,
        info: Info,
        since: FirstTransactionDay = None,
        until: LastTransactionDay = None,
        type: TypeArgument = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[WalletTransaction]:
        fetch = partial(info.context.wallet_history.transactions, since, until, type)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @computed(
        description="Points earned and spent on each day of a range, also on days without any, "
        f"oldest first. LIMIT_EXCEEDED if it has more than {MOST_TRANSACTIONS:,} transactions."
    )
    async def points_by_day(
        self, info: Info, since: FirstPointsDay = None, until: LastPointsDay = None
    ) -> list[PointsOfDay]:
        return await info.context.wallet_history.points_by_day(since, until)


@fields_of(Reward)
class RewardFields(Reward):
    @computed(
        description="When it can be redeemed again; null: now (or, with "
        "maxRedemptionsPerDay 0, never). The balance is not considered."
    )
    async def next_available_at(self, info: Info) -> AWSDateTime | None:
        return await info.context.rewards.next_available_at(self)

    @computed(description="Its redemptions, newest first.")
    async def redemptions(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Redemption]:
        fetch = partial(info.context.rewards.redemptions, self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


@fields_of(Redemption)
class RedemptionFields(Redemption):
    @computed(description="The current reward.")
    async def reward(self, info: Info) -> Reward:
        return await info.context.rewards.require(self.reward_id)

    @computed(description="Your current wallet.")
    async def wallet(self, info: Info) -> Wallet:
        return await info.context.wallets.wallet()


@strawberry.type
class RewardsQuery:
    @query(description="Your wallet.")
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
        fetch = partial(info.context.rewards.rewards, status, category and normalize_text(category))
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class RewardsMutation:
    @mutation(description="Adds or removes points by hand. The balance cannot become negative.")
    async def adjust_wallet(self, info: Info, input: AdjustWalletInput) -> Wallet:
        return await info.context.wallets.adjust(input)

    @mutation(
        description="Buys a freeze, which saves a habit's streak on a missed day. At most 2 are "
        "held; they are used automatically."
    )
    async def buy_freeze(self, info: Info, input: BuyFreezeInput) -> Wallet:
        return await info.context.wallets.buy_freeze(input)

    @mutation(description="Creates a reward that your points can buy.")
    async def create_reward(self, info: Info, input: CreateRewardInput) -> Reward:
        return await info.context.rewards.create(input)

    @mutation(
        description="Changes the fields that are sent; null clears one. Redemptions keep what they "
        "cost."
    )
    async def update_reward(self, info: Info, input: UpdateRewardInput) -> Reward:
        return await info.context.rewards.update(input)

    @mutation(description="Deletes the reward and its redemptions. Spent points stay spent.")
    async def delete_reward(self, info: Info, input: DeleteRewardInput) -> Reward:
        return await info.context.rewards.delete(input)

    @mutation(
        description="Spends the points. Refused during the cooldown (COOLDOWN), when the daily "
        "limit is reached (DAILY_LIMIT), or with too few points (INSUFFICIENT_POINTS)."
    )
    async def redeem_reward(self, info: Info, input: RedeemRewardInput) -> Redemption:
        return await info.context.rewards.redeem(input)

    @mutation(
        description="Once: the points come back. The day's count and the cooldown stay as they are."
    )
    async def refund_redemption(self, info: Info, input: RefundRedemptionInput) -> Redemption:
        return await info.context.rewards.refund(input)
