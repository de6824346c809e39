"""Rewards of a quest: paid, and still owed."""

from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.record import Record, computed
from app.core.scalars import AWSJSON, AWSDateTime


@enum_type(
    "What a quest pays.",
    XP="Experience points.",
    REPUTATION="Reputation.",
)
class RewardType(Enum):
    XP = "XP"
    REPUTATION = "REPUTATION"


@strawberry.type
class Grant(Record):
    """A paid reward. It is created in the transaction that pays, so nothing is paid twice."""

    user_id: str
    quest_id: str
    reward_type: RewardType
    amount: int


@enum_type(
    "Where the payment of a reward stands.",
    PENDING="It is tried again by itself.",
    PROCESSING="It is being tried.",
    COMPLETED="It is paid.",
    FAILED="Five attempts failed; a moderator may retry it.",
)
class FailedRewardStatus(Enum):
    PENDING = "PENDING"
    PROCESSING = "PROCESSING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"


@strawberry.enum(description="Whether a reward was paid.")
class PaymentStatus(Enum):
    PAID = strawberry.enum_value("PAID", description="It is in your counters (me.stats).")
    PENDING = strawberry.enum_value(
        "PENDING", description="It could not be paid yet and is tried again by itself."
    )
    FAILED = strawberry.enum_value(
        "FAILED", description="No attempt succeeded. A moderator can try again."
    )


@strawberry.type(description="Your own reward of a completed quest.")
class QuestReward:
    reward_type: RewardType = strawberry.field(description="What is paid.")
    amount: int = strawberry.field(description="Your share, in XP or points of reputation.")
    status: PaymentStatus = strawberry.field(description="Whether it was paid.")
    paid_at: AWSDateTime | None = strawberry.field(
        default=None, description="Null unless the status is PAID."
    )
    next_attempt_at: AWSDateTime | None = strawberry.field(
        default=None, description="When it is tried again. Null unless the status is PENDING."
    )


@strawberry.type(description="A reward that could not be paid when its quest was completed.")
class FailedReward(Record):
    quest_id: strawberry.ID = strawberry.field(
        description="The quest whose reward could not be paid."
    )
    user_id: strawberry.ID = strawberry.field(description="The user who gets the reward.")
    reward_type: RewardType = strawberry.field(description="What could not be paid.")
    reward_amount: int = strawberry.field(description="How much of it.")
    reason: str = strawberry.field(description="Why the first attempt failed.")
    attempt_count: int = strawberry.field(
        default=1,
        description="Includes the attempt at completion. After 6 attempts the status is FAILED.",
    )
    last_attempt_at: AWSDateTime = strawberry.field(
        description="When it was last tried; null: not yet."
    )
    next_attempt_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it is tried next; null: not by itself any more.",
    )
    status: FailedRewardStatus = strawberry.field(
        default=FailedRewardStatus.PENDING,
        description="FAILED after five attempts; a moderator may then retry it.",
    )
    error_details: AWSJSON | None = strawberry.field(
        default=None,
        description="What the last attempt met; null: nothing.",
    )
    processed_at: AWSDateTime | None = strawberry.field(default=None, description="When paid.")
    processed_by: str | None = strawberry.field(
        default=None, description="The worker or moderator of the last attempt."
    )
    attested: strawberry.Private[bool] = False
    shard: strawberry.Private[str | None] = None

    @property
    def due_at(self) -> str | None:
        waiting = self.status in (FailedRewardStatus.PENDING, FailedRewardStatus.PROCESSING)
        return self.next_attempt_at if waiting else None

    @property
    def due_day(self) -> str | None:
        return self.due_at[:10].replace("-", "") if self.due_at else None

    @computed(description="For retryFailedReward.")
    def id(self) -> strawberry.ID:
        return strawberry.ID(
            ".".join((self.quest_id, self.reward_type.value, self.created_at, self.user_id))
        )
