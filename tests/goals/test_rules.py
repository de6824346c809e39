"""The formulas, with every vector of theirs."""

from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from itertools import pairwise
from time import perf_counter
from typing import Any

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.errors import BadInput
from app.domains.goals.rules.days import Days
from app.domains.goals.rules.health import Facts, project_progress, standing
from app.domains.goals.rules.points import point_value
from app.domains.goals.rules.progress import Part, average, percent, share, shown
from app.domains.goals.rules.recurrence import (
    Pattern,
    days,
    next_day,
    pattern_of_map,
    pattern_of_rule,
)
from app.domains.goals.rules.states import (
    Health,
    Priority,
    ProjectStatus,
    TaskStatus,
    counted,
)
from app.domains.goals.rules.tree import Branch, Sum, roll_up
from app.domains.goals.rules.urgency import due_weight, urgency

# Points.


@pytest.mark.parametrize(
    ("size", "priority", "points"),
    [
        (60, Priority.P2, 120),
        (60, Priority.P1, 180),
        (60, Priority.P3, 90),
        (60, Priority.P4, 60),
        (None, Priority.P2, 60),
        (None, Priority.P3, 45),
        (0, Priority.P1, 0),
        (1, Priority.P3, 2),
        (3, Priority.P3, 5),
    ],
)
def test_points(size: int | None, priority: Priority, points: int) -> None:
    assert point_value(size, priority) == points


@given(st.integers(0, 100_000))
def test_points_are_the_product_with_a_half_rounded_up(size: int) -> None:
    factors: dict[Priority, Fraction] = {
        Priority.P1: Fraction(3),
        Priority.P2: Fraction(2),
        Priority.P3: Fraction(3, 2),
        Priority.P4: Fraction(1),
    }
    for priority, factor in factors.items():
        assert abs(point_value(size, priority) - size * factor) <= Fraction(1, 2)
        assert point_value(size, priority) >= size * factor


# Progress.


def test_progress_of_the_vector() -> None:
    parts = [
        share("criteria", 40, 1, 2),
        share("tasks", 30, 3, 4),
        average("metrics", 20, []),
        share("habits", 10, 80, 100),
    ]
    assert percent(parts) == 63


@pytest.mark.parametrize("override", [0, 1, 37, 100])
def test_an_override_decides_even_when_it_is_nothing(override: int) -> None:
    assert percent([share("tasks", 30, 1, 1)], override) == override


def test_without_members_or_weights_there_is_no_progress() -> None:
    assert percent([]) == 0
    assert percent([share("criteria", 40, 0, 0), share("tasks", 30, 0, 0)]) == 0
    assert percent([share("criteria", 0, 1, 2), share("tasks", 0, 1, 1)]) == 0


def test_weights_need_not_add_up_to_a_hundred() -> None:
    assert percent([share("criteria", 1, 1, 2), share("tasks", 1, 1, 1)]) == 75
    assert percent([share("criteria", 100, 1, 2), share("tasks", 0, 1, 1)]) == 50


def test_it_never_shows_a_hundred_until_it_is_reached() -> None:
    assert percent([share("tasks", 30, 999, 1_000)]) == 99
    assert percent([share("tasks", 30, 1_000, 1_000)]) == 100
    assert shown(Fraction(995, 1_000)) == 99


parts = st.builds(
    lambda weight, total, done: share("x", weight, min(done, total), total),
    st.integers(0, 100),
    st.integers(0, 50),
    st.integers(0, 50),
)


@given(st.lists(parts, max_size=4))
def test_progress_lies_between_its_parts(found: list[Part]) -> None:
    counting = [part.value for part in found if part.total and part.weight]
    result = percent(found)
    if counting:
        low, high = min(counting) * 100, max(counting) * 100
        assert low - 1 <= result <= high + Fraction(1, 2)
    else:
        assert result == 0


def test_cancelled_tasks_leave_the_count() -> None:
    statuses = [TaskStatus.Done, TaskStatus.Cancelled, TaskStatus.NotStarted, TaskStatus.Blocked]
    counts = [counted(each) for each in statuses]
    assert (sum(c[0] for c in counts), sum(c[1] for c in counts)) == (3, 1)
    assert counted(None) == (0, 0)


