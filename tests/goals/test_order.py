"""The order of the tasks of a goal and of a project."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from app.domains.goals import keys
from app.domains.goals.types import Goal, GoalTask, Project, ProjectTask
from app.table.gateway import Gateway
from tests.api import Person
from tests.goals.operations import do, goal, project, task

LIMITS = [1, 2, 3, 100]
Make = Callable[[Person], Awaitable[Any]]
LINKS: dict[str, tuple[str, Make]] = {
    "goal": ("goalIds", goal),
    "project": ("projectIds", project),
}


async def listed(person: Person, kind: str, id: str, limit: int = 100) -> list[str]:
    """The titles, page by page: each page but the last is full."""
    query = (
        f"query ($id: ID!, $token: String) {{ {kind}(id: $id) {{ "
        f"tasks(limit: {limit}, nextToken: $token) {{ items {{ title }} nextToken }} }} }}"
    )
    found: list[str] = []
    token = None
    while True:
        page = (await person.gql(query, id=id, token=token))[kind]["tasks"]
        found += [each["title"] for each in page["items"]]
        token = page["nextToken"]
        if token is None:
            return found
        assert len(page["items"]) == limit


async def seven(person: Person, kind: str) -> tuple[Any, list[str]]:
    """A goal or project with tasks made in no order, and their titles in order."""
    name, make = LINKS[kind]
    owner = await make(person)
    link = {name: [owner["id"]]}
    await task(person, "undated a", id=f"a-{person.nickname}", **link)
    await task(person, "last", dueDate="2026-03-01", **link)
    await task(person, "tie b", id=f"tie-b-{person.nickname}", dueDate="2026-02-01", **link)
    await task(person, "undated b", id=f"b-{person.nickname}", **link)
    await task(person, "tie a", id=f"tie-a-{person.nickname}", dueDate="2026-02-01", **link)
    await task(person, "first", dueAt="2026-01-31T23:00:00-05:00", dueDate="2026-02-01", **link)
    await task(person, "earliest", dueDate="2025-12-31", **link)
    order = ["earliest", "tie a", "tie b", "first", "last", "undated a", "undated b"]
    return owner, order


@pytest.mark.parametrize("kind", ["goal", "project"])
async def test_tasks_are_ordered_by_due_date(ada: Person, kind: str) -> None:
    owner, order = await seven(ada, kind)
    for limit in LIMITS:
        assert await listed(ada, kind, owner["id"], limit) == order


@pytest.mark.parametrize("kind", ["goal", "project"])
async def test_a_changed_due_date_changes_the_order(ada: Person, kind: str) -> None:
    name, make = LINKS[kind]
    owner = await make(ada)
    link = {name: [owner["id"]]}
    a = await task(ada, "a", dueDate="2026-01-01", **link)
    b = await task(ada, "b", dueDate="2026-01-02", **link)
    loose = await task(ada, "loose", dueDate="2026-01-03")

    async def order() -> str:
        return " ".join(await listed(ada, kind, owner["id"], 2))

    await do(ada, "updateTask", id=a["id"], dueDate="2026-01-05")
    assert await order() == "b a"
    await do(ada, "updateTask", id=b["id"], dueAt="2026-01-05T09:00:00Z")
    assert await order() == "a b"
    await do(ada, "updateTask", id=a["id"], dueDate=None)
    assert await order() == "b a"
    await do(ada, "updateTask", id=loose["id"], **link)
    assert await order() == "loose b a"
    await do(ada, "updateTasks", ids=[loose["id"], a["id"]], dueDate="2026-02-01")
    assert (await order()).startswith("b ")
    await do(ada, "updateTask", id=b["id"], **{name: []})
    assert "b" not in await order()


async def test_occurrences_of_a_recurring_task_are_in_order(ada: Person) -> None:
    owner = await goal(ada)
    rule = {"frequency": "DAILY"}
    rent = await task(ada, "rent", goalIds=[owner["id"]], dueDate="2040-01-01", recurrenceRule=rule)
    await task(ada, "fixed", goalIds=[owner["id"]], dueDate="2040-01-02")
    await do(ada, "skipOccurrence", id=rent["id"])
    await do(ada, "skipOccurrence", id=rent["id"])
    assert await listed(ada, "goal", owner["id"]) == ["fixed", "rent"]
    await do(ada, "updateTask", id=rent["id"], dueDate="2040-01-01")
    await do(ada, "completeTask", id=rent["id"])
    assert await listed(ada, "goal", owner["id"]) == ["rent", "fixed", "rent"]
    await do(ada, "reopenTask", id=rent["id"])
    assert await listed(ada, "goal", owner["id"]) == ["rent", "fixed"]


async def forget_the_order(
    table: Gateway, kind: str, person: Person, owner_id: str, task_id: str
) -> None:
    """A goal or project with a link as both were stored before there was an order."""
    of_goal = kind == "goal"
    link = await table.get((keys.goal_task if of_goal else keys.project_task)(owner_id, task_id))
    owner = await table.get((keys.goal if of_goal else keys.project)(person.id, owner_id))
    assert isinstance(link, GoalTask | ProjectTask)
    assert isinstance(owner, Goal | Project)
    await table.put_many([replace(link, due=None), replace(owner, tasks_in_order=False)])


@pytest.mark.parametrize("kind", ["goal", "project"])
@pytest.mark.parametrize("limit", LIMITS)
async def test_links_without_due_come_last(
    ada: Person, table: Gateway, kind: str, limit: int
) -> None:
    owner, order = await seven(ada, kind)
    old = f"tie-a-{ada.nickname}"
    await forget_the_order(table, kind, ada, owner["id"], old)
    late = [each for each in order if each != "tie a"]
    assert await listed(ada, kind, owner["id"], limit) == [*late, "tie a"]
    await do(ada, "updateTask", id=old, dueDate="2025-12-30")
    assert await listed(ada, kind, owner["id"], limit) == ["tie a", *late]


async def test_a_stale_index_shows_no_unlinked_task(ada: Person, table: Gateway) -> None:
    owner = await goal(ada)
    gone = await task(ada, "gone", goalIds=[owner["id"]])
    link = await table.get(keys.goal_task(owner["id"], gone["id"]))
    assert link is not None
    await do(ada, "unlinkFromGoal", goalId=owner["id"], taskId=gone["id"])
    await table.put_many([link])
    assert await listed(ada, "goal", owner["id"]) == []


async def test_a_task_inserted_before_the_page_causes_no_repeats_or_gaps(ada: Person) -> None:
    owner, order = await seven(ada, "goal")
    query = "query ($id: ID!, $t: String) { goal(id: $id) { tasks(limit: 3, nextToken: $t) { "
    query += "items { title } nextToken } } }"
    first = (await ada.gql(query, id=owner["id"]))["goal"]["tasks"]
    await task(ada, "new", goalIds=[owner["id"]], dueDate="2025-01-01")
    second = (await ada.gql(query, id=owner["id"], t=first["nextToken"]))["goal"]["tasks"]
    third = (await ada.gql(query, id=owner["id"], t=second["nextToken"]))["goal"]["tasks"]
    seen = [each["title"] for page in (first, second, third) for each in page["items"]]
    assert seen == order


async def test_a_token_of_one_goal_is_refused_for_another(ada: Person) -> None:
    owner, _ = await seven(ada, "goal")
    other = await goal(ada)
    query = "query ($id: ID!, $t: String) { goal(id: $id) { tasks(limit: 3, nextToken: $t) { "
    query += "nextToken } } }"
    token = (await ada.gql(query, id=owner["id"]))["goal"]["tasks"]["nextToken"]
    assert (await ada.refused(query, id=other["id"], t=token)).code == "BAD_TOKEN"
