"""Queries and mutations of metrics, habits and the logbook."""

from functools import partial

import strawberry

from app.core.scalars import AWSDate
from app.core.text import normalize_text
from app.domains.tracking.inputs import (
    CreateHabitInput,
    CreateMetricInput,
    DeleteHabitInput,
    DeleteHabitLogInput,
    DeleteLogbookEntryInput,
    DeleteMetricInput,
    DeleteMetricLogInput,
    LogHabitInput,
    LogHabitsInput,
    LogMetricInput,
    LogMetricsInput,
    SaveLogbookEntryInput,
    UpdateHabitInput,
    UpdateMetricInput,
    UpdateMetricLogInput,
)
from app.domains.tracking.schema import habits as habits
from app.domains.tracking.schema import metrics as metrics
from app.domains.tracking.schema.arguments import (
    FirstLogDay,
    LastLogDay,
    LogbookSearch,
    NewestLogsFirst,
)
from app.domains.tracking.types import (
    Habit,
    HabitLog,
    HabitLogResult,
    HabitStatus,
    LogbookEntry,
    Metric,
    MetricLog,
    MetricLogResult,
    MetricStatus,
)
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page


@strawberry.type
class TrackingQuery:
    @query(description="One of your metrics; null if you have none with this id.")
    async def metric(self, info: Info, id: strawberry.ID) -> Metric | None:
        return await info.context.metrics.find(id)

    @query(description="Your metrics, ordered by id: oldest first, unless you chose the ids.")
    async def metrics(
        self,
        info: Info,
        status: MetricStatus | None = None,
        area: str | None = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Metric]:
        fetch = partial(info.context.metrics.metrics, status, area and normalize_text(area))
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="One of your habits; null if you have none with this id.")
    async def habit(self, info: Info, id: strawberry.ID) -> Habit | None:
        return await info.context.habits.find(id)

    @query(
        description="Your habits, ordered by id. With dueOn: the active habits due on that "
        "day, done or not."
    )
    async def habits(
        self,
        info: Info,
        due_on: AWSDate | None = None,
        status: HabitStatus | None = None,
        area: str | None = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Habit]:
        fetch = partial(info.context.habits.habits, status, area and normalize_text(area), due_on)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="Your entry of a day; null if there is none.")
    async def logbook_entry(self, info: Info, date: AWSDate) -> LogbookEntry | None:
        return await info.context.logbook.entry(date)

    @query(description="Your entries in the order of days.")
    async def logbook(
        self,
        info: Info,
        since: FirstLogDay = None,
        until: LastLogDay = None,
        search: LogbookSearch = None,
        newest_first: NewestLogsFirst = False,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[LogbookEntry]:
        fetch = partial(
            info.context.logbook.entries, since, until, search, newest_first=bool(newest_first)
        )
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class TrackingMutation:
    @mutation(description="Creates a metric.")
    async def create_metric(self, info: Info, input: CreateMetricInput) -> Metric:
        return await info.context.metrics.create(input)

    @mutation(description="Changes the fields that are sent; null clears one.")
    async def update_metric(self, info: Info, input: UpdateMetricInput) -> Metric:
        return await info.context.metrics.update(input)

    @mutation(
        description="Deletes the metric with its logs and milestones. Points that it won stay."
    )
    async def delete_metric(self, info: Info, input: DeleteMetricInput) -> Metric:
        return await info.context.metrics.delete(input)

    @mutation(
        description="Adds a value. Milestones that it reaches pay their points at once; with a day "
        "aggregation, those that need the whole day pay when the day is over. See Aggregation."
    )
    async def log_metric(self, info: Info, input: LogMetricInput) -> MetricLog:
        return await info.context.metric_logs.log(input)

    @mutation(
        description="Logs several values, each as logMetric does and with a result of its own, in "
        "the same order: one that fails stops no other."
    )
    async def log_metrics(self, info: Info, input: LogMetricsInput) -> list[MetricLogResult]:
        return await info.context.metric_logs.log_many(input)

    @mutation(description="Changes a log; everything that follows from it is computed again.")
    async def update_metric_log(self, info: Info, input: UpdateMetricLogInput) -> MetricLog:
        return await info.context.metric_logs.update(input)

    @mutation(description="Deletes the log. Milestones that it won stay.")
    async def delete_metric_log(self, info: Info, input: DeleteMetricLogInput) -> MetricLog:
        return await info.context.metric_logs.delete(input)

    @mutation(description="Creates a habit.")
    async def create_habit(self, info: Info, input: CreateHabitInput) -> Habit:
        return await info.context.habits.create(input)

    @mutation(description="Changes the fields that are sent; null clears one.")
    async def update_habit(self, info: Info, input: UpdateHabitInput) -> Habit:
        return await info.context.habits.update(input)

    @mutation(description="Deletes the habit with its logs.")
    async def delete_habit(self, info: Info, input: DeleteHabitInput) -> Habit:
        return await info.context.habits.delete(input)

    @mutation(description="Logs one day. A second log of the day replaces the first.")
    async def log_habit(self, info: Info, input: LogHabitInput) -> HabitLog:
        return await info.context.habit_logs.log(input)

    @mutation(
        description="Logs several days or habits, each as logHabit does and with a result of its "
        "own, in the same order: one that fails stops no other."
    )
    async def log_habits(self, info: Info, input: LogHabitsInput) -> list[HabitLogResult]:
        return await info.context.habit_logs.log_many(input)

    @mutation(description="Deletes the log of a day.")
    async def delete_habit_log(self, info: Info, input: DeleteHabitLogInput) -> HabitLog:
        return await info.context.habit_logs.delete(input)

    @mutation(
        description="Creates the entry of a day, or adds to it. See the description of the input."
    )
    async def save_logbook_entry(self, info: Info, input: SaveLogbookEntryInput) -> LogbookEntry:
        return await info.context.logbook.save(input)

    @mutation(description="Deletes the entry of a day.")
    async def delete_logbook_entry(
        self, info: Info, input: DeleteLogbookEntryInput
    ) -> LogbookEntry:
        return await info.context.logbook.delete(input)
