"""Values of metrics: a log, what all logs come to, and what they won change as one."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial

import strawberry

from app.core.caller import Caller
from app.core.clock import day as day_text
from app.core.clock import instant, moment_of
from app.core.errors import BadInput, NotFound, StaleVersion
from app.core.scalars import AWSDateTime
from app.domains.people.service import Profiles
from app.domains.rewards.errors import NotActive
from app.domains.rewards.service import Earning, Wallets
from app.domains.service import Decision, expect_version
from app.domains.tracking import keys
from app.domains.tracking.inputs import (
    DeleteMetricLogInput,
    LogMetricInput,
    UpdateMetricLogInput,
)
from app.domains.tracking.rules import metrics as rules
from app.domains.tracking.service.metrics import Metrics
from app.domains.tracking.service.tracker import TURNS, Tracker
from app.domains.tracking.types import (
    AlertKind,
    Metric,
    MetricAlert,
    MetricLog,
    MetricMilestone,
    MetricState,
    MetricStatus,
)
from app.resources import Resources
from app.table.writes import Delete, Put, Write, create, remove, replace

# Clocks of clients may go a little fast.
TOO_FAST = timedelta(minutes=5)
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
# Tells the owner of a metric, by its id, why (once for each reason) and in which words.
Announce = Callable[[str, str, tuple[str, str]], Awaitable[list[Write]]]
REASONS = {
    rules.MilestoneType.target_reached: "{name}: target {value} reached",
    rules.MilestoneType.streak: "{name}: {value} days in a row",
    rules.MilestoneType.improvement: "{name}: {value} % better than at first",
    rules.MilestoneType.consistency: "{name}: logged on {value} days",
}


@dataclass(frozen=True, slots=True)
class Change:
    """Logs that come and logs that go."""

    added: Sequence[MetricLog] = field(default_factory=list)
    removed: Sequence[MetricLog] = field(default_factory=list)


class MetricLogs(Tracker):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        metrics: Metrics,
        wallets: Wallets,
        announce: Announce | None = None,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.metrics = metrics
        self.wallets = wallets
        self.announce = announce

    async def log(self, request: LogMetricInput) -> MetricLog:
        async with TURNS.of(request.metric_id):
            log = await self.once(request, MetricLog, partial(self._logging, request))
        await self._tell(request.metric_id)
        return log

    async def _logging(self, request: LogMetricInput) -> Decision[MetricLog]:
        metric = await self.open_metric(request.metric_id)
        log = await self.new_log(
            metric,
            value=request.value,
            logged_at=request.logged_at or self.now,
            notes=request.notes or None,
        )
        writes = await self.changing(metric, Change(added=[log]))
        return Decision(log, [*writes, create(log, otherwise=StaleVersion("metric", None))])

    async def open_metric(self, metric_id: str) -> Metric:
        metric = await self.metrics.known(metric_id)
        if metric.status is MetricStatus.Archived:
            raise NotActive("metric")
        return metric

    async def new_log(
        self,
        metric: Metric,
        *,
        value: Decimal,
        logged_at: str,
        notes: str | None,
        id: str | None = None,
    ) -> MetricLog:
        at = self._checked(logged_at)
        return MetricLog(
            id=strawberry.ID(id) if id else self.resources.ids.new(),
            created_at=self.now,
            updated_at=self.now,
            user_id=self.caller.user_id,
            metric_id=metric.id,
            value=value,
            notes=notes,
            logged_at=at,
            date=day_text(await self.day_of(moment_of(at))),
        )

    def _checked(self, logged_at: str) -> AWSDateTime:
        moment = moment_of(logged_at)
        if not EARLIEST <= moment <= self.resources.clock.now() + TOO_FAST:
            raise BadInput("loggedAt must be between 1970 and now.", field="input.loggedAt")
        return instant(moment)

    async def update(self, request: UpdateMetricLogInput) -> MetricLog:
        async with TURNS.of(request.metric_id):
            log = await self.commit(partial(self._updating, request))
        await self._tell(request.metric_id)
        return log

    async def _updating(self, request: UpdateMetricLogInput) -> Decision[MetricLog]:
        metric = await self.metrics.known(request.metric_id)
        old = await self._known_log(metric, request.id)
        expect_version(request, old, "log")
        changes = request.changes(("value", "logged_at"))
        changes.pop("metric_id", None)
        if "logged_at" in changes:
            at = self._checked(changes["logged_at"])
            day = await self.day_of(moment_of(at))
            changes |= {"logged_at": at, "date": day_text(day)}
        new = old.evolve(self.now, **changes)
        writes = await self.changing(metric, Change(added=[new], removed=[old]))
        writes += self._alarm_after(metric, old, new)
        if new.logged_at == old.logged_at:
            return Decision(new, [*writes, replace(new, old, "log")])
        return Decision(new, [*writes, Put(new), Delete(keys.METRIC_LOG.key_of(old))])

    async def delete(self, request: DeleteMetricLogInput) -> MetricLog:
        async with TURNS.of(request.metric_id):
            log = await self.commit(partial(self._deleting, request))
        await self._tell(request.metric_id)
        return log

    async def _deleting(self, request: DeleteMetricLogInput) -> Decision[MetricLog]:
        metric = await self.metrics.known(request.metric_id)
        log = await self._known_log(metric, request.id)
        expect_version(request, log, "log")
        writes = await self.changing(metric, Change(removed=[log]))
        writes += self._alarm_after(metric, log, None)
        return Decision(log, [*writes, remove(log, "log")])

    async def _known_log(self, metric: Metric, log_id: str) -> MetricLog:
        for log in await self.repository.every_log_of_metric(metric.id):
            if log.id == log_id:
                return log
        raise NotFound("log")

    async def _tell(self, metric_id: str) -> None:
        metric = await self.metrics.metric(metric_id)
        if metric and metric.goal_ids:
            await self.metrics.when_changed(metric.goal_ids)

    # The metric's side of a change, also for imports.

    async def changing(self, metric: Metric, change: Change) -> list[Write]:
        """The metric with what its logs come to now, the milestones won, points and alerts.
        Whoever adds logs writes those too; a metric that changed meanwhile refuses all of it."""
        today = await self.today()
        state = await self._state_after(metric, change)
        won = self._newly_won(metric, state, today)
        new = metric.evolve(
            self.now,
            state=state,
            won=[*metric.won, *(each.id for each in won)],
            logs_version=metric.logs_version + 1,
        )
        new.cached_streak, new.cached_trend = new.streak_on(today), new.trend_on(today)
        return [
            replace(new, metric, "metric"),
            *self._prizes(metric, won),
            *await self._alarm(metric, change),
        ]

    async def _state_after(self, metric: Metric, change: Change) -> MetricState | None:
        state = metric.state
        if not change.removed:
            for log in change.added:
                if not rules.goes_last(state, log.as_logged):
                    break
                state = rules.after(state, log.as_logged)
            else:
                return state
        return await self._retold(metric, change)

    async def _retold(self, metric: Metric, change: Change) -> MetricState | None:
        """From all logs again: something changed in the past."""
        gone = {log.id for log in change.removed}
        stored = await self.repository.every_log_of_metric(metric.id)
        logs = {log.id: log for log in stored if log.id not in gone}
        logs |= {log.id: log for log in change.added}
        return rules.state_of(log.as_logged for log in logs.values())

    def _newly_won(self, metric: Metric, state: MetricState | None, today: date) -> list[rules.Won]:
        found = rules.milestones(
            state,
            today,
            direction=metric.direction,
            target=metric.target_value,
            aggregation=metric.aggregation,
        )
        return [each for each in found if each.id not in metric.won]

    def _prizes(self, metric: Metric, won: Iterable[rules.Won]) -> list[Write]:
        won = list(won)
        earnings = [
            Earning(
                points=each.points,
                reason=_reason(metric, each),
                metric_id=metric.id,
                reference=each.id,
            )
            for each in won
        ]
        paid = self.wallets.earn_many(self.caller.user_id, earnings)
        return [*(self._milestone(metric, each) for each in won), *paid]

    def _milestone(self, metric: Metric, won: rules.Won) -> Write:
        milestone = MetricMilestone(
            id=strawberry.ID(won.id),
            created_at=self.now,
            updated_at=self.now,
            user_id=self.caller.user_id,
            metric_id=metric.id,
            type=won.type,
            value=won.value,
            achieved_at=self.now,
            points_awarded=won.points,
        )
        return create(milestone, otherwise=StaleVersion("metric", None))

    async def _alarm(self, metric: Metric, change: Change) -> list[Write]:
        """Only a log that comes last can raise one: what is long past alarms nobody."""
        if len(change.added) != 1 or change.removed:
            return []
        (log,) = change.added
        if not rules.goes_last(metric.state, log.as_logged):
            return []
        previous = metric.state.last_day.last if metric.state else None
        low, high = metric.threshold_low, metric.threshold_high
        log.alert = rules.alert(previous, log.value, low=low, high=high)
        if log.alert is None:
            return []
        alert = self._alert(metric, log, log.alert)
        return [Put(alert), *await self._told(metric, alert)]

    async def _told(self, metric: Metric, alert: MetricAlert) -> list[Write]:
        if self.announce is None:
            return []
        unit = metric.custom_unit or metric.unit
        words = rules.alert_words(metric.name, unit, alert.kind, alert.value, alert.threshold)
        return await self.announce(metric.id, f"alert-{alert.id}", words)

    def _alarm_after(self, metric: Metric, old: MetricLog, new: MetricLog | None) -> list[Write]:
        """An alert goes with the log that raised it, or once its value is put right."""
        if old.alert is None:
            return []
        gone = Delete(keys.METRIC_ALERT.key_of(self._alert(metric, old, old.alert)))
        if new is None:
            return [gone]
        low, high = metric.threshold_low, metric.threshold_high
        if rules.alert(None, new.value, low=low, high=high) is not old.alert:
            new.alert = None
            return [gone]
        stays = Put(self._alert(metric, new, old.alert))
        return [stays] if new.logged_at == old.logged_at else [stays, gone]

    def _alert(self, metric: Metric, log: MetricLog, kind: AlertKind) -> MetricAlert:
        threshold = metric.threshold_low if kind is AlertKind.Low else metric.threshold_high
        return MetricAlert(
            id=log.id,
            created_at=self.now,
            updated_at=self.now,
            user_id=self.caller.user_id,
            metric_id=metric.id,
            kind=kind,
            threshold=threshold or Decimal(0),
            value=log.value,
            logged_at=log.logged_at,
        )


def _reason(metric: Metric, won: rules.Won) -> str:
    value = f"{won.value.normalize():f}"
    return REASONS[won.type].format(name=metric.name[:100], value=value)
