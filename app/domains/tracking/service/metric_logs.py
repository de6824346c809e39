"""Logs of metrics. A log, the metric's state, its milestones and their points are one
transaction."""

from collections.abc import Sequence
from functools import partial

import strawberry

from app.core.clock import instant, parse_instant, to_day
from app.core.errors import NotFound, StaleVersion
from app.core.scalars import AWSDateTime
from app.domains.notifications.service import Inbox
from app.domains.rewards.errors import NotActive
from app.domains.rewards.service import Wallets
from app.domains.rewards.types import Earning
from app.domains.service import Decision, expect_version, uses
from app.domains.tracking import keys
from app.domains.tracking.inputs import DeleteMetricLogInput, LogMetricInput, UpdateMetricLogInput
from app.domains.tracking.rules import alerts, milestones
from app.domains.tracking.rules import metrics as rules
from app.domains.tracking.rules.metrics import LogChange
from app.domains.tracking.rules.milestones import ReachedMilestone
from app.domains.tracking.service.base import LOCKS, TrackingService
from app.domains.tracking.service.metrics import Metrics
from app.domains.tracking.types import (
    AlertKind,
    Metric,
    MetricAlert,
    MetricLog,
    MetricMilestone,
    MetricState,
    MetricStatus,
)
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
    wallets = uses(Wallets)
    inbox = uses(Inbox)

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
        if len(logs) != 1:
            return logs, await self._metric_writes(metric, LogChange(added=logs))
        log = alerts.with_alert(metric, logs[0])
        writes = await self._metric_writes(metric, LogChange(added=[log]))
        return [log], [*writes, *await self._raise_alert(metric, log)]

    async def update(self, request: UpdateMetricLogInput) -> MetricLog:
        async with LOCKS.hold(request.metric_id):
            log = await self.commit(partial(self._update, request))
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
        new = alerts.with_alert_checked(metric, old.evolve(self.now, **changes))
        writes = await self._metric_writes(metric, LogChange(added=[new], removed=[old]))
        writes += self._alert_changes(metric, old, new)
        if new.logged_at == old.logged_at:
            return Decision(new, [*writes, put_if_unchanged(new, old, "log")])
        return Decision(new, [*writes, Put(new), Delete(keys.METRIC_LOG.key_of(old))])

    async def delete(self, request: DeleteMetricLogInput) -> MetricLog:
        async with LOCKS.hold(request.metric_id):
            log = await self.commit(partial(self._delete, request))
        await self.metrics.refresh_goals(request.metric_id)
        return log

    async def _delete(self, request: DeleteMetricLogInput) -> Decision[MetricLog]:
        metric = await self.metrics.require(request.metric_id)
        log = await self._require_log(metric, request.id)
        expect_version(request, log, "log")
        writes = await self._metric_writes(metric, LogChange(removed=[log]))
        writes += self._alert_changes(metric, log, None)
        return Decision(log, [*writes, delete_if_unchanged(log, "log")])

    async def _require_log(self, metric: Metric, log_id: str) -> MetricLog:
        for log in await self.repository.every_log_of_metric(metric.id):
            if log.id == log_id:
                return log
        raise NotFound("log")

    async def _metric_writes(self, metric: Metric, change: LogChange) -> list[Write]:
        """The metric with its new state, and the milestones that it wins. The logs themselves are
        the caller's; a metric that changed meanwhile refuses the whole transaction."""
        today = await self.today()
        state = await self._state_after(metric, change)
        reached = milestones.newly_reached(metric, state, today)
        changed = metric.evolve(
            self.now,
            state=state,
            milestone_ids=[*metric.milestone_ids, *(each.id for each in reached)],
            logs_version=metric.logs_version + 1,
        )
        new = rules.with_cached_fields(changed, today)
        return [
            put_if_unchanged(new, metric, "metric"),
            *(self._new_milestone(metric, each) for each in reached),
            *self._pay(metric, reached),
        ]

    async def _state_after(self, metric: Metric, change: LogChange) -> MetricState | None:
        state = None if change.removed else rules.state_with(metric.state, change.added)
        if state is not None:
            return state
        stored = await self.repository.every_log_of_metric(metric.id)
        logs = rules.logs_after(stored, change)
        return rules.state_from_logs(log.logged_value for log in logs)

    def _pay(self, metric: Metric, reached: Sequence[ReachedMilestone]) -> list[Write]:
        return self.wallets.earn(
            *(
                Earning(
                    user_id=self.caller.user_id,
                    points=each.points,
                    reason=milestones.milestone_reason(metric, each),
                    metric_id=metric.id,
                    reference=each.id,
                )
                for each in reached
            )
        )

    def _new_milestone(self, metric: Metric, reached: ReachedMilestone) -> Write:
        milestone = MetricMilestone(
            id=strawberry.ID(reached.id),
            **self.stamp(),
            metric_id=metric.id,
            type=reached.type,
            value=reached.value,
            achieved_at=self.now,
            points_awarded=reached.points,
        )
        return put_if_absent(milestone, otherwise=StaleVersion("metric", None))

    async def _raise_alert(self, metric: Metric, log: MetricLog) -> list[Write]:
        """The alert of a new log, and its notification."""
        if log.alert is None:
            return []
        alert = self._alert(metric, log, log.alert)
        unit = metric.custom_unit or metric.unit
        text = alerts.alert_text(metric.name, unit, alert.kind, alert.value, alert.threshold)
        notification = await self.inbox.metric_alert_writes(metric.id, f"alert-{alert.id}", text)
        return [Put(alert), *notification]

    def _alert_changes(self, metric: Metric, old: MetricLog, new: MetricLog | None) -> list[Write]:
        """An alert is deleted with its log, or once the log's value is corrected."""
        if old.alert is None:
            return []
        delete = Delete(keys.METRIC_ALERT.key_of(self._alert(metric, old, old.alert)))
        if new is None or new.alert is None:
            return [delete]
        put = Put(self._alert(metric, new, new.alert))
        return [put] if new.logged_at == old.logged_at else [put, delete]

    def _alert(self, metric: Metric, log: MetricLog, kind: AlertKind) -> MetricAlert:
        return MetricAlert(
            id=log.id,
            **self.stamp(),
            metric_id=metric.id,
            kind=kind,
            threshold=alerts.threshold_of(metric, kind),
            value=log.value,
            logged_at=log.logged_at,
        )
