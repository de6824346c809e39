"""What clients send about points and rewards."""

from typing import Annotated

import strawberry
from pydantic import AfterValidator, Field, StringConstraints

from app.core.inputs import Input
from app.core.text import IdempotencyKey, Line, Paragraph, WebAddress, normal_words
from app.domains.rewards.rules import HIGHEST_COST, LARGEST_ADJUSTMENT
from app.domains.rewards.types import RewardStatus


def _not_zero(amount: int) -> int:
    if amount == 0:
        raise ValueError("must not be 0")
    return amount


Adjustment = Annotated[
    int,
    Field(ge=-LARGEST_ADJUSTMENT, le=LARGEST_ADJUSTMENT),
    AfterValidator(_not_zero),
]


Cost = Annotated[int, Field(ge=0, le=HIGHEST_COST)]
CooldownHours = Annotated[int, Field(ge=0, le=24 * 366)]
DailyMaximum = Annotated[int, Field(ge=0, le=1000)]
Category = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=40),
    AfterValidator(normal_words),
]
Icon = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=32)]


@strawberry.input
class AdjustWalletInput(Input):
    amount: Adjustment = strawberry.field(
        description="Points to put in, or below zero to take out; up to 1,000,000. "
        "What is put in counts as earned, what is taken out as spent."
    )
    reason: Line
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class BuyFreezeInput(Input):
    expected_cost: int | None = strawberry.field(
        default=strawberry.UNSET, description="Refuse with CONFLICT if it costs something else."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class CreateRewardInput(Input):
    title: Line
    point_cost: Cost = strawberry.field(description="0 to 1,000,000 points.")
    description: Paragraph | None = strawberry.UNSET
    category: Category | None = strawberry.UNSET
    icon: Icon | None = strawberry.UNSET
    image_url: WebAddress | None = strawberry.field(
        default=strawberry.UNSET, description="Kept, never fetched by the server."
    )
    is_automated: bool | None = strawberry.UNSET
    automation_instructions: Paragraph | None = strawberry.UNSET
    cooldown_hours: CooldownHours | None = strawberry.field(
        default=strawberry.UNSET, description="Up to 8,784; null or 0: none."
    )
    max_redemptions_per_day: DailyMaximum | None = strawberry.field(
        default=strawberry.UNSET, description="Up to 1,000; null: no limit, 0: never."
    )
    status: RewardStatus | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="What is left out stays as it is; null clears a field.")
class UpdateRewardInput(Input):
    id: strawberry.ID
    title: Line | None = strawberry.UNSET
    point_cost: Cost | None = strawberry.UNSET
    description: Paragraph | None = strawberry.UNSET
    category: Category | None = strawberry.UNSET
    icon: Icon | None = strawberry.UNSET
    image_url: WebAddress | None = strawberry.UNSET
    is_automated: bool | None = strawberry.UNSET
    automation_instructions: Paragraph | None = strawberry.UNSET
    cooldown_hours: CooldownHours | None = strawberry.UNSET
    max_redemptions_per_day: DailyMaximum | None = strawberry.UNSET
    status: RewardStatus | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description="Refuse with CONFLICT if it has another version."
    )


@strawberry.input
class DeleteRewardInput(Input):
    id: strawberry.ID
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description="Refuse with CONFLICT if it has another version."
    )


@strawberry.input
class RedeemRewardInput(Input):
    reward_id: strawberry.ID
    expected_cost: int | None = strawberry.field(
        default=strawberry.UNSET,
        description="The price that you saw: CONFLICT if it costs something else now.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class RefundRedemptionInput(Input):
    redemption_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
