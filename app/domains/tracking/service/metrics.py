"""Metrics: create, change, list; their progress for the goals domain."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from app.core.clock import to_day
from app.core.errors import IdTaken
from app.core.shards import shard_of
from app.core.text import is_same_name
from app.domains.service import Decision, expect_version
from app.domains.tracking import keys
from app.domains.tracking.inputs import CreateMetricInput, UpdateMetricInput
from app.domains.tracking.rules import days, series
from app.domains.tracking.rules import metrics as rules
from app.domains.tracking.service.base import LOCKS
from app.domains.tracking.service.linked import LinkedRecords, MetricDeletion
from app.domains.tracking.types import (
    Metric,
    MetricAlert,
    MetricLog,
    MetricMilestone,
    MetricPoint,
    MetricProgress,
    MetricStatus,
    OpenDay,
    SeriesInterval,
)
from app.table.gateway import Position, Rows
from app.table.writes import Write, put_if_absent, put_if_unchanged

NEVER_NULL = ("name", "unit", "direction", "aggregation", "source", "status")


class Metrics(LinkedRecords[Metric]):
    what: ClassVar[str] = "metric"
    deletion_type = MetricDeletion

    async def find(self, record_id: str) -> Metric | None:
        return await self.table.load(keys.metric(self.caller.user_id, record_id))

    async def metrics(
        self,
        status: MetricStatus | None,
        area: str | None,
        *,
        keep: Callable[[Metric], bool] | None = None,
        limit: int,
        start: Position | None,
    ) -> Rows[Metric]:
        def matches(metric: Metric) -> bool:
            match = status in (None, metric.status)
            match &= area is None or is_same_name(area, metric.area)
            return match and (keep is None or keep(metric))

        query = keys.metrics_of_user(self.caller.user_id)
        return await self.table.query(query, limit=limit, start=start, keep=matches)

    async def logs(
        self,
        metric: Metric,
        since: str | None,
        until: str | None,
        *,
        newest_first: bool,
        limit: int,
        start: Position | None,
    ) -> Rows[MetricLog]:
        return await self.repository.logs_of_metric(
            metric.id, since, until, newest_first=newest_first, limit=limit, start=start
        )

    async def series(
        self, metric: Metric, interval: SeriesInterval, since: str | None, until: str | None
    ) -> list[MetricPoint]:
        today = await self.today()
        first, last = series.series_range(interval, since, until, today)
        logs = await self.repository.logs_of_days(
            metric.id, to_day(first), to_day(last), most=series.MOST_LOGS
        )
        values = [log.logged_value for log in logs]
        return series.series_points(metric, values, interval, today)

    async def milestones(
        self, metric: Metric, *, limit: int, start: Position | None
    ) -> Rows[MetricMilestone]:
        query = keys.milestones_of_metric(metric.id)
        return await self.table.query(query, limit=limit, start=start)

    async def alerts(
        self, metric: Metric, *, limit: int, start: Position | None
    ) -> Rows[MetricAlert]:
        query = keys.alerts_of_metric(metric.id)
        return await self.table.query(query, limit=limit, start=start)

    async def create(self, request: CreateMetricInput) -> Metric:
        return await self.once(request, Metric, partial(self._create, request))

    async def _create(self, request: CreateMetricInput) -> Decision[Metric]:
        values = request.values()
        metric = Metric(id=self.new_id(values.pop("id", None)), **self.stamp(), **values)
        rules.check_metric(metric)
        return Decision(metric, [put_if_absent(metric, otherwise=IdTaken("metric"))])

    async def update(self, request: UpdateMetricInput) -> Metric:
        async def decide() -> Decision[Metric]:
            old = await self.require(request.id)
            expect_version(request, old, "metric")
            changed = old.evolve(self.now, **request.changes(NEVER_NULL))
            rules.check_metric(changed)
            new = await self._with_derived_fields(old, changed)
            return Decision(new, [put_if_unchanged(new, old, "metric")])

        async with LOCKS.hold(request.id):
            metric = await self.once(request, Metric, decide)
        await self.refresh_goals(metric.id)
        return metric

    async def _with_derived_fields(self, old: Metric, changed: Metric) -> Metric:
        today = await self.today()
        cached = rules.with_cached_fields(changed, today)
        if changed.aggregation is old.aggregation:
            return cached
        open_days = days.open_days_after_update(old, changed, today)
        fields = await self.closing_fields(changed.id, open_days)
        # Milestones won with another aggregation cannot be judged by this one.
        return replace(cached, **fields, milestones_by_day=True)

    async def closing_fields(self, metric_id: str, open_days: Sequence[OpenDay]) -> dict[str, Any]:
        """Of a metric with these open days: they say when the job has to look at it."""
        me = await self.profiles.me()
        close_at = days.closing_time(
            open_days,
            self.resources.clock.now(),
            await self.today(),
            time_zone=me.time_zone or "UTC",
            day_start_hour=me.day_start_hour or 0,
        )
        shard = shard_of(metric_id, self.resources.settings.shards) if close_at else None
        return {"open_days": list(open_days), "close_at": close_at, "shard": shard}

    async def following_goals(self, record_id: str) -> list[str]:
        return await self.linked_goals.following_metric(record_id)

    async def touch(self, metric_id: str) -> Write:
        """For a transaction that needs the metric. Its version rises, so that a concurrent deletion
        finds what the transaction adds."""
        old = await self.require(metric_id)
        return put_if_unchanged(old.evolve(self.now), old, "metric")

    async def existing_ids(self, metric_ids: Iterable[str]) -> set[str]:
        """Those of the caller's metrics that are not deleted."""
        found = await self.repository.metrics(self.caller.user_id, dict.fromkeys(metric_ids))
        return {metric.id for metric in found}

    def goal_links(self, record: Metric, following: Sequence[str]) -> list[Write]:
        return self.linked_goals.metric_links(
            record.id, linked=record.goal_ids, following=following
        )

    async def progress_of(self, metric_ids: Iterable[str]) -> dict[str, MetricProgress]:
        """In one batch read. Metrics that are absent or have no target are left out."""
        found, today = await asyncio.gather(
            self.repository.metrics(self.caller.user_id, dict.fromkeys(metric_ids)), self.today()
        )
        progress = {metric.id: rules.progress_of(metric, today) for metric in found}
        return {metric_id: each for metric_id, each in progress.items() if each is not None}
