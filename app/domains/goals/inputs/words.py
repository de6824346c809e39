"""What the fields of several inputs have in common."""

from datetime import date
from typing import Annotated

import strawberry
from pydantic import AfterValidator, Field, StringConstraints

from app.core.scalars import AWSDate, AWSDateTime
from app.core.text import Line, Tag, Tags
from app.domains.goals.rules.points import LARGEST_SIZE

EARLIEST, LATEST = "1900", "2200"


def _plausible(value: str) -> str:
    if not EARLIEST <= value[:4] < LATEST:
        raise ValueError(f"must lie between the years {EARLIEST} and {LATEST}")
    if len(value) == 10:
        date.fromisoformat(value)
    return value


def _unique(ids: list[str]) -> list[str]:
    return list(dict.fromkeys(ids))


Day = Annotated[AWSDate, AfterValidator(_plausible)]
Moment = Annotated[AWSDateTime, AfterValidator(_plausible)]
Minutes = Annotated[int, Field(ge=0, le=LARGEST_SIZE)]
Plan = Annotated[str, StringConstraints(max_length=20_000)]
SubCategory = Line
TaskTags = Annotated[list[Tag], Field(max_length=10), AfterValidator(_unique)]
GoalTags = Tags
FewIds = Annotated[list[strawberry.ID], Field(max_length=10), AfterValidator(_unique)]
ProjectIds = Annotated[list[strawberry.ID], Field(max_length=5), AfterValidator(_unique)]
ManyIds = Annotated[
    list[strawberry.ID], Field(min_length=1, max_length=25), AfterValidator(_unique)
]

CLIENT_ID = "Yours, if you made one offline: up to 64 letters, digits, _ or -. Else we make one."
EXPECTED = "Refuse with CONFLICT if the record has another version by now."
REPEAT = "Send the same key again to repeat a request whose answer was lost: it happens once."
