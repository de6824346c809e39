"""Relations and computed fields of habits and their logs."""

from functools import partial

from app.core.record import computed
from app.core.scalars import AWSURL
from app.domains.tracking.rules.habit_records import shown_kind
from app.domains.tracking.rules.habits import HabitSummary
from app.domains.tracking.schema.arguments import (
    FirstCalendarDay,
    FirstLogDay,
    LastCalendarDay,
    LastLogDay,
    NewestLogsFirst,
)
from app.domains.tracking.types import (
    ChartKind,
    Habit,
    HabitDay,
    HabitLog,
    HabitToday,
    LogKind,
    StreakParts,
    StrengthParts,
)
from app.graph.context import Info
from app.graph.fields import fields_of
from app.graph.paging import Limit, NextToken, Page, page


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

    @computed(
        description="Why the streak is what it is: the days or periods that count, and those that "
        "were skipped, frozen, paused or allowed. null if the habit is shared with you."
    )
    async def streak_parts(self, info: Info) -> StreakParts | None:
        return await info.context.habit_calendars.streak_parts(self)

    @computed(description="Why the strength is what it is. null if the habit is shared with you.")
    async def strength_parts(self, info: Info) -> StrengthParts | None:
        return await info.context.habit_calendars.strength_parts(self)

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

    @computed(
        description="Each day from one to another, with its log and what it does to the streak. "
        "Empty if the habit is shared with you."
    )
    async def calendar(
        self, info: Info, since: FirstCalendarDay = None, until: LastCalendarDay = None
    ) -> list[HabitDay]:
        return await info.context.habit_calendars.calendar(self, since, until)

    @computed(
        description="The present day: whether it is due, done, and what is logged. null if the "
        "habit is shared with you."
    )
    async def today(self, info: Info) -> HabitToday | None:
        return await info.context.habit_calendars.today_of(self)


async def _summary(habit: Habit, info: Info) -> HabitSummary:
    services = info.context.services_of_owner(habit)
    if services is info.context:
        return await services.habit_logs.summary(habit)
    return await services.habit_logs.summary_for_others(habit)
