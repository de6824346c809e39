"""The parts of computed numbers, so that a front end can show why they are what they are."""

from decimal import Decimal
from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.scalars import AWSDate
from app.domains.tracking.types.metrics import Trend


@enum_type(
    "What a streak counts.",
    DAY="Days: due ones that were done, or clean ones of Reduce and Quit.",
    WEEK="Weeks from Monday in which the target was met.",
    MONTH="Months in which the target was met.",
    INTERVAL="Intervals of intervalDays in which the target was met.",
)
class StreakUnit(Enum):
    DAY = "DAY"
    WEEK = "WEEK"
    MONTH = "MONTH"
    INTERVAL = "INTERVAL"


@strawberry.type(description="Why the streak of a habit is what it is.")
class StreakParts:
    unit: StreakUnit = strawberry.field(description="What it counts.")
    counted: int = strawberry.field(description="Days or periods that add to it: the streak.")
    since: AWSDate | None = strawberry.field(
        description="The first day, or the first day of the first period, that adds to it; null: "
        "the streak is 0."
    )
    skipped: int = strawberry.field(description="Days since then that were logged as SKIP.")
    frozen: int = strawberry.field(description="Days since then that a freeze saved.")
    paused: int = strawberry.field(description="Days since then on which the habit was paused.")
    allowed_slips: int = strawberry.field(
        description="Days since then with a slip that targetPerPeriod of a Reduce habit allows."
    )
    broken_on: AWSDate | None = strawberry.field(
        description="The last day that ended a streak; null: there is none."
    )


@strawberry.type(
    description="Why the strength of a habit is what it is. Each counted day changes it: strength "
    "= strength * keptPerDay + value * (1 - keptPerDay). The value is 1 for a success and 0 for a "
    "failure; with a target for a period, the share of the target that was met in the last days."
)
class StrengthParts:
    strength: float = strawberry.field(description="The result, 0 to 1.")
    times_a_day: float = strawberry.field(description="How often it is due a day, on average.")
    kept_per_day: float = strawberry.field(
        description="0.5 ^ (sqrt(timesADay) / 13): a daily habit keeps half of it in 13 days."
    )
    counted_days: int = strawberry.field(description="Days that changed it.")
    ignored_days: int = strawberry.field(
        description="Days since the start that did not: not due, skipped, frozen or paused."
    )


@strawberry.type(description="Why the trend of a metric is what it is.")
class TrendParts:
    trend: Trend | None = strawberry.field(
        description="The result; null: a week has fewer than fewestLogs logs."
    )
    earlier_mean: Decimal | None = strawberry.field(
        description="Mean value of the days of the week before; null: it has no logs."
    )
    later_mean: Decimal | None = strawberry.field(
        description="Mean value of the days of the last 7 days; null: they have no logs. With a "
        "day aggregation, without today."
    )
    earlier_logs: int = strawberry.field(description="Logs of the week before.")
    later_logs: int = strawberry.field(description="Logs of the last 7 days.")
    fewest_logs: int = strawberry.field(description="How many logs each week needs.")
