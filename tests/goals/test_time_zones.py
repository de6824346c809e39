"""A user who moves to another time zone: due dates stay, their moments follow. Through HTTP."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.api import Api, Person
from tests.goals.operations import do, goal, project, read, task
from tests.servers import TestClock

ZONES = ("Pacific/Kiritimati", "Europe/Berlin", "America/Los_Angeles", "Pacific/Honolulu")
BOARD = "{ dashboard { date due { id dueAt } overdue { id } scheduled { id } } }"


@pytest.fixture
async def eva(api: Api, clock: TestClock) -> Person:
    """In Berlin, on Monday, 16 November 2026, at 13:00."""
    clock.set(datetime(2026, 11, 16, 12, tzinfo=UTC))
    return await api.sign_up(timeZone="Europe/Berlin")


async def move(person: Person, **settings: object) -> None:
    query = "mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { id } }"
    await person.gql(query, input=settings)


async def everywhere(person: Person, task_id: str, goal_id: str, project_id: str) -> set[str]:
    """Each way to read the task: they must agree on dueAt."""
    query = """query ($id: ID!, $goal: ID!, $project: ID!) {
      task(id: $id) { dueAt }
      node(id: $id) { ... on Task { dueAt } }
      tasks { items { id dueAt } }
      byDue: tasks(orderBy: DUE) { items { id dueAt } }
      urgentTasks { id dueAt }
      goal(id: $goal) { tasks { items { id dueAt } } }
      project(id: $project) { tasks { items { id dueAt } } }
    }"""
    found = await person.gql(query, id=task_id, goal=goal_id, project=project_id)
    lists = [
        found["tasks"]["items"],
        found["byDue"]["items"],
        found["urgentTasks"],
        found["goal"]["tasks"]["items"],
        found["project"]["tasks"]["items"],
    ]
    seen: set[Any] = {found["task"]["dueAt"], found["node"]["dueAt"]}
    return seen | {each["dueAt"] for items in lists for each in items if each["id"] == task_id}


async def test_a_due_date_begins_in_the_present_time_zone(eva: Person) -> None:
    owner, garden = await goal(eva), await project(eva)
    goal_ids, project_ids = [owner["id"]], [garden["id"]]
    made = await task(eva, dueDate="2026-11-20", goalIds=goal_ids, projectIds=project_ids)
    assert made["dueAt"] == "2026-11-19T23:00:00.000Z"
    for zone, due_at in (
        ("America/Los_Angeles", "2026-11-20T08:00:00.000Z"),
        ("Pacific/Kiritimati", "2026-11-19T10:00:00.000Z"),
        ("UTC", "2026-11-20T00:00:00.000Z"),
    ):
        await move(eva, timeZone=zone)
        assert await everywhere(eva, made["id"], owner["id"], garden["id"]) == {due_at}
    await move(eva, dayStartHour=4)
    later = await everywhere(eva, made["id"], owner["id"], garden["id"])
    assert later == {"2026-11-20T04:00:00.000Z"}
    changed = await do(eva, "updateTask", id=made["id"], notes="n")
    assert (changed["dueDate"], changed["dueAt"]) == ("2026-11-20", "2026-11-20T04:00:00.000Z")
    done = await do(eva, "completeTask", id=made["id"])
    await move(eva, timeZone="Europe/Berlin", dayStartHour=0)
    assert (await do(eva, "completeTask", id=made["id"]))["dueAt"] == made["dueAt"] != done["dueAt"]


async def test_a_due_time_is_a_moment_everywhere(eva: Person) -> None:
    made = await task(eva, dueAt="2026-11-20T17:30:00Z")
    for zone in ZONES:
        await move(eva, timeZone=zone)
        assert (await read(eva, "task", made["id"]))["dueAt"] == "2026-11-20T17:30:00.000Z"


@pytest.mark.parametrize("first", ZONES)
@pytest.mark.parametrize("second", ZONES)
@pytest.mark.parametrize("hour", [0, 6])
async def test_the_dashboard_goes_by_dates(eva: Person, first: str, second: str, hour: int) -> None:
    await move(eva, timeZone=first, dayStartHour=hour)
    made = {day: (await task(eva, dueDate=f"2026-11-{day}"))["id"] for day in (14, 15, 16, 17, 18)}
    planned = await task(eva, scheduledDate="2026-11-16")
    await move(eva, timeZone=second, dayStartHour=0)
    query = BOARD.replace("dashboard", 'dashboard(date: "2026-11-16")')
    board = (await eva.gql(query))["dashboard"]
    assert [each["id"] for each in board["due"]] == [made[16]]
    assert [each["id"] for each in board["overdue"]] == [made[14], made[15]]
    assert [each["id"] for each in board["scheduled"]] == [planned["id"]]
    assert board["due"][0]["dueAt"] == (await read(eva, "task", made[16]))["dueAt"]


async def test_the_dashboard_puts_a_due_time_on_its_day_here(eva: Person) -> None:
    made = await task(eva, dueAt="2026-11-16T02:00:00Z")
    board = (await eva.gql(BOARD))["dashboard"]
    assert [each["id"] for each in board["due"]] == [made["id"]]
    await move(eva, timeZone="America/Los_Angeles")
    board = (await eva.gql(BOARD))["dashboard"]
    assert (board["date"], board["due"]) == ("2026-11-16", [])
    assert [each["id"] for each in board["overdue"]] == [made["id"]]


async def test_a_recurring_date_goes_on_in_the_new_time_zone(eva: Person) -> None:
    made = await task(eva, dueDate="2026-11-16", recurrenceRule={"frequency": "DAILY"})
    await move(eva, timeZone="America/Los_Angeles")
    done = await do(eva, "completeTask", id=made["id"])
    following = await read(eva, "task", done["nextTaskId"])
    assert (following["dueDate"], following["dueAt"]) == (
        "2026-11-17",
        "2026-11-17T08:00:00.000Z",
    )
