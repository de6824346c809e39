"""Several logs at once, each with its own result."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.rewards.test_wallet import sums
from tests.servers import TestClock
from tests.tracking.test_habits import kinds, new_habit
from tests.tracking.test_metrics import check_caches, logs, new_metric, won

LOG_METRICS = """
mutation ($input: LogMetricsInput!) {
  logMetrics(input: $input) { log { id value metric { latestValue } } error { code message field } }
}
"""
LOG_HABITS = """
mutation ($input: LogHabitsInput!) {
  logHabits(input: $input) { log { date kind habit { streak } } error { code message field } }
}
"""


@pytest.fixture
async def person(api: Api, clock: TestClock) -> Person:
    clock.freeze(datetime(2026, 1, 31, 12, 0, tzinfo=UTC))
    return await api.sign_up()


async def log_metrics(person: Person, *wanted: dict[str, Any]) -> list[Any]:
    found: list[Any] = (await person.gql(LOG_METRICS, input={"logs": wanted}))["logMetrics"]
    return found


async def log_habits(person: Person, *wanted: dict[str, Any]) -> list[Any]:
    found: list[Any] = (await person.gql(LOG_HABITS, input={"logs": wanted}))["logHabits"]
    return found


async def test_values_of_several_metrics(person: Person, bob: Person, table: Gateway) -> None:
    water = await new_metric(person, aggregation="sum", targetValue=3)
    weight = await new_metric(person)
    foreign = await new_metric(bob)
    archived = await new_metric(person, status="Archived")
    found = await log_metrics(
        person,
        {"metricId": water["id"], "value": 1},
        {"metricId": foreign["id"], "value": 1},
        {"metricId": weight["id"], "value": 80},
        {"metricId": archived["id"], "value": 80},
        {"metricId": weight["id"], "value": 80, "loggedAt": "2027-01-01T00:00:00Z"},
        {"metricId": weight["id"], "value": 80, "notes": "x" * 20_000},
        {"metricId": water["id"], "value": 2},
    )
    assert [each["log"] and each["log"]["metric"]["latestValue"] for each in found] == [
        "3", None, "80", None, None, None, "3"
    ]  # fmt: skip
    errors = [each["error"] for each in found]
    assert [each and (each["code"], each["field"]) for each in errors] == [
        None,
        ("NOT_FOUND", None),
        None,
        ("NOT_ACTIVE", None),
        ("BAD_INPUT", "input.logs.4.loggedAt"),
        ("BAD_INPUT", "input.logs.5.notes"),
        None,
    ]
    assert errors[5]["message"].startswith("input.logs.5.notes: ")
    assert await won(person, water) == {"target_reached-3": 200}
    assert (await sums(table, person.id)).transactions == [200]
    assert len(await logs(person, weight)) == 1
    assert await logs(bob, foreign) == []
    await check_caches(table, person, water)


async def test_a_repeated_batch_logs_once(person: Person) -> None:
    water = await new_metric(person, aggregation="sum")
    wanted = [{"metricId": water["id"], "value": 1, "idempotencyKey": f"k{n}"} for n in range(25)]
    first = await log_metrics(person, *wanted)
    assert await log_metrics(person, *wanted) == first
    assert len(await logs(person, water, limit=100)) == 25


async def test_several_habits_and_days(person: Person) -> None:
    reading = await new_habit(person, startDate="2026-01-29")
    smoking = await new_habit(person, habitType="Quit")
    found = await log_habits(
        person,
        {"habitId": reading["id"], "date": "2026-01-30"},
        {"habitId": reading["id"]},
        {"habitId": smoking["id"]},
        {"habitId": smoking["id"], "kind": "SLIP"},
        {"habitId": "absent"},
        {"habitId": reading["id"], "date": "2026-02-01"},
    )
    shown = [
        each["log"] and (each["log"]["kind"], each["log"]["habit"]["streak"]) for each in found
    ]
    assert shown == [("DONE", 2), ("DONE", 2), None, ("SLIP", 0), None, None]
    errors = [each["error"] and (each["error"]["code"], each["error"]["field"]) for each in found]
    assert errors == [
        None,
        None,
        ("BAD_INPUT", "input.logs.2.kind"),
        None,
        ("NOT_FOUND", None),
        ("BAD_INPUT", "input.logs.5.date"),
    ]
    assert await kinds(person, reading) == {"2026-01-30": "DONE", "2026-01-31": "DONE"}


@pytest.mark.parametrize("count", [0, 26])
async def test_a_batch_has_1_to_25_logs(person: Person, count: int) -> None:
    habit, metric = await new_habit(person), await new_metric(person)
    days = [{"habitId": habit["id"]} for _ in range(count)]
    refused = await person.refused(LOG_HABITS, input={"logs": days})
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.logs")
    values = [{"metricId": metric["id"], "value": 1} for _ in range(count)]
    assert (await person.refused(LOG_METRICS, input={"logs": values})).code == "BAD_INPUT"
    assert await kinds(person, habit) == {}
    assert await logs(person, metric) == []
