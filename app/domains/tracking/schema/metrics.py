"""Relations and computed fields of metrics and their logs."""

from functools import partial

from app.core.record import computed
from app.core.scalars import AWSURL
from app.domains.tracking.rules.explanations import trend_parts
from app.domains.tracking.rules.metrics import streak_of, trend_of
from app.domains.tracking.rules.series import MOST_LOGS
from app.domains.tracking.schema.arguments import (
    FirstLogDay,
    FirstSeriesDay,
    IntervalArgument,
    LastLogDay,
    LastSeriesDay,
    NewestLogsFirst,
)
from app.domains.tracking.types import (
    ChartKind,
    InsightType,
    Metric,
    MetricAlert,
    MetricInsight,
    MetricLog,
    MetricMilestone,
    MetricPoint,
    SeriesInterval,
    Trend,
    TrendParts,
)
from app.graph.context import Info
from app.graph.fields import fields_of
from app.graph.paging import Limit, NextToken, Page, page


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

    @computed(description="Why the trend is what it is: the two weeks that are compared.")
    async def trend_parts(self, info: Info) -> TrendParts:
        return trend_parts(self, await info.context.metrics.today())

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

    @computed(
        description="Its values by day, week or month, as the chart uses them, oldest first: one "
        "point for each interval that has logs. LIMIT_EXCEEDED if the range has more than "
        f"{MOST_LOGS:,} logs."
    )
    async def series(
        self,
        info: Info,
        interval: IntervalArgument = SeriesInterval.DAY,
        since: FirstSeriesDay = None,
        until: LastSeriesDay = None,
    ) -> list[MetricPoint]:
        return await info.context.metrics.series(self, interval, since, until)

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
