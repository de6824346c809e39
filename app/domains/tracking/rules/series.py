"""Series of metrics and calendars of habits, as data for a chart."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import groupby

from app.core.clock import to_day
from app.core.errors import BadInput
from app.domains.tracking.rules.days import is_over, logged_days
from app.domains.tracking.rules.habit_records import is_to_avoid
from app.domains.tracking.rules.habits import is_due, outcome
from app.domains.tracking.rules.periods import days_between, period_of
from app.domains.tracking.rules.schedules import Schedule, schedule_of
from app.domains.tracking.types import (
    Aggregation,
    DayEffect,
    Habit,
    HabitDay,
    HabitLog,
    LoggedDay,
    LoggedValue,
    LogKind,
    Metric,
    MetricPoint,
    SeriesInterval,
)
from app.domains.tracking.types.metrics import DIGITS

LONGEST_DAYS = {SeriesInterval.DAY: 366, SeriesInterval.WEEK: 1830, SeriesInterval.MONTH: 3660}
USUAL_DAYS = {SeriesInterval.DAY: 30, SeriesInterval.WEEK: 182, SeriesInterval.MONTH: 365}
PERIODS = {SeriesInterval.WEEK: "Weekly", SeriesInterval.MONTH: "Monthly"}
MOST_LOGS = 10_000
EARLIEST, LATEST = date(1970, 1, 1), date(2999, 12, 31)
# A period of a habit is at most a month.
BEFORE = timedelta(days=31)


def day_range(
    since: str | None, until: str | None, today: date, *, usual: int, longest: int
) -> tuple[date, date]:
    """Both included. Left out: up to today, and the usual number of days."""
    last = date.fromisoformat(until) if until else today
    first = date.fromisoformat(since) if since else max(EARLIEST, last) - timedelta(days=usual - 1)
    if not first >= EARLIEST or not last <= LATEST:
        raise BadInput("from and to must be between 1970 and 2999.", field="from")
    if last < first:
        raise BadInput("from is after to.", field="from")
    if (last - first).days >= longest:
        raise BadInput(f"from and to are at most {longest} days apart.", field="from")
    return first, last


def series_range(
    interval: SeriesInterval, since: str | None, until: str | None, today: date
) -> tuple[date, date]:
    usual, longest = USUAL_DAYS[interval], LONGEST_DAYS[interval]
    return day_range(since, until, today, usual=usual, longest=longest)


def series_points(
    metric: Metric, logs: Iterable[LoggedValue], interval: SeriesInterval, today: date
) -> list[MetricPoint]:
    """One for each interval that has logs, in the order of time."""

    def bounds(day: LoggedDay) -> tuple[date, date]:
        on = date.fromisoformat(day.date)
        if interval is SeriesInterval.DAY:
            return on, on
        return period_of(PERIODS[interval], on, start=on, interval_days=None)

    groups = groupby(logged_days(logs), key=bounds)
    return [_point(metric.aggregation, *ends, list(days), today) for ends, days in groups]


def _point(
    aggregation: Aggregation, first: date, last: date, days: Sequence[LoggedDay], today: date
) -> MetricPoint:
    values = [day.value(aggregation) for day in days]
    mean = DIGITS.divide(_total(values), Decimal(len(values)))
    combined = {
        Aggregation.last: values[-1],
        Aggregation.sum: _total(values),
        Aggregation.min: min(values),
        Aggregation.max: max(values),
        Aggregation.mean: mean,
    }
    return MetricPoint(
        first_day=to_day(first),
        last_day=to_day(last),
        value=combined[aggregation],
        mean=mean,
        lowest=min(values),
        highest=max(values),
        days=len(days),
        logs=sum(day.logs for day in days),
        is_over=is_over(last.isoformat(), today),
    )


def _total(values: Iterable[Decimal]) -> Decimal:
    total = Decimal(0)
    for value in values:
        total = DIGITS.add(total, value)
    return total


def calendar_days(
    habit: Habit, found: Sequence[HabitLog], first: date, last: date, today: date
) -> list[HabitDay]:
    """`found` begins one period before `first`."""
    schedule = schedule_of(habit)
    logs = {date.fromisoformat(log.date): log.kind for log in found}
    by_day = {log.date: log for log in found}
    return [
        HabitDay(
            date=to_day(day),
            is_due=is_due(schedule, logs, day),
            is_paused=schedule.is_paused(day),
            effect=_effect(schedule, logs, day, today),
            log=by_day.get(to_day(day)),
        )
        for day in days_between(first, last)
    ]


def _effect(schedule: Schedule, logs: Mapping[date, LogKind], day: date, today: date) -> DayEffect:
    kind = logs.get(day)
    decided = kind in (LogKind.DONE, LogKind.MISSED)
    if day > today or (day == today and not decided):
        return DayEffect.OPEN
    if schedule.counts_periods and kind is LogKind.DONE:
        return DayEffect.ADDS
    result = outcome(schedule, logs, day)
    if result is None or (day < schedule.start and kind is None):
        return DayEffect.NEUTRAL
    if result and schedule.counts_periods:
        return DayEffect.NEUTRAL
    return DayEffect.ADDS if result else DayEffect.BREAKS


def is_success(habit: Habit, log: HabitLog | None) -> bool:
    wanted = LogKind.MISSED if is_to_avoid(habit) else LogKind.DONE
    return log is not None and log.kind is wanted
