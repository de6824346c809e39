"""Alerts of a metric: a value crossed a threshold. With a day aggregation it is the value of a day,
which raises each kind of alert at most once."""

from dataclasses import replace
from decimal import Decimal

from app.domains.tracking.rules.days import DayDecision, has_day_values
from app.domains.tracking.rules.metrics import is_latest
from app.domains.tracking.types import (
    Aggregation,
    AlertKind,
    LoggedDay,
    Metric,
    MetricLog,
    OpenDay,
)

# No later log of the day brings the value back; all others are checked when the day is closed.
DURING_THE_DAY = {
    (Aggregation.sum, AlertKind.High),
    (Aggregation.max, AlertKind.High),
    (Aggregation.min, AlertKind.Low),
}


def crossed_threshold(
    previous: Decimal | None, value: Decimal, *, low: Decimal | None, high: Decimal | None
) -> AlertKind | None:
    """The threshold between the previous value and this one; staying beyond it is no crossing."""
    if high is not None and value > high and (previous is None or previous <= high):
        return AlertKind.High
    if low is not None and value < low and (previous is None or previous >= low):
        return AlertKind.Low
    return None


def is_beyond(metric: Metric, kind: AlertKind, value: Decimal) -> bool:
    low, high = metric.threshold_low, metric.threshold_high
    if kind is AlertKind.High:
        return high is not None and value > high
    return low is not None and value < low


def alert_during_day(metric: Metric, day: OpenDay) -> AlertKind | None:
    """The alert that the day raises before it is over."""
    found = (kind for kind in _new_alerts(metric, day) if _is_during_day(metric, kind))
    return next(found, None)


def alert_at_close(metric: Metric, day: OpenDay) -> AlertKind | None:
    """The alert that the day raises when it is closed."""
    return next(iter(_new_alerts(metric, day)), None)


def _new_alerts(metric: Metric, day: OpenDay) -> list[AlertKind]:
    if day.late:
        return []
    value = day.day.value(metric.aggregation)
    beyond = [kind for kind in AlertKind if is_beyond(metric, kind, value)]
    return [kind for kind in beyond if kind not in day.alerts]


def _is_during_day(metric: Metric, kind: AlertKind) -> bool:
    return (metric.aggregation, kind) in DURING_THE_DAY


def day_keeps_alert(metric: Metric, log: MetricLog, day: LoggedDay | None) -> bool:
    """Whether the day of a changed log is still beyond the threshold that the log crossed."""
    if log.alert is None or day is None:
        return False
    return is_beyond(metric, log.alert, day.value(metric.aggregation))


def day_alert_text(
    metric: Metric, kind: AlertKind, day: LoggedDay, threshold: Decimal
) -> tuple[str, str]:
    """Title and body of the notification: Water is above 20; Water: 30 glasses on 2026-01-31. …"""
    unit = metric.custom_unit or metric.unit
    title, _ = alert_text(metric.name, unit, kind, threshold, threshold)
    shown, limit = (f"{each.normalize():f}" for each in (day.value(metric.aggregation), threshold))
    body = f"{metric.name}: {shown} {unit} on {day.date}. Your threshold is {limit} {unit}."
    return title, body


def alert_text(
    name: str, unit: str, kind: AlertKind, value: Decimal, threshold: Decimal
) -> tuple[str, str]:
    """Title and body of the notification: Weight is above 80; Weight: 81.5 kg was logged. …"""
    side = "above" if kind is AlertKind.High else "below"
    shown, limit = f"{value.normalize():f}", f"{threshold.normalize():f}"
    body = f"{name}: {shown} {unit} was logged. Your threshold is {limit} {unit}."
    return f"{name[:80]} is {side} {limit}", body


def with_alert(metric: Metric, log: MetricLog) -> MetricLog:
    """A new log, marked if it crosses a threshold. Only the latest log can: no alert for the
    past."""
    if not is_latest(metric.state, log.logged_value):
        return log
    previous = metric.state.last_day.last if metric.state else None
    low, high = metric.threshold_low, metric.threshold_high
    return replace(log, alert=crossed_threshold(previous, log.value, low=low, high=high))


def with_alert_checked(metric: Metric, log: MetricLog) -> MetricLog:
    """A changed log: its alert is cleared if the value is no longer beyond that threshold."""
    low, high = metric.threshold_low, metric.threshold_high
    kept = crossed_threshold(None, log.value, low=low, high=high) is log.alert
    return log if kept else replace(log, alert=None)


def threshold_of(metric: Metric, kind: AlertKind) -> Decimal:
    threshold = metric.threshold_low if kind is AlertKind.Low else metric.threshold_high
    return threshold or Decimal(0)


def marked_log(
    metric: Metric, log: MetricLog, decision: DayDecision
) -> tuple[MetricLog, DayDecision]:
    """The log, marked if it crosses a threshold, or if its day does by this log."""
    if not has_day_values(metric.aggregation):
        return with_alert(metric, log), decision
    day = decision.open_day(log.date)
    kind = alert_during_day(metric, day) if day else None
    if day is None or kind is None or log.alert is not None:
        return log, decision
    return replace(log, alert=kind), decision.with_alerts(log.date, [*day.alerts, kind])


def checked_log(
    metric: Metric, log: MetricLog, old: MetricLog, day: LoggedDay, decision: DayDecision
) -> tuple[MetricLog, DayDecision]:
    """A changed log: its alert is cleared if its day is no longer beyond the threshold."""
    stays = log.date == old.date and day_keeps_alert(metric, log, day)
    if log.alert is None or stays:
        return log, decision
    return replace(log, alert=None), without_alert(old, decision)


def without_alert(log: MetricLog, decision: DayDecision) -> DayDecision:
    """The day of this log may raise the log's alert again."""
    day = decision.open_day(log.date)
    if day is None or log.alert is None:
        return decision
    return decision.with_alerts(log.date, [each for each in day.alerts if each is not log.alert])
