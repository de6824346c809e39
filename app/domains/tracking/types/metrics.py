"""Metrics, their logs, milestones, alerts and insights."""

import dataclasses
from decimal import ROUND_HALF_EVEN, Context, Decimal
from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.record import DEFAULT_IF_ABSENT, STORED_AS, Node, computed
from app.core.scalars import AWSDate, AWSDateTime

# DynamoDB keeps 38 digits.
DIGITS = Context(prec=38, rounding=ROUND_HALF_EVEN)


@enum_type(
    "Which direction is better.",
    Higher="More is better.",
    Lower="Less is better.",
    Target="The closer to the target, the better.",
)
class Direction(Enum):
    Higher = "Higher"
    Lower = "Lower"
    Target = "Target"


@enum_type(
    "The value of a day that has several logs. With last, every log counts by itself, at once. "
    "With the others only the value of the whole day counts: for the first value, milestones, "
    "thresholds, trend and goals. What can only get better during a day counts at once (Higher "
    "with max, or with a sum of values from 0 up; Lower with min), everything else when the day is "
    "over.",
    last="The last log.",
    sum="The sum of all logs.",
    min="The smallest log.",
    max="The largest log.",
    mean="The mean of all logs.",
)
class Aggregation(Enum):
    last = "last"
    sum = "sum"
    min = "min"
    max = "max"
    mean = "mean"


@enum_type(
    "The last 7 days against the 7 before.",
    Improving="In the better direction.",
    Declining="In the worse direction.",
    Stable="No change that counts.",
)
class Trend(Enum):
    Improving = "Improving"
    Declining = "Declining"
    Stable = "Stable"


@enum_type(
    "What a metric's milestone is for.",
    target_reached="The target was reached.",
    streak="Logged on so many days in a row.",
    improvement="Better than the first value by so many percent.",
    consistency="Logged on so many days.",
)
class MilestoneType(Enum):
    target_reached = "target_reached"
    streak = "streak"
    improvement = "improvement"
    consistency = "consistency"


@enum_type(
    "Which threshold was crossed.",
    Low="The value fell below thresholdLow.",
    High="The value rose above thresholdHigh.",
)
class AlertKind(Enum):
    Low = "Low"
    High = "High"


@enum_type(
    "Where the values come from.",
    Manual="Typed in.",
    App="From another app.",
    Device="From a device.",
)
class MetricSource(Enum):
    Manual = "Manual"
    App = "App"
    Device = "Device"


@enum_type(
    "Archived metrics take no logs.",
    Active="It takes logs.",
    Paused="It takes logs, but asks for none.",
    Archived="It takes no logs.",
)
class MetricStatus(Enum):
    Active = "Active"
    Paused = "Paused"
    Archived = "Archived"


@dataclasses.dataclass(frozen=True)
class LoggedDay:
    """What every aggregation needs of the logs of one day."""

    date: str
    logs: int
    last: Decimal
    total: Decimal
    low: Decimal
    high: Decimal

    def value(self, aggregation: Aggregation) -> Decimal:
        match aggregation:
            case Aggregation.sum:
                return self.total
            case Aggregation.min:
                return self.low
            case Aggregation.max:
                return self.high
            case Aggregation.mean:
                return DIGITS.divide(self.total, Decimal(self.logs))
            case _:
                return self.last

    def with_value(self, value: Decimal) -> "LoggedDay":
        return LoggedDay(
            self.date,
            self.logs + 1,
            last=value,
            total=DIGITS.add(self.total, value),
            low=min(self.low, value),
            high=max(self.high, value),
        )


@dataclasses.dataclass(frozen=True)
class MetricState:
    """A fold over all logs. `run`: consecutive logged days up to the last one; `days`: the logged
    days of the last two weeks, and at least the two last ones. `first_day` is None in a state that
    release 0.1 wrote."""

    first_at: str
    first_value: Decimal
    last_at: str
    run: int
    distinct_days: int
    days: list[LoggedDay] = dataclasses.field(default_factory=list)
    first_day: LoggedDay | None = None

    @property
    def last_day(self) -> LoggedDay:
        return self.days[-1]


@dataclasses.dataclass(frozen=True)
class OpenDay:
    """A day that is not closed: its value may still change. `late`: its first log came after it was
    over, so it raises no alert. `alerts`: those that it has raised."""

    day: LoggedDay
    late: bool = False
    alerts: list[AlertKind] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True, slots=True)
class LoggedValue:
    """What the rules need of a log."""

    at: str
    date: str
    value: Decimal


