"""search: the caller's own records by the words in them, the best first, with bounded work."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app import search
from tests.api import Person
from tests.goals.operations import do, goal, task
from tests.plans.operations import HEALTH, add, commit
from tests.quests.operations import create as create_quest

SEARCH = """
query ($text: String!, $kinds: [SearchKind!], $limit: Int, $nextToken: String) {
  search(text: $text, kinds: $kinds, limit: $limit, nextToken: $nextToken) {
    items { kind id title snippet score date record { __typename id } treeNode { title } }
    nextToken
  }
}
"""


async def find(person: Person, text: str, **more: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await person.gql(SEARCH, text=text, **more))["search"]["items"]
    return found


async def titles(person: Person, text: str, **more: object) -> list[str]:
    return [each["title"] for each in await find(person, text, **more)]


async def test_every_kind_is_searched(ada: Person) -> None:
    made = await task(ada, "Plant a kumquat")
    await goal(ada, "Kumquat orchard")
    await do(ada, "createProject", name="Kumquat shed")
    await ada.gql('mutation { createHabit(input: {name: "Water the kumquat"}) { id } }')
    await ada.gql('mutation { createMetric(input: {name: "Kumquats", unit: "count"}) { id } }')
    await ada.gql('mutation { createReward(input: {title: "Kumquat jam", pointCost: 5}) { id } }')
    await ada.gql(
        'mutation { saveLogbookEntry(input: {date: "2026-01-10", notes: "Ate a kumquat"}) {date}}'
    )
    await commit(ada, *HEALTH, add("kumquat", driverId="health"))
    today = datetime.now(UTC).date().isoformat()
    fair = {
        "blockType": "MEETING",
        "title": "Kumquat fair",
        "startTimeIso": f"{today}T10:00:00Z",
        "endTimeIso": f"{today}T11:00:00Z",
    }
    plan = "mutation ($input: CommitPlanInput!) { commitPlan(input: $input) { date } }"
    await ada.gql(plan, input={"date": today, "blocks": [fair]})
    quest = await create_quest(ada, title="Pick my kumquats")
    found = {each["kind"]: each for each in await find(ada, "kumquat")}
    kinds = "TASK GOAL PROJECT HABIT METRIC REWARD LOGBOOK VALUE PLAN QUEST"
    assert set(found) == set(kinds.split())
    assert found["TASK"]["record"] == {"__typename": "Task", "id": made["id"]}
    assert found["QUEST"]["id"] == quest["id"]
    assert found["VALUE"]["treeNode"] == {"title": "Kumquat"}
    assert found["LOGBOOK"]["date"] == found["LOGBOOK"]["id"] == "2026-01-10"
    assert found["LOGBOOK"]["snippet"] == "Ate a kumquat"
    assert (found["PLAN"]["title"], found["PLAN"]["date"]) == ("Kumquat fair", today)
    only = await find(ada, "kumquat", kinds=["TASK", "GOAL"])
    assert {each["kind"] for each in only} == {"TASK", "GOAL"}


async def test_the_best_comes_first(ada: Person) -> None:
    await task(ada, "Call the bank", notes="about the loan")
    await task(ada, "Loan papers")
    await task(ada, "Return what was a loan")
    await task(ada, "Loaned books")
    assert await titles(ada, "LOAN") == [
        *("Loan papers", "Return what was a loan", "Loaned books", "Call the bank")
    ]
    assert await titles(ada, "loan bank") == ["Call the bank"]
    assert await titles(ada, "oan") == []


async def test_nobody_finds_the_records_of_others(ada: Person, bob: Person) -> None:
    await task(ada, "Secret garden")
    await create_quest(ada, title="Secret quest of mine")
    assert await titles(bob, "secret") == []


async def test_a_deleted_record_is_not_found(ada: Person) -> None:
    made = await task(ada, "Here today")
    await do(ada, "deleteTask", id=made["id"])
    assert await titles(ada, "today") == []


async def test_pages_do_not_repeat_or_lose_anything(ada: Person) -> None:
    for number in range(7):
        await task(ada, f"Lamp {number}", notes="lamp" if number % 2 else None)
    seen, token = [], None
    while True:
        answer = (await ada.gql(SEARCH, text="lamp", limit=3, nextToken=token))["search"]
        seen += [each["title"] for each in answer["items"]]
        token = answer["nextToken"]
        if token is None:
            break
    assert sorted(seen) == [f"Lamp {number}" for number in range(7)]


async def test_a_request_reads_a_bounded_number_of_records(
    ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await task(ada, "The oldest pebble")
    for number in range(30):
        await task(ada, f"Other {number}")
    monkeypatch.setattr(search, "MOST_READ", 20)
    first = (await ada.gql(SEARCH, text="pebble", kinds=["TASK"]))["search"]
    assert first["items"] == []
    again = await ada.gql(SEARCH, text="pebble", kinds=["TASK"], nextToken=first["nextToken"])
    assert [each["title"] for each in again["search"]["items"]] == ["The oldest pebble"]
    assert again["search"]["nextToken"] is None


@pytest.mark.parametrize("text", ["", " … ", "x" * 201])
async def test_a_search_needs_a_word(ada: Person, text: str) -> None:
    failed = await ada.refused(SEARCH, text=text)
    assert (failed.code, failed.info["field"]) == ("BAD_INPUT", "text")
