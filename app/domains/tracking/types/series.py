"""Series: what a chart of a metric or a habit is drawn from."""

from decimal import Decimal
from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.scalars import AWSDate
from app.domains.tracking.types.habits import HabitLog


@enum_type(
    "What one point of a series stands for.",
    DAY="A day of yours, in the time zone that you had when you logged.",
    WEEK="From Monday to Sunday.",
    MONTH="A month of the calendar.",
)
class SeriesInterval(Enum):
    DAY = "DAY"
    WEEK = "WEEK"
    MONTH = "MONTH"


@strawberry.type(description="The values of a metric in a day, a week or a month that has logs.")
class MetricPoint:
    first_day: AWSDate = strawberry.field(description="The first day of the interval.")
    last_day: AWSDate = strawberry.field(
        description="Its last day, which is included; the same as firstDay for DAY."
    )
    value: Decimal = strawberry.field(
        description="The values of its days, combined by the aggregation of the metric: the last, "
        "the sum, the smallest, the largest or the mean of them."
    )
    mean: Decimal = strawberry.field(description="The mean of the values of its days.")
    lowest: Decimal = strawberry.field(description="The smallest value of a day.")
    highest: Decimal = strawberry.field(description="The largest value of a day.")
    days: int = strawberry.field(description="How many of its days have logs.")
    logs: int = strawberry.field(description="How many logs they have.")
    is_over: bool = strawberry.field(
        description="Whether its last day is over; otherwise the values may still change."
    )


@enum_type(
    "What a day does to the streak of a habit.",
    ADDS="It adds to the streak, or to the target of its period.",
    BREAKS="It ends the streak.",
    NEUTRAL="Nothing: it is not due, skipped, frozen, paused, or the period is not decided by it.",
    OPEN="It is not decided: today without a log, or a day to come.",
)
class DayEffect(Enum):
    ADDS = "ADDS"
    BREAKS = "BREAKS"
    NEUTRAL = "NEUTRAL"
    OPEN = "OPEN"


@strawberry.type(description="One day of a habit.")
class HabitDay:
    date: AWSDate = strawberry.field(description="The day.")
    is_due: bool = strawberry.field(
        description="Whether it was due: by its weekdays, and within a period as long as the "
        "target was not met before that day. false before its start and while it was paused."
    )
    is_paused: bool = strawberry.field(description="Whether the habit was paused on that day.")
    effect: DayEffect = strawberry.field(description="What the day does to the streak.")
    log: HabitLog | None = strawberry.field(
        default=None, description="What was logged for it; null: nothing."
    )


@strawberry.type(description="The present day of a habit, for a list to tick off.")
class HabitToday:
    date: AWSDate = strawberry.field(description="Your day now.")
    due: bool = strawberry.field(
        description="Whether it is due today, done or not; false if it is not Active, or if the "
        "target of its week, month or interval was met before today."
    )
    done: bool = strawberry.field(
        description="Whether today is logged as a success: DONE, or MISSED for Reduce and Quit."
    )
    log: HabitLog | None = strawberry.field(
        default=None, description="The log of today; null: none yet."
    )
