"""Computed numbers explain themselves, and their parts come to the number."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.clock import to_day
from app.domains.tracking.rules.explanations import streak_parts, strength_parts
from app.domains.tracking.rules.habit_records import summary_of, with_state_from_logs
from app.domains.tracking.types import Frequency, Habit, HabitType, LogKind, Pause, Weekday
from tests.api import Api, Person
from tests.servers import TestClock
from tests.tracking.records import habit
from tests.tracking.test_habits import log as log_habit
from tests.tracking.test_habits import new_habit
from tests.tracking.test_metrics import log, new_metric

TODAY = date(2026, 3, 4)
NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
PARTS = """
query ($id: ID!) { habit(id: $id) { streak strength
  streakParts { unit counted since skipped frozen paused allowedSlips brokenOn }
  strengthParts { strength timesADay keptPerDay countedDays ignoredDays } } }
"""
TREND = """
query ($id: ID!) { metric(id: $id) { trend trendParts {
  trend earlierMean laterMean earlierLogs laterLogs fewestLogs } } }
"""

stored_kinds = st.sampled_from([LogKind.DONE, LogKind.MISSED, LogKind.SKIP, LogKind.FREEZE])
days_ago = st.integers(0, 60).map(lambda ago: TODAY - timedelta(days=ago))
pauses = st.lists(st.tuples(days_ago, st.integers(0, 9)), max_size=1).map(
    lambda found: [
        Pause(since=to_day(day), until=to_day(day + timedelta(days=length)))
        for day, length in found
    ]
)
habits = st.builds(
    habit,
    start_date=days_ago.map(to_day),
    habit_type=st.sampled_from(HabitType),
    frequency=st.sampled_from(Frequency),
    weekdays=st.lists(st.sampled_from(Weekday), max_size=3, unique=True),
    interval_days=st.none() | st.integers(2, 9),
    target_per_period=st.integers(1, 3),
    pauses=pauses,
)


@given(habits, st.dictionaries(days_ago, stored_kinds, max_size=40))
def test_the_parts_come_to_the_streak(some: Habit, logs: dict[date, LogKind]) -> None:
    some = with_state_from_logs(some, logs, TODAY)
    parts = streak_parts(some, logs, TODAY)
    assert parts.counted == summary_of(some, TODAY).streak
    assert (parts.since is None) == (parts.counted == 0)
    strength = strength_parts(some, logs, TODAY)
    assert strength.strength == summary_of(some, TODAY).strength
    assert strength.counted_days + strength.ignored_days <= 62


@pytest.fixture
async def person(api: Api, clock: TestClock) -> Person:
    """Someone in UTC, for whom it is noon on Wednesday, 4 March 2026."""
    clock.freeze(NOW)
    return await api.sign_up()


async def parts(person: Person, some: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = (await person.gql(PARTS, id=some["id"]))["habit"]
    return found


async def test_a_streak_with_a_skipped_day(person: Person) -> None:
    reading = await new_habit(person, startDate="2026-02-26")
    for day, kind in (("02-27", "DONE"), ("02-28", "SKIP"), ("03-01", "DONE"), ("03-02", "DONE")):
        await log_habit(person, reading, date=f"2026-{day}", kind=kind)
    for day in ("2026-03-03", "2026-03-04"):
        await log_habit(person, reading, date=day)
    found = await parts(person, reading)
    assert found["streak"] == 5
    assert found["streakParts"] == {
        "unit": "DAY",
        "counted": 5,
        "since": "2026-02-27",
        "skipped": 1,
        "frozen": 0,
        "paused": 0,
        "allowedSlips": 0,
        "brokenOn": "2026-02-26",
    }
    strength = found["strengthParts"]
    assert strength.pop("strength") == found["strength"]
    assert strength == {"timesADay": 1, "keptPerDay": 0.9481, "countedDays": 6, "ignoredDays": 1}


async def test_weeks_and_allowed_slips(person: Person) -> None:
    weekly = await new_habit(person, frequency="Weekly", startDate="2026-02-16")
    for day in ("2026-02-18", "2026-02-24", "2026-03-04"):
        await log_habit(person, weekly, date=day)
    found = (await parts(person, weekly))["streakParts"]
    assert (found["unit"], found["counted"], found["since"]) == ("WEEK", 3, "2026-02-16")
    limit = {"habitType": "Reduce", "frequency": "Weekly", "startDate": "2026-03-01"}
    sweets = await new_habit(person, **limit)
    await log_habit(person, sweets, date="2026-03-03", kind="SLIP")
    found = (await parts(person, sweets))["streakParts"]
    assert (found["unit"], found["counted"], found["allowedSlips"]) == ("DAY", 2, 1)


async def test_a_trend_shows_its_two_weeks(person: Person) -> None:
    metric = await new_metric(person, aggregation="sum")
    for ago in range(13, -1, -1):
        at = (NOW - timedelta(days=ago)).isoformat()
        await log(person, metric, 10 if ago > 6 else 12, loggedAt=at)
    found = (await person.gql(TREND, id=metric["id"]))["metric"]
    assert found == {
        "trend": "Improving",
        "trendParts": {
            "trend": "Improving",
            "earlierMean": "10",
            "laterMean": "12",
            "earlierLogs": 7,
            "laterLogs": 6,
            "fewestLogs": 3,
        },
    }
    empty = (await person.gql(TREND, id=(await new_metric(person))["id"]))["metric"]["trendParts"]
    assert (empty["trend"], empty["laterMean"], empty["laterLogs"]) == (None, None, 0)
