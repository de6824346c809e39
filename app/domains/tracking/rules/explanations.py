"""Why a streak, a strength or a trend is what it is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from app.core.clock import to_day
from app.domains.tracking.rules import metrics
from app.domains.tracking.rules.habit_records import summary_of
from app.domains.tracking.rules.habits import (
    counts_for_strength,
    is_final,
    is_period_lost,
    kept_per_day,
    outcome,
)
from app.domains.tracking.rules.periods import ONE_DAY, days_between
from app.domains.tracking.rules.schedules import Logs, Schedule, schedule_of, times_done
from app.domains.tracking.types import (
    Aggregation,
    Frequency,
    Habit,
    LoggedDay,
    LogKind,
    Metric,
    StreakParts,
    StreakUnit,
    StrengthParts,
    TrendParts,
)
from app.domains.tracking.types.metrics import DIGITS

UNITS = {
    Frequency.Weekly: StreakUnit.WEEK,
    Frequency.Monthly: StreakUnit.MONTH,
    Frequency.Custom: StreakUnit.INTERVAL,
}


@dataclass(frozen=True, slots=True)
class _Run:
    """A streak up to some day."""

    counted: int = 0
    since: date | None = None
    skipped: int = 0
    frozen: int = 0
    paused: int = 0
    allowed: int = 0
    broken_on: date | None = None


def streak_parts(habit: Habit, logs: Logs, today: date) -> StreakParts:
    schedule = schedule_of(habit)
    run = _Run()
    for day in days_between(min([schedule.start, today, *logs]), today - ONE_DAY):
        run = _after_day(schedule, run, logs, day, outcome(schedule, logs, day))
    if is_final(schedule, logs, today):
        run = _after_day(schedule, run, logs, today, _outcome_today(schedule, logs, today))
    if run.since is None:
        run = _Run(broken_on=run.broken_on)
    return StreakParts(
        unit=UNITS[habit.frequency] if schedule.counts_periods else StreakUnit.DAY,
        counted=run.counted,
        since=to_day(run.since) if run.since else None,
        skipped=run.skipped,
        frozen=run.frozen,
        paused=run.paused,
        allowed_slips=run.allowed,
        broken_on=to_day(run.broken_on) if run.broken_on else None,
    )


def _outcome_today(schedule: Schedule, logs: Logs, today: date) -> bool | None:
    """A period counts as soon as its target is met, and is lost once it cannot be."""
    if not schedule.counts_periods:
        return outcome(schedule, logs, today)
    first, _ = schedule.period(today)
    if times_done(logs, first, today) >= schedule.target_in_period(today):
        return True
    return False if is_period_lost(schedule, logs, today) else None


def _after_day(schedule: Schedule, run: _Run, logs: Logs, day: date, result: bool | None) -> _Run:
    if result is False:
        return _Run(broken_on=day)
    if not result:
        return _with_neutral_day(schedule, run, logs.get(day), day)
    if run.since is None:
        begin = schedule.period(day)[0] if schedule.counts_periods else day
        return _Run(counted=1, since=begin, broken_on=run.broken_on)
    return replace(run, counted=run.counted + 1)


def _with_neutral_day(schedule: Schedule, run: _Run, kind: LogKind | None, day: date) -> _Run:
    if kind is LogKind.SKIP:
        return replace(run, skipped=run.skipped + 1)
    if kind is LogKind.FREEZE:
        return replace(run, frozen=run.frozen + 1)
    if kind is LogKind.DONE and schedule.counts_clean_days:
        return replace(run, allowed=run.allowed + 1)
    return replace(run, paused=run.paused + schedule.is_paused(day))


def strength_parts(habit: Habit, logs: Logs, today: date) -> StrengthParts:
    schedule = schedule_of(habit)
    last = today if is_final(schedule, logs, today) else today - ONE_DAY
    days = list(days_between(min([schedule.start, today, *logs]), last))
    counted = sum(counts_for_strength(schedule, logs, day, today) for day in days)
    return StrengthParts(
        strength=summary_of(habit, today).strength,
        times_a_day=round(schedule.times_a_day, 4),
        kept_per_day=round(kept_per_day(schedule), 4),
        counted_days=counted,
        ignored_days=len(days) - counted,
    )


def trend_parts(metric: Metric, today: date) -> TrendParts:
    earlier, later = metrics.trend_weeks(metric.state, today, metric.aggregation)
    return TrendParts(
        trend=metrics.trend_of(metric, today),
        earlier_mean=_mean(earlier, metric.aggregation),
        later_mean=_mean(later, metric.aggregation),
        earlier_logs=sum(day.logs for day in earlier),
        later_logs=sum(day.logs for day in later),
        fewest_logs=metrics.FEWEST_LOGS_A_SIDE,
    )


def _mean(days: Sequence[LoggedDay], aggregation: Aggregation) -> Decimal | None:
    total = Decimal(0)
    for day in days:
        total = DIGITS.add(total, day.value(aggregation))
    return DIGITS.divide(total, Decimal(len(days))) if days else None
