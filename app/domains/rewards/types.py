"""Points, wallets and rewards."""

from dataclasses import dataclass
from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.record import Node, Record
from app.core.scalars import AWSURL, AWSDate, AWSDateTime


@enum_type(
    "Why the balance changed.",
    earned="Points for something done, or taken back from it.",
    spent="Points for a reward or freeze, or refunded.",
    manual="Corrected by adjustWallet, with a reason.",
)
class TransactionType(Enum):
    earned = "earned"
    spent = "spent"
    manual = "manual"


@strawberry.type(description="One change of a wallet. All amounts together are its balance.")
class WalletTransaction(Node):
    user_id: strawberry.Private[str]
    amount: int = strawberry.field(
        description="In points: positive adds to the balance, negative reduces it. A reversed "
        "earning is negative, a refund is positive."
    )
    type: TransactionType = strawberry.field(
        description="earned, spent, or manual for a correction."
    )
    reason: str = strawberry.field(description="What it was for.")
    task_id: strawberry.ID | None = strawberry.field(
        default=None, description="The task that paid the points."
    )
    metric_id: strawberry.ID | None = strawberry.field(
        default=None, description="The metric whose milestone paid the points."
    )
    reward_id: strawberry.ID | None = strawberry.field(
        default=None, description="The reward that was redeemed or refunded."
    )
    reference: str | None = strawberry.field(
        default=None, description="The id of the milestone or redemption."
    )


@strawberry.type(description="The points of one of your days.")
class PointsOfDay:
    date: AWSDate = strawberry.field(description="The day, in your present time zone.")
    earned: int = strawberry.field(
        description="Points of transactions of the types earned and manual that add, less what was "
        "taken back of earnings: it is negative if more was taken back."
    )
    spent: int = strawberry.field(
        description="Points spent, and manual deductions, less refunds: it is negative if more was "
        "refunded."
    )
    balance_change: int = strawberry.field(description="earned - spent.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsMovement:
    """Points that enter or leave a wallet, and what they are for. `points` has no sign."""

    user_id: str
    points: int
    reason: str
    task_id: strawberry.ID | None = None
    metric_id: strawberry.ID | None = None
    reward_id: strawberry.ID | None = None
    reference: str | None = None


class Earning(PointsMovement):
    """Points that the user earns, or that are taken back."""


class Spending(PointsMovement):
    """Points that the user spends, or that are refunded."""


@strawberry.type(
    description="Your points. balance = lifetimeEarned - lifetimeSpent, never below 0."
)
class Wallet(Record):
    user_id: strawberry.Private[str]
    balance: int = strawberry.field(default=0, description="Points that you can spend.")
    lifetime_earned: int = strawberry.field(
        default=0,
        description="All points earned. Reversed earnings do not count, e.g. of a reopened task.",
    )
    lifetime_spent: int = strawberry.field(
        default=0, description="All points spent. Refunded points do not count."
    )

    freezes: int = strawberry.field(
        default=0,
        description="Freezes held: at most 2. One is used automatically for each missed day that "
        "would break a habit's streak.",
    )


@enum_type(
    "Archived rewards cannot be redeemed.",
    Active="It can be redeemed.",
    Archived="It cannot be redeemed.",
)
class RewardStatus(Enum):
    Active = "Active"
    Archived = "Archived"


@strawberry.type(description="Something you buy yourself with points.")
class Reward(Node):
    user_id: strawberry.Private[str]
    title: str = strawberry.field(description="What you get.")
    description: str | None = strawberry.field(
        default=None,
        description="Details; null: none.",
    )
    category: str | None = strawberry.field(
        default=None, description="e.g. Quick Treat, Daily Delight, Weekly Reward."
    )
    point_cost: int = strawberry.field(
        default=0,
        description="What it costs, in points.",
    )
    icon: str | None = strawberry.field(default=None, description="An emoji.")
    image_url: AWSURL | None = strawberry.field(
        default=None,
        description="The address of a picture; null: none.",
    )
    is_automated: bool = strawberry.field(
        default=False,
        description="Whether another program hands it out.",
    )
    automation_instructions: str | None = strawberry.field(
        default=None,
        description="What that program is to do; null: nothing.",
    )
    cooldown_hours: int | None = strawberry.field(
        default=None, description="Hours between two redemptions; null or 0: no cooldown."
    )
    max_redemptions_per_day: int | None = strawberry.field(
        default=None, description="Limit for one of your local days; null: no limit, 0: never."
    )
    status: RewardStatus = strawberry.field(
        default=RewardStatus.Active,
        description="Archived rewards cannot be redeemed.",
    )
    last_redeemed_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it was last redeemed; null: never.",
    )
    redemption_count: int = strawberry.field(
        default=0, description="Number of redemptions, including refunded ones."
    )


@strawberry.type(description="One use of a reward, and what it cost.")
class Redemption(Node):
    user_id: strawberry.Private[str]
    reward_id: strawberry.ID = strawberry.field(description="The reward.")
    title: str = strawberry.field(description="The reward's title at that time.")
    cost: int = strawberry.field(description="The price at that time, in points.")
    redeemed_at: AWSDateTime = strawberry.field(description="When it was redeemed.")
    refunded_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When its points were given back; null: they were not.",
    )


@strawberry.type
class RedemptionsOfDay(Record):
    """The number of redemptions of a reward on one local day of its owner."""

    user_id: str
    reward_id: str
    date: AWSDate
    count: int