@strawberry.type(description="One value of a metric.")
class MetricLog(Node):
    user_id: strawberry.Private[str]
    metric_id: strawberry.ID = strawberry.field(description="The metric.")
    value: Decimal = strawberry.field(description="What was measured, in the metric's unit.")
    notes: str | None = strawberry.field(
        default=None,
        description="Your notes about it; null: none.",
    )
    logged_at: AWSDateTime = strawberry.field(description="When it was measured.")
    date: AWSDate = strawberry.field(
        description="The day it was logged for, in the time zone that you had then."
    )
    alert: AlertKind | None = strawberry.field(
        default=None,
        description="Set if the value, or with a day aggregation the value of the day, crossed a "
        "threshold when it was logged.",
    )

    @property
    def logged_value(self) -> LoggedValue:
        return LoggedValue(at=self.logged_at, date=self.date, value=self.value)


@strawberry.type(description="Won once. Stays, even if the log that reached it is deleted.")
class MetricMilestone(Node):
    user_id: strawberry.Private[str]
    metric_id: strawberry.ID = strawberry.field(description="The metric.")
    type: MilestoneType = strawberry.field(description="What was achieved.")
    value: Decimal = strawberry.field(
        description="By type: the target, the consecutive days, the per cent since the first log "
        "(with a day aggregation: the first day), or the number of days with a log."
    )
    achieved_at: AWSDateTime = strawberry.field(description="When it was achieved.")
    points_awarded: int = strawberry.field(description="The points that it paid, once.")
    corrected: strawberry.Private[bool] = False


@strawberry.type(
    description="A value crossed a threshold. With a day aggregation, the value of a day: at most "
    "one alert of each kind a day. sum and max rise above thresholdHigh, and min falls below "
    "thresholdLow, during the day; the other thresholds are checked when the day is over."
)
class MetricAlert(Node):
    user_id: strawberry.Private[str]
    metric_id: strawberry.ID = strawberry.field(description="The metric.")
    kind: AlertKind = strawberry.field(description="Which threshold was crossed.")
    threshold: Decimal = strawberry.field(description="The threshold at that time.")
    value: Decimal = strawberry.field(
        description="The value that crossed it: of the log or, with a day aggregation, of the day."
    )
    logged_at: AWSDateTime = strawberry.field(
        description="When that value was measured; or when the day was found beyond the threshold."
    )


@strawberry.type(description="A value that you log repeatedly, e.g. weight.")
class Metric(Node):
    user_id: strawberry.Private[str]
    name: str = strawberry.field(description="What is measured.")
    description: str | None = strawberry.field(
        default=None,
        description="How and why it is measured.",
    )
    area: str | None = strawberry.field(default=None, description="Life area, e.g. Health.")
    sub_category: str | None = strawberry.field(
        default=None,
        description="A part of the area, in your own words; null: none.",
    )
    unit: str = strawberry.field(
        default="count", description="count, hours, dollars, kg, percent or another short word."
    )
    custom_unit: str | None = strawberry.field(
        default=None, description="The unit to display, if it differs."
    )
    direction: Direction = strawberry.field(
        default=Direction.Higher,
        description="Which direction is better.",
    )
    target_value: Decimal | None = strawberry.field(
        default=None,
        description="The value to reach; null: none.",
    )
    target_band: Decimal | None = strawberry.field(
        default=None,
        description="For the direction Target: the distance from the target with progress 0. "
        "null: the target's distance from zero (1 for a target of 0).",
    )
    threshold_low: Decimal | None = strawberry.field(
        default=None,
        description="A value below it raises an alert; null: none.",
    )
    threshold_high: Decimal | None = strawberry.field(
        default=None,
        description="A value above it raises an alert; null: none.",
    )
    aggregation: Aggregation = strawberry.field(
        default=Aggregation.last,
        description="How the logs of one day become the value of that day.",
    )
    source: MetricSource = strawberry.field(
        default=MetricSource.Manual,
        description="Where the values come from.",
    )
    status: MetricStatus = strawberry.field(
        default=MetricStatus.Active,
        description="Archived metrics take no logs.",
    )
    goal_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="The goals it is linked to."
    )
    cached_streak: strawberry.Private[int] = 0
    cached_trend: strawberry.Private[Trend | None] = None
    state: strawberry.Private[MetricState | None] = None
    milestone_ids: strawberry.Private[list[str]] = dataclasses.field(
        default_factory=list, metadata={STORED_AS: "won"}
    )
    logs_version: strawberry.Private[int] = 0
    open_days: strawberry.Private[list[OpenDay]] = dataclasses.field(default_factory=list)
    close_at: strawberry.Private[AWSDateTime | None] = None
    shard: strawberry.Private[str | None] = None
    # Release 0.1 compared single logs: its milestones are checked once, by an upgrade.
    milestones_by_day: strawberry.Private[bool] = dataclasses.field(
        default=True, metadata={DEFAULT_IF_ABSENT: False}
    )

    @computed(description="The value of the last day that has one; null: none yet.")
    def latest_value(self) -> Decimal | None:
        return self.state.last_day.value(self.aggregation) if self.state else None


@dataclasses.dataclass(frozen=True, slots=True)
class MetricProgress:
    """From 0 to 1; 1 only if the target is reached."""

    value: float
    reached: bool
