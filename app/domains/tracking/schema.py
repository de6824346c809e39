"""The GraphQL fields of metrics, habits and the logbook."""

from functools import partial
from typing import Annotated

import strawberry

from app.core.record import computed
from app.core.scalars import AWSURL, AWSDate
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
    LogMetricInput,
    SaveLogbookEntryInput,
    UpdateHabitInput,
    UpdateMetricInput,
    UpdateMetricLogInput,
)
from app.domains.tracking.rules.habit_records import shown_kind
from app.domains.tracking.rules.habits import HabitSummary
from app.domains.tracking.rules.metrics import streak_of, trend_of
from app.domains.tracking.types import (
    ChartKind,
    Habit,
    HabitLog,
    HabitStatus,
    InsightType,
    LogbookEntry,
    LogKind,
    Metric,
    MetricAlert,
    MetricInsight,
    MetricLog,
    MetricMilestone,
    MetricStatus,
    Trend,
)
from app.graph.context import Info
from app.graph.fields import fields_of, mutation, query
from app.graph.paging import Limit, NextToken, Page, page

FirstLogDay = Annotated[
    AWSDate | None,
    strawberry.argument(name="from", description="The first day, in your time zone; null: all."),
]
LastLogDay = Annotated[
    AWSDate | None,
    strawberry.argument(name="to", description="The last day, which is included; null: all."),
]
NewestLogsFirst = Annotated[
    bool | None, strawberry.argument(description="true: newest first; false: oldest first.")
]
LogbookSearch = Annotated[
    str | None,
    strawberry.argument(
        description="Only entries whose title or notes contain every one of these words; the "
        "letter case does not matter. At most 100 characters."
    ),
]


@fields_of(HabitLog)
class HabitLogFields(HabitLog):
    @computed(name="kind", description="What happened on that day.")
    async def shown_kind(self, info: Info) -> LogKind:
        if self.kind is not LogKind.DONE:
            return self.kind
        return shown_kind(await info.context.habits.find(self.habit_id), self.kind)

    @computed(description="The current habit.")
    async def habit(self, info: Info) -> Habit:
        return await info.context.habits.require(self.habit_id)


@fields_of(Habit)
class HabitFields(Habit):
    @computed(
        description="Consecutive days, weeks, months or intervals. Today counts once it is logged; "
        "a due day logged as MISSED ends it at once. For Reduce and Quit they are clean days; a "
        "slip ends it, for Reduce only beyond targetPerPeriod."
    )
    async def streak(self, info: Info) -> int:
        return (await _summary(self, info)).streak

    @computed(description="The longest streak of all time.")
    async def longest_streak(self, info: Info) -> int:
        return (await _summary(self, info)).longest

    @computed(
        description="0 to 1. Grows with every success; one miss after many successes reduces it "
        "little."
    )
    async def strength(self, info: Info) -> float:
        return (await _summary(self, info)).strength

    @computed(name="cachedStreak", description="The same as streak.")
    async def shown_streak(self, info: Info) -> int:
        return (await _summary(self, info)).streak

    @computed(name="cachedLongestStreak", description="The same as longestStreak.")
    async def shown_longest_streak(self, info: Info) -> int:
        return (await _summary(self, info)).longest

    @computed(
        description="A chart as SVG. Everyone who has this URL can read it for a day. null if the "
        "habit is shared with you."
    )
    def chart_url(self, info: Info) -> AWSURL | None:
        if self.user_id != info.context.caller.id:
            return None
        return info.context.charts.url(ChartKind.habit, self.id)

    @computed(description="Its logs in the order of days.")
    async def logs(
        self,
        info: Info,
        since: FirstLogDay = None,
        until: LastLogDay = None,
        newest_first: NewestLogsFirst = False,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[HabitLog]:
        fetch = partial(
            info.context.habits.logs, self, since, until, newest_first=bool(newest_first)
        )
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


async def _summary(habit: Habit, info: Info) -> HabitSummary:
    services = info.context.services_of_owner(habit)
    if services is info.context:
        return await services.habit_logs.summary(habit)
    return await services.habit_logs.summary_for_others(habit)


@fields_of(MetricLog)
class MetricLogFields(MetricLog):
    @computed(description="The current metric.")
    async def metric(self, info: Info) -> Metric:
        return await info.context.metrics.require(self.metric_id)


@fields_of(Metric)
class MetricFields(Metric):
    @computed(description="Consecutive days with a log. Today counts once it has a log.")
    async def streak(self, info: Info) -> int:
        return streak_of(self, await info.context.metrics.today())

    @computed(
        description="Compares the last 7 days with the 7 days before. Stable: the means differ by "
        "less than 2 % or half a standard error. null: fewer than 3 logs in one of the weeks."
    )
    async def trend(self, info: Info) -> Trend | None:
        return trend_of(self, await info.context.metrics.today())

    @computed(name="cachedStreak", description="The same as streak.")
    async def shown_streak(self, info: Info) -> int:
        return streak_of(self, await info.context.metrics.today())

    @computed(name="cachedTrend", description="The same as trend.")
    async def shown_trend(self, info: Info) -> Trend | None:
        return trend_of(self, await info.context.metrics.today())

    @computed(description="A chart as SVG. Everyone who has this URL can read it for a day.")
    def chart_url(self, info: Info) -> AWSURL:
        return info.context.charts.url(ChartKind.metric, self.id)

    @computed(description="Its logs in the order of time.")
    async def logs(
        self,
        info: Info,
        since: FirstLogDay = None,
        until: LastLogDay = None,
        newest_first: NewestLogsFirst = False,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[MetricLog]:
        fetch = partial(
            info.context.metrics.logs, self, since, until, newest_first=bool(newest_first)
        )
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="Its milestones.")
    async def milestones(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[MetricMilestone]:
        fetch = partial(info.context.metrics.milestones, self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="Its alerts, newest first.")
    async def alerts(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[MetricAlert]:
        fetch = partial(info.context.metrics.alerts, self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(
        description="Found in the logs of the last 180 days: patterns, anomalies, correlations "
        "with your other metrics, a prediction. Computed on request, kept for one day or until the "
        "logs change."
    )
    async def insights(
        self,
        info: Info,
        type: InsightType | None = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[MetricInsight]:
        fetch = partial(info.context.insights.insights, self, type)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


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
