"""The logbook: one entry a day, and nothing in it is lost unseen."""

import asyncio
import unicodedata
from datetime import UTC, datetime
from typing import Any

import pytest

from app.table.gateway import Gateway
from tests.api import Api, Failed, Person
from tests.servers import TestClock
from tests.tracking.test_habits import new_habit

FIELDS = """
  id version date title notes mood energy
  linkedTaskIds linkedGoalIds linkedHabitIds linkedProjectIds createdAt updatedAt
"""
SAVE = f"""
mutation ($input: SaveLogbookEntryInput!) {{ saveLogbookEntry(input: $input) {{ {FIELDS} }} }}
"""
DELETE = "mutation ($date: AWSDate!) { deleteLogbookEntry(input: {date: $date}) { id } }"
ENTRY = f"query ($date: AWSDate!) {{ logbookEntry(date: $date) {{ {FIELDS} }} }}"
LOGBOOK = """
query ($from: AWSDate, $to: AWSDate, $search: String, $newestFirst: Boolean, $limit: Int,
       $nextToken: String) {
  logbook(from: $from, to: $to, search: $search, newestFirst: $newestFirst, limit: $limit,
          nextToken: $nextToken) { items { date title } nextToken }
}
"""
TODAY = "2026-01-31"


@pytest.fixture
async def person(api: Api, clock: TestClock) -> Person:
    clock.freeze(datetime(2026, 1, 31, 12, 0, tzinfo=UTC))
    return await api.sign_up()


async def save(person: Person, **fields: object) -> dict[str, Any]:
    made: dict[str, Any] = (await person.gql(SAVE, input=fields))["saveLogbookEntry"]
    return made


async def days(person: Person, **arguments: object) -> list[str]:
    found = (await person.gql(LOGBOOK, **arguments))["logbook"]["items"]
    return [each["date"] for each in found]


async def test_an_entry_has_every_field_of_the_document(person: Person, table: Gateway) -> None:
    habit = await new_habit(person)
    fields = {
        "date": "2026-01-30",
        "title": "A day",
        "notes": "# Done\n\n- <script>alert(1)</script> & `a < b`\n  \n",
        "mood": "Steady",
        "energy": 7,
        "linkedHabitIds": [habit["id"]],
    }
    made = await save(person, **fields)
    assert {name: made[name] for name in fields} == fields
    assert (made["linkedTaskIds"], made["linkedGoalIds"], made["linkedProjectIds"]) == ([], [], [])
    assert await person.gql(ENTRY, date="2026-01-30") == {"logbookEntry": made}
    items = {item["SK"]["S"]: item async for item in table.partition(f"USER#{person.id}")}
    item = items["LOGBOOK#2026-01-30"]
    assert (item["entityType"], item["userId"]) == ({"S": "LogbookEntry"}, {"S": person.id})
    assert item["GSI1SK"] == {"S": f"ENTITY#LogbookEntry#{made['createdAt']}"}
    assert "ttl" not in item


async def test_the_day_is_today_if_left_out(api: Api, clock: TestClock) -> None:
    clock.freeze(datetime(2026, 1, 31, 12, 0, tzinfo=UTC))
    early = await api.sign_up(timeZone="Pacific/Auckland")
    late = await api.sign_up(timeZone="Pacific/Pago_Pago")
    assert (await save(early, title="x"))["date"] == "2026-02-01"
    assert (await save(late, title="x"))["date"] == "2026-01-31"
    assert (await late.refused(SAVE, input={"date": "2026-02-01"})).code == "BAD_INPUT"


@pytest.mark.parametrize(
    "wrong",
    [
        {"energy": 0},
        {"energy": 11},
        {"mood": "Fine"},
        {"date": "2026-02-01"},
        {"date": "1969-12-31"},
        {"date": "2026-02-30"},
        {"notes": "x" * 50_001},
        {"title": "x" * 201},
        {"linkedHabitIds": ["x"] * 21},
        {"linkedTaskIds": None},
    ],
)
async def test_invalid_input_is_refused(person: Person, wrong: dict[str, object]) -> None:
    assert (await person.refused(SAVE, input=wrong)).code == "BAD_INPUT"
    assert await days(person) == []


