"""Series as data: values of a metric, the calendar of a habit, its present day."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.domains.tracking.rules import series
from tests.api import Api, Person
from tests.servers import TestClock
from tests.tracking.test_habits import UPDATE as UPDATE_HABIT
from tests.tracking.test_habits import log as log_habit
from tests.tracking.test_habits import new_habit
from tests.tracking.test_metrics import log, new_metric

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
SERIES = """
query ($id: ID!, $interval: SeriesInterval! = DAY, $from: AWSDate, $to: AWSDate) {
  metric(id: $id) { series(interval: $interval, from: $from, to: $to) {
    firstDay lastDay value mean lowest highest days logs isOver } }
}
"""
CALENDAR = """
query ($id: ID!, $from: AWSDate, $to: AWSDate) {
  habit(id: $id) { calendar(from: $from, to: $to) {
    date isDue isPaused effect log { kind notes } } }
}
"""
TODAY = "query ($id: ID!) { habit(id: $id) { today { date due done log { kind } } } }"


@pytest.fixture
async def person(api: Api, clock: TestClock) -> Person:
    """Someone in UTC, for whom it is noon on Wednesday, 4 March 2026."""
    clock.freeze(NOW)
    return await api.sign_up()


async def points(person: Person, metric: dict[str, Any], **arguments: object) -> list[Any]:
    answer = await person.gql(SERIES, id=metric["id"], **arguments)
    found: list[Any] = answer["metric"]["series"]
    return found


async def water(person: Person, aggregation: str) -> dict[str, Any]:
    """Two logs on 28 February and on 2 March, one today."""
    metric = await new_metric(person, aggregation=aggregation)
    for day, value in (("02-28", 2), ("02-28", 4), ("03-02", 1), ("03-02", 5), ("03-04", 3)):
        await log(person, metric, value, loggedAt=f"2026-{day}T08:00:00Z")
    return metric


@pytest.mark.parametrize(
    ("aggregation", "by_day", "by_week", "by_month"),
    [
        ("last", ["4", "5", "3"], ["4", "3"], ["4", "3"]),
        ("sum", ["6", "6", "3"], ["6", "9"], ["6", "9"]),
        ("min", ["2", "1", "3"], ["2", "1"], ["2", "1"]),
        ("max", ["4", "5", "3"], ["4", "5"], ["4", "5"]),
        ("mean", ["3", "3", "3"], ["3", "3"], ["3", "3"]),
    ],
)
async def test_the_values_of_days_weeks_and_months(
    person: Person, aggregation: str, by_day: list[str], by_week: list[str], by_month: list[str]
) -> None:
    metric = await water(person, aggregation)
    for interval, expected in (("DAY", by_day), ("WEEK", by_week), ("MONTH", by_month)):
        found = await points(person, metric, interval=interval)
        assert [each["value"] for each in found] == expected, interval


async def test_a_point_says_what_it_stands_for(person: Person) -> None:
    metric = await water(person, "sum")
    assert (await points(person, metric, interval="WEEK"))[-1] == {
        "firstDay": "2026-03-02",
        "lastDay": "2026-03-08",
        "value": "9",
        "mean": "4.5",
        "lowest": "3",
        "highest": "6",
        "days": 2,
        "logs": 3,
        "isOver": False,
    }
    assert [each["isOver"] for each in await points(person, metric)] == [True, True, False]
    months = await points(person, metric, interval="MONTH")
    assert [(each["firstDay"], each["lastDay"]) for each in months] == [
        ("2026-02-01", "2026-02-28"),
        ("2026-03-01", "2026-03-31"),
    ]


async def test_a_range_of_days_has_both_its_ends(person: Person) -> None:
    metric = await water(person, "sum")
    found = await points(person, metric, **{"from": "2026-02-28", "to": "2026-03-02"})
    assert [each["firstDay"] for each in found] == ["2026-02-28", "2026-03-02"]
    assert await points(person, metric, **{"from": "2026-03-01", "to": "2026-03-01"}) == []
    assert await points(person, metric, to="2026-02-27") == []


@pytest.mark.parametrize(
    ("interval", "since", "until"),
    [
        ("DAY", "2026-03-02", "2026-03-01"),
        ("DAY", "2025-03-03", "2026-03-04"),
        ("WEEK", "2020-01-01", "2026-03-04"),
        ("MONTH", "2015-01-01", "2026-03-04"),
        ("DAY", "0001-01-01", "0001-01-02"),
        ("DAY", "9999-12-30", "9999-12-31"),
    ],
)
async def test_a_range_is_bounded(person: Person, interval: str, since: str, until: str) -> None:
    metric = await new_metric(person)
    wrong = {"id": metric["id"], "interval": interval, "from": since, "to": until}
    refused = await person.refused(SERIES, **wrong)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "from")


async def test_the_logs_of_a_range_are_bounded(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = await water(person, "sum")
    monkeypatch.setattr(series, "MOST_LOGS", 4)
    assert (await person.refused(SERIES, id=metric["id"])).code == "LIMIT_EXCEEDED"
    assert len(await points(person, metric, **{"from": "2026-03-01"})) == 2


async def test_days_are_those_of_the_logs(api: Api, clock: TestClock) -> None:
    """In Auckland it is the 5th already."""
    clock.freeze(NOW)
    person = await api.sign_up(timeZone="Pacific/Auckland")
    metric = await new_metric(person)
    await log(person, metric, 1)
    (found,) = await points(person, metric, **{"from": "2026-03-05", "to": "2026-03-05"})
    assert (found["firstDay"], found["isOver"]) == ("2026-03-05", False)


async def days(person: Person, habit: dict[str, Any], **arguments: object) -> list[Any]:
    answer = await person.gql(CALENDAR, id=habit["id"], **arguments)
    found: list[Any] = answer["habit"]["calendar"]
    return found


FROM_FEBRUARY = {"from": "2026-02-28", "to": "2026-03-05"}


async def test_the_calendar_of_a_daily_habit(person: Person) -> None:
    habit = await new_habit(person, startDate="2026-03-01")
    await log_habit(person, habit, date="2026-03-01", notes="ten pages")
    await log_habit(person, habit, date="2026-03-02", kind="SKIP")
    found = await days(person, habit, **FROM_FEBRUARY)
    assert [(each["date"], each["isDue"], each["effect"]) for each in found] == [
        ("2026-02-28", False, "NEUTRAL"),
        ("2026-03-01", True, "ADDS"),
        ("2026-03-02", True, "NEUTRAL"),
        ("2026-03-03", True, "BREAKS"),
        ("2026-03-04", True, "OPEN"),
        ("2026-03-05", True, "OPEN"),
    ]
    assert [each["log"] for each in found[:3]] == [
        None,
        {"kind": "DONE", "notes": "ten pages"},
        {"kind": "SKIP", "notes": None},
    ]
    assert len(await days(person, habit)) == 30
    await log_habit(person, habit, kind="MISSED")
    assert (await days(person, habit))[-1]["effect"] == "BREAKS"


@pytest.mark.parametrize(
    ("fields", "logged", "effects", "due"),
    [
        (
            {"frequency": "Weekly", "targetPerPeriod": 2},
            {"2026-02-28": "DONE", "2026-03-02": "DONE", "2026-03-03": "DONE"},
            "ADDS BREAKS ADDS ADDS OPEN OPEN",
            [True, True, True, True, False, False],
        ),
        (
            {"habitType": "Quit"},
            {"2026-03-02": "SLIP"},
            "ADDS ADDS BREAKS ADDS OPEN OPEN",
            [True] * 6,
        ),
        (
            {"habitType": "Reduce", "frequency": "Weekly", "targetPerPeriod": 1},
            {"2026-03-02": "SLIP", "2026-03-04": "SLIP"},
            "ADDS ADDS NEUTRAL ADDS BREAKS OPEN",
            [True] * 6,
        ),
        (
            {"weekdays": ["Mon", "Wed"]},
            {"2026-03-02": "DONE"},
            "NEUTRAL NEUTRAL ADDS NEUTRAL OPEN OPEN",
            [False, False, True, False, True, False],
        ),
    ],
)
async def test_calendars_of_other_habits(
    person: Person,
    fields: dict[str, Any],
    logged: dict[str, str],
    effects: str,
    due: list[bool],
) -> None:
    habit = await new_habit(person, startDate="2026-02-02", **fields)
    for day, kind in logged.items():
        await log_habit(person, habit, date=day, kind=kind)
    found = await days(person, habit, **FROM_FEBRUARY)
    assert " ".join(each["effect"] for each in found) == effects
    assert [each["isDue"] for each in found] == due


async def test_a_paused_day_is_not_due(person: Person) -> None:
    habit = await new_habit(person, startDate="2026-03-01")
    await person.gql(UPDATE_HABIT, input={"id": habit["id"], "status": "Paused"})
    *_, today = await days(person, habit)
    assert (today["isPaused"], today["isDue"]) == (True, False)


@pytest.mark.parametrize(
    ("fields", "kind", "expected"),
    [
        ({}, None, (True, False, None)),
        ({}, "DONE", (True, True, {"kind": "DONE"})),
        ({}, "MISSED", (True, False, {"kind": "MISSED"})),
        ({"habitType": "Quit"}, "SLIP", (True, False, {"kind": "SLIP"})),
        ({"habitType": "Quit"}, "MISSED", (True, True, {"kind": "MISSED"})),
        ({"weekdays": ["Mon"]}, None, (False, False, None)),
        ({"status": "Paused"}, None, (False, False, None)),
    ],
)
async def test_the_present_day_of_a_habit(
    person: Person, fields: dict[str, Any], kind: str | None, expected: tuple[Any, ...]
) -> None:
    habit = await new_habit(person, **fields)
    if kind:
        await log_habit(person, habit, kind=kind)
    found = (await person.gql(TODAY, id=habit["id"]))["habit"]["today"]
    assert found["date"] == "2026-03-04"
    assert (found["due"], found["done"], found["log"]) == expected
