"""Each user's own day, also when the clocks change and when they travel."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.clock import local_day, start_of_day
from app.core.text import ZONES
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.servers import TestClock
from tests.tracking.test_metrics import LOG, check_caches, log, logs, new_metric, seen
from tests.travel import travel

LOG_HABIT = "mutation ($id: ID!) { logHabit(input: {habitId: $id}) { date habit { streak } } }"
CREATE_HABIT = 'mutation { createHabit(input: {name: "Read"}) { id startDate } }'
PROFILE = "mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { timeZone } }"


@pytest.mark.parametrize(
    ("zone", "moments"),
    [
        ("UTC", {"2026-03-08T23:59": "2026-03-08", "2026-03-09T00:00": "2026-03-09"}),
        # The clocks go forward on 8 March 2026 and back on 1 November.
        (
            "America/Los_Angeles",
            {
                "2026-03-08T07:59": "2026-03-07",
                "2026-03-08T08:00": "2026-03-08",
                "2026-03-09T06:59": "2026-03-08",
                "2026-03-09T07:00": "2026-03-09",
                "2026-11-01T07:00": "2026-11-01",
                "2026-11-02T07:59": "2026-11-01",
                "2026-11-02T08:00": "2026-11-02",
            },
        ),
        # Back on 5 April, forward on 27 September.
        (
            "Pacific/Auckland",
            {
                "2026-04-04T10:59": "2026-04-04",
                "2026-04-04T11:00": "2026-04-05",
                "2026-04-05T11:59": "2026-04-05",
                "2026-04-05T12:00": "2026-04-06",
                "2026-09-26T11:59": "2026-09-26",
                "2026-09-26T12:00": "2026-09-27",
                "2026-09-27T10:59": "2026-09-27",
                "2026-09-27T11:00": "2026-09-28",
            },
        ),
    ],
)
async def test_today_is_the_users_own(
    api: Api, clock: TestClock, zone: str, moments: dict[str, str]
) -> None:
    clock.freeze(datetime(2026, 1, 1, tzinfo=UTC))
    person = await api.sign_up(timeZone=zone)
    metric = await new_metric(person)
    habit = (await person.gql(CREATE_HABIT))["createHabit"]
    for moment, day in moments.items():
        await travel(clock, datetime.fromisoformat(f"{moment}:00+00:00"), person)
        assert (await log(person, metric, 1))["date"] == day
        assert (await person.gql(LOG_HABIT, id=habit["id"]))["logHabit"]["date"] == day


@pytest.mark.parametrize(
    ("zone", "first"),
    [
        ("Pacific/Auckland", "2026-04-03T20:00"),
        ("Pacific/Auckland", "2026-09-25T20:00"),
        ("America/Los_Angeles", "2026-03-07T20:00"),
        ("America/Los_Angeles", "2026-10-31T20:00"),
    ],
)
async def test_a_streak_goes_on_over_the_change_of_clocks(
    api: Api, clock: TestClock, zone: str, first: str
) -> None:
    begin = datetime.fromisoformat(f"{first}:00+00:00")
    clock.freeze(begin)
    person = await api.sign_up(timeZone=zone)
    metric = await new_metric(person)
    habit = (await person.gql(CREATE_HABIT))["createHabit"]
    for days in range(4):
        await travel(clock, begin + timedelta(days=days), person)
        got = await log(person, metric, 1)
        done = (await person.gql(LOG_HABIT, id=habit["id"]))["logHabit"]
        assert (got["metric"]["streak"], done["habit"]["streak"]) == (days + 1, days + 1)


async def test_a_night_owls_day_begins_late(api: Api, clock: TestClock) -> None:
    clock.freeze(datetime(2026, 1, 10, 3, 59, tzinfo=UTC))
    person = await api.sign_up()
    await person.gql(PROFILE, input={"dayStartHour": 4})
    metric = await new_metric(person)
    assert (await log(person, metric, 1))["date"] == "2026-01-09"
    clock.freeze(datetime(2026, 1, 10, 4, 0, tzinfo=UTC))
    assert (await log(person, metric, 1))["date"] == "2026-01-10"


async def test_old_logs_keep_their_day_when_the_zone_changes(
    api: Api, clock: TestClock, table: Gateway
) -> None:
    """Logged in Auckland on the 11th, when it was the 10th in Los Angeles."""
    clock.freeze(datetime(2026, 1, 10, 20, 0, tzinfo=UTC))
    person = await api.sign_up(timeZone="Pacific/Auckland")
    metric = await new_metric(person)
    await log(person, metric, 1)
    await person.gql(PROFILE, input={"timeZone": "America/Los_Angeles"})
    got = await log(person, metric, 2)
    assert got["date"] == "2026-01-10"
    assert [each["date"] for each in await logs(person, metric)] == ["2026-01-11", "2026-01-10"]
    eleventh: dict[str, Any] = {"from": "2026-01-11", "to": "2026-01-11"}
    assert [each["value"] for each in await logs(person, metric, **eleventh)] == ["1"]
    assert (await seen(person, metric))["streak"] == 2
    await check_caches(table, person, metric)


async def test_a_log_may_be_a_little_fast(person_in_utc: Person) -> None:
    metric = await new_metric(person_in_utc)
    got = await log(person_in_utc, metric, 1, loggedAt="2026-01-10T12:04:59Z")
    assert got["date"] == "2026-01-10"
    late = {"metricId": metric["id"], "value": 1, "loggedAt": "2026-01-10T12:05:01Z"}
    assert (await person_in_utc.refused(LOG, input=late)).code == "BAD_INPUT"


@pytest.fixture
async def person_in_utc(api: Api, clock: TestClock) -> Person:
    clock.freeze(datetime(2026, 1, 10, 12, 0, tzinfo=UTC))
    return await api.sign_up()


@given(
    st.dates(date(1990, 1, 1), date(2035, 12, 31)),
    st.sampled_from(sorted(ZONES)),
    st.integers(0, 6),
)
def test_a_day_begins_when_it_is_that_day(day: date, zone: str, hour: int) -> None:
    start = start_of_day(day, time_zone=zone, day_start_hour=hour)
    after = local_day(start, time_zone=zone, day_start_hour=hour)
    before = local_day(start - timedelta(hours=2), time_zone=zone, day_start_hour=hour)
    assert after >= day > before
