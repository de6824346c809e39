"""The content of a chart. Apart from the drawing, whose library takes a second to load."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from app.domains.tracking.rules.days import counts_in_means, logged_days
from app.domains.tracking.rules.habits import NEUTRAL, outcome
from app.domains.tracking.rules.periods import days_between
from app.domains.tracking.rules.schedules import Logs, Schedule, schedule_of
from app.domains.tracking.types import Habit, HabitLog, LogKind, Metric, MetricLog

YEAR = timedelta(days=364)


@dataclass(frozen=True, slots=True)
class Curve:
    """`over`: how many of the days are over. A day that is not over is no part of a mean."""

    title: str
    unit: str
    days: Sequence[date]
    values: Sequence[float]
    target: float | None
    low: float | None
    high: float | None
    over: int


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A year that ends with `last`; each day is done, missed, neutral or empty. `words`: what these
    mean for the habit."""

    title: str
    last: date
    days: dict[date, str]
    words: dict[str, str]


ChartContent = Curve | HeatMap


BUILD_WORDS = {"done": "done", "missed": "missed", "neutral": "skipped"}
AVOID_WORDS = {"done": "clean", "missed": "slip", "neutral": "skipped or allowed"}


def curve_of(metric: Metric, logs: Sequence[MetricLog], today: date) -> Curve:
    days = logged_days(log.logged_value for log in logs)
    levels = (metric.target_value, metric.threshold_low, metric.threshold_high)
    target, low, high = (None if each is None else float(each) for each in levels)
    return Curve(
        title=metric.name,
        unit=metric.custom_unit or metric.unit,
        days=[date.fromisoformat(each.date) for each in days],
        values=[float(each.value(metric.aggregation)) for each in days],
        target=target,
        low=low,
        high=high,
        over=sum(counts_in_means(metric, each.date, today) for each in days),
    )


def heat_map_of(habit: Habit, found: Sequence[HabitLog], today: date) -> HeatMap:
    logs = {date.fromisoformat(log.date): log.kind for log in found}
    schedule = schedule_of(habit)
    days = {day: _shade(schedule, logs, day, today) for day in days_between(today - YEAR, today)}
    words = AVOID_WORDS if schedule.counts_clean_days else BUILD_WORDS
    return HeatMap(habit.name, today, days, words)


def _shade(schedule: Schedule, logs: Logs, day: date, today: date) -> str:
    kind = logs.get(day)
    if kind in NEUTRAL:
        return "neutral"
    if schedule.counts_clean_days:
        if kind is LogKind.DONE:
            return "neutral" if outcome(schedule, logs, day) is None else "missed"
        return "done" if schedule.start <= day < today else "empty"
    if kind is LogKind.DONE:
        return "done"
    due = day >= schedule.start and not schedule.is_paused(day) and schedule.is_scheduled_on(day)
    return "missed" if due and day < today and not schedule.counts_periods else "empty"
