"""Inputs of the mutations about points and rewards."""

from typing import Annotated

import strawberry
from pydantic import AfterValidator, Field, StringConstraints

from app.core.inputs import Input
from app.core.text import IdempotencyKey, LongText, ShortText, WebAddress, normalize_text
from app.domains.rewards.rules import HIGHEST_COST, LARGEST_ADJUSTMENT
from app.domains.rewards.types import RewardStatus


def _not_zero(amount: int) -> int:
    if amount == 0:
        raise ValueError("must not be 0")
    return amount


AdjustmentAmount = Annotated[
    int,
    Field(ge=-LARGEST_ADJUSTMENT, le=LARGEST_ADJUSTMENT),
    AfterValidator(_not_zero),
]


PointCost = Annotated[int, Field(ge=0, le=HIGHEST_COST)]
CooldownHours = Annotated[int, Field(ge=0, le=24 * 366)]
DailyMaximum = Annotated[int, Field(ge=0, le=1000)]
RewardCategory = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=40),
    AfterValidator(normalize_text),
]
RewardIcon = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=32)]


@strawberry.input
class AdjustWalletInput(Input):
    amount: AdjustmentAmount = strawberry.field(
        description="Points to add, or negative to remove. Added points count as earned, removed "
        "points as spent.",
    )
    reason: ShortText = strawberry.field(description="Why, for the list of transactions.")
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class BuyFreezeInput(Input):
    expected_cost: int | None = strawberry.field(
        default=strawberry.UNSET,
        description="The price that you saw: CONFLICT if the price differs.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class CreateRewardInput(Input):
    title: ShortText
    point_cost: PointCost
    description: LongText | None = strawberry.UNSET
    category: RewardCategory | None = strawberry.UNSET
    icon: RewardIcon | None = strawberry.UNSET
    image_url: WebAddress | None = strawberry.field(
        default=strawberry.UNSET, description="Stored; never fetched by the server."
    )
    is_automated: bool | None = strawberry.UNSET
    automation_instructions: LongText | None = strawberry.UNSET
    cooldown_hours: CooldownHours | None = strawberry.field(
        default=strawberry.UNSET,
        description="Hours between two redemptions; null or 0: no cooldown.",
    )
    max_redemptions_per_day: DailyMaximum | None = strawberry.field(
        default=strawberry.UNSET,
        description="null: no limit, 0: never.",
    )
    status: RewardStatus | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="Fields that are left out stay unchanged; null clears a field.")
class UpdateRewardInput(Input):
    id: strawberry.ID
    title: ShortText | None = strawberry.UNSET
    point_cost: PointCost | None = strawberry.UNSET
    description: LongText | None = strawberry.UNSET
    category: RewardCategory | None = strawberry.UNSET
    icon: RewardIcon | None = strawberry.UNSET
    image_url: WebAddress | None = strawberry.UNSET
    is_automated: bool | None = strawberry.UNSET
    automation_instructions: LongText | None = strawberry.UNSET
    cooldown_hours: CooldownHours | None = strawberry.UNSET
    max_redemptions_per_day: DailyMaximum | None = strawberry.UNSET
    status: RewardStatus | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description="CONFLICT if the record has another version."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteRewardInput(Input):
    id: strawberry.ID
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description="CONFLICT if the record has another version."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class RedeemRewardInput(Input):
    reward_id: strawberry.ID
    expected_cost: int | None = strawberry.field(
        default=strawberry.UNSET,
        description="The price that you saw: CONFLICT if the price differs.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class RefundRedemptionInput(Input):
    redemption_id: strawberry.ID = strawberry.field(description="The redemption.")
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
