"""Rewards of a quest: paid, and still owed."""

from enum import Enum

import strawberry

from app.core.record import Record, computed
from app.core.scalars import AWSJSON, AWSDateTime


@strawberry.enum
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


@strawberry.enum
class FailedRewardStatus(Enum):
    PENDING = "PENDING"
    PROCESSING = "PROCESSING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"


@strawberry.type(description="A reward that could not be paid when its quest was completed.")
class FailedReward(Record):
    quest_id: strawberry.ID
    user_id: strawberry.ID = strawberry.field(description="The user who gets the reward.")
    reward_type: RewardType
    reward_amount: int
    reason: str
    attempt_count: int = strawberry.field(
        default=1,
        description="Includes the attempt at completion. After 6 attempts the status is FAILED.",
    )
    last_attempt_at: AWSDateTime
    next_attempt_at: AWSDateTime | None = None
    status: FailedRewardStatus = FailedRewardStatus.PENDING
    error_details: AWSJSON | None = None
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
