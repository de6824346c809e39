"""Projects, through HTTP: fields, links, progress and health."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.api import Api, Person
from tests.goals.operations import do, goal, project, read, refused, task
from tests.servers import TestClock

HEALTH = "health { health progress expected overdue reason }"


@pytest.fixture
async def eva(api: Api, clock: TestClock) -> Person:
    clock.set(datetime(2026, 1, 16, 12, tzinfo=UTC))
    return await api.sign_up()


async def test_keeps_every_field(ada: Person) -> None:
    target = await goal(ada)
    made = await project(
        ada,
        "Garden",
        id="project-" + ada.nickname,
        description="d",
        area="Home",
        subCategory="Outside",
        priority="P1",
        status="Active",
        impact=5,
        startDate="2026-01-01",
        endDate="2026-12-31",
        notes="n",
        goalIds=[target["id"], target["id"]],
    )
    expected = {
        "name": "Garden",
        "area": "Home",
        "subCategory": "Outside",
        "priority": "P1",
        "status": "Active",
        "impact": 5,
        "startDate": "2026-01-01",
        "endDate": "2026-12-31",
        "completedDate": None,
        "notes": "n",
        "cachedProgress": 0,
        "goalIds": [target["id"]],
        "version": 1,
    }
    assert {name: made[name] for name in expected} == expected
    assert await read(ada, "project", made["id"]) == made
    after = await do(ada, "updateProject", id=made["id"], impact=None, notes=None, goalIds=[])
    assert (after["impact"], after["notes"], after["goalIds"], after["area"]) == (
        None,
        None,
        [],
        "Home",
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", " "),
        ("impact", 0),
        ("impact", 6),
        ("status", "Done"),
        ("endDate", "2025-12-31"),
        ("goalIds", [str(i) for i in range(11)]),
        ("cachedHealth", "green"),
    ],
)
async def test_invalid_input_is_refused(ada: Person, field: str, value: object) -> None:
    request = {"name": "x", "startDate": "2026-01-01", field: value}
    assert await refused(ada, "createProject", **request) == "BAD_INPUT"
    assert (await ada.gql("{ projects { items { id } } }"))["projects"]["items"] == []


async def test_an_end_before_the_start_is_refused_on_update_too(ada: Person) -> None:
    made = await project(ada, startDate="2026-01-10", endDate="2026-01-20")
    for request in ({"endDate": "2026-01-09"}, {"startDate": "2026-01-21"}):
        assert await refused(ada, "updateProject", id=made["id"], **request) == "BAD_INPUT"
    for field in ("name", "status", "priority", "goalIds"):
        assert await refused(ada, "updateProject", id=made["id"], **{field: None}) == "BAD_INPUT"
    assert await read(ada, "project", made["id"]) == made
    await do(ada, "updateProject", id=made["id"], name="Two")
    stale: dict[str, Any] = {"id": made["id"], "name": "x", "expectedVersion": 1}
    assert await refused(ada, "updateProject", **stale) == "CONFLICT"


async def test_a_completed_project_has_a_completed_date(eva: Person) -> None:
    made = await project(eva)
    done = await do(eva, "updateProject", id=made["id"], status="Completed")
    assert (done["completedDate"], done["cachedHealth"]) == ("2026-01-16", "green")
    back = await do(eva, "updateProject", id=made["id"], status="Active")
    assert back["completedDate"] is None


async def test_tasks_are_linked_and_counted_in_each_project(ada: Person) -> None:
    one, two = await project(ada, "1"), await project(ada, "2")
    work = await task(ada, projectIds=[one["id"]])
    for _ in range(2):
        await do(ada, "linkToProject", projectId=two["id"], taskId=work["id"])
    assert (await read(ada, "task", work["id"]))["projectIds"] == [one["id"], two["id"]]
    await do(ada, "completeTask", id=work["id"])
    for each in (one, two):
        seen = await read(ada, "project", each["id"], "tasks { items { id } }")
        assert (seen["tasks"]["items"], seen["cachedProgress"]) == ([{"id": work["id"]}], 100)
    for _ in range(2):
        await do(ada, "unlinkFromProject", projectId=one["id"], taskId=work["id"])
    seen = await read(ada, "project", one["id"], "tasks { items { id } }")
    assert (seen["tasks"]["items"], seen["cachedProgress"]) == ([], 0)
    for name in ("linkToProject", "unlinkFromProject"):
        for request in (
            {"projectId": one["id"], "taskId": "nobody"},
            {"projectId": "nobody", "taskId": work["id"]},
        ):
            assert await refused(ada, name, **request) == "NOT_FOUND"


async def health(person: Person, id: str) -> Any:
    return await read(person, "project", id, HEALTH)


async def test_health_by_dates_has_a_reason(eva: Person) -> None:
    made = await project(eva, status="Active", startDate="2026-01-01", endDate="2026-01-31")
    tasks = [await task(eva, projectIds=[made["id"]]) for _ in range(10)]
    colours = []
    for done in range(6):
        found = await health(eva, made["id"])
        assert found["cachedHealth"] == found["health"]["health"]
        assert (found["health"]["expected"], found["health"]["progress"]) == (50, done * 10)
        colours.append(found["cachedHealth"])
        await do(eva, "completeTask", id=tasks[done]["id"])
    assert colours == ["red", "red", "red", "yellow", "green", "green"]
    assert "50 %" in found["health"]["reason"]


async def test_health_is_computed_for_today(eva: Person, clock: TestClock) -> None:
    made = await project(eva, status="Active", startDate="2026-01-16", endDate="2026-01-17")
    assert made["cachedHealth"] == "green"
    clock.move(minutes=10)
    assert (await health(eva, made["id"]))["health"]["health"] == "green"


async def test_a_project_on_hold_has_no_health_and_an_overdue_one_is_red(eva: Person) -> None:
    held = await project(eva, status="OnHold", startDate="2026-01-01", endDate="2026-01-02")
    assert held["cachedHealth"] is None
    late = await do(eva, "updateProject", id=held["id"], status="Active")
    assert late["cachedHealth"] == "red"


async def test_health_without_dates_follows_the_overdue_tasks(eva: Person) -> None:
    made = await project(eva, status="Active")
    assert made["cachedHealth"] == "green"
    for _ in range(4):
        await task(eva, projectIds=[made["id"]])
    late = await task(eva, projectIds=[made["id"]], dueDate="2026-01-15")
    found = await health(eva, made["id"])
    assert (found["cachedHealth"], found["health"]["overdue"]) == ("yellow", 1)
    other = await task(eva, projectIds=[made["id"]], dueDate="2026-01-15")
    assert (await health(eva, made["id"]))["cachedHealth"] == "red"
    await do(eva, "updateTask", id=other["id"], dueDate="2026-01-16")
    assert (await health(eva, made["id"]))["cachedHealth"] == "yellow"
    await do(eva, "completeTask", id=late["id"])
    assert (await health(eva, made["id"]))["cachedHealth"] == "green"


async def test_cancelled_tasks_do_not_count(eva: Person) -> None:
    made = await project(eva)
    for status in ("Done", "Cancelled", "Cancelled"):
        await task(eva, projectIds=[made["id"]], status=status)
    assert (await read(eva, "project", made["id"]))["cachedProgress"] == 100
    all_cancelled = await project(eva)
    await task(eva, projectIds=[all_cancelled["id"]], status="Cancelled")
    assert (await read(eva, "project", all_cancelled["id"]))["cachedProgress"] == 0