async def test_a_second_save_adds_what_was_missing(person: Person) -> None:
    one, two = await new_habit(person), await new_habit(person)
    first = await save(person, title="A day", linkedHabitIds=[one["id"]])
    second = await save(person, notes="Rain", mood="Low", linkedHabitIds=[two["id"], one["id"]])
    assert (second["id"], second["version"]) == (first["id"], 2)
    assert (second["title"], second["notes"], second["mood"]) == ("A day", "Rain", "Low")
    assert second["linkedHabitIds"] == [one["id"], two["id"]]
    again = await save(person, title="A day", notes="Rain", energy=None)
    assert again["version"] == 2


@pytest.mark.parametrize(
    "other", [{"title": "Other"}, {"notes": "Sun"}, {"mood": "High"}, {"energy": 1}]
)
async def test_a_second_save_never_wipes_out_the_first(
    person: Person, other: dict[str, object]
) -> None:
    first = await save(person, title="A day", notes="Rain", mood="Low", energy=5)
    refused = await person.refused(SAVE, input=other)
    assert (refused.code, refused.info["currentVersion"]) == ("CONFLICT", 1)
    assert (await person.gql(ENTRY, date=TODAY))["logbookEntry"] == first


async def test_with_its_version_an_entry_is_changed_and_cleared(person: Person) -> None:
    habit = await new_habit(person)
    await save(person, title="A day", notes="Rain", linkedHabitIds=[habit["id"]])
    after = await save(person, notes="Sun", title=None, linkedHabitIds=[], expectedVersion=1)
    assert (after["title"], after["notes"], after["linkedHabitIds"]) == (None, "Sun", [])
    late = await person.refused(SAVE, input={"notes": "Snow", "expectedVersion": 1})
    assert (late.code, late.info["currentVersion"]) == ("CONFLICT", 2)
    nothing = await person.refused(SAVE, input={"date": "2026-01-01", "expectedVersion": 1})
    assert nothing.code == "NOT_FOUND"


async def test_saved_by_many_at_once_there_is_one_entry(person: Person) -> None:
    answers = await asyncio.gather(
        *(
            person.api.post(SAVE, headers=person.headers, input={"notes": f"number {number}"})
            for number in range(20)
        )
    )
    won = [each.json()["data"] for each in answers if "errors" not in each.json()]
    assert len(won) == 1
    kept = (await person.gql(ENTRY, date=TODAY))["logbookEntry"]
    assert (kept["notes"], kept["version"]) == (won[0]["saveLogbookEntry"]["notes"], 1)


@pytest.mark.parametrize(
    "name", ["linkedTaskIds", "linkedGoalIds", "linkedHabitIds", "linkedProjectIds"]
)
async def test_only_own_records_can_be_linked(ada: Person, bob: Person, name: str) -> None:
    habit = await new_habit(bob)
    for other in (habit["id"], "absent"):
        refused = await ada.refused(SAVE, input={"title": "x", name: [other]})
        assert refused.code == "NOT_FOUND"
    assert await days(ada) == []
    wrong = await ada.refused(SAVE, input={name: ["a#b"]})
    assert wrong.code == "BAD_INPUT"


async def test_tasks_goals_and_projects_can_be_linked(person: Person) -> None:
    goal = (await person.gql('mutation { createGoal(input: {title: "Run"}) { id } }'))["createGoal"]
    task = (await person.gql('mutation { createTask(input: {title: "Go"}) { id } }'))["createTask"]
    named = 'mutation { createProject(input: {name: "Race"}) { id } }'
    project = (await person.gql(named))["createProject"]
    links = {
        "linkedGoalIds": [goal["id"]],
        "linkedTaskIds": [task["id"]],
        "linkedProjectIds": [project["id"]],
    }
    made = await save(person, **links)
    assert {name: made[name] for name in links} == links