# Project health.

JANUARY: dict[str, Any] = {
    "start": date(2026, 1, 1),
    "end": date(2026, 1, 31),
    "today": date(2026, 1, 16),
}


@pytest.mark.parametrize(
    ("done", "health"),
    [
        (50, Health.green),
        (40, Health.green),
        (39, Health.yellow),
        (30, Health.yellow),
        (29, Health.red),
        (0, Health.red),
        (100, Health.green),
    ],
)
def test_health_by_dates(done: int, health: Health) -> None:
    found = standing(Facts(status=ProjectStatus.Active, done=done, total=100, **JANUARY))
    assert (found.health, found.expected, found.progress) == (health, 50, done)


def test_overdue_and_open_is_red_whatever_is_done() -> None:
    late = JANUARY | {"today": date(2026, 2, 1)}
    for status in (ProjectStatus.Planning, ProjectStatus.Active):
        assert standing(Facts(status=status, done=9, total=10, **late)).health is Health.red
    completed = Facts(status=ProjectStatus.Completed, done=9, total=10, **late)
    assert standing(completed).health is Health.green
    last_day = JANUARY | {"today": date(2026, 1, 31)}
    done = Facts(status=ProjectStatus.Active, done=10, total=10, **last_day)
    assert standing(done).health is Health.green


@pytest.mark.parametrize("status", [ProjectStatus.OnHold, ProjectStatus.Cancelled])
def test_what_rests_has_no_health(status: ProjectStatus) -> None:
    assert standing(Facts(status=status, done=0, total=1, **JANUARY)).health is None


@pytest.mark.parametrize(
    ("overdue", "health"), [(0, Health.green), (1, Health.yellow), (2, Health.red)]
)
def test_without_dates_it_is_judged_by_overdue_tasks(overdue: int, health: Health) -> None:
    facts = Facts(
        status=ProjectStatus.Active,
        done=3,
        total=8,
        start=None,
        end=None,
        today=date(2026, 1, 16),
        overdue=overdue,
    )
    assert (standing(facts).health, standing(facts).expected) == (health, None)


def test_a_project_without_tasks_is_nowhere_yet() -> None:
    assert project_progress(0, 0) == 0
    begun = JANUARY | {"today": date(2026, 1, 1)}
    assert standing(Facts(status=ProjectStatus.Active, done=0, total=0, **begun)).health is (
        Health.green
    )
    one_day: dict[str, Any] = {
        "start": date(2026, 1, 1),
        "end": date(2026, 1, 1),
        "today": date(2026, 1, 1),
    }
    facts = Facts(status=ProjectStatus.Active, done=0, total=0, **one_day)
    assert standing(facts).health is Health.green


# Recurrence.


def run(pattern: Pattern, start: date, count: int) -> list[str]:
    """By completing each occurrence on its day."""
    found, day = [], start
    for _ in range(count):
        following = next_day(pattern, anchor=day, after=day)
        if following is None:
            break
        found.append(following.isoformat())
        day = following
    return found


def test_the_end_of_the_month_is_clamped_and_does_not_drift() -> None:
    start = date(2026, 1, 31)
    pattern = pattern_of_map("MONTHLY", 1, start=start, end=None)
    assert run(pattern, start, 4) == ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]
    same = pattern_of_rule("FREQ=MONTHLY", start=start, end=None)
    assert run(same, start, 4) == run(pattern, start, 4)


def test_every_second_week_on_two_days() -> None:
    start = date(2026, 1, 8)
    pattern = pattern_of_rule("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", start=start, end=None)
    wanted = ["2026-01-08", "2026-01-19", "2026-01-22", "2026-02-02"]
    assert [each.isoformat() for each in days(pattern, start=start, most=4)] == wanted
    assert run(pattern, start, 3) == wanted[1:]


def test_the_third_tuesday() -> None:
    start = date(2026, 1, 20)
    pattern = pattern_of_rule("RRULE:FREQ=MONTHLY;BYDAY=3TU", start=start, end=None)
    wanted = ["2026-01-20", "2026-02-17", "2026-03-17"]
    assert [each.isoformat() for each in days(pattern, start=start, most=3)] == wanted
    assert run(pattern, start, 2) == wanted[1:]


