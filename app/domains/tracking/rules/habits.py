"""Habits: when they are due, and what their logs come to. The state is a fold over the days that
are over; today is added only to what is shown, because it can still change."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from functools import cached_property

import strawberry

from app.domains.tracking.rules.periods import ONE_DAY, days_between, period_of

KEPT_DAYS = 40
COMPLETION_DAYS = 30
HALF_LIFE = 13
PLACES = Decimal("1e-15")
MONTH_DAYS = 30


@strawberry.enum(description="Reduce and Quit succeed by absence: their streak counts clean days.")
class HabitType(Enum):
    Build = "Build"
    Maintain = "Maintain"
    Reduce = "Reduce"
    Quit = "Quit"


@strawberry.enum
class Frequency(Enum):
    Daily = "Daily"
    Weekly = "Weekly"
    Monthly = "Monthly"
    Custom = "Custom"


@strawberry.enum
class Weekday(Enum):
    Mon = "Mon"
    Tue = "Tue"
    Wed = "Wed"
    Thu = "Thu"
    Fri = "Fri"
    Sat = "Sat"
    Sun = "Sun"


WEEKDAYS = list(Weekday)


@strawberry.enum(
    description="DONE: it was done (for Reduce and Quit: a slip). MISSED: it was not. SKIP and "
    "FREEZE neither add to a streak nor break it; FREEZE uses up a freeze that was bought."
)
class LogKind(Enum):
    DONE = "DONE"
    MISSED = "MISSED"
    SKIP = "SKIP"
    FREEZE = "FREEZE"


Logs = Mapping[date, LogKind]
NEUTRAL = (LogKind.SKIP, LogKind.FREEZE)


@dataclass(frozen=True)
class Schedule:
    """When a habit is due. `pauses` are first and last day; one that lasts has no last."""

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
    def counts_periods(self) -> bool:
        if self.counts_clean_days:
            return False
        custom = self.frequency is Frequency.Custom and self.interval_days is not None
        return custom or self.frequency in (Frequency.Weekly, Frequency.Monthly)

    @cached_property
    def period_days(self) -> int:
        if self.frequency is Frequency.Monthly:
            return MONTH_DAYS
        return self.interval_days or 7

    @cached_property
    def per_day(self) -> float:
        """How often it is due, in times a day."""
        if self.counts_periods:
            return self.target / self.period_days
        return len(self.weekdays) / 7 if self.weekdays else 1.0

    def is_paused(self, day: date) -> bool:
        return any(since <= day and (until is None or day <= until) for since, until in self.pauses)

    def falls_on(self, day: date) -> bool:
        return not self.weekdays or day.weekday() in self.weekdays

    def period(self, day: date) -> tuple[date, date]:
        """The first and the last day of the week, month or stretch that the day is in."""
        unit = self.frequency.value
        return period_of(unit, day, start=self.start, stretch=self.interval_days)

    def wanted_in(self, day: date) -> int:
        """How often in this period: a short month holds less than a long one."""
        first, last = self.period(day)
        return min(self.target, (last - first).days + 1)


@dataclass(frozen=True)
class HabitState:
    """After the day `through`. `recent` are the logs that later days may still need."""

    through: str
    streak: int = 0
    longest: int = 0
    strength: Decimal = Decimal(0)
    recent: dict[str, str] = field(default_factory=dict)

    @property
    def logs(self) -> dict[date, LogKind]:
        return {date.fromisoformat(day): LogKind(kind) for day, kind in self.recent.items()}


@dataclass(frozen=True, slots=True)
class Standing:
    """How a habit stands today."""

    streak: int
    longest: int
    strength: float


def is_due(schedule: Schedule, logs: Logs, day: date) -> bool:
    """Whether it is on the list of that day: as long as the week, month or stretch wants more."""
    if day < schedule.start or schedule.is_paused(day) or not schedule.falls_on(day):
        return False
    if not schedule.counts_periods:
        return True
    first, _ = schedule.period(day)
    return _done(logs, first, day - ONE_DAY) < schedule.target


def outcome(schedule: Schedule, logs: Logs, day: date) -> bool | None:
    """What the end of this day means: one more, broken, or nothing."""
    if schedule.counts_periods:
        return _period_outcome(schedule, logs, day)
    kind = logs.get(day)
    if schedule.counts_clean_days:
        return _clean_outcome(schedule, kind, day)
    if not schedule.falls_on(day):
        return None
    if kind is LogKind.DONE:
        return True
    return None if kind in NEUTRAL or schedule.is_paused(day) else False


def _clean_outcome(schedule: Schedule, kind: LogKind | None, day: date) -> bool | None:
    if kind is LogKind.DONE:
        return False
    neutral = kind in NEUTRAL or schedule.is_paused(day) or not schedule.falls_on(day)
    return None if neutral or day < schedule.start else True


def _period_outcome(schedule: Schedule, logs: Logs, day: date) -> bool | None:
    first, last = schedule.period(day)
    if day != last:
        return None
    if _done(logs, first, last) >= schedule.wanted_in(day):
        return True
    forgiven = first < schedule.start or any(
        logs.get(each) in NEUTRAL or schedule.is_paused(each) for each in days_between(first, last)
    )
    return None if forgiven else False


def _done(logs: Logs, first: date, last: date) -> int:
    return sum(logs.get(day) is LogKind.DONE for day in days_between(first, last))


def brought_up(schedule: Schedule, state: HabitState, today: date) -> HabitState:
    """The state after yesterday."""
    logs = state.logs
    through = date.fromisoformat(state.through)
    for day in days_between(through + ONE_DAY, today - ONE_DAY):
        state = _step(schedule, state, logs, day)
    return state


def _step(schedule: Schedule, state: HabitState, logs: Logs, day: date) -> HabitState:
    result = outcome(schedule, logs, day)
    streak = state.streak if result is None else (state.streak + 1 if result else 0)
    return replace(
        state,
        through=day.isoformat(),
        streak=streak,
        longest=max(state.longest, streak),
        strength=_strength(schedule, state.strength, logs, day, result),
    )


def _strength(
    schedule: Schedule, strength: Decimal, logs: Logs, day: date, result: bool | None
) -> Decimal:
    """Forgiving: one bad day costs little after many good ones. Skipped days leave it."""
    if schedule.counts_periods:
        if logs.get(day) in NEUTRAL or schedule.is_paused(day):
            return strength
        first = day - timedelta(days=schedule.period_days - 1)
        value = min(1.0, _done(logs, first, day) / schedule.target)
    elif result is None:
        return strength
    else:
        value = 1.0 if result else 0.0
    kept = 0.5 ** (schedule.per_day**0.5 / HALF_LIFE)
    score = float(strength) * kept + value * (1 - kept)
    return Decimal(score).quantize(PLACES)


def state_of(schedule: Schedule, logs: Logs, today: date) -> HabitState:
    """From all logs."""
    start = min([schedule.start, today, *logs])
    texts = {day.isoformat(): kind.value for day, kind in logs.items()}
    begun = HabitState(through=(start - ONE_DAY).isoformat(), recent=texts)
    return forgetting(brought_up(schedule, begun, today))


def forgetting(state: HabitState) -> HabitState:
    """Without the logs that no later day can need."""
    oldest = (date.fromisoformat(state.through) - timedelta(days=KEPT_DAYS)).isoformat()
    kept = {day: kind for day, kind in state.recent.items() if day >= oldest}
    return replace(state, recent=kept)


def standing(schedule: Schedule, state: HabitState, today: date) -> Standing:
    """With today, as far as it is decided: not yet done does not break."""
    state = brought_up(schedule, state, today)
    if date.fromisoformat(state.through) < today and _is_decided(schedule, state.logs, today):
        state = _today(schedule, state, today)
    return Standing(state.streak, state.longest, round(float(state.strength), 4))


def _is_decided(schedule: Schedule, logs: Logs, today: date) -> bool:
    kind = logs.get(today)
    if schedule.counts_clean_days:
        return kind in (LogKind.DONE, LogKind.MISSED)
    if not schedule.counts_periods:
        return kind is LogKind.DONE
    return True


def _today(schedule: Schedule, state: HabitState, today: date) -> HabitState:
    if not schedule.counts_periods:
        return _step(schedule, state, state.logs, today)
    first, _ = schedule.period(today)
    if _done(state.logs, first, today) >= schedule.wanted_in(today):
        longer = state.streak + 1
        state = replace(state, streak=longer, longest=max(state.longest, longer))
    if state.logs.get(today) is LogKind.DONE:
        strength = _strength(schedule, state.strength, state.logs, today, None)
        state = replace(state, strength=strength)
    return state


def days_to_freeze(schedule: Schedule, state: HabitState, today: date, held: int) -> list[date]:
    """The days that must be frozen to save the streak; none if it cannot be saved."""
    logs, frozen = state.logs, list[date]()
    for day in _days_since(state, today):
        result = outcome(schedule, logs, day)
        if result is False and state.streak > 0:
            free = _free_day(schedule, logs, day)
            if free is None or len(frozen) == held:
                return []
            logs[free] = LogKind.FREEZE
            frozen.append(free)
        state = _step(schedule, state, logs, day)
    return frozen


def _days_since(state: HabitState, today: date) -> Iterator[date]:
    return days_between(date.fromisoformat(state.through) + ONE_DAY, today - ONE_DAY)


def _free_day(schedule: Schedule, logs: Logs, day: date) -> date | None:
    """Where a freeze can be put: a day without a log."""
    first = schedule.period(day)[0] if schedule.counts_periods else day
    free = (each for each in reversed(list(days_between(first, day))) if each not in logs)
    return next(free, None)


def completion(schedule: Schedule, state: HabitState, today: date) -> tuple[int, int]:
    """How often it was done in the last 30 days, and how often it should have been."""
    logs = state.logs
    first = max(schedule.start, today - timedelta(days=COMPLETION_DAYS - 1))
    days = [day for day in days_between(first, today) if not schedule.is_paused(day)]
    if schedule.counts_periods:
        wanted = max(1, int(schedule.per_day * len(days) + 0.5)) if days else 0
        return min(wanted, sum(logs.get(day) is LogKind.DONE for day in days)), wanted
    closed = [day for day in days if day < today or _is_decided(schedule, logs, today)]
    results = [outcome(schedule, logs, day) for day in closed]
    return results.count(True), results.count(True) + results.count(False)
