"""The days of a habit, and its present day."""

from app.core.clock import to_day
from app.domains.service import uses
from app.domains.tracking import keys
from app.domains.tracking.rules import explanations, habit_records, series
from app.domains.tracking.service.base import TrackingService
from app.domains.tracking.service.habit_logs import HabitLogs
from app.domains.tracking.service.habits import Habits
from app.domains.tracking.types import (
    Habit,
    HabitDay,
    HabitToday,
    SeriesInterval,
    StreakParts,
    StrengthParts,
)

USUAL = series.USUAL_DAYS[SeriesInterval.DAY]
LONGEST = series.LONGEST_DAYS[SeriesInterval.DAY]


class HabitCalendars(TrackingService):
    """Only for the owner: logs contain notes."""

    habits = uses(Habits)
    habit_logs = uses(HabitLogs)

    async def calendar(self, habit: Habit, since: str | None, until: str | None) -> list[HabitDay]:
        today = await self.today()
        first, last = series.day_range(since, until, today, usual=USUAL, longest=LONGEST)
        if habit.user_id != self.caller.user_id:
            return []
        habit = await self.habit_logs.apply_freezes(habit)
        query = keys.logs_of_habit(habit.id, to_day(first - series.BEFORE), to_day(last))
        found = [log async for log in self.table.query_all(query)]
        return series.calendar_days(habit, found, first, last, today)

    async def streak_parts(self, habit: Habit) -> StreakParts | None:
        if habit.user_id != self.caller.user_id:
            return None
        habit = await self.habit_logs.apply_freezes(habit)
        logs = await self.habits.log_kinds(habit)
        return explanations.streak_parts(habit, logs, await self.today())

    async def strength_parts(self, habit: Habit) -> StrengthParts | None:
        if habit.user_id != self.caller.user_id:
            return None
        habit = await self.habit_logs.apply_freezes(habit)
        logs = await self.habits.log_kinds(habit)
        return explanations.strength_parts(habit, logs, await self.today())

    async def today_of(self, habit: Habit) -> HabitToday | None:
        if habit.user_id != self.caller.user_id:
            return None
        today = await self.today()
        log = await self.table.load(keys.log_of_habit(habit.id, to_day(today)))
        return HabitToday(
            date=to_day(today),
            due=habit_records.is_due_on(habit, today),
            done=series.is_success(habit, log),
            log=log,
        )
