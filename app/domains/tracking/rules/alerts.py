"""Alerts of a metric: a value crossed a threshold."""

from dataclasses import replace
from decimal import Decimal

from app.domains.tracking.rules.metrics import is_latest
from app.domains.tracking.types import AlertKind, Metric, MetricLog


def crossed_threshold(
    previous: Decimal | None, value: Decimal, *, low: Decimal | None, high: Decimal | None
) -> AlertKind | None:
    """The threshold between the previous value and this one; staying beyond it is no crossing."""
    if high is not None and value > high and (previous is None or previous <= high):
        return AlertKind.High
    if low is not None and value < low and (previous is None or previous >= low):
        return AlertKind.Low
    return None


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
