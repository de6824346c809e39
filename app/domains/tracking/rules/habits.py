"""The state of a habit: streak, strength, completion. The state is a fold over the days that are
over. Today is added only to the summary, because it can still change."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from app.domains.tracking.rules.periods import ONE_DAY, days_between
from app.domains.tracking.rules.schedules import Logs, Schedule, times_done
from app.domains.tracking.types import HabitCompletion, HabitState, LogKind

KEPT_DAYS = 40
COMPLETION_DAYS = 30
HALF_LIFE = 13
PLACES = Decimal("1e-15")
NEUTRAL = (LogKind.SKIP, LogKind.FREEZE)


@dataclass(frozen=True, slots=True)
class HabitSummary:
    """What is shown of a habit today."""

    streak: int
    longest: int
    strength: float


def is_due(schedule: Schedule, logs: Logs, day: date) -> bool:
    """Within a period, it stays due until the target of the period is met."""
    if day < schedule.start or schedule.is_paused(day) or not schedule.is_scheduled_on(day):
        return False
    if not schedule.counts_periods:
        return True
    first, _ = schedule.period(day)
    return times_done(logs, first, day - ONE_DAY) < schedule.target


def outcome(schedule: Schedule, logs: Logs, day: date) -> bool | None:
    """The effect of this day on the streak: True adds one, False breaks it, None: no effect."""
    if schedule.counts_periods:
        return _period_outcome(schedule, logs, day)
    kind = logs.get(day)
    if schedule.counts_clean_days:
        return _clean_outcome(schedule, logs, day)
    if not schedule.is_scheduled_on(day):
        return None
    if kind is LogKind.DONE:
        return True
    return None if kind in NEUTRAL or schedule.is_paused(day) else False


def _clean_outcome(schedule: Schedule, logs: Logs, day: date) -> bool | None:
    """A slip within the limit of its period does not add to the streak, nor does it break it."""
    kind = logs.get(day)
    if kind is LogKind.DONE:
        first, _ = schedule.period(day)
        return None if times_done(logs, first, day) <= schedule.most_slips else False
    neutral = kind in NEUTRAL or schedule.is_paused(day) or not schedule.is_scheduled_on(day)
    return None if neutral or day < schedule.start else True


def _period_outcome(schedule: Schedule, logs: Logs, day: date) -> bool | None:
    first, last = schedule.period(day)
    if day != last:
        return None
    if times_done(logs, first, last) >= schedule.target_in_period(day):
        return True
    return None if _is_forgiven(schedule, logs, day) else False


def with_days_until(schedule: Schedule, state: HabitState, today: date) -> HabitState:
    """The state after the day before `today`."""
    logs = state.logs
    through = date.fromisoformat(state.through)
    for day in days_between(through + ONE_DAY, today - ONE_DAY):
        state = _with_day(schedule, state, logs, day)
    return state


def _with_day(schedule: Schedule, state: HabitState, logs: Logs, day: date) -> HabitState:
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
    """An exponential moving average: one missed day after many successes changes it little. Neutral
    days leave it unchanged."""
    if schedule.counts_periods:
        if logs.get(day) in NEUTRAL or schedule.is_paused(day):
            return strength
        first = day - timedelta(days=schedule.period_days - 1)
        value = min(1.0, times_done(logs, first, day) / schedule.target)
    elif result is None:
        return strength
    else:
        value = 1.0 if result else 0.0
    kept = kept_per_day(schedule)
    score = float(strength) * kept + value * (1 - kept)
    return Decimal(score).quantize(PLACES)


def kept_per_day(schedule: Schedule) -> float:
    """The share of the strength that a day without success leaves."""
    return float(0.5 ** (schedule.times_a_day**0.5 / HALF_LIFE))


def counts_for_strength(schedule: Schedule, logs: Logs, day: date, today: date) -> bool:
    """Whether the day changes the strength. Today does in a period only once it is done."""
    if not schedule.counts_periods:
        return outcome(schedule, logs, day) is not None
    if day == today:
        return logs.get(day) is LogKind.DONE
    return logs.get(day) not in NEUTRAL and not schedule.is_paused(day)


def state_from_logs(schedule: Schedule, logs: Logs, today: date) -> HabitState:
    """From all logs."""
    start = min([schedule.start, today, *logs])
    recent = {day.isoformat(): kind.value for day, kind in logs.items()}
    through = (start - ONE_DAY).isoformat()
    initial = HabitState(through=through, recent=recent, honours_limit=True)
    return without_old_logs(with_days_until(schedule, initial, today))


def without_old_logs(state: HabitState) -> HabitState:
    """Without the logs that no later day needs."""
    oldest = (date.fromisoformat(state.through) - timedelta(days=KEPT_DAYS)).isoformat()
    kept = {day: kind for day, kind in state.recent.items() if day >= oldest}
    return replace(state, recent=kept)


def summary(schedule: Schedule, state: HabitState, today: date) -> HabitSummary:
    """Includes today if its outcome is final: a habit not yet done today is not broken, one that is
    logged as missed is."""
    state = with_days_until(schedule, state, today)
    if date.fromisoformat(state.through) < today and is_final(schedule, state.logs, today):
        state = _with_today(schedule, state, today)
    return HabitSummary(state.streak, state.longest, round(float(state.strength), 4))


def is_final(schedule: Schedule, logs: Logs, today: date) -> bool:
    return schedule.counts_periods or logs.get(today) in (LogKind.DONE, LogKind.MISSED)


def _with_today(schedule: Schedule, state: HabitState, today: date) -> HabitState:
    if not schedule.counts_periods:
        return _with_day(schedule, state, state.logs, today)
    first, _ = schedule.period(today)
    if times_done(state.logs, first, today) >= schedule.target_in_period(today):
        longer = state.streak + 1
        state = replace(state, streak=longer, longest=max(state.longest, longer))
    elif is_period_lost(schedule, state.logs, today):
        state = replace(state, streak=0)
    if state.logs.get(today) is LogKind.DONE:
        strength = _strength(schedule, state.strength, state.logs, today, None)
        state = replace(state, strength=strength)
    return state


def is_period_lost(schedule: Schedule, logs: Logs, today: date) -> bool:
    """Today is logged as missed, and the days that are left cannot make up for it."""
    first, last = schedule.period(today)
    if logs.get(today) is not LogKind.MISSED or _is_forgiven(schedule, logs, today):
        return False
    possible = times_done(logs, first, today) + (last - today).days
    return possible < schedule.target_in_period(today)


def _is_forgiven(schedule: Schedule, logs: Logs, day: date) -> bool:
    """A period that has not been a whole one."""
    first, last = schedule.period(day)
    return first < schedule.start or any(
        logs.get(each) in NEUTRAL or schedule.is_paused(each) for each in days_between(first, last)
    )


def days_to_freeze(schedule: Schedule, state: HabitState, today: date, held: int) -> list[date]:
    """The days that need a freeze to save the streak; empty if `held` freezes are too few."""
    logs, frozen = state.logs, list[date]()
    for day in _days_after(state, today):
        result = outcome(schedule, logs, day)
        if result is False and state.streak > 0:
            free = _day_to_freeze(schedule, logs, day)
            if free is None or len(frozen) == held:
                return []
            logs[free] = LogKind.FREEZE
            frozen.append(free)
        state = _with_day(schedule, state, logs, day)
    return frozen


def _days_after(state: HabitState, today: date) -> Iterator[date]:
    return days_between(date.fromisoformat(state.through) + ONE_DAY, today - ONE_DAY)


def _day_to_freeze(schedule: Schedule, logs: Logs, day: date) -> date | None:
    """The last day of the period without a log; None: every day has one."""
    first = schedule.period(day)[0] if schedule.counts_periods else day
    free = (each for each in reversed(list(days_between(first, day))) if each not in logs)
    return next(free, None)


def completion(schedule: Schedule, state: HabitState, today: date) -> HabitCompletion:
    logs = state.logs
    first = max(schedule.start, today - timedelta(days=COMPLETION_DAYS - 1))
    days = [day for day in days_between(first, today) if not schedule.is_paused(day)]
    if schedule.counts_periods:
        expected = max(1, int(schedule.times_a_day * len(days) + 0.5)) if days else 0
        done = sum(logs.get(day) is LogKind.DONE for day in days)
        return HabitCompletion(min(expected, done), expected)
    closed = [day for day in days if day < today or is_final(schedule, logs, today)]
    results = [outcome(schedule, logs, day) for day in closed]
    return HabitCompletion(results.count(True), results.count(True) + results.count(False))
