"""When a habit is due."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from app.domains.tracking.rules.periods import days_between, period_of
from app.domains.tracking.types import Frequency, Habit, HabitType, LogKind, Weekday

MONTH_DAYS = 30
WEEKDAYS = list(Weekday)

Logs = Mapping[date, LogKind]


@dataclass(frozen=True)
class Schedule:
    """When a habit is due. A pause is its first and its last day; None: it has not ended."""

    habit_type: HabitType
    frequency: Frequency
    start: date
    weekdays: frozenset[int] = frozenset()
    target: int = 1
    interval_days: int | None = None
    pauses: tuple[tuple[date, date | None], ...] = ()

    @cached_property
    def counts_clean_days(self) -> bool:
        return self.habit_type in (HabitType.Reduce, HabitType.Quit)

    @cached_property
    def has_periods(self) -> bool:
        custom = self.frequency is Frequency.Custom and self.interval_days is not None
        return custom or self.frequency in (Frequency.Weekly, Frequency.Monthly)

    @cached_property
    def counts_periods(self) -> bool:
        return self.has_periods and not self.counts_clean_days

    @cached_property
    def most_slips(self) -> int:
        """In a period, without breaking the streak."""
        reduces = self.habit_type is HabitType.Reduce and self.has_periods
        return self.target if reduces else 0

    @cached_property
    def period_days(self) -> int:
        if self.frequency is Frequency.Monthly:
            return MONTH_DAYS
        return self.interval_days or 7

    @cached_property
    def times_a_day(self) -> float:
        """How often it is due, on average."""
        if self.counts_periods:
            return self.target / self.period_days
        return len(self.weekdays) / 7 if self.weekdays else 1.0

    def is_paused(self, day: date) -> bool:
        return any(since <= day and (until is None or day <= until) for since, until in self.pauses)

    def is_scheduled_on(self, day: date) -> bool:
        return not self.weekdays or day.weekday() in self.weekdays

    def period(self, day: date) -> tuple[date, date]:
        """The first and the last day of the week, month or interval that contains the day."""
        unit = self.frequency.value
        return period_of(unit, day, start=self.start, interval_days=self.interval_days)

    def target_in_period(self, day: date) -> int:
        """How often it is due in the period of the day. A short month may have fewer days than the
        target."""
        first, last = self.period(day)
        return min(self.target, (last - first).days + 1)


def schedule_of(habit: Habit) -> Schedule:
    return Schedule(
        habit_type=habit.habit_type,
        frequency=habit.frequency,
        start=date.fromisoformat(habit.start_date),
        weekdays=frozenset(WEEKDAYS.index(each) for each in habit.weekdays),
        target=habit.target_per_period,
        interval_days=habit.interval_days,
        pauses=tuple(each.days for each in habit.pauses),
    )


def times_done(logs: Logs, first: date, last: date) -> int:
    return sum(logs.get(day) is LogKind.DONE for day in days_between(first, last))
