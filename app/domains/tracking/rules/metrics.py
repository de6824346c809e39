"""The state of a metric, its streak, trend and progress. The state is a fold over the logs in the
order of their days: a new log costs one step, a change in the past folds all logs again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from app.core.errors import BadInput
from app.domains.tracking.rules.days import (
    base_value,
    counted_day,
    first_of_day,
    has_day_values,
)
from app.domains.tracking.types import (
    Aggregation,
    Direction,
    LoggedDay,
    LoggedValue,
    Metric,
    MetricLog,
    MetricProgress,
    MetricState,
    Trend,
)

WEEK = 7
TREND_DAYS = 2 * WEEK
FEWEST_LOGS_A_SIDE = 3
STEADY = Fraction(2, 100)
# The clock of a client may be ahead.
CLOCK_TOLERANCE = timedelta(minutes=5)
EARLIEST_LOG = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class LogChange:
    """Logs that are added and logs that are removed."""

    added: Sequence[MetricLog] = field(default_factory=list)
    removed: Sequence[MetricLog] = field(default_factory=list)

    @property
    def dates(self) -> list[str]:
        """The days whose logs change."""
        return sorted({log.date for log in (*self.added, *self.removed)})


def with_log(state: MetricState | None, log: LoggedValue) -> MetricState:
    """The state after one more log, which must be the latest."""
    today = first_of_day(log)
    if state is None:
        return MetricState(
            log.at, log.value, log.at, run=1, distinct_days=1, days=[today], first_day=today
        )
    last_at = max(state.last_at, log.at)
    if state.last_day.date == log.date:
        day = state.last_day.with_value(log.value)
        first_day = day if state.distinct_days == 1 else state.first_day
        return replace(state, last_at=last_at, days=[*state.days[:-1], day], first_day=first_day)
    gap = date.fromisoformat(log.date) - date.fromisoformat(state.last_day.date)
    oldest = (date.fromisoformat(log.date) - timedelta(days=TREND_DAYS - 1)).isoformat()
    recent = [day for day in state.days if day.date >= oldest] or state.days[-1:]
    return replace(
        state,
        last_at=last_at,
        run=state.run + 1 if gap.days == 1 else 1,
        distinct_days=state.distinct_days + 1,
        days=[*recent, today],
    )


def is_latest(state: MetricState | None, log: LoggedValue) -> bool:
    return state is None or (log.at >= state.last_at and log.date >= state.last_day.date)


def state_from_logs(logs: Iterable[LoggedValue]) -> MetricState | None:
    """From all logs, in any order. A traveller may log a day after it has ended at home."""
    state: MetricState | None = None
    ordered = sorted(logs, key=lambda log: (log.date, log.at))
    for log in ordered:
        state = with_log(state, log)
    if state is None:
        return None
    first = min(ordered, key=lambda log: log.at)
    return replace(state, first_at=first.at, first_value=first.value)


def streak(state: MetricState | None, today: date) -> int:
    """Consecutive days with a log. A day that is not over does not break it."""
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
    """The mean of the last 7 days against the 7 before; None with fewer than 3 logs on a side. With
    a day aggregation, a day that is not over is left out: its value is not comparable yet."""
    if direction is Direction.Target and target is None:
        return None
    earlier, later = trend_weeks(state, today, aggregation)
    if min(_log_count(earlier), _log_count(later)) < FEWEST_LOGS_A_SIDE:
        return None
    before = [comparable(day.value(aggregation), direction, target) for day in earlier]
    now = [comparable(day.value(aggregation), direction, target) for day in later]
    change = _mean(now) - _mean(before)
    if _is_small(change, before, now):
        return Trend.Stable
    return Trend.Improving if change > 0 else Trend.Declining


def trend_weeks(
    state: MetricState | None, today: date, aggregation: Aggregation
) -> tuple[list[LoggedDay], list[LoggedDay]]:
    """The logged days of the week before, and of the last 7 days."""
    last = today - timedelta(days=1) if has_day_values(aggregation) else today
    later = _days_between(state, today - timedelta(days=WEEK - 1), last)
    begin, end = today - timedelta(days=TREND_DAYS - 1), today - timedelta(days=WEEK)
    return _days_between(state, begin, end), later


def _days_between(state: MetricState | None, since: date, until: date) -> list[LoggedDay]:
    days = state.days if state else []
    return [day for day in days if since.isoformat() <= day.date <= until.isoformat()]


def _log_count(days: Iterable[LoggedDay]) -> int:
    return sum(day.logs for day in days)


def comparable(value: Decimal, direction: Direction, target: Decimal | None) -> Fraction:
    """On a scale on which more is better."""
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
    """0 to 1, and 1 only when the target is reached. `base`: the first value. `band`: the distance
    from the target at which progress is 0; None: the target's distance from zero."""
    if is_reached(direction, value, target):
        return 1.0
    if direction is Direction.Target:
        width = Fraction(band or abs(target) or 1)
        part = 1 - abs(Fraction(value) - Fraction(target)) / width
    else:
        part = _share_of_way(base, value, target)
    return min(max(float(part), 0.0), 0.9999)


