"""Days of recurrences."""

from datetime import date, datetime, time, timedelta
from itertools import pairwise
from time import process_time

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.errors import BadInput
from app.domains.goals.rules.recurrence import (
    RecurrencePattern,
    next_day,
    pattern_from_frequency,
    pattern_from_rrule,
)


def run(pattern: RecurrencePattern, start: date, count: int) -> list[str]:
    """By completing each occurrence on its day."""
    found, day = [], start
    for _ in range(count):
        following = next_day(pattern, anchor=day, after=day)
        if following is None:
            break
        found.append(following.isoformat())
        day = following
    return found


def test_the_last_day_of_the_month_does_not_drift() -> None:
    start = date(2026, 1, 31)
    pattern = pattern_from_frequency("MONTHLY", 1, start=start, end=None)
    assert run(pattern, start, 4) == ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]
    same = pattern_from_rrule("FREQ=MONTHLY", start=start, end=None)
    assert run(same, start, 4) == run(pattern, start, 4)


def test_every_second_week_on_two_days() -> None:
    start = date(2026, 1, 8)
    pattern = pattern_from_rrule("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", start=start, end=None)
    assert run(pattern, start, 3) == ["2026-01-19", "2026-01-22", "2026-02-02"]


def test_the_third_tuesday() -> None:
    start = date(2026, 1, 20)
    pattern = pattern_from_rrule("RRULE:FREQ=MONTHLY;BYDAY=3TU", start=start, end=None)
    assert run(pattern, start, 2) == ["2026-02-17", "2026-03-17"]


def test_a_leap_day_comes_every_year() -> None:
    start = date(2028, 2, 29)
    pattern = pattern_from_frequency("YEARLY", 1, start=start, end=None)
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
def test_frequency_and_interval(frequency: str, interval: int, following: str) -> None:
    start = date(2026, 1, 8)
    pattern = pattern_from_frequency(frequency, interval, start=start, end=None)
    assert run(pattern, start, 1) == [following]


def test_the_next_day_is_after_today_and_not_after_the_end() -> None:
    start = date(2026, 1, 5)
    pattern = pattern_from_frequency("WEEKLY", 1, start=start, end=date(2026, 1, 26))
    late = next_day(pattern, anchor=start, after=date(2026, 1, 14))
    assert late == date(2026, 1, 19)
    assert next_day(pattern, anchor=start, after=date(2026, 1, 25)) == date(2026, 1, 26)
    assert next_day(pattern, anchor=start, after=date(2026, 1, 26)) is None


def test_until_and_count_end_it() -> None:
    start = date(2026, 1, 5)
    until = pattern_from_rrule("FREQ=DAILY;UNTIL=20260107T235959Z", start=start, end=None)
    assert run(until, start, 9) == ["2026-01-06", "2026-01-07"]
    both = pattern_from_rrule("FREQ=DAILY;UNTIL=20260107", start=start, end=date(2026, 1, 6))
    assert run(both, start, 9) == ["2026-01-06"]
    counted_rule = pattern_from_rrule("FREQ=DAILY;COUNT=2", start=start, end=None)
    assert counted_rule.count == 2
    assert (
        next_day(RecurrencePattern(text=counted_rule.text, count=1), anchor=start, after=start)
        is None
    )


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
def test_a_hostile_rule_is_refused_within_bounded_processor_time(rule: str) -> None:
    began = process_time()
    with pytest.raises(BadInput):
        pattern_from_rrule(rule, start=date(2026, 1, 8), end=None)
    assert process_time() - began < 0.5


def test_an_occurrence_years_after_the_anchor_is_found() -> None:
    start = date(2010, 1, 1)
    pattern = pattern_from_frequency("DAILY", 1, start=start, end=None)
    assert next_day(pattern, anchor=start, after=date(2026, 1, 1)) == date(2026, 1, 2)


rules = st.builds(
    lambda frequency, interval, by_day: f"FREQ={frequency};INTERVAL={interval}{by_day}",
    st.sampled_from(["DAILY", "WEEKLY", "MONTHLY"]),
    st.integers(1, 6),
    st.sampled_from(["", ";BYDAY=MO", ";BYDAY=TU,FR", ";BYDAY=SA,SU"]),
)


@settings(max_examples=60, deadline=None)
@given(rules, st.dates(date(2020, 1, 1), date(2030, 12, 28)).filter(lambda d: d.day <= 28))
def test_stepwise_occurrences_equal_the_whole_series(rule: str, start: date) -> None:
    """As dateutil gives it in one go, from a first day that belongs to the series."""
    whole = rrulestr(rule, dtstart=datetime.combine(start, time.min))
    first = next(iter(whole)).date()
    series = rrulestr(rule, dtstart=datetime.combine(first, time.min))
    expected = [each.date().isoformat() for each in list(series[:6])]
    pattern = pattern_from_rrule(rule, start=first, end=None)
    assert [first.isoformat(), *run(pattern, first, 5)] == expected


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
    pattern = pattern_from_frequency(frequency, interval, start=start, end=None)
    after = start + timedelta(days=late)
    found = next_day(pattern, anchor=start, after=after)
    assert found is not None
    assert found > after
    chain = [date.fromisoformat(each) for each in run(pattern, start, 5)]
    assert all(one < other for one, other in pairwise([start, *chain]))
