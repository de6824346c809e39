"""Insights: what is found in the logs of a metric, and how long it stays valid."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Protocol

from app.domains.tracking.rules.days import counts_in_means, logged_days
from app.domains.tracking.types import (
    Direction,
    InsightType,
    Metric,
    MetricInsight,
    MetricLog,
    MetricStatus,
)

KEPT = timedelta(days=1)
WINDOW = timedelta(days=180)
MOST_OTHERS = 20
# The id of a record that says that nothing was found, so that the search is not repeated; never
# shown.
NOTHING = "nothing"
SMALLEST, LARGEST_WHOLE = 1e-100, 1e15


@dataclass(frozen=True, slots=True)
class Series:
    """The values of a metric, one for each day that has logs, in the order of time."""

    metric_id: str
    name: str
    unit: str
    direction: Direction
    target: float | None
    days: Sequence[date]
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Finding:
    """`content`: a JSON object."""

    type: InsightType
    summary: str
    confidence: float
    content: dict[str, Any] = field(default_factory=dict)


class InsightFinder(Protocol):
    """Finds insights by statistics here; another method, a language model for example, can take
    its place."""

    def find(
        self, kind: InsightType, series: Series, others: Sequence[Series], today: date
    ) -> list[Finding]:
        """Called in a thread: it may block."""
        ...


def series_of(metric: Metric, logs: Sequence[MetricLog], today: date) -> Series:
    logged = logged_days(log.logged_value for log in logs)
    days = [each for each in logged if counts_in_means(metric, each.date, today)]
    return Series(
        metric_id=metric.id,
        name=metric.name,
        unit=metric.custom_unit or metric.unit,
        direction=metric.direction,
        target=None if metric.target_value is None else float(metric.target_value),
        days=[date.fromisoformat(each.date) for each in days],
        values=[float(each.value(metric.aggregation)) for each in days],
    )


def comparable_metrics(metric: Metric, every: Sequence[Metric]) -> list[Metric]:
    """The other metrics that a correlation is looked for with."""
    others = [one for one in every if one.id != metric.id and one.status is MetricStatus.Active]
    return others[:MOST_OTHERS]


def valid_insights(stored: Sequence[MetricInsight], basis: str, *, now: int) -> list[MetricInsight]:
    """The latest of those that have not expired and have this basis. `now`: epoch seconds."""
    good = [one for one in stored if one.ttl > now and one.basis == basis]
    latest = max((one.cached_at for one in good), default="")
    return [one for one in good if one.cached_at == latest]


def basis_of(metric: Metric, others: Sequence[Metric]) -> str:
    """A hash that changes with everything that an insight depends on."""
    facts = [metric.direction.value, metric.target_value, metric.aggregation.value, metric.name]
    logs = [(one.id, one.logs_version, one.aggregation.value) for one in (metric, *others)]
    return hashlib.sha256(repr((facts, logs)).encode()).hexdigest()[:32]


def stored_confidence(found: Finding | None) -> Decimal:
    if found is None or not math.isfinite(found.confidence):
        return Decimal(0)
    return Decimal(f"{min(max(found.confidence, 0), 1):.4f}").normalize()


def to_storable(value: Any) -> Any:
    """DynamoDB has no floats, no infinity, and no numbers below 1e-130."""
    if isinstance(value, float):
        return _exact(value)
    if isinstance(value, dict):
        return {name: to_storable(each) for name, each in value.items()}
    return [to_storable(each) for each in value] if isinstance(value, list) else value


def _exact(value: float) -> Decimal | int | None:
    if not math.isfinite(value):
        return None
    if value.is_integer() and abs(value) < LARGEST_WHOLE:
        return int(value)
    return Decimal(repr(value)) if abs(value) > SMALLEST else 0
