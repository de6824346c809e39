"""Decisions about one habit record: its stored state, its pauses, what it may contain."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta

from app.core.clock import to_day
from app.core.errors import BadInput
from app.domains.tracking.rules import habits
from app.domains.tracking.rules.habits import HabitSummary
from app.domains.tracking.rules.periods import ONE_DAY
from app.domains.tracking.rules.schedules import Logs, schedule_of
from app.domains.tracking.types import (
    Frequency,
    Habit,
    HabitCompletion,
    HabitState,
    HabitStatus,
    LogKind,
    Pause,
)

LONGEST_AGO = timedelta(days=3660)
# A log of a day, or None to remove it.
DayChanges = Mapping[date, LogKind | None]


def stored_state(habit: Habit) -> HabitState:
    """Of a habit without logs: the day before it began."""
    if habit.state is not None:
        return habit.state
    before = date.fromisoformat(habit.start_date) - ONE_DAY
    return HabitState(through=before.isoformat(), honours_limit=True)


def with_state(habit: Habit, state: HabitState, today: date) -> Habit:
    shown = habits.summary(schedule_of(habit), state, today)
    return replace(
        habit, state=state, cached_streak=shown.streak, cached_longest_streak=shown.longest
    )


def with_state_from_logs(habit: Habit, logs: Logs, today: date) -> Habit:
    state = habits.state_from_logs(schedule_of(habit), logs, today)
    return with_state(habit, state, today)


def summary_of(habit: Habit, today: date) -> HabitSummary:
    return habits.summary(schedule_of(habit), stored_state(habit), today)


def completion_of(habit: Habit, today: date) -> HabitCompletion:
    return habits.completion(schedule_of(habit), stored_state(habit), today)


def missed_days(habit: Habit, today: date, held: int) -> list[date]:
    """The days that need a freeze, if `held` freezes save the streak."""
    return habits.days_to_freeze(schedule_of(habit), stored_state(habit), today, held)


def is_due_on(habit: Habit, day: date) -> bool:
    active = habit.status is HabitStatus.Active
    return active and habits.is_due(schedule_of(habit), stored_state(habit).logs, day)


def is_in_recent_days(habit: Habit, changes: DayChanges) -> bool:
    """Whether the changes are after the last day of the stored state: then the state follows
    without reading all logs."""
    return min(changes) > date.fromisoformat(stored_state(habit).through)


def state_after_recent(habit: Habit, changes: DayChanges, today: date) -> HabitState:
    state = stored_state(habit)
    logs = logs_after(state.logs, changes)
    recent = {day.isoformat(): kind.value for day, kind in logs.items()}
    updated = habits.with_days_until(schedule_of(habit), replace(state, recent=recent), today)
    return habits.without_old_logs(updated)


def logs_after(logs: Logs, changes: DayChanges) -> dict[date, LogKind]:
    return {day: kind for day, kind in {**logs, **changes}.items() if kind is not None}


def pauses_after(old: Habit, status: HabitStatus, today: date) -> list[Pause]:
    """A pause lasts from the day on which the habit stops being Active until the day before it is
    Active again."""
    was_paused = old.status is not HabitStatus.Active
    is_paused = status is not HabitStatus.Active
    if was_paused == is_paused:
        return old.pauses
    if is_paused:
        return [*old.pauses, Pause(since=to_day(today))]
    *earlier, last = old.pauses
    until = to_day(today - ONE_DAY)
    return [*earlier, Pause(since=last.since, until=until)] if last.since <= until else earlier


def initial_pauses(status: HabitStatus, today: date) -> list[Pause]:
    return [] if status is HabitStatus.Active else [Pause(since=to_day(today))]


def check_habit(habit: Habit, today: date) -> None:
    start = date.fromisoformat(habit.start_date)
    if not today - LONGEST_AGO <= start <= today:
        raise BadInput(
            "startDate must be in the last ten years, up to today.", field="input.startDate"
        )
    if habit.frequency is Frequency.Custom and not (habit.weekdays or habit.interval_days):
        raise BadInput("Custom needs weekdays or intervalDays.", field="input.frequency")
    if habit.frequency is Frequency.Weekly and habit.target_per_period > 7:
        raise BadInput(
            "A week has 7 days: targetPerPeriod must be 1 to 7.", field="input.targetPerPeriod"
        )
    if habit.interval_days is not None and habit.target_per_period > habit.interval_days:
        raise BadInput(
            "targetPerPeriod is larger than intervalDays.", field="input.targetPerPeriod"
        )


def log_day(text: str | None, today: date) -> date:
    """The day of a log; None: today."""
    day = date.fromisoformat(text) if text else today
    if not today - LONGEST_AGO <= day <= today:
        raise BadInput(
            f"date must be in the last ten years, and not after your today, {today}.",
            field="input.date",
        )
    return day


def log_kind(habit: Habit, kind: LogKind | None, completed: bool | None) -> LogKind:
    """The kind to store. A client sends the kind, or `completed` instead of it."""
    implied = None if completed is None else (LogKind.DONE if completed else LogKind.MISSED)
    if kind and implied and kind is not implied:
        raise BadInput("kind and completed contradict each other.", field="input.completed")
    return stored_kind(habit, kind or implied or LogKind.DONE, field="input.kind")


def stored_kind(habit: Habit, kind: LogKind, *, field: str) -> LogKind:
    """A checked box must not mean a success for one habit and a slip for another: each has a word
    of its own."""
    if kind is LogKind.DONE and is_to_avoid(habit):
        raise BadInput(
            f"“{habit.name}” is to be avoided: log SLIP if it happened, or MISSED for a clean day.",
            field=field,
        )
    if kind is LogKind.SLIP and not is_to_avoid(habit):
        raise BadInput(
            f"SLIP is for habits to reduce or quit. “{habit.name}” is DONE or MISSED.", field=field
        )
    return LogKind.DONE if kind is LogKind.SLIP else kind


def is_to_avoid(habit: Habit) -> bool:
    return schedule_of(habit).counts_clean_days


def shown_kind(habit: Habit | None, kind: LogKind) -> LogKind:
    is_slip = habit is not None and kind is LogKind.DONE and is_to_avoid(habit)
    return LogKind.SLIP if is_slip else kind


def needs_limit(habit: Habit) -> bool:
    """Whether release 0.1 worked out its state without the limit of slips."""
    known = habit.state is None or habit.state.honours_limit
    return not known and schedule_of(habit).most_slips > 0