def _share_of_way(base: Decimal, value: Decimal, target: Decimal) -> Fraction:
    whole = Fraction(target) - Fraction(base)
    done = Fraction(value) - Fraction(base)
    # It began beyond the target and fell back: no progress.
    beyond = whole == 0 or (done / whole) > 1
    return Fraction() if beyond else done / whole


def streak_of(metric: Metric, today: date) -> int:
    return streak(metric.state, today)


def trend_of(metric: Metric, today: date) -> Trend | None:
    return trend(
        metric.state,
        today,
        direction=metric.direction,
        target=metric.target_value,
        aggregation=metric.aggregation,
    )


def with_cached_fields(metric: Metric, today: date) -> Metric:
    return replace(
        metric, cached_streak=streak_of(metric, today), cached_trend=trend_of(metric, today)
    )


def progress_of(metric: Metric, today: date) -> MetricProgress | None:
    """Of the last day that counts. None: the metric has no target."""
    if metric.target_value is None:
        return None
    day = counted_day(metric, today)
    if metric.state is None or day is None:
        return MetricProgress(0.0, reached=False)
    value = day.value(metric.aggregation)
    base = base_value(metric.aggregation, metric.state, today)
    share = progress(
        metric.direction,
        # On its first day, a metric is where it begins.
        base=value if base is None else base,
        value=value,
        target=metric.target_value,
        band=metric.target_band,
    )
    reached = is_reached(metric.direction, value, metric.target_value)
    return MetricProgress(share, reached=reached)


def state_with(state: MetricState | None, logs: Iterable[MetricLog]) -> MetricState | None:
    """The state after these logs; None: one of them is not the latest, so that all logs of the
    metric must be folded again; so it is with a state that release 0.1 wrote."""
    if state is not None and state.first_day is None:
        return None
    for log in logs:
        if not is_latest(state, log.logged_value):
            return None
        state = with_log(state, log.logged_value)
    return state


def logs_after(stored: Iterable[MetricLog], change: LogChange) -> list[MetricLog]:
    removed = {log.id for log in change.removed}
    logs = {log.id: log for log in stored if log.id not in removed}
    return list((logs | {log.id: log for log in change.added}).values())


def check_metric(metric: Metric) -> None:
    low, high = metric.threshold_low, metric.threshold_high
    if low is not None and high is not None and low > high:
        raise BadInput("thresholdLow is above thresholdHigh.", field="input.thresholdLow")
    if metric.target_band is not None and metric.target_band <= 0:
        raise BadInput("targetBand must be above 0.", field="input.targetBand")


def check_log_time(moment: datetime, now: datetime) -> None:
    if not EARLIEST_LOG <= moment <= now + CLOCK_TOLERANCE:
        raise BadInput("loggedAt must be between 1970 and now.", field="input.loggedAt")
