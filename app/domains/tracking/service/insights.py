"""Insights: looked for when they are asked for, kept for a day or until a log changes."""

import asyncio
import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import strawberry

from app.core.caller import Caller
from app.core.clock import day as day_text
from app.core.clock import epoch, instant
from app.domains.people.service import Profiles
from app.domains.tracking import keys
from app.domains.tracking.rules.metrics import Logged, LoggedDay
from app.domains.tracking.service.finder import Finder, Finding, Series
from app.domains.tracking.service.metrics import Metrics
from app.domains.tracking.service.tracker import Tracker
from app.domains.tracking.types import InsightType, Metric, MetricInsight, MetricStatus
from app.resources import Resources
from app.table.gateway import Position, Rows

KEPT = timedelta(days=1)
WINDOW = timedelta(days=180)
MOST_OTHERS = 20
# Kept where nothing was found, so that it is not looked for again and again; never shown.
NOTHING = "nothing"
SMALLEST, LARGEST_WHOLE = 1e-100, 1e15


def statistics() -> Finder:
    """Loaded when it is first needed: it is large."""
    from app.domains.tracking.service.statistics import StatisticalFinder

    return StatisticalFinder()


class Insights(Tracker):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        metrics: Metrics,
        finder: Callable[[], Finder] = statistics,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.metrics = metrics
        self.finder = finder

    async def insights(
        self, metric: Metric, kind: InsightType | None, *, limit: int, start: Position | None
    ) -> Rows[MetricInsight]:
        kinds = [kind] if kind else list(InsightType)
        every = await self._others(metric) if InsightType.correlation in kinds else []
        stored = await self.repository.insights_of_metric(metric.id, kind)
        found: list[MetricInsight] = []
        for each in kinds:
            basis = _basis(metric, every if each is InsightType.correlation else [])
            kept = self._valid([one for one in stored if one.type is each], basis)
            found += kept or await self._look(metric, each, every, basis, stored)
        shown = [one for one in found if not one.id.startswith(NOTHING)]
        begin = int((start or {}).get("from", 0))
        more = {"from": begin + limit} if begin + limit < len(shown) else None
        return Rows(shown[begin : begin + limit], more)

    def _valid(self, stored: Sequence[MetricInsight], basis: str) -> list[MetricInsight]:
        """The latest of those that have not expired and are about the logs as they are."""
        now = epoch(self.resources.clock.now())
        good = [one for one in stored if one.ttl > now and one.basis == basis]
        latest = max((one.cached_at for one in good), default="")
        return [one for one in good if one.cached_at == latest]

    async def _others(self, metric: Metric) -> list[Metric]:
        every = await self.repository.every_metric_of_user(self.caller.user_id)
        others = [one for one in every if one.id != metric.id and one.status is MetricStatus.Active]
        return others[:MOST_OTHERS]

    async def _look(
        self,
        metric: Metric,
        kind: InsightType,
        others: Sequence[Metric],
        basis: str,
        stored: Sequence[MetricInsight],
    ) -> list[MetricInsight]:
        today = await self.today()
        series = await self._series(metric, today)
        if kind is InsightType.correlation:
            theirs = await asyncio.gather(*(self._series(one, today) for one in others))
        else:
            theirs = []
        found = await asyncio.to_thread(self._find, kind, series, theirs, today)
        fresh = [self._kept(metric, kind, basis, *each) for each in enumerate(found)] or [
            self._kept(metric, kind, basis, 0, None)
        ]
        old = [keys.METRIC_INSIGHT.key_of(one) for one in stored if one.type is kind]
        await self.table.delete_many((key.pk, key.sk) for key in old)
        await self.table.put_many(fresh)
        return fresh

    def _find(
        self, kind: InsightType, series: Series, others: Sequence[Series], today: date
    ) -> list[Finding]:
        return self.finder().find(kind, series, others, today)

    async def _series(self, metric: Metric, today: date) -> Series:
        since = today - WINDOW
        logs = await self.repository.every_log_of_metric(metric.id, day_text(since))
        days = days_of(log.as_logged for log in logs)
        return Series(
            metric_id=metric.id,
            name=metric.name,
            unit=metric.custom_unit or metric.unit,
            direction=metric.direction,
            target=None if metric.target_value is None else float(metric.target_value),
            days=[date.fromisoformat(each.date) for each in days],
            values=[float(each.value(metric.aggregation)) for each in days],
        )

    def _kept(
        self, metric: Metric, kind: InsightType, basis: str, number: int, found: Finding | None
    ) -> MetricInsight:
        now = self.resources.clock.now()
        name = f"{metric.id}-{kind.value}-{number}" if found else f"{NOTHING}-{kind.value}"
        return MetricInsight(
            id=strawberry.ID(name),
            created_at=instant(now),
            updated_at=instant(now),
            user_id=self.caller.user_id,
            metric_id=metric.id,
            type=kind,
            summary=found.summary if found else "",
            confidence=_confidence(found),
            content=_storable(found.content) if found else {},
            cached_at=instant(now),
            expires_at=instant(now + KEPT),
            basis=basis,
            ttl=epoch(now + KEPT),
        )


def days_of(logs: Any) -> list[LoggedDay]:
    """One for each day that has logs, in the order of time."""
    by_day: dict[str, list[Logged]] = defaultdict(list)
    for log in logs:
        by_day[log.date].append(log)
    return [_day(day, by_day[day]) for day in sorted(by_day)]


def _day(day: str, logs: list[Logged]) -> LoggedDay:
    first, *rest = sorted(logs, key=lambda log: log.at)
    value = first.value
    found = LoggedDay(day, 1, last=value, total=value, low=value, high=value)
    for log in rest:
        found = found.and_then(log.value)
    return found


def _confidence(found: Finding | None) -> Decimal:
    if found is None or not math.isfinite(found.confidence):
        return Decimal(0)
    return Decimal(f"{min(max(found.confidence, 0), 1):.4f}").normalize()


def _basis(metric: Metric, others: Sequence[Metric]) -> str:
    """Another, once something that the insight rests on has changed."""
    facts = [metric.direction.value, metric.target_value, metric.aggregation.value, metric.name]
    logs = [(one.id, one.logs_version, one.aggregation.value) for one in (metric, *others)]
    return hashlib.sha256(repr((facts, logs)).encode()).hexdigest()[:32]


def _storable(value: Any) -> Any:
    """DynamoDB knows no floating point, no infinity, and nothing very near zero."""
    if isinstance(value, float):
        return _exact(value)
    if isinstance(value, dict):
        return {name: _storable(each) for name, each in value.items()}
    return [_storable(each) for each in value] if isinstance(value, list) else value


def _exact(value: float) -> Decimal | int | None:
    if not math.isfinite(value):
        return None
    if value.is_integer() and abs(value) < LARGEST_WHOLE:
        return int(value)
    return Decimal(repr(value)) if abs(value) > SMALLEST else 0
