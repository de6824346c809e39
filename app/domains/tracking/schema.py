"""Metrics, habits and the logbook in the graph."""

from functools import partial

import strawberry

from app.core.scalars import AWSDate
from app.domains.tracking.inputs import (
    CreateHabitInput,
    CreateMetricInput,
    DeleteHabitInput,
    DeleteMetricInput,
    UpdateHabitInput,
    UpdateMetricInput,
)
from app.domains.tracking.types import Habit, HabitStatus, Metric, MetricStatus
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page


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
        fetch = partial(info.context.metrics.metrics, status, area)
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
        fetch = partial(info.context.habits.habits, status, area, due_on)
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

    @mutation()
    async def create_habit(self, info: Info, input: CreateHabitInput) -> Habit:
        return await info.context.habits.create(input)

    @mutation()
    async def update_habit(self, info: Info, input: UpdateHabitInput) -> Habit:
        return await info.context.habits.update(input)

    @mutation(description="With its logs.")
    async def delete_habit(self, info: Info, input: DeleteHabitInput) -> Habit:
        return await info.context.habits.delete(input)
