"""Lists: filters, pages, isolation of users."""

import dataclasses
import math
import unicodedata
from datetime import UTC, datetime
from typing import Any, Literal

import pytest

from app.domains.goals import keys
from app.domains.goals.service import tasks_due
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.goals.operations import do, goal, ids, pages, project, task
from tests.servers import RunningServer, TestClock

TASKS: list[dict[str, Any]] = [
    {
        "title": f"Task {i}" if i % 2 else f"Errand {i}",
        "area": ["Health", "Wealth", None][i % 3],
        "subCategory": ["Sport", None][i % 2],
        "status": ["NotStarted", "InProgress", "OnHold", "Cancelled"][i % 4],
        "tags": [["a"], ["a", "b"], []][i % 3],
        "dueDate": f"2026-01-{10 + i % 8}" if i % 5 else None,
    }
    for i in range(24)
]


@pytest.fixture(scope="module")
async def ann(api: Api) -> Person:
    """A person with tasks, goals and projects of all kinds."""
    person = await api.sign_up()
    for each in TASKS:
        await task(person, **each)
    statuses = ["Planning", "Active", "OnTrack", "AtRisk", "Achieved", "Abandoned"]
    horizons = ["Yearly", "Quarterly", "Monthly", "Weekly", "Daily"]
    for i in range(12):
        await goal(
            person,
            f"Goal {i}",
            status=statuses[i % 6],
            timeHorizon=horizons[i % 5],
            area=["Health", "Wealth"][i % 2],
            tags=["a"] if i % 3 else ["b"],
        )
    for i in range(6):
        status = ["Planning", "Active", "OnHold"][i % 3]
        await project(person, f"Project {i}", status=status, area=["Health", "Wealth"][i % 2])
    return person


def titles(found: list[list[Any]]) -> list[str]:
    return [each["title"] for page in found for each in page]


def expected_titles(**filters: object) -> list[str]:
    def fits(each: dict[str, Any]) -> bool:
        after, before = filters.get("dueAfter"), filters.get("dueBefore")
        due = each["dueDate"] or ""
        return (
            filters.get("status") in (None, each["status"])
            and filters.get("area") in (None, each["area"])
            and filters.get("subCategory") in (None, each["subCategory"])
            and (filters.get("tag") is None or filters["tag"] in each["tags"])
            and str(filters.get("text") or "").lower() in each["title"].lower()
            and (after is None or str(after) <= due)
            and (before is None or "" < due <= str(before))
        )

    return [each["title"] for each in TASKS if fits(each)]


def arguments(**filters: object) -> str:
    enums = ("status", "timeHorizon")
    return ", ".join(
        f"{name}: {value}" if name in enums else f'{name}: "{value}"'
        for name, value in filters.items()
    )


FILTERS: list[dict[str, object]] = [
    {},
    {"status": "InProgress"},
    {"status": "Done"},
    {"area": "Health"},
    {"area": "Nowhere"},
    {"subCategory": "Sport"},
    {"tag": "a"},
    {"tag": "b"},
    {"text": "ERRAND"},
    {"text": "task 1"},
    {"dueBefore": "2026-01-12"},
    {"dueAfter": "2026-01-14"},
    {"dueAfter": "2026-01-12", "dueBefore": "2026-01-14"},
    {"dueAfter": "2026-01-14", "dueBefore": "2026-01-12"},
    {"status": "OnHold", "tag": "a"},
    {"status": "OnHold", "area": "Health"},
    {"tag": "a", "area": "Wealth", "text": "task"},
    {"dueBefore": "2026-01-15", "status": "InProgress"},
    {"dueBefore": "2026-01-15", "tag": "b"},
]


@pytest.mark.parametrize("filters", FILTERS, ids=str)
@pytest.mark.parametrize("limit", [1, 3, 100])
async def test_pages_are_full_and_complete_without_duplicates(
    ann: Person, filters: dict[str, object], limit: int
) -> None:
    found = await pages(ann, "tasks", arguments(**filters) + " ", limit=limit, inner="title dueAt")
    expected = expected_titles(**filters)
    assert sorted(titles(found)) == sorted(expected)
    assert all(len(page) == limit for page in found[:-1])
    assert len(found) <= max(1, math.ceil(len(expected) / limit) + 1)
    due = [each["dueAt"] for page in found for each in page]
    if "dueBefore" in filters and "tag" not in filters:
        assert due == sorted(due)


@pytest.mark.parametrize("filters", FILTERS, ids=str)
@pytest.mark.parametrize("limit", [1, 4, 100])
async def test_tasks_without_a_due_date_come_last(
    ann: Person, filters: dict[str, object], limit: int
) -> None:
    given = arguments(**filters, orderBy="DUE").replace('"DUE"', "DUE") + " "
    found = await pages(ann, "tasks", given, limit=limit, inner="title dueAt")
    assert sorted(titles(found)) == sorted(expected_titles(**filters))
    due = [each["dueAt"] or "9" for page in found for each in page]
    assert due == sorted(due)
    assert all(len(page) == limit for page in found[:-1])


