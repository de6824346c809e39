"""What the fields of several inputs have in common."""

from typing import Annotated

import strawberry
from pydantic import AfterValidator, Field, StringConstraints

from app.core.scalars import text_is_clean
from app.domains.community.rules import LONGEST_MESSAGE, MOST_INVITED_AT_FIRST


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
FewIds = Annotated[
    list[strawberry.ID], Field(max_length=MOST_INVITED_AT_FIRST), AfterValidator(_unique)
]
Rating = Annotated[int, Field(ge=1, le=5)]
