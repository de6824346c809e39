"""Computed numbers and their parts. Through HTTP."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.api import Api, Person
from tests.goals.operations import do, project, read, task
from tests.servers import TestClock

POINTS = "pointsExplanation { minutes isDefaultSize multiplier value isFixed }"
URGENCY = "urgency urgencyParts { name value reason }"


@pytest.fixture
async def eva(api: Api, clock: TestClock) -> Person:
    clock.freeze(datetime(2026, 3, 8, tzinfo=UTC))
    return await api.sign_up()


@pytest.mark.parametrize(
    ("size", "priority", "minutes", "multiplier", "value"),
    [
        (60, "P2", 60, 2.0, 120),
        (25, "P3", 25, 1.5, 38),
        (None, "P1", 30, 3.0, 90),
        (0, "P4", 0, 1.0, 0),
    ],
)
async def test_points(
    eva: Person, size: int | None, priority: str, minutes: int, multiplier: float, value: int
) -> None:
    made = await task(eva, size=size, priority=priority)
    found = await read(eva, "task", made["id"], POINTS)
    assert found["pointsExplanation"] == {
        "minutes": minutes,
        "isDefaultSize": size is None,
        "multiplier": multiplier,
        "value": value,
        "isFixed": False,
    }
    assert found["pointValue"] == value


async def test_points_that_were_paid_stay(eva: Person) -> None:
    made = await task(eva, size=60, priority="P2", status="Done")
    await do(eva, "updateTask", id=made["id"], priority="P1")
    found = await read(eva, "task", made["id"], POINTS)
    explained = found["pointsExplanation"]
    assert (found["pointValue"], explained["value"], explained["isFixed"]) == (120, 180, True)


def parts(found: Any) -> dict[str, float]:
    assert round(sum(each["value"] for each in found["urgencyParts"]), 2) == found["urgency"]
    assert all(each["reason"].endswith(".") for each in found["urgencyParts"])
    return {each["name"]: each["value"] for each in found["urgencyParts"]}


async def test_urgency(eva: Person) -> None:
    due = await task(eva, priority="P1", status="InProgress", dueAt="2026-03-01T00:00:00Z")
    waits = await task(eva, priority="P4", dependsOnIds=[due["id"]])
    found = await read(eva, "task", due["id"], URGENCY)
    assert parts(found) == {"priority": 6.0, "status": 4.0, "blocks": 8.0, "due": 12.0}
    assert found["urgency"] == 30.0
    blocked = await read(eva, "task", waits["id"], URGENCY)
    assert parts(blocked) == {"status": -5.0}
    await do(eva, "completeTask", id=due["id"])
    done = await read(eva, "task", due["id"], URGENCY)
    assert (done["urgency"], done["urgencyParts"]) == (0.0, [])


async def test_the_health_of_a_project(eva: Person) -> None:
    made = await project(eva, status="Active", startDate="2026-03-01", endDate="2026-03-15")
    for status in ("Done", "NotStarted", "NotStarted", "Cancelled"):
        await task(eva, projectIds=[made["id"]], status=status)
    fields = "health { health progress expected tasksDone tasksTotal pointsBehind overdue }"
    assert (await read(eva, "project", made["id"], fields))["health"] == {
        "health": "yellow",
        "progress": 33,
        "expected": 50,
        "tasksDone": 1,
        "tasksTotal": 3,
        "pointsBehind": 16.67,
        "overdue": 0,
    }
    without_dates = await do(eva, "updateProject", id=made["id"], endDate=None)
    found = (await read(eva, "project", without_dates["id"], fields))["health"]
    assert (found["health"], found["pointsBehind"], found["expected"]) == ("green", None, None)