async def test_tags_are_found_in_any_notation(ada: Person) -> None:
    made = await task(ada, tags=["Deep Work"])
    for text in ("deep-work", "#Deep Work", "DEEP WORK"):
        assert ids(await pages(ada, "tasks", f'tag: "{text}" ')) == [made["id"]]


@pytest.mark.parametrize("stored", ["NFC", "NFD"])
@pytest.mark.parametrize("asked", ["NFC", "NFD"])
async def test_accents_are_found_in_any_unicode_form(
    ada: Person, stored: Literal["NFC", "NFD"], asked: Literal["NFC", "NFD"]
) -> None:
    word = unicodedata.normalize(stored, "Café")
    named: dict[str, Any] = {"area": word, "subCategory": word}
    made = await task(ada, f" {word} au lait", tags=[word], **named)
    assert (made["area"], made["title"]) == ("Café", "Café au lait")
    await goal(ada, word, tags=[word], **named)
    await project(ada, word, **named)
    typed = unicodedata.normalize(asked, "Café")
    for field in ("area", "subCategory", "text", "tag"):
        for kind in ("tasks", "goals", *(["projects"] if field != "tag" else [])):
            assert len(ids(await pages(ada, kind, f'{field}: " {typed}" '))) == 1, (kind, field)
    assert len(ids(await pages(ada, "area", f'name: "{typed}", '))) == 3


@pytest.mark.parametrize("field", ["tag", "area"])
@pytest.mark.parametrize("value", ["", "a#b", "x" * 3_000])
async def test_text_that_is_invalid_in_a_key_finds_nothing_or_is_refused(
    ann: Person, field: str, value: str
) -> None:
    query = f"query ($v: String) {{ tasks({field}: $v) {{ items {{ id }} }} }}"
    answer = (await ann.api.post(query, headers=ann.headers, v=value)).json()
    if "errors" in answer:
        assert answer["errors"][0]["extensions"]["code"] == "BAD_INPUT"
    else:
        assert answer["data"]["tasks"]["items"] == []


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({}, 12),
        ({"status": "Active"}, 2),
        ({"area": "Health"}, 6),
        ({"timeHorizon": "Yearly"}, 3),
        ({"timeHorizon": "Daily"}, 2),
        ({"tag": "b"}, 4),
        ({"tag": "a", "area": "Health"}, 4),
        ({"status": "Active", "area": "Health"}, 0),
        ({"status": "Active", "timeHorizon": "Quarterly"}, 1),
        ({"text": "goal 1"}, 3),
    ],
    ids=str,
)
async def test_goals(ann: Person, filters: dict[str, object], count: int) -> None:
    for limit in (1, 5, 100):
        found = await pages(ann, "goals", arguments(**filters) + " ", limit=limit, inner="id")
        assert (len(ids(found)), len(set(ids(found)))) == (count, count)
        assert all(len(page) == limit for page in found[:-1])


@pytest.mark.parametrize(
    ("filters", "count"),
    [({}, 6), ({"status": "Active"}, 2), ({"area": "Health"}, 3), ({"text": "ct 3"}, 1)],
    ids=str,
)
async def test_projects(ann: Person, filters: dict[str, object], count: int) -> None:
    found = await pages(ann, "projects", arguments(**filters) + " ", limit=2)
    assert len(ids(found)) == count


async def test_an_area_holds_all_types_by_type_then_date(ann: Person) -> None:
    found = await pages(ann, "area", 'name: "Health", ', limit=7, inner="__typename createdAt")
    kinds = [each["__typename"] for page in found for each in page]
    assert kinds == ["Goal"] * 6 + ["Project"] * 3 + ["Task"] * 8
    assert all(len(page) == 7 for page in found[:-1])
    assert ids(await pages(ann, "area", 'name: "Nowhere", ')) == []


async def test_a_change_is_visible_in_the_next_list(ada: Person) -> None:
    made = await task(ada, area="Health", tags=["x"], dueDate="2026-01-15")
    await do(
        ada,
        "updateTask",
        id=made["id"],
        status="InProgress",
        area="Wealth",
        tags=["y"],
        dueDate="2026-02-15",
    )
    for arguments, count in (
        ("status: NotStarted ", 0),
        ("status: InProgress ", 1),
        ('area: "Health" ', 0),
        ('area: "Wealth" ', 1),
        ('tag: "x" ', 0),
        ('tag: "y" ', 1),
        ('dueBefore: "2026-01-31" ', 0),
        ('dueAfter: "2026-02-15" ', 1),
    ):
        assert len(ids(await pages(ada, "tasks", arguments))) == count, arguments


async def test_a_stale_index_shows_no_wrong_record(ada: Person, table: Gateway) -> None:
    """A row of an index whose record has moved on, or is gone, is left out."""
    made = await task(ada, tags=["x"])
    tag = await table.get(keys.task_tag(made["id"], "x"))
    assert tag is not None
    await do(ada, "updateTask", id=made["id"], tags=[])
    await table.put_many([tag])
    assert ids(await pages(ada, "tasks", 'tag: "x" ')) == []
    await table.delete_many([("TASK#" + made["id"], "TAG#x")])


