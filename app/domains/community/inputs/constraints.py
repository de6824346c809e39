"""Constraints on fields of several inputs."""

from typing import Annotated

import strawberry
from pydantic import AfterValidator, Field, StringConstraints

from app.core.scalars import text_is_clean
from app.domains.community.rules.messages import LONGEST_MESSAGE
from app.domains.community.rules.rooms import MOST_INVITED_AT_FIRST


def _clean(text: str) -> str:
    if not text_is_clean(text):
        raise ValueError("must not contain NUL characters or broken Unicode")
    return text


def _unique(ids: list[str]) -> list[str]:
    return list(dict.fromkeys(ids))


MessageText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_MESSAGE),
    AfterValidator(_clean),
]
MemberIds = Annotated[
    list[strawberry.ID], Field(max_length=MOST_INVITED_AT_FIRST), AfterValidator(_unique)
]
HelpRating = Annotated[int, Field(ge=1, le=5)]
