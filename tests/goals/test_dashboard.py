"""The dashboard, bulk changes, and the number of calls to the table."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from app.table.gateway import CALLS
from tests.api import Api, Person
from tests.goals.operations import balance, do, goal, mutation, project, read, task
from tests.servers import TestClock

BOARD = """
query ($date: AWSDate) {
  dashboard(date: $date) {
    date pointsEarned
    due { title } overdue { title } scheduled { title } inProgress { title } completed { title }
    goals { title cachedProgress } projects { name cachedHealth } habits { name }
    wallet { balance }
  }
}
"""
NESTED = "{ %s(limit: 10) { items { id tasks(limit: 100) { items { id title } } } } }"


def calls() -> float:
    return sum(
        sample.value
        for sample in next(iter(CALLS.collect())).samples
        if sample.name.endswith("_total")
    )


async def counted(ask: Callable[[], Awaitable[Any]]) -> float:
    before = calls()
    await ask()
    return calls() - before


@pytest.fixture
async def eva(api: Api, clock: TestClock) -> Person:
    """In Auckland, where it is 11 January already."""
    clock.set(datetime(2026, 1, 10, 12, tzinfo=UTC))
    return await api.sign_up(timeZone="Pacific/Auckland")


def titles(found: list[Any]) -> list[str]:
    return [each.get("title") or each["name"] for each in found]


async def test_the_dashboard_of_a_day(eva: Person) -> None:
    await task(eva, "today", dueDate="2026-01-11")
    await task(eva, "planned early", dueDate="2026-01-11", scheduledDate="2026-01-09")
    await task(eva, "late", dueDate="2026-01-10")
    await task(eva, "later", dueDate="2026-01-12")
    await task(eva, "planned", scheduledDate="2026-01-11", dueDate="2026-02-01")
    await task(eva, "planned today, late", scheduledDate="2026-01-11", dueDate="2026-01-02")
    await task(eva, "begun", status="InProgress")
    await task(eva, "finished", status="Done", size=10, priority="P4", dueDate="2026-01-11")
    await task(eva, "cancelled", status="Cancelled", dueDate="2026-01-11")
    await goal(eva, "running", status="OnTrack")
    await goal(eva, "dreamt of")
    await project(eva, "garden", status="Active")
    query = "mutation ($input: CreateHabitInput!) { createHabit(input: $input) { id } }"
    await eva.gql(query, input={"name": "Walk"})
    board = (await eva.gql(BOARD))["dashboard"]
    found = {name: titles(value) for name, value in board.items() if isinstance(value, list)}
    assert found == {
        "due": ["today", "planned early"],
        "overdue": ["planned today, late", "late"],
        "scheduled": ["planned today, late", "planned"],
        "inProgress": ["begun"],
        "completed": ["finished"],
        "goals": ["running"],
        "projects": ["garden"],
        "habits": ["Walk"],
    }
    assert (board["date"], board["pointsEarned"], board["wallet"]["balance"]) == (
        "2026-01-11",
        10,
        10,
    )
    tomorrow = (await eva.gql(BOARD, date="2026-01-12"))["dashboard"]
    assert (titles(tomorrow["due"]), len(tomorrow["overdue"])) == (["later"], 4)
    assert tomorrow["completed"] == []


async def test_the_dashboard_of_a_new_user_is_empty(ada: Person) -> None:
    board = (await ada.gql(BOARD))["dashboard"]
    assert {name for name, value in board.items() if value} == {"date", "wallet"}


async def test_the_dashboard_takes_no_more_calls_with_many_tasks(ada: Person) -> None:
    async def ask() -> None:
        await ada.gql(BOARD, date="2026-01-11")

    async def fill(count: int) -> None:
        for i in range(count):
            await task(ada, f"{i}", dueDate="2026-01-11", scheduledDate="2026-01-10")
            await task(ada, f"late {i}", dueDate="2026-01-01", status="InProgress")

    await ask()
    empty = await counted(ask)
    await fill(2)
    few = await counted(ask)
    await fill(30)
    many = await counted(ask)
    assert empty == few == many
    assert many <= 14


@pytest.mark.parametrize(
    ("field", "link", "make"), [("goals", "goalIds", goal), ("projects", "projectIds", project)]
)
async def test_lists_with_their_tasks_take_no_more_calls_with_many_tasks(
    ada: Person, field: str, link: str, make: Callable[..., Awaitable[Any]]
) -> None:
    async def ask() -> Any:
        return await ada.gql(NESTED % field)

    async def fill(count: int) -> None:
        for each in owners:
            for i in range(count):
                day = f"2026-02-{i % 28 + 1:02}" if i % 3 else None
                await task(ada, str(i), dueDate=day, **{link: [each["id"]]})

    owners = [await make(ada, str(i)) for i in range(3)]
    await fill(1)
    await ask()
    few = await counted(ask)
    await fill(25)
    many = await counted(ask)
    found = (await ask())[field]["items"]
    assert [len(each["tasks"]["items"]) for each in found] == [26, 26, 26]
    # What is behind the links of several owners travels together if it falls into one moment.
    # The calendar of the user is read once.
    assert max(few, many) <= 2 + 2 * len(owners)


async def test_relations_of_a_list_are_read_together(ada: Person) -> None:
    parent = await goal(ada)
    for i in range(10):
        await task(ada, str(i), goalIds=[parent["id"]])
        await goal(ada, str(i), parentGoalId=parent["id"])

    async def ask() -> None:
        await ada.gql("{ tasks { items { goals { title } dependsOn { id } projects { id } } } }")

    async def family() -> None:
        await ada.gql("{ goals { items { parent { title } rollUp { percent } } } }")

    assert await counted(ask) <= 3
    assert await counted(family) <= 4


# Many at once.


async def test_tasks_are_completed_independently_of_each_other(ada: Person) -> None:
    blocker = await task(ada, "blocker")
    tasks = [await task(ada, str(i), size=10, priority="P4") for i in range(3)]
    waits = await task(ada, "waits", dependsOnIds=[blocker["id"]])
    ids = [*(each["id"] for each in tasks), waits["id"], "nobody", tasks[0]["id"]]
    found = await do(ada, "completeTasks", ids=ids)
    assert [each["id"] for each in found["tasks"]] == [each["id"] for each in tasks]
    assert {each["status"] for each in found["tasks"]} == {"Done"}
    assert [(each["id"], each["code"]) for each in found["refusals"]] == [
        (waits["id"], "DEPENDENCY_OPEN"),
        ("nobody", "NOT_FOUND"),
    ]
    assert await balance(ada) == 30
    await do(ada, "completeTasks", ids=ids[:3])
    assert await balance(ada) == 30


async def test_tasks_are_changed_independently_of_each_other(ada: Person) -> None:
    target = await goal(ada)
    tasks = [await task(ada, str(i), notes="n") for i in range(3)]
    found = await do(
        ada,
        "updateTasks",
        ids=[each["id"] for each in tasks],
        priority="P1",
        goalIds=[target["id"]],
        dueDate="2026-05-05",
    )
    assert found["refusals"] == []
    for each in tasks:
        after = await read(ada, "task", each["id"])
        assert (after["priority"], after["goalIds"], after["notes"]) == (
            "P1",
            [target["id"]],
            "n",
        )
    assert (await read(ada, "goal", target["id"], PARTS))["progress"]["parts"][1]["total"] == 3


PARTS = "progress { parts { total } }"


@pytest.mark.parametrize("count", [0, 26])
async def test_a_bulk_change_takes_1_to_25_tasks(ada: Person, count: int) -> None:
    request = {"ids": [str(i) for i in range(count)]}
    for name in ("completeTasks", "updateTasks"):
        assert (await ada.refused(mutation(name), input=request)).code == "BAD_INPUT"
