"""Filters, orders and counts of lists, compared with a plain model. Through HTTP."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from app.domains.goals import repository
from tests.api import Api, Person
from tests.goals.operations import do, goal, ids, later, pages, project, task
from tests.goals.test_dashboard import counted
from tests.servers import TestClock

TASKS = 14
SHOWN = (
    "id title status priority area subCategory tags goalIds projectIds dueDate dueAt scheduledDate "
    "completedDate createdAt updatedAt urgency"
)
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
STATUSES = ["NotStarted", "InProgress", "OnHold", "Done", "Cancelled"]
OPEN = {"NotStarted", "InProgress", "OnHold", "Blocked"}


@pytest.fixture
async def ann(api: Api, clock: TestClock) -> Person:
    """With tasks that differ in everything, an hour apart."""
    clock.set(START)
    person = await api.sign_up()
    target, garden = await goal(person, id=f"g-{person.nickname}"), await project(person)
    for i in range(TASKS):
        clock.set(START + timedelta(minutes=i))
        await task(
            person,
            f"{'bAcD'[i % 4]} task {i % 5}",
            status=STATUSES[i % 5],
            priority=f"P{i % 4 + 1}",
            area=["Work", "WORK", "Home", None][i % 4],
            tags=["a"] if i % 3 else [],
            goalIds=[target["id"]] if i % 2 else [],
            projectIds=[garden["id"]] if i % 3 == 1 else [],
            dueDate=f"2026-03-{i % 6 + 1:02}" if i % 7 else None,
            scheduledDate=f"2026-03-{i % 4 + 1:02}" if i % 2 else None,
        )
    await later(person, clock, START + timedelta(hours=2))
    return person


async def all_tasks(person: Person) -> list[Any]:
    return [each for page in await pages(person, "tasks", limit=100, inner=SHOWN) for each in page]


Matches = Callable[[Any], bool]
FILTERS: list[tuple[str, Matches]] = [
    ("statuses: [Done, OnHold]", lambda t: t["status"] in ("Done", "OnHold")),
    ("statuses: [Done]", lambda t: t["status"] == "Done"),
    ("statuses: []", lambda t: False),
    ("isOpen: true", lambda t: t["status"] in OPEN),
    ("isOpen: false", lambda t: t["status"] not in OPEN),
    ("priorities: [P1, P3]", lambda t: t["priority"] in ("P1", "P3")),
    ('area: "work"', lambda t: (t["area"] or "").lower() == "work"),
    ('tag: "#A", isOpen: true', lambda t: "a" in t["tags"] and t["status"] in OPEN),
    ("hasDueDate: false", lambda t: t["dueDate"] is None),
    ("hasDueDate: true, isOpen: true", lambda t: bool(t["dueDate"]) and t["status"] in OPEN),
    ('dueFrom: "2026-03-03"', lambda t: (t["dueDate"] or "") >= "2026-03-03"),
    ('dueFrom: "2026-03-02", dueTo: "2026-03-03", priorities: [P1, P2]',
     lambda t: "2026-03-02" <= (t["dueDate"] or "") <= "2026-03-03" and t["priority"] < "P3"),
    ('scheduledTo: "2026-03-02"', lambda t: bool(t["scheduledDate"]) and
     t["scheduledDate"] <= "2026-03-02"),
    ('completedFrom: "2026-03-01T12:04:00Z"',
     lambda t: (t["completedDate"] or "") >= "2026-03-01T12:04:00.000Z"),
    ('updatedFrom: "2026-03-01T13:03:00+01:00", updatedTo: "2026-03-01T12:07:00Z"',
     lambda t: "2026-03-01T12:03:00.000Z" <= t["updatedAt"] <= "2026-03-01T12:07:00.000Z"),
    ('text: "TASK 3"', lambda t: "task 3" in t["title"].lower()),
]  # fmt: skip


@pytest.mark.parametrize(("condition", "matches"), FILTERS, ids=[each for each, _ in FILTERS])
async def test_a_filter_finds_what_the_model_finds(
    ann: Person, condition: str, matches: Matches
) -> None:
    everything = await all_tasks(ann)
    wanted = {each["id"] for each in everything if matches(each)}
    arguments = f"filter: {{{condition}}}, "
    assert set(ids(await pages(ann, "tasks", arguments, limit=3))) == wanted
    query = f"{{ tasks({arguments} limit: 1) {{ totalCount }} }}"
    assert (await ann.gql(query))["tasks"]["totalCount"] == len(wanted)


async def test_tasks_of_a_goal_or_a_project(ann: Person) -> None:
    everything = await all_tasks(ann)
    goal_id = f"g-{ann.nickname}"
    condition = f'filter: {{goalId: "{goal_id}", isOpen: true}}, '
    for arguments in (condition, f"{condition} orderBy: DUE, ", f"{condition} orderBy: TITLE, "):
        found = ids(await pages(ann, "tasks", arguments, limit=2))
        assert set(found) == {
            each["id"]
            for each in everything
            if goal_id in each["goalIds"] and each["status"] in OPEN
        }
    project_id = next(each["projectIds"][0] for each in everything if each["projectIds"])
    found = ids(await pages(ann, "tasks", f'filter: {{projectId: "{project_id}"}}, ', limit=2))
    assert set(found) == {each["id"] for each in everything if project_id in each["projectIds"]}


async def test_a_foreign_goal_has_no_tasks_here(ann: Person, bob: Person) -> None:
    arguments = f'filter: {{goalId: "g-{ann.nickname}"}}, '
    assert ids(await pages(bob, "tasks", arguments)) == []


VALUES: dict[str, Callable[[Any], Any]] = {
    "CREATED": lambda t: t["createdAt"],
    "UPDATED": lambda t: t["updatedAt"],
    "DUE": lambda t: t["dueAt"],
    "PRIORITY": lambda t: t["priority"],
    "TITLE": lambda t: t["title"].casefold(),
    "URGENCY": lambda t: -t["urgency"],
}


@pytest.mark.parametrize("order", VALUES)
@pytest.mark.parametrize("direction", ["ASC", "DESC"])
@pytest.mark.parametrize("limit", [1, 3, 100])
async def test_an_order_in_either_direction(
    ann: Person, order: str, direction: str, limit: int
) -> None:
    arguments = f"orderBy: {order}, direction: {direction}, "
    found = [
        each
        for page in await pages(ann, "tasks", arguments, limit=limit, inner=SHOWN)
        for each in page
    ]
    everything = await all_tasks(ann)
    if order == "URGENCY":
        everything = [each for each in everything if each["status"] in OPEN]
    assert sorted(each["id"] for each in found) == sorted(each["id"] for each in everything)
    values = [VALUES[order](each) for each in found]
    known = [each for each in values if each is not None]
    assert values[: len(known)] == known, "tasks without the value come last"
    for one, other in pairwise(known):
        assert one <= other if direction == "ASC" else one >= other


async def test_a_task_that_changes_between_two_pages_disturbs_no_other(ann: Person) -> None:
    query = (
        "query ($t: String) { tasks(orderBy: TITLE, limit: 5, nextToken: $t) "
        "{ items { id } nextToken } }"
    )
    first = (await ann.gql(query))["tasks"]
    await do(ann, "deleteTask", id=first["items"][-1]["id"])
    await do(ann, "updateTask", id=first["items"][0]["id"], title="zzz")
    second = (await ann.gql(query, t=first["nextToken"]))["tasks"]
    third = (await ann.gql(query, t=second["nextToken"]))["tasks"]
    seen = [each["id"] for page in (first, second, third) for each in page["items"]]
    assert len(set(seen)) == TASKS
    assert seen.count(first["items"][0]["id"]) == 2


async def test_an_order_and_a_count_have_a_limit(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "MOST_SORTED", TASKS - 1)
    query = "{ tasks(orderBy: TITLE%s) { items { id } } }"
    error = await ann.refused(query % "")
    assert (error.code, "Narrow it" in error.errors[0]["message"]) == ("LIMIT_EXCEEDED", True)
    for condition, count in (("statuses: [Done]", 3), ("isOpen: true", 9)):
        narrow = query % f", filter: {{{condition}}}"
        assert len((await ann.gql(narrow))["tasks"]["items"]) == count
    assert (await ann.gql("{ tasks { totalCount } }"))["tasks"]["totalCount"] is None
    assert (await ann.refused("{ taskCounts(groupBy: AREA) { total } }")).code == "LIMIT_EXCEEDED"


async def test_what_contradicts_is_refused(ann: Person) -> None:
    both = '{ tasks(area: "Work", filter: {area: "Home"}) { items { id } } }'
    assert (await ann.refused(both)).code == "BAD_INPUT"
    closed = "{ tasks(orderBy: URGENCY, filter: {isOpen: false}) { items { id } } }"
    assert (await ann.refused(closed)).info["field"] == "orderBy"


# Counts.


async def counts(person: Person, grouping: str, condition: str = "") -> Any:
    argument = f", filter: {{{condition}}}" if condition else ""
    query = f"{{ taskCounts(groupBy: {grouping}{argument}) {{ total groups {{ key count }} }} }}"
    found = (await person.gql(query))["taskCounts"]
    assert found["total"] == sum(each["count"] for each in found["groups"])
    return [(each["key"], each["count"]) for each in found["groups"]]


async def test_counts_for_badges(ann: Person) -> None:
    assert await counts(ann, "STATUS") == [
        ("Cancelled", 2), ("Done", 3), ("InProgress", 3), ("NotStarted", 3), ("OnHold", 3),
    ]  # fmt: skip
    assert await counts(ann, "AREA") == [("Home", 3), ("Work", 8), (None, 3)]
    assert await counts(ann, "PRIORITY", "isOpen: true") == [
        ("P1", 2), ("P2", 2), ("P3", 3), ("P4", 2),
    ]  # fmt: skip
    assert await counts(ann, "DUE_DAY", 'dueTo: "2026-03-02"') == [
        ("2026-03-01", 2), ("2026-03-02", 2),
    ]  # fmt: skip


async def test_a_due_time_counts_on_its_day_in_the_time_zone(ann: Person) -> None:
    await ann.gql('mutation { updateProfile(input: {timeZone: "Asia/Tokyo"}) { id } }')
    await task(ann, dueAt="2026-05-01T20:00:00Z")
    assert await counts(ann, "DUE_DAY", 'dueFrom: "2026-05-01"') == [("2026-05-02", 1)]


async def test_lists_and_counts_take_few_calls(ann: Person) -> None:
    def ask(query: str) -> Callable[[], Any]:
        return lambda: ann.gql(query)

    assert await counted(ask("{ tasks(orderBy: TITLE) { items { id } } }")) <= 3
    assert await counted(ask("{ tasks(filter: {isOpen: true}) { items { id } } }")) <= 3
    assert await counted(ask("{ taskCounts(groupBy: STATUS) { total } }")) <= 4


# Goals and projects.


async def test_orders_and_filters_of_goals(ada: Person) -> None:
    parent = await goal(ada, "Parent", targetDate="2026-06-01", priority="P4")
    titles = {"b": ("P1", "2026-05-01"), "A": ("P2", None), "c": ("P3", "2026-04-01")}
    for title, (priority, day) in titles.items():
        await goal(
            ada, title, priority=priority, targetDate=day, parentGoalId=parent["id"], area="Health"
        )
    await do(ada, "updateGoal", id=parent["id"], status="Achieved")

    async def listed(arguments: str) -> str:
        found = await pages(ada, "goals", arguments, limit=2, inner="title")
        return " ".join(each["title"] for page in found for each in page)

    assert await listed("orderBy: TITLE, ") == "A b c Parent"
    assert await listed("orderBy: TARGET, ") == "c b Parent A"
    assert await listed("orderBy: TARGET, direction: DESC, ") == "Parent b c A"
    assert await listed("orderBy: PRIORITY, direction: DESC, ") == "Parent c A b"
    assert await listed("direction: DESC, ") == "c A b Parent"
    assert await listed("orderBy: UPDATED, direction: DESC, filter: {isOpen: false}, ") == "Parent"
    condition = f'parentGoalId: "{parent["id"]}", targetTo: "2026-05-01"'
    assert await listed(f"filter: {{{condition}}}, orderBy: TITLE, ") == "b c"
    assert await listed('area: "health", filter: {priorities: [P1]}, ') == "b"
    query = "{ goals(filter: {isOpen: true}) { totalCount } }"
    assert (await ada.gql(query))["goals"]["totalCount"] == 3


async def test_orders_and_filters_of_projects(ada: Person) -> None:
    owner = await goal(ada)
    for name, end, status in (
        ("b", "2026-05-01", "Active"),
        ("A", None, "OnHold"),
        ("c", "2026-04-01", "Completed"),
    ):
        links = [owner["id"]] if name != "A" else []
        await project(ada, name, endDate=end, status=status, goalIds=links)

    async def listed(arguments: str) -> str:
        found = await pages(ada, "projects", arguments, limit=2, inner="name")
        return " ".join(each["name"] for page in found for each in page)

    assert await listed("orderBy: NAME, ") == "A b c"
    assert await listed("orderBy: END, direction: DESC, ") == "b c A"
    assert await listed("direction: DESC, ") == "c A b"
    assert await listed("orderBy: NAME, filter: {isOpen: true}, ") == "A b"
    condition = f'filter: {{goalId: "{owner["id"]}", endFrom: "2026-04-15"}}, '
    assert await listed(condition) == "b"
    assert (await ada.gql("{ projects { totalCount } }"))["projects"]["totalCount"] == 3


async def test_a_bad_filter_is_refused(ada: Person) -> None:
    query = '{ tasks(filter: {dueFrom: "1700-01-01"}) { items { id } } }'
    assert (await ada.refused(query)).code == "BAD_INPUT"
