"""The reads about metrics, habits and the logbook."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta

from app.domains.tracking import keys
from app.domains.tracking.types import (
    Habit,
    HabitLog,
    InsightType,
    LogbookEntry,
    Metric,
    MetricAlert,
    MetricInsight,
    MetricLog,
    MetricMilestone,
)
from app.table.gateway import Gateway, Position, Rows

# No place on earth is further from UTC, whose instants are in the keys, than that and a late start.
ONE_DAY = timedelta(days=1)


class TrackingRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def metric(self, user_id: str, metric_id: str) -> Metric | None:
        return await self.table.load(keys.metric(user_id, metric_id))

    async def metrics(self, user_id: str, metric_ids: Iterable[str]) -> list[Metric]:
        """Those that are there."""
        found = await self.table.load_many(keys.metric(user_id, each) for each in metric_ids)
        return [each for each in found if each]

    async def metrics_of_user(
        self,
        user_id: str,
        *,
        limit: int,
        start: Position | None,
        keep: Callable[[Metric], bool] | None = None,
    ) -> Rows[Metric]:
        query = keys.metrics_of_user(user_id)
        return await self.table.query(query, limit=limit, start=start, keep=keep)

    async def every_metric_of_user(self, user_id: str) -> list[Metric]:
        return [each async for each in self.table.query_all(keys.metrics_of_user(user_id))]

    async def logs_of_metric(
        self,
        metric_id: str,
        since: str | None,
        until: str | None,
        *,
        newest_first: bool,
        limit: int,
        start: Position | None,
    ) -> Rows[MetricLog]:
        """Of local days, both whole: read a day more on each side, and look at the stored day."""
        query = keys.logs_of_metric(
            metric_id,
            _shifted(since, -ONE_DAY),
            _shifted(until, ONE_DAY),
            newest_first=newest_first,
        )

        def is_inside(log: MetricLog) -> bool:
            return (since is None or since <= log.date) and (until is None or log.date <= until)

        return await self.table.query(query, limit=limit, start=start, keep=is_inside)

    async def every_log_of_metric(
        self, metric_id: str, since: str | None = None
    ) -> list[MetricLog]:
        query = keys.logs_of_metric(metric_id, since)
        return [each async for each in self.table.query_all(query)]

    async def milestones_of_metric(
        self, metric_id: str, *, limit: int, start: Position | None
    ) -> Rows[MetricMilestone]:
        query = keys.milestones_of_metric(metric_id)
        return await self.table.query(query, limit=limit, start=start)

    async def alerts_of_metric(
        self, metric_id: str, *, limit: int, start: Position | None
    ) -> Rows[MetricAlert]:
        query = keys.alerts_of_metric(metric_id)
        return await self.table.query(query, limit=limit, start=start)

    async def insights_of_metric(
        self, metric_id: str, insight_type: InsightType | None
    ) -> list[MetricInsight]:
        query = keys.insights_of_metric(metric_id, insight_type.value if insight_type else None)
        return [each async for each in self.table.query_all(query)]

    async def habit(self, user_id: str, habit_id: str) -> Habit | None:
        return await self.table.load(keys.habit(user_id, habit_id))

    async def habits(self, user_id: str, habit_ids: Iterable[str]) -> list[Habit]:
        """Those that are there."""
        found = await self.table.load_many(keys.habit(user_id, each) for each in habit_ids)
        return [each for each in found if each]

    async def habits_of_user(
        self,
        user_id: str,
        *,
        limit: int,
        start: Position | None,
        keep: Callable[[Habit], bool] | None = None,
    ) -> Rows[Habit]:
        query = keys.habits_of_user(user_id)
        return await self.table.query(query, limit=limit, start=start, keep=keep)

    async def every_habit_of_user(self, user_id: str) -> list[Habit]:
        return [each async for each in self.table.query_all(keys.habits_of_user(user_id))]

    async def log_of_habit(self, habit_id: str, date: str) -> HabitLog | None:
        return await self.table.get(keys.log_of_habit(habit_id, date))

    async def logs_of_habit(
        self,
        habit_id: str,
        since: str | None,
        until: str | None,
        *,
        newest_first: bool,
        limit: int,
        start: Position | None,
    ) -> Rows[HabitLog]:
        query = keys.logs_of_habit(habit_id, since, until, newest_first=newest_first)
        return await self.table.query(query, limit=limit, start=start)

    async def every_log_of_habit(self, habit_id: str, since: str | None = None) -> list[HabitLog]:
        query = keys.logs_of_habit(habit_id, since)
        return [each async for each in self.table.query_all(query)]

    async def logbook_entry(self, user_id: str, date: str) -> LogbookEntry | None:
        return await self.table.load(keys.logbook_entry(user_id, date))

    async def logbook_of_user(
        self,
        user_id: str,
        since: str | None,
        until: str | None,
        *,
        newest_first: bool,
        limit: int,
        start: Position | None,
        keep: Callable[[LogbookEntry], bool] | None,
    ) -> Rows[LogbookEntry]:
        query = keys.logbook_of_user(user_id, since, until, newest_first=newest_first)
        return await self.table.query(query, limit=limit, start=start, keep=keep)


def _shifted(day: str | None, by: timedelta) -> str | None:
    if day is None:
        return None
    try:
        return (date.fromisoformat(day) + by).isoformat()
    except OverflowError:
        return None
