"""Insights: computed on request, kept for a day or until a log changes."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

import strawberry

from app.core.clock import epoch_seconds, instant, to_day
from app.domains.tracking import keys
from app.domains.tracking.rules import insights as rules
from app.domains.tracking.rules.insights import Finding, InsightFinder, Series
from app.domains.tracking.service.base import TrackingService
from app.domains.tracking.types import InsightType, Metric, MetricInsight
from app.table.gateway import Position, Rows


def statistical_finder() -> InsightFinder:
    """Imported on first use: scipy takes a second to load."""
    from app.domains.tracking.rules.statistics import StatisticalFinder

    return StatisticalFinder()


@dataclass(eq=False)
class Insights(TrackingService):
    finder: Callable[[], InsightFinder] = statistical_finder

    async def insights(
        self, metric: Metric, kind: InsightType | None, *, limit: int, start: Position | None
    ) -> Rows[MetricInsight]:
        kinds = [kind] if kind else list(InsightType)
        others = await self._others(metric) if InsightType.correlation in kinds else []
        stored = await self.repository.insights_of_metric(metric.id, kind)
        now = epoch_seconds(self.resources.clock.now())
        found: list[MetricInsight] = []
        for each in kinds:
            basis = rules.basis_of(metric, others if each is InsightType.correlation else [])
            of_kind = [one for one in stored if one.type is each]
            valid = rules.valid_insights(of_kind, basis, now=now)
            found += valid or await self._replace(metric, each, others, basis, of_kind)
        shown = [one for one in found if not one.id.startswith(rules.NOTHING)]
        begin = int((start or {}).get("from", 0))
        more = {"from": begin + limit} if begin + limit < len(shown) else None
        return Rows(shown[begin : begin + limit], more)

    async def _others(self, metric: Metric) -> list[Metric]:
        every = await self.repository.every_metric_of_user(self.caller.user_id)
        return rules.comparable_metrics(metric, every)

    async def _replace(
        self,
        metric: Metric,
        kind: InsightType,
        others: Sequence[Metric],
        basis: str,
        outdated: Sequence[MetricInsight],
    ) -> list[MetricInsight]:
        """Computes the insights of one kind, and stores them instead of the outdated ones."""
        today = await self.today()
        series = await self._series(metric, today)
        compared = others if kind is InsightType.correlation else []
        other_series = await asyncio.gather(*(self._series(one, today) for one in compared))
        found = await asyncio.to_thread(self._find, kind, series, other_series, today)
        fresh = [self._insight(metric, kind, basis, *each) for each in enumerate(found)] or [
            self._insight(metric, kind, basis, 0, None)
        ]
        old = [keys.METRIC_INSIGHT.key_of(one) for one in outdated]
        await self.table.delete_many((key.pk, key.sk) for key in old)
        await self.table.put_many(fresh)
        return fresh

    def _find(
        self, kind: InsightType, series: Series, others: Sequence[Series], today: date
    ) -> list[Finding]:
        return self.finder().find(kind, series, others, today)

    async def _series(self, metric: Metric, today: date) -> Series:
        since = to_day(today - rules.WINDOW)
        logs = await self.repository.every_log_of_metric(metric.id, since)
        return rules.series_of(metric, logs, today)

    def _insight(
        self, metric: Metric, kind: InsightType, basis: str, number: int, found: Finding | None
    ) -> MetricInsight:
        """Without a finding: a record that says so."""
        now = self.resources.clock.now()
        name = f"{metric.id}-{kind.value}-{number}" if found else f"{rules.NOTHING}-{kind.value}"
        return MetricInsight(
            id=strawberry.ID(name),
            **self.stamp(),
            metric_id=metric.id,
            type=kind,
            summary=found.summary if found else "",
            confidence=rules.stored_confidence(found),
            content=rules.to_storable(found.content) if found else {},
            cached_at=instant(now),
            expires_at=instant(now + rules.KEPT),
            basis=basis,
            ttl=epoch_seconds(now + rules.KEPT),
        )