def test_a_leap_day_comes_every_year() -> None:
    start = date(2028, 2, 29)
    pattern = pattern_of_map("YEARLY", 1, start=start, end=None)
    assert run(pattern, start, 4) == ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]


@pytest.mark.parametrize(
    ("frequency", "interval", "following"),
    [
        ("DAILY", 1, "2026-01-09"),
        ("DAILY", 3, "2026-01-11"),
        ("WEEKLY", 1, "2026-01-15"),
        ("WEEKLY", 2, "2026-01-22"),
        ("MONTHLY", 1, "2026-02-08"),
        ("MONTHLY", 3, "2026-04-08"),
        ("YEARLY", 1, "2027-01-08"),
    ],
)
def test_the_map(frequency: str, interval: int, following: str) -> None:
    start = date(2026, 1, 8)
    pattern = pattern_of_map(frequency, interval, start=start, end=None)
    assert run(pattern, start, 1) == [following]


def test_the_first_after_now_and_none_after_the_end() -> None:
    start = date(2026, 1, 5)
    pattern = pattern_of_map("WEEKLY", 1, start=start, end=date(2026, 1, 26))
    late = next_day(pattern, anchor=start, after=date(2026, 1, 14))
    assert late == date(2026, 1, 19)
    assert next_day(pattern, anchor=start, after=date(2026, 1, 25)) == date(2026, 1, 26)
    assert next_day(pattern, anchor=start, after=date(2026, 1, 26)) is None


def test_until_and_count_end_it() -> None:
    start = date(2026, 1, 5)
    until = pattern_of_rule("FREQ=DAILY;UNTIL=20260107T235959Z", start=start, end=None)
    assert run(until, start, 9) == ["2026-01-06", "2026-01-07"]
    both = pattern_of_rule("FREQ=DAILY;UNTIL=20260107", start=start, end=date(2026, 1, 6))
    assert run(both, start, 9) == ["2026-01-06"]
    counted_rule = pattern_of_rule("FREQ=DAILY;COUNT=2", start=start, end=None)
    assert counted_rule.count == 2
    assert next_day(Pattern(text=counted_rule.text, count=1), anchor=start, after=start) is None


HOSTILE = [
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;BYMONTH=1;BYDAY=MO;BYSETPOS=31",
    "FREQ=MONTHLY;BYMONTHDAY=15;BYSETPOS=2",
    "FREQ=DAILY;BYSETPOS=2",
    "FREQ=WEEKLY;BYSETPOS=9;BYDAY=MO",
    "FREQ=SECONDLY",
    "FREQ=MINUTELY;INTERVAL=1",
    "FREQ=DAILY;BYHOUR=1",
    "FREQ=DAILY;INTERVAL=0",
    "FREQ=DAILY;INTERVAL=99999999999",
    "FREQ=YEARLY;INTERVAL=6",
    "FREQ=DAILY;COUNT=100000",
    "FREQ=DAILY;FREQ=WEEKLY",
    "FREQ=DAILY;BYMONTHDAY=0",
    "FREQ=WEEKLY;BYDAY=XX",
    "FREQ=WEEKLY;BYDAY=9MO",
    "FREQ=DAILY;UNTIL=soon",
    "FREQ=DAILY;" + "X" * 300,
    "INTERVAL=2",
    "FREQ",
    "",
    "every day",
    "DTSTART:20260101\nRRULE:FREQ=DAILY",
]


@pytest.mark.parametrize("rule", HOSTILE)
def test_a_hostile_rule_is_refused_quickly(rule: str) -> None:
    began = perf_counter()
    with pytest.raises(BadInput):
        pattern_of_rule(rule, start=date(2026, 1, 8), end=None)
    assert perf_counter() - began < 0.5


def test_an_occurrence_that_is_years_late_is_found_quickly() -> None:
    start = date(2010, 1, 1)
    pattern = pattern_of_map("DAILY", 1, start=start, end=None)
    assert next_day(pattern, anchor=start, after=date(2026, 1, 1)) == date(2026, 1, 2)


rules = st.builds(
    lambda frequency, interval, by_day: f"FREQ={frequency};INTERVAL={interval}{by_day}",
    st.sampled_from(["DAILY", "WEEKLY", "MONTHLY"]),
    st.integers(1, 6),
    st.sampled_from(["", ";BYDAY=MO", ";BYDAY=TU,FR", ";BYDAY=SA,SU"]),
)


