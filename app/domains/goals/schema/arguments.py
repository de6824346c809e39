"""The arguments of lists."""

from typing import Annotated

import strawberry

from app.core.scalars import AWSDate
from app.core.text import normal_tag

Area = Annotated[str | None, strawberry.argument(description="Life area, in the same letter case.")]
SubCategory = Annotated[str | None, strawberry.argument(description="In the same letter case.")]
Tag = Annotated[str | None, strawberry.argument(description="#Deep Work finds deep-work.")]
Text = Annotated[
    str | None, strawberry.argument(description="Part of the title, in any letter case.")
]
DueBefore = Annotated[
    AWSDate | None,
    strawberry.argument(description="Due on this day or before, in your time zone."),
]
DueAfter = Annotated[
    AWSDate | None,
    strawberry.argument(description="Due on this day or after, in your time zone."),
]


def tag_of(text: str | None) -> str | None:
    return None if text is None else normal_tag(text)
