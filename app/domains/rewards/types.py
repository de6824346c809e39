"""Points and what they buy."""

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

import strawberry

from app.core.record import Node, Record, computed
from app.core.scalars import AWSURL, AWSDate, AWSDateTime
from app.domains.rewards.rules import FREEZE_COST
from app.graph.paging import Limit, NextToken, Page, page

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info


@strawberry.enum(description="manual: put right by hand, with a reason.")
class TransactionType(Enum):
    earned = "earned"
    spent = "spent"
    manual = "manual"


@strawberry.type(description="One change of a wallet. All amounts together are its balance.")
class WalletTransaction(Node):
    user_id: strawberry.Private[str]
    amount: int = strawberry.field(
        description="Points: above zero they came in, below zero they went out. An earning that "
        "was taken back is below zero, a refund above."
    )
    type: TransactionType
    reason: str
    task_id: strawberry.ID | None = strawberry.field(
        default=None, description="The task that they are for."
    )
    metric_id: strawberry.ID | None = strawberry.field(
        default=None, description="The metric whose milestone they are for."
    )
    reward_id: strawberry.ID | None = strawberry.field(
        default=None, description="The reward that they bought, or that was refunded."
    )
    reference: str | None = strawberry.field(
        default=None, description="What else they are for, by its id."
    )


@strawberry.type(
    description="Your points. balance = lifetimeEarned - lifetimeSpent, never below 0."
)
class Wallet(Record):
    user_id: strawberry.Private[str]
    balance: int = strawberry.field(default=0, description="Points that you can spend.")
    lifetime_earned: int = strawberry.field(
        default=0, description="Without what was taken back, e.g. for a reopened task."
    )
    lifetime_spent: int = strawberry.field(default=0, description="Without what was refunded.")

    freezes: int = strawberry.field(
        default=0,
        description="How many missed days of a habit are still forgiven: at most 2. One is used "
        "by itself when a streak would break.",
    )

    @computed(description="What buyFreeze costs, in points.")
    def freeze_cost(self) -> int:
        return FREEZE_COST

    @computed(description="Every change of the wallet, newest first.")
    async def transactions(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[WalletTransaction]:
        fetch = info.context.wallets.transactions
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.enum(description="Archived rewards cannot be redeemed.")
class RewardStatus(Enum):
    Active = "Active"
    Archived = "Archived"


@strawberry.type(description="Something you treat yourself to, for points.")
class Reward(Node):
    user_id: strawberry.Private[str]
    title: str
    description: str | None = None
    category: str | None = strawberry.field(
        default=None, description="e.g. Quick Treat, Daily Delight, Weekly Reward."
    )
    point_cost: int = 0
    icon: str | None = strawberry.field(default=None, description="An emoji.")
    image_url: AWSURL | None = None
    is_automated: bool = False
    automation_instructions: str | None = None
    cooldown_hours: int | None = strawberry.field(
        default=None, description="How long to wait between two times; null or 0: not at all."
    )
    max_redemptions_per_day: int | None = strawberry.field(
        default=None, description="How often in one of your days; null: no limit, 0: never."
    )
    status: RewardStatus = RewardStatus.Active
    last_redeemed_at: AWSDateTime | None = None
    redemption_count: int = strawberry.field(
        default=0, description="How often it was redeemed, refunded or not."
    )

    @computed(
        description="When it can be redeemed again; null: now (or, with "
        "maxRedemptionsPerDay 0, never). The balance is not looked at."
    )
    async def next_available_at(self, info: Info) -> AWSDateTime | None:
        return await info.context.rewards.next_available_at(self)

    @computed(description="When it was redeemed, newest first.")
    async def redemptions(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page["Redemption"]:
        fetch = partial(info.context.rewards.redemptions, self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


@strawberry.type(description="That a reward was had, and what for.")
class Redemption(Node):
    user_id: strawberry.Private[str]
    reward_id: strawberry.ID
    title: str = strawberry.field(description="The reward's title at that time.")
    cost: int = strawberry.field(description="In points.")
    redeemed_at: AWSDateTime
    refunded_at: AWSDateTime | None = None

    @computed(description="The reward, as it stands now.")
    async def reward(self, info: Info) -> Reward:
        return await info.context.rewards.known(self.reward_id)

    @computed(description="Your wallet, as it stands now.")
    async def wallet(self, info: Info) -> Wallet:
        return await info.context.wallets.wallet()


@strawberry.type
class RedemptionsOfDay(Record):
    """How often a reward was redeemed on one of its owner's days."""

    user_id: str
    reward_id: str
    date: AWSDate
    count: int
