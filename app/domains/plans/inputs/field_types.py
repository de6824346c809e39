"""Types and descriptions of fields that several inputs have."""

from typing import Annotated

import strawberry
from pydantic import AfterValidator, Field, StringConstraints

from app.core.ids import ClientId
from app.core.scalars import AWSDate
from app.domains.plans.types.revisions import BRANCH_NAME

MOST_OPERATIONS = 5_000
MOST_IN_A_DAY = 100
RevisionId = Annotated[strawberry.ID, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,64}$")]
BranchName = Annotated[str, StringConstraints(pattern=f"^{BRANCH_NAME}$")]
CommitMessage = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)]
Parents = Annotated[list[ClientId], Field(max_length=20)]
Children = Annotated[list[ClientId], Field(max_length=5_000)]
SiblingPosition = Annotated[int, Field(ge=0, le=100_000)]
Pomodoros = Annotated[int, Field(ge=1, le=32)]

# A date may have an offset, which is dropped.
PlanDate = Annotated[AWSDate, AfterValidator(lambda text: text[:10])]

EXPECTED_HEAD = (
    "The revision that you have seen: CONFLICT (with currentHead) if it is no longer the head. "
    "null: there must be no commit yet. Left out: on top of the current head."
)
KEY = "The same key and input give the same answer for 30 days, with one commit."
COMPLETED_AT = "At most 5 minutes in the future, else BAD_INPUT; left out: now."
POSITION = "The position among the siblings, from 0; left out: at the end."
