"""Arguments that several fields of this domain take."""

from typing import Annotated

import strawberry

from app.core.scalars import AWSDate
from app.domains.tracking.rules.series import LONGEST_DAYS, USUAL_DAYS
from app.domains.tracking.types import SeriesInterval

FirstLogDay = Annotated[
    AWSDate | None,
    strawberry.argument(name="from", description="The first day, in your time zone; null: all."),
]
LastLogDay = Annotated[
    AWSDate | None,
    strawberry.argument(name="to", description="The last day, which is included; null: all."),
]
NewestLogsFirst = Annotated[
    bool | None, strawberry.argument(description="true: newest first; false: oldest first.")
]
LogbookSearch = Annotated[
    str | None,
    strawberry.argument(
        description="Only entries whose title or notes contain every one of these words; the "
        "letter case does not matter. At most 100 characters."
    ),
]
FirstCalendarDay = Annotated[
    AWSDate | None,
    strawberry.argument(
        name="from",
        description="The first day; null: so that there are "
        f"{USUAL_DAYS[SeriesInterval.DAY]} days.",
    ),
]
LastCalendarDay = Annotated[
    AWSDate | None,
    strawberry.argument(
        name="to",
        description="The last day, which is included; null: your today. At most "
        f"{LONGEST_DAYS[SeriesInterval.DAY]} days in all.",
    ),
]
FirstSeriesDay = Annotated[
    AWSDate | None,
    strawberry.argument(
        name="from",
        description="The first day; null: so that there are "
        + ", ".join(f"{days} days for {each.value}" for each, days in USUAL_DAYS.items())
        + ".",
    ),
]
LastSeriesDay = Annotated[
    AWSDate | None,
    strawberry.argument(
        name="to",
        description="The last day, which is included; null: your today. At most "
        + ", ".join(f"{days} days for {each.value}" for each, days in LONGEST_DAYS.items())
        + ".",
    ),
]
IntervalArgument = Annotated[
    SeriesInterval, strawberry.argument(description="What one point stands for.")
]
