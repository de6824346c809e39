"""What clients send about points and rewards."""

from typing import Annotated

import strawberry
from pydantic import AfterValidator, Field

from app.core.inputs import Input
from app.core.text import IdempotencyKey, Line
from app.domains.rewards.rules import LARGEST_ADJUSTMENT


def _not_zero(amount: int) -> int:
    if amount == 0:
        raise ValueError("must not be 0")
    return amount


Adjustment = Annotated[
    int,
    Field(ge=-LARGEST_ADJUSTMENT, le=LARGEST_ADJUSTMENT),
    AfterValidator(_not_zero),
]


@strawberry.input
class AdjustWalletInput(Input):
    amount: Adjustment = strawberry.field(
        description="Points to put in, or below zero to take out; up to 1,000,000. "
        "What is put in counts as earned, what is taken out as spent."
    )
    reason: Line
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
