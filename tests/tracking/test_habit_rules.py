"""Streaks, strength, freezes: the vectors, and that adding up day by day equals beginning anew."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domains.tracking.rules.habits import (
    HabitSummary,
    completion,
    days_to_freeze,
    is_due,
    state_from_logs,
    summary,
    with_days_until,
    without_old_logs,
)
from app.domains.tracking.rules.schedules import Schedule
from app.domains.tracking.types import Frequency, HabitCompletion, HabitType, LogKind

MONDAY = date(2026, 1, 5)
DONE, MISSED, SKIP, FREEZE = LogKind.DONE, LogKind.MISSED, LogKind.SKIP, LogKind.FREEZE


def day(number: int) -> date:
    """Day 1 is Monday, 5 January 2026."""
    return MONDAY + timedelta(days=number - 1)


def schedule(**changes: object) -> Schedule:
    fields = {"habit_type": HabitType.Build, "frequency": Frequency.Daily, "start": MONDAY}
    return Schedule(**(fields | changes))  # type: ignore[arg-type]


def logs(text: str) -> dict[date, LogKind]:
    """One letter a day from day 1: x done, - missed, s skip, f freeze, . nothing."""
    kinds = {"x": DONE, "-": MISSED, "s": SKIP, "f": FREEZE}
    return {day(n): kinds[letter] for n, letter in enumerate(text, 1) if letter in kinds}


def on(number: int, text: str, **changes: object) -> HabitSummary:
    plan = schedule(**changes)
    return summary(plan, state_from_logs(plan, logs(text), day(number)), day(number))


WORKDAYS = frozenset(range(5))


@pytest.mark.parametrize(
    ("text", "today", "streak"),
    [
        ("xxxxx..x", 8, 6),
        ("xxxxx", 8, 5),
        ("xxxxx", 9, 0),
        ("xxxxxxx", 8, 5),
    ],
)
def test_weekends_that_are_not_due_are_ignored(text: str, today: int, streak: int) -> None:
    for frequency in (Frequency.Daily, Frequency.Custom):
        assert on(today, text, weekdays=WORKDAYS, frequency=frequency).streak == streak


@pytest.mark.parametrize(
    ("text", "today", "streak"),
    [
        ("xxxxxsx", 7, 6),
        ("xxxxxfx", 7, 6),
        ("xxxxx-x", 7, 1),
        ("xxxxx.x", 7, 1),
        ("xxxx", 5, 4),
        ("xxxx", 6, 0),
        ("xxxxx", 5, 5),
        ("", 1, 0),
        ("x", 1, 1),
        ("-", 1, 0),
        ("xxx-", 4, 0),
        ("xxxs", 4, 3),
        ("s", 3, 0),
    ],
)
def test_streak_of_days(text: str, today: int, streak: int) -> None:
    assert on(today, text).streak == streak


def test_longest_of_three_runs() -> None:
    assert on(15, "xxx.xxxxxxx.xx.").longest == 7
    assert on(14, "xxx.xxxxxxx.xx").streak == 2


def test_paused_days_neither_add_nor_break() -> None:
    pauses = ((day(4), day(10)),)
    assert on(11, "xxx.......x", pauses=pauses).streak == 4
    assert on(30, "xxx", pauses=((day(4), None),)).streak == 3


@pytest.mark.parametrize("kind", [HabitType.Reduce, HabitType.Quit])
@pytest.mark.parametrize(
    ("text", "today", "streak"),
    [
        ("", 1, 0),
        ("", 6, 5),
        ("..x", 3, 0),
        ("..x", 4, 0),
        ("..x", 6, 2),
        ("..xs", 6, 1),
        (".....-", 6, 6),
        ("x", 1, 0),
    ],
)
def test_reduce_and_quit_count_clean_days(
    kind: HabitType, text: str, today: int, streak: int
) -> None:
    assert on(today, text, habit_type=kind).streak == streak


@pytest.mark.parametrize(
    ("frequency", "changes", "text", "today", "streak"),
    [
        (Frequency.Weekly, {"target": 2}, "x..x...", 8, 5),
        (Frequency.Weekly, {"target": 2}, "x..x.x", 6, 0),
        (Frequency.Weekly, {"target": 2}, "x..x.x", 8, 1),
        (Frequency.Weekly, {"target": 2}, "....xx.xx", 10, 5),
        (Frequency.Weekly, {"target": 1}, "....xx.", 8, 1),
        (Frequency.Weekly, {"target": 7}, "xxxxxxx", 8, 0),
        (Frequency.Monthly, {"target": 2}, "x.x......", 10, 7),
        (Frequency.Monthly, {"target": 2}, "x.x.....x", 10, 0),
        (Frequency.Custom, {"target": 1, "interval_days": 3}, "x..x.x.", 7, 0),
        (Frequency.Custom, {"target": 1, "interval_days": 3}, "x..x..x", 8, 4),
        (Frequency.Custom, {"target": 2, "weekdays": WORKDAYS}, "..x.", 5, 1),
        (Frequency.Daily, {"target": 2}, "..x.", 5, 1),
    ],
)
def test_reduce_allows_as_many_slips_in_a_period(
    frequency: Frequency, changes: dict[str, object], text: str, today: int, streak: int
) -> None:
    shown = on(today, text, habit_type=HabitType.Reduce, frequency=frequency, **changes)
    assert shown.streak == streak


@pytest.mark.parametrize("frequency", [Frequency.Weekly, Frequency.Monthly])
def test_quit_allows_none(frequency: Frequency) -> None:
    assert on(4, "..x", habit_type=HabitType.Quit, frequency=frequency, target=5).streak == 0


@pytest.mark.parametrize(
    ("changes", "text", "today", "streak"),
    [
        ({"weekdays": WORKDAYS}, "xxxx-", 5, 0),
        ({"weekdays": WORKDAYS}, "xxxxx-", 6, 5),
        ({"frequency": Frequency.Weekly}, "x......-", 8, 1),
        ({"frequency": Frequency.Weekly}, "x............-", 14, 0),
        ({"frequency": Frequency.Weekly}, "x.......s....-", 14, 1),
        ({"frequency": Frequency.Weekly, "target": 3}, "xxx....x..-", 11, 1),
        ({"frequency": Frequency.Weekly, "target": 3}, "xxx....x...-", 12, 1),
        ({"frequency": Frequency.Weekly, "target": 3}, "xxx....x....-", 13, 0),
        ({"frequency": Frequency.Custom, "interval_days": 3}, "x..x.-", 6, 2),
        ({"frequency": Frequency.Custom, "interval_days": 3}, "x....-", 6, 0),
        ({"pauses": ((day(4), None),)}, "xxx-", 4, 3),
        ({"habit_type": HabitType.Quit}, "..-", 3, 3),
    ],
)
def test_a_due_day_that_is_logged_missed_ends_the_streak_today(
    changes: dict[str, object], text: str, today: int, streak: int
) -> None:
    assert on(today, text, **changes).streak == streak


def test_the_longest_clean_time_survives_a_slip() -> None:
    shown = on(10, ".....x", habit_type=HabitType.Quit)
    assert (shown.streak, shown.longest) == (3, 5)


@pytest.mark.parametrize(
    ("text", "today", "streak"),
    [
        ("xx", 2, 0),
        ("xx.x", 4, 1),
        ("xx.x", 7, 1),
        ("xx.x...xxx", 10, 2),
        ("xx.x...xx", 14, 1),
        ("xx.x...xx", 15, 0),
        ("xx.x...xx..s", 15, 1),
        ("xxxxxxx", 8, 1),
    ],
)
def test_three_times_a_week_counts_weeks(text: str, today: int, streak: int) -> None:
    assert on(today, text, frequency=Frequency.Weekly, target=3).streak == streak


def test_a_first_week_begun_on_sunday_breaks_nothing() -> None:
    shown = on(14, "......xxx", frequency=Frequency.Weekly, target=2, start=day(7))
    assert shown.streak == 1


def test_months_are_months_of_the_calendar() -> None:
    plan = schedule(frequency=Frequency.Monthly, target=1, start=date(2026, 1, 1))
    done = {date(2026, 1, 31): DONE, date(2026, 2, 28): DONE, date(2026, 3, 1): DONE}

    def streak(today: date) -> int:
        return summary(plan, state_from_logs(plan, done, today), today).streak

    assert [streak(date(2026, 2, 1)), streak(date(2026, 2, 28))] == [1, 2]
    assert [streak(date(2026, 3, 1)), streak(date(2026, 4, 30))] == [3, 3]
    assert streak(date(2026, 5, 1)) == 0


def test_intervals_are_counted_from_the_start() -> None:
    plan = {"frequency": Frequency.Custom, "interval_days": 3, "target": 1}
    assert on(3, "..x", **plan).streak == 1
    assert on(9, "..xx.....", **plan).streak == 2
    assert on(10, "..xx.....", **plan).streak == 0


@pytest.mark.parametrize(("days", "strength"), [(1, 0.0519), (7, 0.3115), (13, 0.5), (30, 0.7980)])
def test_strength_after_days_of_success(days: int, strength: float) -> None:
    assert on(days, "x" * days).strength == strength


def test_a_skip_leaves_the_strength_and_a_miss_lowers_it_a_little() -> None:
    assert on(32, "x" * 30 + "s").strength == 0.7980
    assert 0.75 < on(32, "x" * 30 + ".").strength < 0.7980


def test_strength_of_a_habit_three_times_a_week() -> None:
    plan = {"frequency": Frequency.Weekly, "target": 3}
    weak, firm = on(14, "x.x.x..x.x.x..", **plan), on(56, "x.x.x.." * 8, **plan)
    assert 0 < weak.strength < firm.strength < 1


def test_due_days() -> None:
    plan = schedule(weekdays=WORKDAYS, start=day(2), pauses=((day(9), day(9)),))
    assert [n for n in range(1, 11) if is_due(plan, {}, day(n))] == [2, 3, 4, 5, 8, 10]


def test_a_week_with_its_target_met_is_not_due() -> None:
    plan = schedule(frequency=Frequency.Weekly, target=2)
    done = logs("x.x")
    assert [n for n in range(1, 9) if is_due(plan, done, day(n))] == [1, 2, 3, 8]


def test_a_freeze_is_used_for_a_day_that_would_break_the_streak() -> None:
    plan = schedule()
    state = state_from_logs(plan, logs("xxx"), day(4))
    assert days_to_freeze(plan, state, day(4), held=2) == []
    assert days_to_freeze(plan, state, day(5), held=2) == [day(4)]
    assert days_to_freeze(plan, state, day(6), held=2) == [day(4), day(5)]
    assert days_to_freeze(plan, state, day(7), held=2) == []
    assert days_to_freeze(plan, state, day(5), held=0) == []


def test_no_freeze_without_a_streak_or_on_a_logged_miss() -> None:
    plan = schedule()
    assert days_to_freeze(plan, state_from_logs(plan, {}, day(1)), day(3), held=2) == []
    told = state_from_logs(plan, logs("xx-"), day(3))
    assert days_to_freeze(plan, told, day(5), held=2) == []


def test_a_freeze_saves_a_week() -> None:
    plan = schedule(frequency=Frequency.Weekly, target=3)
    state = state_from_logs(plan, logs("xxx....x.....x"), day(14))
    assert days_to_freeze(plan, state, day(15), held=2) == [day(13)]


def test_completion_of_thirty_days() -> None:
    plan = schedule()
    full = state_from_logs(plan, logs("x" * 40), day(40))
    assert completion(plan, full, day(40)) == HabitCompletion(30, 30)
    open_today = state_from_logs(plan, logs("x" * 39), day(40))
    assert completion(plan, open_today, day(40)) == HabitCompletion(29, 29)
    some = state_from_logs(plan, logs("xx.s-"), day(6))
    assert completion(plan, some, day(6)) == HabitCompletion(2, 4)
    weekly = schedule(frequency=Frequency.Weekly, target=3)
    assert completion(
        weekly, state_from_logs(weekly, logs("xxxx"), day(7)), day(7)
    ) == HabitCompletion(3, 3)
    quitting = schedule(habit_type=HabitType.Quit)
    assert completion(
        quitting, state_from_logs(quitting, logs("..x"), day(6)), day(6)
    ) == HabitCompletion(4, 5)


plans = st.builds(
    schedule,
    habit_type=st.sampled_from(HabitType),
    frequency=st.sampled_from(Frequency),
    weekdays=st.sampled_from([frozenset(), WORKDAYS, frozenset({2}), frozenset({5, 6})]),
    target=st.integers(1, 4),
    interval_days=st.sampled_from([None, 4, 5, 31]),
    pauses=st.sampled_from([(), ((day(5), day(9)),), ((day(20), None),)]),
)
histories = st.text("x-sf..", max_size=90)


@settings(max_examples=150, deadline=None)
@given(plan=plans, text=histories, cut=st.integers(1, 90), later=st.integers(0, 40))
def test_day_by_day_equals_all_at_once(plan: Schedule, text: str, cut: int, later: int) -> None:
    """A stored state, brought up to date, says what the logs say."""
    today = day(max(cut, len(text)) + later)
    everything = logs(text)
    known = {d: kind for d, kind in everything.items() if d <= day(cut)}
    state = state_from_logs(plan, known, day(cut))
    for number in range(cut + 1, len(text) + 1):
        if day(number) in everything:
            recent = {**state.recent, day(number).isoformat(): everything[day(number)].value}
            changed = type(state)(
                state.through, state.streak, state.longest, state.strength, recent
            )
            state = without_old_logs(with_days_until(plan, changed, day(number)))
    whole = state_from_logs(plan, everything, today)
    assert summary(plan, state, today) == summary(plan, whole, today)


@settings(max_examples=150, deadline=None)
@given(plan=plans, text=histories)
def test_bounds(plan: Schedule, text: str) -> None:
    today = day(len(text) + 1)
    shown = summary(plan, state_from_logs(plan, logs(text), today), today)
    assert 0 <= shown.streak <= shown.longest <= len(text) + 1
    assert 0 <= shown.strength <= 1
    found = completion(plan, state_from_logs(plan, logs(text), today), today)
    assert 0 <= found.done <= found.expected <= 31


@settings(max_examples=100, deadline=None)
@given(plan=plans, text=histories, held=st.integers(0, 2))
def test_freezes_keep_the_streak(plan: Schedule, text: str, held: int) -> None:
    today = day(len(text) + 3)
    state = state_from_logs(plan, logs(text), day(len(text) + 1))
    frozen = days_to_freeze(plan, state, today, held)
    assert len(frozen) <= held
    if frozen:
        kept = logs(text) | dict.fromkeys(frozen, FREEZE)
        shown = summary(plan, state_from_logs(plan, kept, today), today)
        assert shown.streak >= state.streak > 0


def test_every_day_of_a_month_is_enough_also_of_a_short_one() -> None:
    first, today = date(2026, 1, 1), date(2026, 4, 30)
    plan = schedule(frequency=Frequency.Monthly, target=31, start=first)
    done = {first + timedelta(days=n): DONE for n in range((today - first).days + 1)}
    assert summary(plan, state_from_logs(plan, done, today), today).streak == 4
    del done[date(2026, 2, 28)]
    assert summary(plan, state_from_logs(plan, done, today), today).streak == 2