@settings(max_examples=60, deadline=None)
@given(rules, st.dates(date(2020, 1, 1), date(2030, 12, 28)).filter(lambda d: d.day <= 28))
def test_from_occurrence_to_occurrence_is_the_same_as_the_whole_series(
    rule: str, start: date
) -> None:
    """As dateutil gives it in one go, from a first day that belongs to the series."""
    whole = rrulestr(rule, dtstart=datetime.combine(start, time.min))
    first = next(iter(whole)).date()
    series = rrulestr(rule, dtstart=datetime.combine(first, time.min))
    wanted = [each.date().isoformat() for each in list(series[:6])]
    pattern = pattern_of_rule(rule, start=first, end=None)
    assert [first.isoformat(), *run(pattern, first, 5)] == wanted


@given(
    st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]),
    st.integers(1, 4),
    st.dates(date(2020, 1, 1), date(2030, 12, 31)),
    st.integers(0, 900),
)
@settings(max_examples=60, deadline=None)
def test_the_next_day_is_always_later(
    frequency: str, interval: int, start: date, late: int
) -> None:
    pattern = pattern_of_map(frequency, interval, start=start, end=None)
    after = start + timedelta(days=late)
    found = next_day(pattern, anchor=start, after=after)
    assert found is not None
    assert found > after
    chain = [date.fromisoformat(each) for each in run(pattern, start, 5)]
    assert all(one < other for one, other in pairwise([start, *chain]))


# Days, urgency, trees.


def test_a_day_begins_where_the_user_is() -> None:
    auckland, owl = Days("Pacific/Auckland"), Days("Europe/Lisbon", 4)
    assert auckland.of(datetime(2026, 1, 10, 12, tzinfo=UTC)) == date(2026, 1, 11)
    assert auckland.start(date(2026, 1, 11)) == datetime(2026, 1, 10, 11, tzinfo=UTC)
    assert owl.of(datetime(2026, 1, 11, 3, 59, tzinfo=UTC)) == date(2026, 1, 10)
    assert owl.start(date(2026, 1, 11)) == datetime(2026, 1, 11, 4, tzinfo=UTC)


@given(
    st.dates(date(2000, 1, 1), date(2100, 1, 1)),
    st.sampled_from(["UTC", "Pacific/Auckland", "America/Los_Angeles", "Asia/Kathmandu"]),
    st.integers(0, 6),
)
def test_a_day_s_first_and_last_moment_belong_to_it(day: date, zone: str, hour: int) -> None:
    users = Days(zone, hour)
    assert users.of(users.start(day)) == day
    assert users.of(users.end(day)) == day
    assert users.end(day) < users.start(day + timedelta(days=1))


def test_urgency_rises_as_the_due_date_comes_near() -> None:
    now = datetime(2026, 1, 10, tzinfo=UTC)
    weights = [due_weight(now + timedelta(days=d), now) for d in (30, 14, 7, 0, -7, -30)]
    assert weights == sorted(weights)
    assert (weights[0], weights[-1]) == (0.2, 1.0)
    usual = {"status": TaskStatus.NotStarted, "due": None, "created": now, "blocks": 0, "now": now}
    scores = [urgency(priority=each, **usual) for each in Priority]  # type: ignore[arg-type]
    assert scores == [6.0, 4.0, 2.0, 0.0]
    closed = usual | {"status": TaskStatus.Done}
    assert urgency(priority=Priority.P1, **closed) == 0.0  # type: ignore[arg-type]


def test_a_tree_is_the_mean_of_its_lowest_goals() -> None:
    goals = [
        Branch(id="root", parent=None, percent=10),
        Branch(id="a", parent="root", percent=0),
        Branch(id="a1", parent="a", percent=100, is_achieved=True),
        Branch(id="a2", parent="a", percent=50),
        Branch(id="b", parent="root", percent=30),
        Branch(id="gone", parent="root", percent=100, is_abandoned=True),
    ]
    assert roll_up("root", goals) == Sum(60, 4, 1)
    assert roll_up("b", goals) == Sum(30, 0, 0)
