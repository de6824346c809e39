"""Arguments of lists."""

from typing import Annotated

import strawberry

from app.core.scalars import AWSDate

AreaArgument = Annotated[
    str | None, strawberry.argument(description="Life area, in any letter case.")
]
SubCategoryArgument = Annotated[str | None, strawberry.argument(description="In any letter case.")]
TagArgument = Annotated[
    str | None,
    strawberry.argument(description="A tag in any notation: #Deep Work finds deep-work."),
]
TextArgument = Annotated[
    str | None, strawberry.argument(description="A part of the title, case-insensitive.")
]
DueBeforeArgument = Annotated[
    AWSDate | None,
    strawberry.argument(description="Due on or before this day, in your time zone."),
]
DueAfterArgument = Annotated[
    AWSDate | None,
    strawberry.argument(description="Due on or after this day, in your time zone."),
]
