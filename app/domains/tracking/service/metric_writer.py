"""What a change of its logs, or the end of a day, writes for a metric: its state, the milestones
that it wins, their points, alerts. Everything is for one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import strawberry

from app.core.errors import StaleVersion
from app.domains.notifications.service import Inbox
from app.domains.rewards.service import Wallets
from app.domains.rewards.types import Earning
from app.domains.service import uses
from app.domains.tracking import keys
from app.domains.tracking.rules import alerts, days, milestones
from app.domains.tracking.rules import metrics as rules
from app.domains.tracking.rules.days import DayDecision
from app.domains.tracking.rules.metrics import LogChange
from app.domains.tracking.rules.milestones import ReachedMilestone
from app.domains.tracking.service.base import TrackingService
from app.domains.tracking.service.metrics import Metrics
from app.domains.tracking.types import (
    AlertKind,
    LoggedDay,
    Metric,
    MetricAlert,
    MetricLog,
    MetricMilestone,
    MetricState,
    OpenDay,
)
from app.table.writes import Delete, Put, Write, put_if_absent, put_if_unchanged


@dataclass(frozen=True, slots=True)
class LoggedState:
    """A metric after a change of its logs. `values`: the days whose logs have changed, and perhaps
    others."""

    state: MetricState | None
    values: Mapping[str, LoggedDay]


class MetricWriter(TrackingService):
    metrics = uses(Metrics)
    wallets = uses(Wallets)
    inbox = uses(Inbox)

    async def state_after(self, metric: Metric, change: LogChange) -> LoggedState:
        state = None if change.removed else rules.state_with(metric.state, change.added)
        if state is not None:
            known = [metric.state.last_day] if metric.state else []
            added = (log.logged_value for log in change.added)
            return LoggedState(state, days.days_with({each.date: each for each in known}, added))
        stored = await self.repository.every_log_of_metric(metric.id)
        logs = [log.logged_value for log in rules.logs_after(stored, change)]
        values = {each.date: each for each in days.logged_days(logs)}
        return LoggedState(rules.state_from_logs(logs), values)

    async def days_after(
        self, metric: Metric, after: LoggedState, change: LogChange
    ) -> DayDecision:
        if not days.has_day_values(metric.aggregation):
            return DayDecision(counted=[after.state.last_day] if after.state else [])
        return days.days_after_logs(
            metric, after.values, change.dates, await self.today(), in_order=not change.removed
        )

    async def writes(
        self, metric: Metric, state: MetricState | None, decision: DayDecision
    ) -> list[Write]:
        """The metric with its new state, and the milestones that it wins. The logs themselves are
        the caller's; a metric that changed meanwhile refuses the whole transaction."""
        today = await self.today()
        reached = milestones.newly_reached(metric, state, decision.counted, today)
        changed = metric.evolve(
            self.now,
            state=state,
            milestone_ids=[*metric.milestone_ids, *(each.id for each in reached)],
            logs_version=metric.logs_version + 1,
            **await self.metrics.closing_fields(metric.id, decision.open_days),
        )
        new = rules.with_cached_fields(changed, today)
        return [
            put_if_unchanged(new, metric, "metric"),
            *(self._new_milestone(metric, each) for each in reached),
            *self._pay(metric, reached),
        ]

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

    # Alerts.

    async def raise_alert(
        self, metric: Metric, log: MetricLog, day: LoggedDay | None
    ) -> list[Write]:
        """The alert of a log, if it has one, and its notification. `day`: with a day aggregation,
        the day whose value crossed the threshold."""
        if log.alert is None:
            return []
        alert = self.alert_of(metric, log, log.alert, day)
        if day is not None:
            return [Put(alert), *await self._notify_of_day(metric, day, log.alert)]
        unit = metric.custom_unit or metric.unit
        text = alerts.alert_text(metric.name, unit, alert.kind, alert.value, alert.threshold)
        notification = await self.inbox.metric_alert_writes(metric.id, f"alert-{alert.id}", text)
        return [Put(alert), *notification]

    def alert_of(
        self, metric: Metric, log: MetricLog, kind: AlertKind, day: LoggedDay | None
    ) -> MetricAlert:
        return MetricAlert(
            id=log.id,
            **self.stamp(),
            metric_id=metric.id,
            kind=kind,
            threshold=alerts.threshold_of(metric, kind),
            value=day.value(metric.aggregation) if day else log.value,
            logged_at=log.logged_at,
        )

    async def alerts_of_closed_days(self, metric: Metric, closed: Sequence[OpenDay]) -> list[Write]:
        writes: list[Write] = []
        for each in closed:
            kind = alerts.alert_at_close(metric, each)
            if kind is not None:
                writes += [Put(self._alert_of_day(metric, each.day, kind))]
                writes += await self._notify_of_day(metric, each.day, kind)
        return writes

    def _alert_of_day(self, metric: Metric, day: LoggedDay, kind: AlertKind) -> MetricAlert:
        return MetricAlert(
            id=strawberry.ID(f"{day.date}-{kind.value}"),
            **self.stamp(),
            metric_id=metric.id,
            kind=kind,
            threshold=alerts.threshold_of(metric, kind),
            value=day.value(metric.aggregation),
            logged_at=self.now,
        )

    async def _notify_of_day(self, metric: Metric, day: LoggedDay, kind: AlertKind) -> list[Write]:
        """Once for each day and kind, also if the alert is raised again."""
        text = alerts.day_alert_text(metric, kind, day, alerts.threshold_of(metric, kind))
        reason = f"alert-{day.date}-{kind.value}"
        return await self.inbox.metric_alert_writes(metric.id, reason, text)

    def alert_changes(
        self, metric: Metric, old: MetricLog, new: MetricLog | None, day: LoggedDay | None
    ) -> list[Write]:
        """An alert is deleted with its log, or once the value is corrected."""
        if old.alert is None:
            return []
        delete = Delete(keys.METRIC_ALERT.key_of(self.alert_of(metric, old, old.alert, None)))
        if new is None or new.alert is None:
            return [delete]
        put = Put(self.alert_of(metric, new, new.alert, day))
        return [put] if new.logged_at == old.logged_at else [put, delete]
