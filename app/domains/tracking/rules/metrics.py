"""Metrics: what their logs add up to. The state is a fold over the logs in the order of their days,
so that a new log costs one step and a change in the past can be told from the logs again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Context, Decimal
from enum import Enum
from fractions import Fraction

import strawberry

# DynamoDB keeps 38 digits.
DIGITS = Context(prec=38, rounding=ROUND_HALF_EVEN)
WEEK = 7
TREND_DAYS = 2 * WEEK
FEWEST_LOGS_A_SIDE = 3
STEADY = Fraction(2, 100)


@strawberry.enum(description="Which way is better.")
class Direction(Enum):
    Higher = "Higher"
    Lower = "Lower"
    Target = "Target"


@strawberry.enum(description="What counts when a day has several logs.")
class Aggregation(Enum):
    last = "last"
    sum = "sum"
    min = "min"
    max = "max"
    mean = "mean"


@strawberry.enum
class Trend(Enum):
    Improving = "Improving"
    Declining = "Declining"
    Stable = "Stable"


@strawberry.enum
class MilestoneType(Enum):
    target_reached = "target_reached"
    streak = "streak"
    improvement = "improvement"
    consistency = "consistency"


@strawberry.enum(description="Low: fell below thresholdLow. High: rose above thresholdHigh.")
class AlertKind(Enum):
    Low = "Low"
    High = "High"


TARGET_POINTS = 200
STREAK_POINTS = {7: 350, 30: 1500, 100: 5000}
IMPROVEMENT_POINTS = {10: 200, 25: 500, 50: 1000}
CONSISTENCY_POINTS = {7: 175, 30: 750}


@dataclass(frozen=True)
class LoggedDay:
    """Everything that any aggregation needs to know about the logs of one day."""

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

    def and_then(self, value: Decimal) -> "LoggedDay":
        return LoggedDay(
            self.date,
            self.logs + 1,
            last=value,
            total=DIGITS.add(self.total, value),
            low=min(self.low, value),
            high=max(self.high, value),
        )


@dataclass(frozen=True)
class MetricState:
    """What all logs come to: `run` is the row of logged days that ends with the last of them."""

    first_at: str
    first_value: Decimal
    last_at: str
    run: int
    distinct_days: int
    days: list[LoggedDay] = field(default_factory=list)

    @property
    def last_day(self) -> LoggedDay:
        return self.days[-1]


@dataclass(frozen=True, slots=True)
class Logged:
    """A log, as far as rules look at it."""

    at: str
    date: str
    value: Decimal


def after(state: MetricState | None, log: Logged) -> MetricState:
    """The state once `log`, which is not earlier than the others, has been added."""
    today = LoggedDay(log.date, 1, log.value, log.value, log.value, log.value)
    if state is None:
        return MetricState(log.at, log.value, log.at, run=1, distinct_days=1, days=[today])
    last_at = max(state.last_at, log.at)
    if state.last_day.date == log.date:
        days = [*state.days[:-1], state.last_day.and_then(log.value)]
        return replace(state, last_at=last_at, days=days)
    gap = date.fromisoformat(log.date) - date.fromisoformat(state.last_day.date)
    oldest = (date.fromisoformat(log.date) - timedelta(days=TREND_DAYS - 1)).isoformat()
    return replace(
        state,
        last_at=last_at,
        run=state.run + 1 if gap.days == 1 else 1,
        distinct_days=state.distinct_days + 1,
        days=[*(day for day in state.days if day.date >= oldest), today],
    )


def goes_last(state: MetricState | None, log: Logged) -> bool:
    return state is None or (log.at >= state.last_at and log.date >= state.last_day.date)


def state_of(logs: Iterable[Logged]) -> MetricState | None:
    """From all logs, in whatever order they come. People who travel may log a day after its end."""
    state: MetricState | None = None
    ordered = sorted(logs, key=lambda log: (log.date, log.at))
    for log in ordered:
        state = after(state, log)
    if state is None:
        return None
    first = min(ordered, key=lambda log: log.at)
    return replace(state, first_at=first.at, first_value=first.value)


def streak(state: MetricState | None, today: date) -> int:
    """Days in a row with a log; a today that has none yet does not break it."""
    if state is None:
        return 0
    return state.run if date.fromisoformat(state.last_day.date) >= today - timedelta(days=1) else 0


def trend(
    state: MetricState | None,
    today: date,
    *,
    direction: Direction,
    target: Decimal | None,
    aggregation: Aggregation,
) -> Trend | None:
    """The mean of the last 7 days against the 7 before; None with fewer than 3 logs on a side."""
    if direction is Direction.Target and target is None:
        return None
    later = _side(state, today - timedelta(days=WEEK - 1), today)
    earlier = _side(state, today - timedelta(days=TREND_DAYS - 1), today - timedelta(days=WEEK))
    if min(_logs(earlier), _logs(later)) < FEWEST_LOGS_A_SIDE:
        return None
    before = [_good(day.value(aggregation), direction, target) for day in earlier]
    now = [_good(day.value(aggregation), direction, target) for day in later]
    change = _mean(now) - _mean(before)
    if _is_small(change, before, now):
        return Trend.Stable
    return Trend.Improving if change > 0 else Trend.Declining


def _side(state: MetricState | None, since: date, until: date) -> list[LoggedDay]:
    days = state.days if state else []
    return [day for day in days if since.isoformat() <= day.date <= until.isoformat()]


def _logs(days: Iterable[LoggedDay]) -> int:
    return sum(day.logs for day in days)


def _good(value: Decimal, direction: Direction, target: Decimal | None) -> Fraction:
    """So turned that more is better."""
    if direction is Direction.Target:
        return -abs(Fraction(value) - Fraction(target or 0))
    return Fraction(value) if direction is Direction.Higher else -Fraction(value)


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction()) / len(values)


def _is_small(change: Fraction, before: Sequence[Fraction], now: Sequence[Fraction]) -> bool:
    """Below 2 % of the earlier mean or half a standard error (squared: no root, all exact)."""
    if change == 0 or abs(change) < STEADY * abs(_mean(before)):
        return True
    return 4 * change**2 < _squared_error(before) + _squared_error(now)


def _squared_error(values: Sequence[Fraction]) -> Fraction:
    if len(values) < 2:
        return Fraction()
    mean = _mean(values)
    variance = sum(((value - mean) ** 2 for value in values), Fraction()) / (len(values) - 1)
    return variance / len(values)


def is_reached(direction: Direction, value: Decimal, target: Decimal) -> bool:
    match direction:
        case Direction.Higher:
            return value >= target
        case Direction.Lower:
            return value <= target
        case _:
            return value == target


def progress(
    direction: Direction,
    *,
    base: Decimal,
    value: Decimal,
    target: Decimal,
    band: Decimal | None,
) -> float:
    """0 to 1, and 1 only when the target is reached. `base` is where it began; `band` is how far
    from a Target counts as nothing (else as far as the target is from zero)."""
    if is_reached(direction, value, target):
        return 1.0
    if direction is Direction.Target:
        width = Fraction(band or abs(target) or 1)
        part = 1 - abs(Fraction(value) - Fraction(target)) / width
    else:
        part = _way(base, value, target)
    return min(max(float(part), 0.0), 0.9999)


def _way(base: Decimal, value: Decimal, target: Decimal) -> Fraction:
    whole = Fraction(target) - Fraction(base)
    done = Fraction(value) - Fraction(base)
    # Whoever began beyond the target and fell back has no way to show.
    beyond = whole == 0 or (done / whole) > 1
    return Fraction() if beyond else done / whole


def improvement(
    direction: Direction, *, first: Decimal, value: Decimal, target: Decimal | None
) -> Fraction:
    """In per cent of the first log; nothing if that was 0 (or, for Target, was the target)."""
    start = _good(first, direction, target)
    if start == 0 or (direction is Direction.Target and target is None):
        return Fraction()
    return 100 * (_good(value, direction, target) - start) / abs(start)


@dataclass(frozen=True, slots=True)
class Won:
    type: MilestoneType
    value: Decimal
    points: int

    @property
    def id(self) -> str:
        return f"{self.type.value}-{self.value.normalize():f}"


def milestones(
    state: MetricState | None,
    today: date,
    *,
    direction: Direction,
    target: Decimal | None,
    aggregation: Aggregation,
) -> list[Won]:
    """Everything that these logs deserve; whether it was won before is for the caller to know."""
    if state is None:
        return []
    value = state.last_day.value(aggregation)
    better = improvement(direction, first=state.first_value, value=value, target=target)
    found = [
        *_reached(MilestoneType.streak, streak(state, today), STREAK_POINTS),
        *_reached(MilestoneType.improvement, better, IMPROVEMENT_POINTS),
        *_reached(MilestoneType.consistency, state.distinct_days, CONSISTENCY_POINTS),
    ]
    if target is not None and is_reached(direction, value, target):
        found.insert(0, Won(MilestoneType.target_reached, target, TARGET_POINTS))
    return found


def _reached(kind: MilestoneType, value: Fraction | int, table: dict[int, int]) -> list[Won]:
    return [Won(kind, Decimal(step), points) for step, points in table.items() if value >= step]


def alert(
    previous: Decimal | None, value: Decimal, *, low: Decimal | None, high: Decimal | None
) -> AlertKind | None:
    """Only for the step over the threshold, not for staying beyond it."""
    if high is not None and value > high and (previous is None or previous <= high):
        return AlertKind.High
    if low is not None and value < low and (previous is None or previous >= low):
        return AlertKind.Low
    return None


def alert_words(
    name: str, unit: str, kind: AlertKind, value: Decimal, threshold: Decimal
) -> tuple[str, str]:
    """Title and body of the message: Weight is above 80; Weight: 81.5 kg, …"""
    side = "above" if kind is AlertKind.High else "below"
    shown, limit = f"{value.normalize():f}", f"{threshold.normalize():f}"
    body = f"{name}: {shown} {unit} was logged. Your threshold is {limit} {unit}."
    return f"{name[:80]} is {side} {limit}", body