async def test_users_do_not_see_records_of_others(ann: Person, bob: Person) -> None:
    mine = await task(bob, area="Health", status="InProgress", tags=["a"], dueDate="2026-01-12")
    for filters in FILTERS:
        found = ids(await pages(bob, "tasks", arguments(**filters) + " "))
        assert set(found) <= {mine["id"]}
    for field in ("goals", "projects"):
        assert ids(await pages(bob, field)) == []
    assert ids(await pages(bob, "area", 'name: "Health", ')) == [mine["id"]]


async def test_a_token_of_another_list_is_refused(ann: Person, bob: Person) -> None:
    query = (
        "query ($t: String) { tasks(status: InProgress, limit: 1, nextToken: $t) { nextToken } }"
    )
    token = (await ann.gql(query))["tasks"]["nextToken"]
    other = query.replace("InProgress", "OnHold")
    assert (await ann.refused(other, t=token)).code == "BAD_TOKEN"
    assert (await bob.refused(query, t=token)).code == "BAD_TOKEN"


async def test_the_most_urgent_tasks_come_first(ada: Person, clock: TestClock) -> None:
    clock.set(datetime(2026, 1, 10, 12, tzinfo=UTC))
    person = await ada.api.sign_up()
    calm = await task(person, "calm", priority="P4")
    late = await task(person, "late", priority="P4", dueDate="2026-01-01")
    important = await task(person, "important", priority="P1")
    await task(person, "done", priority="P1", status="Done")
    waits = await task(person, "waits", priority="P2", dependsOnIds=[calm["id"]])
    found = (await person.gql("{ urgentTasks { id urgency } }"))["urgentTasks"]
    assert [each["id"] for each in found] == [
        late["id"],
        calm["id"],
        important["id"],
        waits["id"],
    ]
    scores = [each["urgency"] for each in found]
    assert scores == sorted(scores, reverse=True)
    assert len((await person.gql("{ urgentTasks(limit: 2) { id } }"))["urgentTasks"]) == 2
    assert len((await person.gql("{ urgentTasks(limit: null) { id } }"))["urgentTasks"]) == 4


@pytest.mark.parametrize("limit", [0, -5, 101, 1000])
async def test_a_limit_out_of_range_is_refused_for_urgent_tasks_too(
    ada: Person, limit: int
) -> None:
    for query in (
        f"{{ urgentTasks(limit: {limit}) {{ id }} }}",
        f"{{ tasks(limit: {limit}) {{ nextToken }} }}",
    ):
        assert (await ada.refused(query)).code == "BAD_INPUT"


async def test_tasks_of_all_users_that_are_due_between_two_moments(
    ada: Person, server: RunningServer, table: Gateway
) -> None:
    one = await task(ada, dueAt="2031-05-05T10:00:00Z")
    two = await task(ada, dueAt="2031-05-05T08:00:00Z")
    done = await task(ada, dueAt="2031-05-05T09:00:00Z", status="Done")
    resources = dataclasses.replace(server.app.state.resources, table=table)
    three = await task(ada, dueAt="2031-05-06T00:00:00Z")
    await task(ada, dueAt="2031-05-06T00:00:01Z")
    since = datetime(2031, 5, 5, 8, tzinfo=UTC)
    until = datetime(2031, 5, 6, tzinfo=UTC)
    found = [each.id async for each in tasks_due(resources, since, until)]
    assert found == [two["id"], one["id"], three["id"]]
    assert done["id"] not in found


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Kiritimati", "Pacific/Niue"])
async def test_a_due_date_stays_the_same_when_its_owner_changes_time_zone(
    ada: Person, zone: str
) -> None:
    await task(ada, title="Day", dueDate="2026-11-20")
    await task(ada, title="Moment", dueAt="2026-11-20T12:00:00Z")
    move = "mutation ($zone: String!) { updateProfile(input: {timeZone: $zone}) { id } }"
    await ada.gql(move, zone=zone)

    async def due(first: str, last: str) -> set[str]:
        between = f'dueAfter: "{first}", dueBefore: "{last}"'
        answer = await ada.gql(f"{{ tasks({between}) {{ items {{ title }} }} }}")
        return {each["title"] for each in answer["tasks"]["items"]}

    moment = "2026-11-21" if zone == "Pacific/Kiritimati" else "2026-11-20"
    assert "Day" in await due("2026-11-20", "2026-11-20")
    assert "Moment" in await due(moment, moment)
    assert await due("2026-11-18", "2026-11-19") == set()
    assert await due("2026-11-22", "2026-11-23") == set()


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
async def test_a_day_out_of_range_is_bad_input(ada: Person, day: str) -> None:
    for ask in (
        f'{{ dashboard(date: "{day}") {{ date }} }}',
        f'{{ tasks(dueAfter: "{day}", dueBefore: "{day}") {{ nextToken }} }}',
    ):
        assert (await ada.refused(ask)).code == "BAD_INPUT"
