"""Types and descriptions of fields that several inputs have."""

from datetime import date
from typing import Annotated

import strawberry
from pydantic import AfterValidator, Field, StringConstraints

from app.core.scalars import AWSDate, AWSDateTime
from app.core.text import ShortText, TagName, TagNames
from app.domains.goals.rules.points import LARGEST_SIZE

FIRST_YEAR, YEAR_AFTER_LAST = "1900", "2200"


def _check_year(value: str) -> str:
    if not FIRST_YEAR <= value[:4] < YEAR_AFTER_LAST:
        raise ValueError(f"must lie between the years {FIRST_YEAR} and {YEAR_AFTER_LAST}")
    if len(value) == 10:
        date.fromisoformat(value)
    return value


def _unique(ids: list[str]) -> list[str]:
    return list(dict.fromkeys(ids))


InputDate = Annotated[AWSDate, AfterValidator(_check_year)]
InputMoment = Annotated[AWSDateTime, AfterValidator(_check_year)]
Minutes = Annotated[int, Field(ge=0, le=LARGEST_SIZE)]
PlanText = Annotated[str, StringConstraints(max_length=20_000)]
SubCategoryName = ShortText
TaskTags = Annotated[list[TagName], Field(max_length=10), AfterValidator(_unique)]
GoalTags = TagNames
UpToTenIds = Annotated[list[strawberry.ID], Field(max_length=10), AfterValidator(_unique)]
UpToFiveIds = Annotated[list[strawberry.ID], Field(max_length=5), AfterValidator(_unique)]
BulkIds = Annotated[
    list[strawberry.ID], Field(min_length=1, max_length=25), AfterValidator(_unique)
]

CRITERION_ID = (
    "An id of your choice: up to 64 letters, digits, _ or -. It must be unique within the goal. "
    "Generated if left out."
)
EXPECTED_VERSION = "Refused with CONFLICT if the record has another version."
IDEMPOTENCY_KEY = (
    "A repeated request with the same key is carried out once and returns the first answer."
)
