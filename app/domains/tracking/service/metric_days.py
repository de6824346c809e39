"""Closes the days of metrics with a day aggregation, once the days are over."""

from collections.abc import AsyncIterator
from functools import partial

from app.core.clock import instant
from app.core.shards import every_shard
from app.domains.service import Decision, uses
from app.domains.tracking import keys
from app.domains.tracking.rules import days
from app.domains.tracking.service.base import LOCKS, TrackingService
from app.domains.tracking.service.metric_writer import MetricWriter
from app.domains.tracking.service.metrics import Metrics
from app.domains.tracking.types import Metric
from app.resources import Resources
from app.table.writes import put_if_unchanged


class MetricDays(TrackingService):
    metrics = uses(Metrics)
    writer = uses(MetricWriter)

    async def close(self, metric_id: str) -> None:
        """Closes the days that are over by the user's present time zone. A deleted metric has
        none."""
        async with LOCKS.hold(metric_id):
            is_closed = await self.commit(partial(self._close, metric_id))
        if is_closed:
            await self.metrics.refresh_goals(metric_id)

    async def _close(self, metric_id: str) -> Decision[bool]:
        """Nothing to write if the index lags behind the metric."""
        metric = await self.metrics.find(metric_id)
        if metric is None or metric.close_at is None or metric.close_at > self.now:
            return Decision(False)
        decision = days.days_after_close(metric, await self.today())
        if not decision.closed:
            # The user has moved to a time zone in which the day is not over.
            fields = await self.metrics.closing_fields(metric.id, decision.open_days)
            later = metric.evolve(self.now, **fields)
            return Decision(False, [put_if_unchanged(later, metric, "metric")])
        writes = await self.writer.writes(metric, metric.state, decision)
        writes += await self.writer.alerts_of_closed_days(metric, decision.closed)
        return Decision(True, writes)


async def metrics_to_close(resources: Resources) -> AsyncIterator[Metric]:
    now = instant(resources.clock.now())
    for shard in every_shard(resources.settings.shards):
        async for metric in resources.table.query_all(keys.metrics_to_close(now, shard)):
            yield metric
