"""Reads of metrics, habits and the logbook that merge or filter."""

from collections.abc import Iterable
from datetime import date, timedelta

from app.core.errors import LimitExceeded
from app.domains.tracking import keys
from app.domains.tracking.types import (
    Habit,
    HabitLog,
    InsightType,
    Metric,
    MetricInsight,
    MetricLog,
)
from app.table.gateway import Gateway, Position, Rows

# Keys contain UTC instants. No local day begins or ends further from the UTC day than this.
ONE_DAY = timedelta(days=1)


class TrackingRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def metrics(self, user_id: str, metric_ids: Iterable[str]) -> list[Metric]:
        """Absent ones are left out."""
        found = await self.table.load_many(keys.metric(user_id, each) for each in metric_ids)
        return [each for each in found if each]

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
        """`since` and `until` are local days, both included. One more day is read on each side;
        then the stored day decides."""
        query = keys.logs_of_metric(
            metric_id,
            _shift_day(since, -ONE_DAY),
            _shift_day(until, ONE_DAY),
            newest_first=newest_first,
        )

        def is_in_range(log: MetricLog) -> bool:
            return (since is None or since <= log.date) and (until is None or log.date <= until)

        return await self.table.query(query, limit=limit, start=start, keep=is_in_range)

    async def logs_of_days(
        self, metric_id: str, first: str, last: str, *, most: int
    ) -> list[MetricLog]:
        """Of local days, both included."""
        since, until = _shift_day(first, -ONE_DAY), _shift_day(last, ONE_DAY)
        found = []
        async for log in self.table.query_all(keys.logs_of_metric(metric_id, since, until)):
            if first <= log.date <= last:
                found.append(log)
            if len(found) > most:
                raise LimitExceeded(
                    f"There are more than {most:,} logs from {first} to {last}. Ask for fewer days."
                )
        return found

    async def every_log_of_metric(
        self, metric_id: str, since: str | None = None
    ) -> list[MetricLog]:
        query = keys.logs_of_metric(metric_id, since)
        return [each async for each in self.table.query_all(query)]

    async def insights_of_metric(
        self, metric_id: str, insight_type: InsightType | None
    ) -> list[MetricInsight]:
        query = keys.insights_of_metric(metric_id, insight_type.value if insight_type else None)
        return [each async for each in self.table.query_all(query)]

    async def habits(self, user_id: str, habit_ids: Iterable[str]) -> list[Habit]:
        """Absent ones are left out."""
        found = await self.table.load_many(keys.habit(user_id, each) for each in habit_ids)
        return [each for each in found if each]

    async def every_habit_of_user(self, user_id: str) -> list[Habit]:
        return [each async for each in self.table.query_all(keys.habits_of_user(user_id))]

    async def every_log_of_habit(self, habit_id: str, since: str | None = None) -> list[HabitLog]:
        query = keys.logs_of_habit(habit_id, since)
        return [each async for each in self.table.query_all(query)]


def _shift_day(day: str | None, by: timedelta) -> str | None:
    if day is None:
        return None
    try:
        return (date.fromisoformat(day) + by).isoformat()
    except OverflowError:
        return None
