"""Metrics, habits and the logbook in the graph."""

from functools import partial
from typing import Annotated

import strawberry

from app.core.scalars import AWSDate
from app.core.text import normal_words
from app.domains.tracking.inputs import (
    CreateHabitInput,
    CreateMetricInput,
    DeleteHabitInput,
    DeleteHabitLogInput,
    DeleteLogbookEntryInput,
    DeleteMetricInput,
    DeleteMetricLogInput,
    LogHabitInput,
    LogMetricInput,
    SaveLogbookEntryInput,
    UpdateHabitInput,
    UpdateMetricInput,
    UpdateMetricLogInput,
)
from app.domains.tracking.types import (
    Habit,
    HabitLog,
    HabitStatus,
    LogbookEntry,
    Metric,
    MetricLog,
    MetricStatus,
)
from app.domains.tracking.types.metrics import NewestFirst, Since, Until
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page

Search = Annotated[
    str | None,
    strawberry.argument(
        description="Only entries whose title or notes have every one of these words, whatever "
        "the letter case."
    ),
]


@strawberry.type
class TrackingQuery:
    @query(description="One of your metrics; null if you have none with this id.")
    async def metric(self, info: Info, id: strawberry.ID) -> Metric | None:
        return await info.context.metrics.metric(id)

    @query(description="Your metrics, by id: the oldest first, unless you chose their ids.")
    async def metrics(
        self,
        info: Info,
        status: MetricStatus | None = None,
        area: str | None = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Metric]:
        fetch = partial(info.context.metrics.metrics, status, area and normal_words(area))
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="One of your habits; null if you have none with this id.")
    async def habit(self, info: Info, id: strawberry.ID) -> Habit | None:
        return await info.context.habits.habit(id)

    @query(
        description="Your habits, by id. With dueOn, the active ones that are due on that day, "
        "done already or not."
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
        fetch = partial(info.context.habits.habits, status, area and normal_words(area), due_on)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="Your entry of a day; null if there is none.")
    async def logbook_entry(self, info: Info, date: AWSDate) -> LogbookEntry | None:
        return await info.context.logbook.entry(date)

    @query(description="Your entries, day by day.")
    async def logbook(
        self,
        info: Info,
        since: Since = None,
        until: Until = None,
        search: Search = None,
        newest_first: NewestFirst = False,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[LogbookEntry]:
        fetch = partial(
            info.context.logbook.entries, since, until, search, newest_first=bool(newest_first)
        )
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class TrackingMutation:
    @mutation()
    async def create_metric(self, info: Info, input: CreateMetricInput) -> Metric:
        return await info.context.metrics.create(input)

    @mutation()
    async def update_metric(self, info: Info, input: UpdateMetricInput) -> Metric:
        return await info.context.metrics.update(input)

    @mutation(description="With its logs and milestones. Points that it won stay.")
    async def delete_metric(self, info: Info, input: DeleteMetricInput) -> Metric:
        return await info.context.metrics.delete(input)

    @mutation(description="Keeps a value. Milestones that it wins, and their points, come with it.")
    async def log_metric(self, info: Info, input: LogMetricInput) -> MetricLog:
        return await info.context.metric_logs.log(input)

    @mutation()
    async def update_metric_log(self, info: Info, input: UpdateMetricLogInput) -> MetricLog:
        return await info.context.metric_logs.update(input)

    @mutation(description="Milestones that it won stay.")
    async def delete_metric_log(self, info: Info, input: DeleteMetricLogInput) -> MetricLog:
        return await info.context.metric_logs.delete(input)

    @mutation()
    async def create_habit(self, info: Info, input: CreateHabitInput) -> Habit:
        return await info.context.habits.create(input)

    @mutation()
    async def update_habit(self, info: Info, input: UpdateHabitInput) -> Habit:
        return await info.context.habits.update(input)

    @mutation(description="With its logs.")
    async def delete_habit(self, info: Info, input: DeleteHabitInput) -> Habit:
        return await info.context.habits.delete(input)

    @mutation(description="Says what happened on a day. Saying it again changes it.")
    async def log_habit(self, info: Info, input: LogHabitInput) -> HabitLog:
        return await info.context.habit_logs.log(input)

    @mutation()
    async def delete_habit_log(self, info: Info, input: DeleteHabitLogInput) -> HabitLog:
        return await info.context.habit_logs.delete(input)

    @mutation(description="Begins the day's entry, or adds to it. See the input's description.")
    async def save_logbook_entry(self, info: Info, input: SaveLogbookEntryInput) -> LogbookEntry:
        return await info.context.logbook.save(input)

    @mutation()
    async def delete_logbook_entry(
        self, info: Info, input: DeleteLogbookEntryInput
    ) -> LogbookEntry:
        return await info.context.logbook.delete(input)
