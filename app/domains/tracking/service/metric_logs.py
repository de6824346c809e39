"""Logs of metrics. A log, the metric's state, its milestones and their points are one
transaction."""

from collections.abc import Sequence
from functools import partial

from app.core.batches import BatchError, run_batch
from app.core.clock import instant, parse_instant, to_day
from app.core.errors import NotFound, StaleVersion
from app.core.scalars import AWSDateTime
from app.domains.rewards.errors import NotActive
from app.domains.service import Decision, expect_version, uses
from app.domains.tracking import keys
from app.domains.tracking.inputs import (
    DeleteMetricLogInput,
    LogMetricInput,
    LogMetricsInput,
    UpdateMetricLogInput,
)
from app.domains.tracking.rules import alerts, days
from app.domains.tracking.rules import metrics as rules
from app.domains.tracking.rules.metrics import LogChange
from app.domains.tracking.service.base import LOCKS, TrackingService
from app.domains.tracking.service.metric_writer import LoggedState, MetricWriter
from app.domains.tracking.service.metrics import Metrics
from app.domains.tracking.types import LoggedDay, Metric, MetricLog, MetricLogResult, MetricStatus
from app.table.writes import (
    Delete,
    Put,
    Write,
    delete_if_unchanged,
    put_if_absent,
    put_if_unchanged,
)


class MetricLogs(TrackingService):
    metrics = uses(Metrics)
    writer = uses(MetricWriter)

    async def log(self, request: LogMetricInput) -> MetricLog:
        async with LOCKS.hold(request.metric_id):
            log = await self.once(request, MetricLog, partial(self._log, request))
        await self.metrics.refresh_goals(request.metric_id)
        return log

    async def _log(self, request: LogMetricInput) -> Decision[MetricLog]:
        metric = await self.require_loggable(request.metric_id)
        at = self._checked_time(request.logged_at or self.now)
        new = MetricLog(
            id=self.new_id(),
            **self.stamp(),
            metric_id=metric.id,
            value=request.value,
            notes=request.notes or None,
            logged_at=at,
            date=to_day(await self.day_of(parse_instant(at))),
        )
        (log,), writes = await self.add_logs(metric, [new])
        return Decision(log, [*writes, put_if_absent(log, otherwise=StaleVersion("metric", None))])

    async def log_many(self, request: LogMetricsInput) -> list[MetricLogResult]:
        results = await run_batch(request.logs, self.log, field="input.logs")
        return [
            MetricLogResult(error=e) if isinstance(e, BatchError) else MetricLogResult(log=e)
            for e in results
        ]

    async def require_loggable(self, metric_id: str) -> Metric:
        metric = await self.metrics.require(metric_id)
        if metric.status is MetricStatus.Archived:
            raise NotActive("metric")
        return metric

    def _checked_time(self, logged_at: str) -> AWSDateTime:
        moment = parse_instant(logged_at)
        rules.check_log_time(moment, self.resources.clock.now())
        return instant(moment)

    async def add_logs(
        self, metric: Metric, logs: Sequence[MetricLog]
    ) -> tuple[Sequence[MetricLog], list[Write]]:
        """The logs to put, and all other writes. A single log can raise an alert; many at once
        are an import of the past."""
        change = LogChange(added=logs)
        after = await self.writer.state_after(metric, change)
        decision = await self.writer.days_after(metric, after, change)
        if len(logs) != 1:
            return logs, await self.writer.writes(metric, after.state, decision)
        log, decision = alerts.marked_log(metric, logs[0], decision)
        return [log], [
            *await self.writer.writes(metric, after.state, decision),
            *await self.writer.raise_alert(metric, log, _day_of(metric, log, after)),
            *await self.writer.alerts_of_closed_days(metric, decision.closed),
        ]

    async def update(self, request: UpdateMetricLogInput) -> MetricLog:
        async with LOCKS.hold(request.metric_id):
            log = await self.once(request, MetricLog, partial(self._update, request))
        await self.metrics.refresh_goals(request.metric_id)
        return log

    async def _update(self, request: UpdateMetricLogInput) -> Decision[MetricLog]:
        metric = await self.metrics.require(request.metric_id)
        old = await self._require_log(metric, request.id)
        expect_version(request, old, "log")
        changes = request.changes(("value", "logged_at"))
        changes.pop("metric_id", None)
        if "logged_at" in changes:
            at = self._checked_time(changes["logged_at"])
            day = await self.day_of(parse_instant(at))
            changes |= {"logged_at": at, "date": to_day(day)}
        new, writes = await self._edit(metric, old, old.evolve(self.now, **changes))
        if new.logged_at == old.logged_at:
            return Decision(new, [*writes, put_if_unchanged(new, old, "log")])
        return Decision(new, [*writes, Put(new), Delete(keys.METRIC_LOG.key_of(old))])

    async def _edit(
        self, metric: Metric, old: MetricLog, edited: MetricLog
    ) -> tuple[MetricLog, list[Write]]:
        """The log to put, and all other writes."""
        change = LogChange(added=[edited], removed=[old])
        after = await self.writer.state_after(metric, change)
        decision = await self.writer.days_after(metric, after, change)
        day = _day_of(metric, edited, after)
        if day is None:
            new = alerts.with_alert_checked(metric, edited)
            alert_writes = self.writer.alert_changes(metric, old, new, None)
        else:
            checked, decision = alerts.checked_log(metric, edited, old, day, decision)
            new, decision = alerts.marked_log(metric, checked, decision)
            alert_writes = self.writer.alert_changes(metric, old, checked, day)
            if new.alert is not checked.alert:
                alert_writes += await self.writer.raise_alert(metric, new, day)
        writes = await self.writer.writes(metric, after.state, decision)
        closing = await self.writer.alerts_of_closed_days(metric, decision.closed)
        return new, [*writes, *alert_writes, *closing]

    async def delete(self, request: DeleteMetricLogInput) -> MetricLog:
        async with LOCKS.hold(request.metric_id):
            log = await self.once(request, MetricLog, partial(self._delete, request))
        await self.metrics.refresh_goals(request.metric_id)
        return log

    async def _delete(self, request: DeleteMetricLogInput) -> Decision[MetricLog]:
        metric = await self.metrics.require(request.metric_id)
        log = await self._require_log(metric, request.id)
        expect_version(request, log, "log")
        change = LogChange(removed=[log])
        after = await self.writer.state_after(metric, change)
        decision = await self.writer.days_after(metric, after, change)
        writes = [
            *await self.writer.writes(metric, after.state, alerts.without_alert(log, decision)),
            *self.writer.alert_changes(metric, log, None, None),
            *await self.writer.alerts_of_closed_days(metric, decision.closed),
        ]
        return Decision(log, [*writes, delete_if_unchanged(log, "log")])

    async def _require_log(self, metric: Metric, log_id: str) -> MetricLog:
        for log in await self.repository.every_log_of_metric(metric.id):
            if log.id == log_id:
                return log
        raise NotFound("log")


def _day_of(metric: Metric, log: MetricLog, after: LoggedState) -> LoggedDay | None:
    """With a day aggregation: the day of a log after the change."""
    return after.values[log.date] if days.has_day_values(metric.aggregation) else None
