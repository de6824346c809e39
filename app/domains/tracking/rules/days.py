"""The value of a day: which days of a metric count, and when.

With `last` every log counts at once. With the other aggregations only the value of a day counts:
at once where it can only get better during the day, otherwise when the day is closed. A day that is
over is closed by the next log of another day, or by the job, whichever comes first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from decimal import Decimal

from app.core.clock import instant, start_of_day
from app.core.scalars import AWSDateTime
from app.domains.tracking.types import (
    Aggregation,
    AlertKind,
    Direction,
    LoggedDay,
    LoggedValue,
    Metric,
    MetricState,
    OpenDay,
)

# A day that is logged late is often logged meal by meal: it is not closed between two of them.
WAIT_AFTER_LATE_LOG = timedelta(minutes=10)
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DayDecision:
    """What a change means for the days. `counted`: the days whose values count from now on."""

    open_days: Sequence[OpenDay] = field(default_factory=list)
    counted: Sequence[LoggedDay] = field(default_factory=list)
    closed: Sequence[OpenDay] = field(default_factory=list)

    def open_day(self, day: str) -> OpenDay | None:
        return next((each for each in self.open_days if each.day.date == day), None)

    def with_alerts(self, day: str, alerts: list[AlertKind]) -> "DayDecision":
        changed = [
            replace(each, alerts=alerts) if each.day.date == day else each
            for each in self.open_days
        ]
        return replace(self, open_days=changed)


def logged_days(logs: Iterable[LoggedValue]) -> list[LoggedDay]:
    """One for each day that has logs, in the order of time."""
    ordered = sorted(logs, key=lambda log: (log.date, log.at))
    return list(days_with({}, ordered).values())


def days_with(days: Mapping[str, LoggedDay], logs: Iterable[LoggedValue]) -> dict[str, LoggedDay]:
    """The days by their dates, with these later logs added."""
    found = dict(days)
    for log in logs:
        day = found.get(log.date)
        found[log.date] = day.with_value(log.value) if day else first_of_day(log)
    return found


def first_of_day(log: LoggedValue) -> LoggedDay:
    return LoggedDay(log.date, 1, log.value, log.value, log.value, log.value)


def has_day_values(aggregation: Aggregation) -> bool:
    return aggregation is not Aggregation.last


def can_only_improve(direction: Direction, aggregation: Aggregation, day: LoggedDay) -> bool:
    """During the day, whatever is logged."""
    if aggregation is Aggregation.sum:
        return direction is Direction.Higher and day.low >= 0
    best = {Direction.Higher: Aggregation.max, Direction.Lower: Aggregation.min}
    return best.get(direction) is aggregation


def is_over(day: str, today: date) -> bool:
    return day < today.isoformat()


def counts_in_means(metric: Metric, day: str, today: date) -> bool:
    """With a day aggregation, a day that is not over has no value to compare with others."""
    return not has_day_values(metric.aggregation) or is_over(day, today)


def counts_now(metric: Metric, day: LoggedDay, today: date) -> bool:
    return (
        not has_day_values(metric.aggregation)
        or is_over(day.date, today)
        or can_only_improve(metric.direction, metric.aggregation, day)
    )


def counted_day(metric: Metric, today: date) -> LoggedDay | None:
    """The last day that counts now."""
    days = reversed(metric.state.days) if metric.state else []
    return next((day for day in days if counts_now(metric, day, today)), None)


def base_value(aggregation: Aggregation, state: MetricState, today: date) -> Decimal | None:
    """What later values are compared with: the first log or, with a day aggregation, the first day,
    once it is over."""
    first = state.first_day
    if first is None and state.distinct_days == len(state.days):
        first = state.days[0]
    # A long state that release 0.1 wrote does not have its first day.
    if first is None or not has_day_values(aggregation):
        return state.first_value
    return first.value(aggregation) if is_over(first.date, today) else None


def open_days_of(metric: Metric, today: date) -> Sequence[OpenDay]:
    """Release 0.1 did not note them: then it is the last day."""
    if metric.state is None or metric.state.first_day is not None:
        return metric.open_days
    last = metric.state.last_day
    return [OpenDay(last, late=is_over(last.date, today))]


def days_after_logs(
    metric: Metric,
    values: Mapping[str, LoggedDay],
    changed: Sequence[str],
    today: date,
    *,
    in_order: bool,
) -> DayDecision:
    """After logs of the days `changed`, which are sorted; `values` has those that have logs left.
    `in_order`: the logs were added one after the other, so each closes the days before its own;
    otherwise all these days stay open."""
    before = {each.day.date: each for each in open_days_of(metric, today)}
    days = dict(before)
    for day in changed:
        days.pop(day, None)
        if day in values:
            known = before.get(day, OpenDay(values[day], late=is_over(day, today)))
            days[day] = replace(known, day=values[day])
    stay_open = changed[-1:] if in_order else changed
    closed = [each for day, each in days.items() if is_over(day, today) and day not in stay_open]
    open_days = [each for each in days.values() if each not in closed]
    improving = [
        values[day]
        for day in stay_open
        if day in values and can_only_improve(metric.direction, metric.aggregation, values[day])
    ]
    return DayDecision(open_days, [*(each.day for each in closed), *improving], closed)


def days_after_close(metric: Metric, today: date) -> DayDecision:
    """All open days that are over are closed."""
    days = open_days_of(metric, today)
    closed = [each for each in days if is_over(each.day.date, today)]
    open_days = [each for each in days if each not in closed]
    return DayDecision(open_days, [each.day for each in closed], closed)


def open_days_after_update(old: Metric, new: Metric, today: date) -> Sequence[OpenDay]:
    """A metric that gets a day aggregation has its present day open."""
    if not has_day_values(new.aggregation) or new.state is None:
        return []
    if has_day_values(old.aggregation):
        return old.open_days
    return [OpenDay(day) for day in new.state.days if not is_over(day.date, today)]


def closing_time(
    days: Iterable[OpenDay], now: datetime, today: date, *, time_zone: str, day_start_hour: int
) -> AWSDateTime | None:
    """When the job closes the first of these days; None: there is none."""

    def end(day: str) -> datetime:
        if is_over(day, today):
            return now + WAIT_AFTER_LATE_LOG
        after = date.fromisoformat(day) + ONE_DAY
        return start_of_day(after, time_zone=time_zone, day_start_hour=day_start_hour)

    return min((instant(end(each.day.date)) for each in days), default=None)
