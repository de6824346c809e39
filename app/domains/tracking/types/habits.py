"""Habits: what someone does (or gives up) again and again."""

import dataclasses
from datetime import date
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

import strawberry

from app.core.record import Node, Record, computed
from app.core.scalars import AWSURL, AWSDate
from app.domains.tracking.rules.habits import (
    WEEKDAYS,
    Frequency,
    HabitState,
    HabitType,
    LogKind,
    Schedule,
    Standing,
    Weekday,
)
from app.domains.tracking.types.metrics import NewestFirst, Since, Until
from app.graph.paging import Limit, NextToken, Page, page

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info


@strawberry.enum(description="Paused days neither add to a streak nor break it.")
class HabitStatus(Enum):
    Active = "Active"
    Paused = "Paused"
    Archived = "Archived"


@strawberry.type(description="What happened on one day. There is one log a day.")
class HabitLog(Record):
    user_id: strawberry.Private[str]
    habit_id: strawberry.ID
    date: AWSDate
    kind: LogKind
    completed: bool = strawberry.field(description="Whether it was done: the kind is DONE.")
    notes: str | None = None

    @computed(description="Of the habit and the day.")
    def id(self) -> strawberry.ID:
        return strawberry.ID(f"{self.habit_id}:{self.date}")

    @computed(description="The habit, as it stands now.")
    async def habit(self, info: Info) -> "Habit":
        return await info.context.habits.known(self.habit_id)


@strawberry.type(description="Days on which it rested.")
class Pause:
    since: AWSDate = strawberry.field(description="The first day.")
    until: AWSDate | None = strawberry.field(
        default=None, description="The last day; null: until now."
    )

    @property
    def days(self) -> tuple[date, date | None]:
        until = date.fromisoformat(self.until) if self.until else None
        return date.fromisoformat(self.since), until


@strawberry.type(description="Something done (or given up) again and again.")
class Habit(Node):
    user_id: strawberry.Private[str]
    name: str
    description: str | None = None
    area: str | None = strawberry.field(default=None, description="Life area, e.g. Health.")
    sub_category: str | None = None
    habit_type: HabitType = HabitType.Build
    frequency: Frequency = strawberry.field(
        default=Frequency.Daily,
        description="Daily: every day, or on the weekdays. Weekly, Monthly: targetPerPeriod "
        "times a week (from Monday) or month. Custom: on the weekdays, or targetPerPeriod times "
        "in every intervalDays days.",
    )
    weekdays: list[Weekday] = strawberry.field(
        default_factory=list, description="On which days it is due; none given: on all."
    )
    target_per_period: int = strawberry.field(
        default=1, description="How often it is due in a week, a month or intervalDays."
    )
    interval_days: int | None = strawberry.field(default=None, description="2 to 31, for Custom.")
    start_date: AWSDate
    trigger: str | None = None
    action: str | None = None
    reward: str | None = None
    friction_up: str | None = strawberry.field(
        default=None, description="What makes a bad habit harder."
    )
    friction_down: str | None = strawberry.field(
        default=None, description="What makes a good habit easier."
    )
    status: HabitStatus = HabitStatus.Active
    pauses: list[Pause] = strawberry.field(default_factory=list)
    goal_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="The goals it is linked to."
    )
    cached_streak: strawberry.Private[int] = 0
    cached_longest_streak: strawberry.Private[int] = 0
    state: strawberry.Private[HabitState | None] = None

    @property
    def schedule(self) -> Schedule:
        return Schedule(
            habit_type=self.habit_type,
            frequency=self.frequency,
            start=date.fromisoformat(self.start_date),
            weekdays=frozenset(WEEKDAYS.index(each) for each in self.weekdays),
            target=self.target_per_period,
            interval_days=self.interval_days,
            pauses=tuple(each.days for each in self.pauses),
        )

    @computed(description="Days, weeks, months or stretches in a row; today can only add to it.")
    async def streak(self, info: Info) -> int:
        return (await _standing(self, info)).streak

    @computed(description="The longest streak of all time.")
    async def longest_streak(self, info: Info) -> int:
        return (await _standing(self, info)).longest

    @computed(
        description="0 to 1: how firm the habit is. It grows with every success, and one failure "
        "after many costs little."
    )
    async def strength(self, info: Info) -> float:
        return (await _standing(self, info)).strength

    @computed(name="cachedStreak", description="The same as streak.")
    async def shown_streak(self, info: Info) -> int:
        return (await _standing(self, info)).streak

    @computed(name="cachedLongestStreak", description="The same as longestStreak.")
    async def shown_longest_streak(self, info: Info) -> int:
        return (await _standing(self, info)).longest

    @computed(
        description="A picture of it (SVG), for whoever has this address, for a day. Null for whom "
        "it is shared with: the address would outlive the sharing."
    )
    def chart_url(self, info: Info) -> AWSURL | None:
        if self.user_id != info.context.caller.id:
            return None
        return info.context.charts.habit_address(self.id)

    @computed(description="What happened, day by day.")
    async def logs(
        self,
        info: Info,
        since: Since = None,
        until: Until = None,
        newest_first: NewestFirst = False,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[HabitLog]:
        fetch = partial(
            info.context.habits.logs, self, since, until, newest_first=bool(newest_first)
        )
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


async def _standing(habit: Habit, info: Info) -> Standing:
    services = info.context.as_owner_of(habit)
    if services is info.context:
        return await services.habit_logs.standing(habit)
    return await services.habit_logs.foreseen(habit)


@dataclasses.dataclass(frozen=True, slots=True)
class HabitCompletion:
    """How often a habit was done in the last 30 days, and how often it should have been.
    Skipped, frozen and paused days do not count; today counts once it is done."""

    done: int
    expected: int
