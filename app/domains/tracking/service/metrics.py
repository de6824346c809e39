"""Metrics, and what the goals want to know of them."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from app.core.caller import Caller
from app.core.errors import BadInput, NotFound
from app.domains.people.service import Profiles
from app.domains.service import Decision, expect_version
from app.domains.tracking import keys
from app.domains.tracking.errors import IdTaken
from app.domains.tracking.inputs import CreateMetricInput, DeleteMetricInput, UpdateMetricInput
from app.domains.tracking.rules import metrics as rules
from app.domains.tracking.service.links import (
    LinkRows,
    WhenChanged,
    no_link_rows,
    nobody_listens,
    with_goal,
    without_goal,
)
from app.domains.tracking.service.tracker import TURNS, Tracker
from app.domains.tracking.types import (
    Metric,
    MetricAlert,
    MetricLog,
    MetricMilestone,
    MetricProgress,
    MetricStatus,
)
from app.resources import Resources
from app.table.gateway import Position, Rows
from app.table.writes import Write, create, remove, replace

NEVER_NULL = ("name", "unit", "direction", "aggregation", "source", "status")


class Metrics(Tracker):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        when_changed: WhenChanged = nobody_listens,
        link_rows: LinkRows = no_link_rows,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.when_changed = when_changed
        self.link_rows = link_rows

    async def metric(self, metric_id: str) -> Metric | None:
        return await self.repository.metric(self.caller.user_id, metric_id)

    async def known(self, metric_id: str) -> Metric:
        found = await self.metric(metric_id)
        if found is None:
            raise NotFound("metric")
        return found

    async def metrics(
        self,
        status: MetricStatus | None,
        area: str | None,
        *,
        keep: Callable[[Metric], bool] | None = None,
        limit: int,
        start: Position | None,
    ) -> Rows[Metric]:
        def fits(metric: Metric) -> bool:
            wanted = status in (None, metric.status) and area in (None, metric.area)
            return wanted and (keep is None or keep(metric))

        return await self.repository.metrics_of_user(
            self.caller.user_id, limit=limit, start=start, keep=fits
        )

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

    async def milestones(
        self, metric: Metric, *, limit: int, start: Position | None
    ) -> Rows[MetricMilestone]:
        return await self.repository.milestones_of_metric(metric.id, limit=limit, start=start)

    async def alerts(
        self, metric: Metric, *, limit: int, start: Position | None
    ) -> Rows[MetricAlert]:
        return await self.repository.alerts_of_metric(metric.id, limit=limit, start=start)

    async def create(self, request: CreateMetricInput) -> Metric:
        return await self.once(request, Metric, partial(self._creating, request))

    async def _creating(self, request: CreateMetricInput) -> Decision[Metric]:
        given = {name: value for name, value in request.given().items() if value is not None}
        given.pop("idempotency_key", None)
        metric = Metric(
            id=given.pop("id", None) or self.resources.ids.new(),
            user_id=self.caller.user_id,
            created_at=self.now,
            updated_at=self.now,
            **given,
        )
        _check(metric)
        return Decision(metric, [create(metric, otherwise=IdTaken("metric"))])

    async def update(self, request: UpdateMetricInput) -> Metric:
        async def decide() -> Decision[Metric]:
            old = await self.known(request.id)
            expect_version(request, old, "metric")
            new = await self._recached(old, request.changes(NEVER_NULL))
            _check(new)
            return Decision(new, [replace(new, old, "metric")])

        async with TURNS.of(request.id):
            metric = await self.commit(decide)
        await self.when_changed(metric.goal_ids)
        return metric

    async def _recached(self, old: Metric, changes: dict[str, Any]) -> Metric:
        today = await self.today()
        new = old.evolve(self.now, **changes)
        new.cached_streak, new.cached_trend = new.streak_on(today), new.trend_on(today)
        return new

    async def delete(self, request: DeleteMetricInput) -> Metric:
        """Its logs first, itself last: broken off, it can be begun again. Who comes too late is
        told before any of it."""

        async def decide() -> Decision[Metric]:
            metric = await self.known(request.id)
            await self._delete_logs(metric)
            links = self.link_rows(metric.id, metric.goal_ids)
            return Decision(metric, [remove(metric, "metric"), *links])

        async with TURNS.of(request.id):
            expect_version(request, await self.known(request.id), "metric")
            metric = await self.commit(decide)
        await self.when_changed(metric.goal_ids)
        return metric

    async def _delete_logs(self, metric: Metric) -> None:
        partition = keys.METRIC.owned_partition(metric) or ""
        doomed = [
            (item["PK"]["S"], item["SK"]["S"]) async for item in self.table.partition(partition)
        ]
        await self.table.delete_many(key for key in doomed if key[1] != "OWNER")

    # For the goals: see links.py.

    async def progress_of(self, metric_ids: Iterable[str]) -> dict[str, MetricProgress]:
        found = await self.repository.metrics(self.caller.user_id, dict.fromkeys(metric_ids))
        return {
            metric.id: progress for metric in found if (progress := progress_of(metric)) is not None
        }

    async def link_goal(self, metric_id: str, goal_id: str) -> list[Write]:
        old = await self.known(metric_id)
        if goal_id in old.goal_ids:
            return []
        return [replace(old.evolve(self.now, goal_ids=with_goal(old, goal_id)), old, "metric")]

    async def unlink_goal(self, metric_id: str, goal_id: str) -> list[Write]:
        old = await self.metric(metric_id)
        if old is None or goal_id not in old.goal_ids:
            return []
        return [replace(old.evolve(self.now, goal_ids=without_goal(old, goal_id)), old, "metric")]


def _check(metric: Metric) -> None:
    low, high = metric.threshold_low, metric.threshold_high
    if low is not None and high is not None and low > high:
        raise BadInput("thresholdLow is above thresholdHigh.", field="input.thresholdLow")
    if metric.target_band is not None and metric.target_band <= 0:
        raise BadInput("targetBand must be above 0.", field="input.targetBand")


def progress_of(metric: Metric) -> MetricProgress | None:
    if metric.target_value is None:
        return None
    if metric.state is None:
        return MetricProgress(0.0, reached=False)
    value = metric.state.last_day.value(metric.aggregation)
    part = rules.progress(
        metric.direction,
        base=metric.state.first_value,
        value=value,
        target=metric.target_value,
        band=metric.target_band,
    )
    reached = rules.is_reached(metric.direction, value, metric.target_value)
    return MetricProgress(part, reached=reached)