async def test_entries_by_range_and_search_words(person: Person) -> None:
    texts = {
        "2025-12-31": ("Eve", "Fireworks"),
        "2026-01-01": ("New Year", "Slept long"),
        "2026-01-15": (None, "ÜBER the hill; long walk"),
        "2026-01-31": ("Last", "A long day"),
    }
    for on, (title, notes) in texts.items():
        await save(person, date=on, title=title, notes=notes)
    january = {"from": "2026-01-01", "to": "2026-01-31"}
    assert await days(person, **january) == ["2026-01-01", "2026-01-15", "2026-01-31"]
    assert await days(person, newestFirst=True, limit=1) == ["2026-01-31"]
    assert await days(person, search="LONG", **january) == [
        "2026-01-01",
        "2026-01-15",
        "2026-01-31",
    ]
    for typed in ("über walk", unicodedata.normalize("NFD", "über walk")):
        assert await days(person, search=typed) == ["2026-01-15"]
    assert await days(person, search="eve") == ["2025-12-31"]
    assert await days(person, search="nowhere") == []
    page = (await person.gql(LOGBOOK, search="long", limit=2))["logbook"]
    assert [each["date"] for each in page["items"]] == ["2026-01-01", "2026-01-15"]
    rest = await person.gql(LOGBOOK, search="long", limit=2, nextToken=page["nextToken"])
    assert [each["date"] for each in rest["logbook"]["items"]] == ["2026-01-31"]
    assert (await person.refused(LOGBOOK, search="x" * 101)).code == "BAD_INPUT"


async def test_deleting(person: Person) -> None:
    await save(person, title="x")
    assert (await person.gql(DELETE, date=TODAY))["deleteLogbookEntry"]["id"]
    assert await person.gql(ENTRY, date=TODAY) == {"logbookEntry": None}
    assert (await person.refused(DELETE, date=TODAY)).code == "NOT_FOUND"


async def test_an_entry_is_seen_by_its_owner_only(ada: Person, bob: Person) -> None:
    made = await save(ada, title="Private")
    assert await bob.gql(ENTRY, date=made["date"]) == {"logbookEntry": None}
    assert await days(bob) == []
    assert (await bob.refused(DELETE, date=made["date"])).code == "NOT_FOUND"
    seen = await ada.gql('{ timeline(types: ["LogbookEntry"]) { items { id } } }')
    assert seen["timeline"]["items"] == [{"id": made["id"]}]


CREATE = {
    "Task": 'mutation { createTask(input: {title: "Linked"}) { id } }',
    "Goal": 'mutation { createGoal(input: {title: "Linked"}) { id } }',
    "Habit": 'mutation { createHabit(input: {name: "Linked"}) { id } }',
    "Project": 'mutation { createProject(input: {name: "Linked"}) { id } }',
}


@pytest.mark.parametrize("kind", CREATE)
async def test_a_deleted_record_is_removed_from_every_entry(person: Person, kind: str) -> None:
    doomed, kept = [(await person.gql(CREATE[kind]))[f"create{kind}"]["id"] for _ in range(2)]
    links = f"linked{kind}Ids"
    for day in ("2026-01-29", "2026-01-30"):
        await save(person, date=day, title=day, **{links: [doomed, kept]})
    delete = f"mutation ($input: Delete{kind}Input!) {{ delete{kind}(input: $input) {{ id }} }}"
    await person.gql(delete, input={"id": doomed})
    for day in ("2026-01-29", "2026-01-30"):
        entry = (await person.gql(ENTRY, date=day))["logbookEntry"]
        assert (entry[links], entry["title"]) == ([kept], day)
    again = await person.refused(SAVE, input={"date": TODAY, links: [doomed]})
    assert again.code == "NOT_FOUND"


async def test_a_link_made_while_its_task_is_deleted_does_not_stay(person: Person) -> None:
    ids = [(await person.gql(CREATE["Task"]))["createTask"]["id"] for _ in range(10)]
    delete = "mutation ($id: ID!) { deleteTask(input: {id: $id}) { id } }"

    async def link(id: str) -> str | None:
        try:
            await save(person, date=TODAY, linkedTaskIds=[id])
        except Failed as failed:
            return failed.code
        return None

    linking = asyncio.gather(*map(link, ids))
    await asyncio.gather(*(person.gql(delete, id=id) for id in ids))
    assert set(await linking) <= {None, "NOT_FOUND"}
    entry = (await person.gql(ENTRY, date=TODAY))["logbookEntry"]
    assert entry is None or entry["linkedTaskIds"] == []
