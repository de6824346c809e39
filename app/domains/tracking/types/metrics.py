"""Metrics: what someone measures, its logs and what they won."""

import dataclasses
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import strawberry

from app.core.record import Node, computed
from app.core.scalars import AWSJSON, AWSURL, AWSDate, AWSDateTime
from app.domains.tracking.rules import metrics as rules
from app.domains.tracking.rules.metrics import (
    Aggregation,
    AlertKind,
    Direction,
    MetricState,
    MilestoneType,
    Trend,
)
from app.graph.paging import Limit, NextToken, Page, page

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info

Since = Annotated[
    AWSDate | None,
    strawberry.argument(name="from", description="The first day, in your time zone; null: all."),
]
Until = Annotated[
    AWSDate | None,
    strawberry.argument(name="to", description="The last day, which is included; null: all."),
]
NewestFirst = Annotated[
    bool | None, strawberry.argument(description="true: from the newest to the oldest.")
]


@strawberry.enum(description="Where the values come from.")
class MetricSource(Enum):
    Manual = "Manual"
    App = "App"
    Device = "Device"


@strawberry.enum(description="Archived metrics take no logs.")
class MetricStatus(Enum):
    Active = "Active"
    Paused = "Paused"
    Archived = "Archived"


@strawberry.enum
class InsightType(Enum):
    pattern = "pattern"
    anomaly = "anomaly"
    correlation = "correlation"
    prediction = "prediction"


@strawberry.type(description="One value of a metric.")
class MetricLog(Node):
    user_id: strawberry.Private[str]
    metric_id: strawberry.ID
    value: Decimal
    notes: str | None = None
    logged_at: AWSDateTime
    date: AWSDate = strawberry.field(
        description="The day it was logged for, in the time zone that you had then."
    )
    alert: AlertKind | None = strawberry.field(
        default=None, description="Set if it stepped over a threshold when it was logged."
    )

    @computed(description="The metric, as it stands now.")
    async def metric(self, info: Info) -> "Metric":
        return await info.context.metrics.known(self.metric_id)

    @property
    def as_logged(self) -> rules.Logged:
        return rules.Logged(at=self.logged_at, date=self.date, value=self.value)


@strawberry.type(description="Won once, and kept, even if the log that won it goes.")
class MetricMilestone(Node):
    user_id: strawberry.Private[str]
    metric_id: strawberry.ID
    type: MilestoneType
    value: Decimal = strawberry.field(
        description="The target, the days in a row, the per cent since the first log, "
        "or the number of different days."
    )
    achieved_at: AWSDateTime
    points_awarded: int


@strawberry.type(description="A value stepped over a threshold.")
class MetricAlert(Node):
    user_id: strawberry.Private[str]
    metric_id: strawberry.ID
    kind: AlertKind
    threshold: Decimal
    value: Decimal
    logged_at: AWSDateTime


@strawberry.type(description="Something found in the logs. Kept for a day, or until the next log.")
class MetricInsight(Node):
    user_id: strawberry.Private[str]
    metric_id: strawberry.ID
    type: InsightType
    summary: str = strawberry.field(description="One sentence in English.")
    confidence: Decimal = strawberry.field(description="0 to 1.")
    content: strawberry.Private[dict[str, Any]]
    cached_at: AWSDateTime
    expires_at: AWSDateTime
    basis: strawberry.Private[str]
    ttl: strawberry.Private[int]

    @computed(
        name="content", description="The numbers, as a JSON object; its fields depend on the type."
    )
    def shown_content(self) -> AWSJSON:
        text = orjson.dumps(self.content, default=float, option=orjson.OPT_SORT_KEYS)
        return AWSJSON(text.decode())


@strawberry.type(description="Something measured again and again.")
class Metric(Node):
    user_id: strawberry.Private[str]
    name: str
    description: str | None = None
    area: str | None = strawberry.field(default=None, description="Life area, e.g. Health.")
    sub_category: str | None = None
    unit: str = strawberry.field(
        default="count", description="count, hours, dollars, kg, percent or another short word."
    )
    custom_unit: str | None = strawberry.field(
        default=None, description="How the unit is written, if that is another word."
    )
    direction: Direction = Direction.Higher
    target_value: Decimal | None = None
    target_band: Decimal | None = strawberry.field(
        default=None,
        description="For the direction Target: how far from the target progress is 0. "
        "null: as far as the target is from zero (1 for a target of 0).",
    )
    threshold_low: Decimal | None = None
    threshold_high: Decimal | None = None
    aggregation: Aggregation = Aggregation.last
    source: MetricSource = MetricSource.Manual
    status: MetricStatus = MetricStatus.Active
    goal_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="The goals it is linked to."
    )
    cached_streak: strawberry.Private[int] = 0
    cached_trend: strawberry.Private[Trend | None] = None
    state: strawberry.Private[MetricState | None] = None
    won: strawberry.Private[list[str]] = dataclasses.field(default_factory=list)
    logs_version: strawberry.Private[int] = 0

    def streak_on(self, today: date) -> int:
        return rules.streak(self.state, today)

    def trend_on(self, today: date) -> Trend | None:
        return rules.trend(
            self.state,
            today,
            direction=self.direction,
            target=self.target_value,
            aggregation=self.aggregation,
        )

    @computed(description="The value of the last day that has one; null: none yet.")
    def latest_value(self) -> Decimal | None:
        return self.state.last_day.value(self.aggregation) if self.state else None

    @computed(description="Days in a row with a log; today counts once it has one.")
    async def streak(self, info: Info) -> int:
        return self.streak_on(await info.context.metrics.today())

    @computed(
        description="The last 7 days against the 7 before: Stable if the means differ by less "
        "than 2 % or half a standard error; null with fewer than 3 logs on a side."
    )
    async def trend(self, info: Info) -> Trend | None:
        return self.trend_on(await info.context.metrics.today())

    @computed(name="cachedStreak", description="The same as streak.")
    async def shown_streak(self, info: Info) -> int:
        return self.streak_on(await info.context.metrics.today())

    @computed(name="cachedTrend", description="The same as trend.")
    async def shown_trend(self, info: Info) -> Trend | None:
        return self.trend_on(await info.context.metrics.today())

    @computed(description="A picture of it (SVG), for whoever has this address, for a day.")
    def chart_url(self, info: Info) -> AWSURL:
        return info.context.charts.metric_address(self.id)

    @computed(description="Its values in the order of time.")
    async def logs(
        self,
        info: Info,
        since: Since = None,
        until: Until = None,
        newest_first: NewestFirst = False,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[MetricLog]:
        fetch = partial(
            info.context.metrics.logs, self, since, until, newest_first=bool(newest_first)
        )
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="What it has won so far.")
    async def milestones(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[MetricMilestone]:
        fetch = partial(info.context.metrics.milestones, self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="When its values stepped over a threshold, newest first.")
    async def alerts(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[MetricAlert]:
        fetch = partial(info.context.metrics.alerts, self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(
        description="What is in its logs of the last 180 days: patterns, anomalies, correlations "
        "with your other metrics, a prediction. Looked for when you ask, kept for a day or until "
        "the logs change."
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


@dataclasses.dataclass(frozen=True, slots=True)
class MetricProgress:
    """How far a metric is on the way to its target: 0 to 1, and 1 only if it is reached."""

    value: float
    reached: bool
