"""Goals of characters, and their progress in whatever order it arrives."""

import asyncio
import dataclasses
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.core.clock import instant
from app.core.scalars import WholeNumber
from app.domains.characters import keys
from app.domains.characters.types import DeletedGoal, ProgressRecord
from app.jobs.characters import sweep_goal_records
from app.resources import Resources
from app.table.gateway import Gateway
from app.table.writes import Put
from tests.api import Person
from tests.characters.operations import (
    CREATE_GOAL,
    DELETE_GOAL,
    GOAL,
    PROGRESS,
    RECORD,
    UPDATE_GOAL,
    add,
    goal_of,
    new_goal,
    progress,
    record,
    see,
)
from tests.notifications.operations import DELETE_CHANNEL, set_channel
from tests.remote_fixtures import later
from tests.servers import TestClock

DAY_ONE, DAY_TWO = "2025-01-01T00:00:00.000Z", "2025-01-02T00:00:00.000Z"


async def records(table: Gateway, person: Person, goal: dict[str, Any]) -> list[ProgressRecord]:
    place = await table.get(keys.goal_pointer(person.id, goal["id"]))
    key = place.character_key if place else goal["characterName"].lower()
    query = keys.progress_of_goal(person.id, key, goal["id"])
    return [each async for each in table.query_all(query)]


async def test_the_example_of_the_document(ada: Person, clock: TestClock) -> None:
    clock.freeze(datetime(2025, 1, 2, tzinfo=UTC))
    person = await ada.api.sign_up()
    await set_channel(person, "SMS", "+14155552671")
    goal = await new_goal(
        person, targetDate="2025-03-01", notificationChannelType="SMS", frequency="daily"
    )
    assert goal["targetXp"] == 13_034_431
    assert (goal["notificationChannelType"], goal["frequency"]) == ("SMS", "daily")
    await record(person, goal["id"], 12_000_000, DAY_ONE)
    await record(person, goal["id"], 12_500_000, DAY_TWO)
    seen = await see(person, goal["id"])
    latest = {"progressValue": 12_500_000, "timestamp": DAY_TWO, "flagged": False, "version": 1}
    assert seen["latest"] == latest
    assert seen["earliest"] == {"progressValue": 12_000_000, "timestamp": DAY_ONE}
    assert seen["forecast"] == {
        "absolute": 0.9590,
        "sinceStart": 0.4834,
        "remaining": 534_431,
        "neededPerDay": 9_215,
        "pace": 500_000,
        "estimatedDate": "2025-01-03",
        "onTrack": True,
    }


async def test_is_stored_where_the_document_says(ada: Person, table: Gateway) -> None:
    await add(ada, "Character123")
    goal = await goal_of(ada, "Character123")
    await record(ada, goal["id"], 7, DAY_ONE)
    prefix = f"CHARACTER#character123#GOAL#{goal['id']}"
    pk = keys.characters_of_user(ada.id).pk
    found = {item["SK"]["S"]: item async for item in table.partition(pk)}
    assert found[f"{prefix}#{DAY_ONE}"]["progressValue"] == {"N": "7"}
    assert found[f"{prefix}#LATEST"]["timestamp"] == {"S": DAY_ONE}
    assert found[f"{prefix}#EARLIEST"]["timestamp"] == {"S": DAY_ONE}
    stored = found[f"CHARACTER#character123#GOAL#METADATA#{goal['id']}"]
    assert stored["targetType"] == {"S": "xp"}
    assert stored["GSI4PK"]["S"] == f"DUE#{stored['pollAt']['S'][:10].replace('-', '')}"
    assert stored["GSI4SK"]["S"] == f"{stored['pollAt']['S']}#CHARACTER_GOAL#{goal['id']}"


async def test_no_record_yet(ada: Person) -> None:
    goal = await new_goal(ada)
    seen = await see(ada, goal["id"])
    assert (seen["latest"], seen["earliest"], seen["forecast"]) == (None, None, None)
    assert await progress(ada, goal["id"]) == {"items": [], "nextToken": None}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"targetValue": 200_000_001}, "input.targetValue"),
        ({"targetValue": -1}, "input.targetValue"),
        ({"targetType": "level", "targetValue": 127}, "input.targetValue"),
        ({"targetType": "rank", "targetValue": 0}, "input.targetValue"),
        ({"targetAttribute": "Knitting"}, "input.targetAttribute"),
        ({"targetAttribute": " "}, "input.targetAttribute"),
        ({"targetDate": "2020-01-01"}, "input.targetDate"),
        ({"retentionDays": 1}, "input.retentionDays"),
        ({"characterName": "a#b"}, "input.characterName"),
    ],
)
async def test_refusals(
    ada: Person, table: Gateway, changes: dict[str, object], field: str
) -> None:
    name = (await add(ada))["name"]
    wanted = {
        "characterName": name,
        "targetAttribute": "Mining",
        "targetType": "xp",
        "targetValue": 5,
    }
    refused = await ada.refused(CREATE_GOAL, input=wanted | changes)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", field)
    places = keys.goal_pointers_of_user(ada.id)
    assert (await table.query(places, limit=1)).items == []


@pytest.mark.parametrize(
    ("name", "value"), [("targetType", "XP"), ("frequency", "hourly"), ("targetValue", 2**31)]
)
async def test_unknown_enum_values_are_refused(ada: Person, name: str, value: object) -> None:
    wanted = {
        "characterName": (await add(ada))["name"],
        "targetAttribute": "Mining",
        "targetType": "xp",
        "targetValue": 5,
    }
    answer = await ada.api.post(CREATE_GOAL, headers=ada.headers, input=wanted | {name: value})
    assert "errors" in answer.json()


async def test_no_such_character(ada: Person, bob: Person) -> None:
    theirs = await add(bob)
    wanted = {
        "characterName": theirs["name"],
        "targetAttribute": "Mining",
        "targetType": "xp",
        "targetValue": 5,
    }
    assert (await ada.refused(CREATE_GOAL, input=wanted)).code == "NOT_FOUND"


async def test_records_in_any_order(ada: Person, table: Gateway) -> None:
    goal = await new_goal(ada)
    samples = [(1_000 + 10 * day, f"2025-01-{day:02}T12:00:00.000Z") for day in range(1, 21)]
    shuffled = random.Random(4).sample(samples, len(samples))
    for value, at in shuffled:
        await record(ada, goal["id"], value, at)
    seen = await see(ada, goal["id"])
    assert (seen["earliest"]["timestamp"], seen["latest"]["timestamp"]) == (
        samples[0][1],
        samples[-1][1],
    )
    assert (seen["earliest"]["progressValue"], seen["latest"]["progressValue"]) == (1_010, 1_200)
    assert [(e.progress_value, e.timestamp) for e in await records(table, ada, goal)] == samples


async def test_twenty_records_at_once(ada: Person, table: Gateway) -> None:
    goal = await new_goal(ada)
    samples = [(1_000 + day, f"2025-02-{day:02}T12:00:00.000Z") for day in range(1, 21)]
    mixed = random.Random(5).sample(samples, len(samples))
    await asyncio.gather(*(record(ada, goal["id"], value, at) for value, at in mixed))
    seen = await see(ada, goal["id"])
    assert seen["latest"]["timestamp"] == samples[-1][1]
    assert seen["earliest"]["timestamp"] == samples[0][1]
    assert len(await records(table, ada, goal)) == 20


async def test_a_late_arrival_does_not_become_the_latest(ada: Person) -> None:
    goal = await new_goal(ada)
    await record(ada, goal["id"], 500, DAY_TWO)
    await record(ada, goal["id"], 400, DAY_ONE)
    seen = await see(ada, goal["id"])
    assert seen["latest"]["progressValue"] == 500
    assert seen["earliest"] == {"progressValue": 400, "timestamp": DAY_ONE}


async def test_pages_never_hold_the_latest_and_earliest_rows(ada: Person) -> None:
    goal = await new_goal(ada)
    for day in range(1, 13):
        await record(ada, goal["id"], day, f"2025-01-{day:02}T00:00:00Z")
    newest = await progress(ada, goal["id"], newest=True, limit=10)
    assert [each["progressValue"] for each in newest["items"]] == [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]
    rest = await progress(ada, goal["id"], newest=True, limit=10, nextToken=newest["nextToken"])
    assert ([e["progressValue"] for e in rest["items"]], rest["nextToken"]) == ([2, 1], None)


@pytest.mark.parametrize(
    ("edges", "values"),
    [
        ({"from": "2025-01-02", "to": "2025-01-03"}, [2, 3, 4]),
        ({"from": "2025-01-03"}, [3, 4, 5]),
        ({"to": "2025-01-01"}, [1]),
        ({"from": "2025-01-03T12:00:00Z", "to": "2025-01-04T00:00:00Z"}, [4, 5]),
        ({"from": "2025-01-03T13:00:00+01:00", "to": "2025-01-03T23:59:59.999Z"}, [4]),
        ({"from": "2025-01-04", "to": "2025-01-02"}, []),
    ],
)
async def test_ranges(ada: Person, edges: dict[str, str], values: list[int]) -> None:
    goal = await new_goal(ada)
    moments = ["01T23:59:59.999", "02T00:00:00", "03T00:00:00", "03T12:00:00", "04T00:00:00"]
    for value, moment in enumerate(moments, 1):
        await record(ada, goal["id"], value, f"2025-01-{moment}Z")
    found = await progress(ada, goal["id"], **edges)
    assert [each["progressValue"] for each in found["items"]] == values


@pytest.mark.parametrize("edge", ["yesterday", "2025-02-30", "2025-01-01T00:00:00", "LATEST", "#"])
async def test_invalid_ranges_are_refused(ada: Person, edge: str) -> None:
    goal = await new_goal(ada)
    refused = await ada.refused(PROGRESS, **{"id": goal["id"], "from": edge})
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "from")


async def test_a_token_is_valid_for_its_goal_only(ada: Person) -> None:
    one, two = await new_goal(ada), await new_goal(ada)
    for goal in (one, two):
        for day in (1, 2):
            await record(ada, goal["id"], day, f"2025-01-0{day}T00:00:00Z")
    token = (await progress(ada, one["id"], limit=1))["nextToken"]
    assert token
    refused = await ada.refused(PROGRESS, id=two["id"], limit=1, nextToken=token)
    assert refused.code == "BAD_TOKEN"


async def test_the_same_moment_again(ada: Person, table: Gateway) -> None:
    goal = await new_goal(ada)
    first = await record(ada, goal["id"], 5, DAY_ONE)
    assert await record(ada, goal["id"], 5, DAY_ONE) == first
    wanted = {"goalId": goal["id"], "progressValue": 6, "timestamp": DAY_ONE}
    refused = await ada.refused(RECORD, input=wanted)
    assert (refused.code, refused.info["progressValue"]) == ("PROGRESS_EXISTS", 5)
    assert [each.progress_value for each in await records(table, ada, goal)] == [5]


async def test_a_repetition_with_the_same_key_changes_nothing(ada: Person, table: Gateway) -> None:
    goal = await new_goal(ada)
    wanted = {"goalId": goal["id"], "progressValue": 5, "idempotencyKey": "k"}
    answers = await asyncio.gather(*(ada.gql(RECORD, input=wanted) for _ in range(20)))
    assert len({str(each) for each in answers}) == 1
    assert len(await records(table, ada, goal)) == 1
    refused = await ada.refused(RECORD, input=wanted | {"progressValue": 6})
    assert refused.code == "IDEMPOTENCY_MISMATCH"


async def test_a_rank_may_rise_and_fall(ada: Person) -> None:
    goal = await new_goal(ada, targetType="rank", targetValue=100)
    for day, rank in enumerate((500, 400, 700), 1):
        seen = await record(ada, goal["id"], rank, f"2025-01-0{day}T00:00:00Z")
        assert seen["flagged"] is False
    assert (await see(ada, goal["id"]))["achievedAt"] is None
    await record(ada, goal["id"], 99, "2025-01-04T00:00:00Z")
    assert (await see(ada, goal["id"]))["achievedAt"] == "2025-01-04T00:00:00.000Z"


@pytest.mark.parametrize("value", [13_034_431, 200_000_000])
async def test_reaching_it_even_by_a_jump(ada: Person, value: int) -> None:
    goal = await new_goal(ada)
    await record(ada, goal["id"], 1, DAY_ONE)
    assert (await see(ada, goal["id"]))["achievedAt"] is None
    await record(ada, goal["id"], value, DAY_TWO)
    seen = await see(ada, goal["id"])
    assert seen["achievedAt"] == DAY_TWO
    assert (seen["forecast"]["sinceStart"], seen["forecast"]["onTrack"]) == (1.0, True)
    await record(ada, goal["id"], 200_000_000, "2025-01-03T00:00:00Z")
    assert (await see(ada, goal["id"]))["achievedAt"] == DAY_TWO


async def test_another_target_may_be_reached_or_not_any_more(ada: Person) -> None:
    goal = await new_goal(ada)
    await record(ada, goal["id"], 1_000, DAY_ONE)
    answer = await ada.gql(UPDATE_GOAL, input={"id": goal["id"], "targetValue": 1_000})
    assert answer["updateCharacterGoal"]["achievedAt"] == DAY_ONE
    answer = await ada.gql(UPDATE_GOAL, input={"id": goal["id"], "targetValue": 1_001})
    assert answer["updateCharacterGoal"]["achievedAt"] is None


async def test_changes_and_what_is_left_out(ada: Person) -> None:
    goal = await new_goal(ada, frequency="daily", targetDate="2099-01-01")
    changed = await ada.gql(UPDATE_GOAL, input={"id": goal["id"], "frequency": "weekly"})
    assert changed["updateCharacterGoal"]["targetDate"] == "2099-01-01"
    cleared = await ada.gql(
        UPDATE_GOAL, input={"id": goal["id"], "frequency": None, "targetDate": None}
    )
    assert cleared["updateCharacterGoal"]["frequency"] is None
    assert cleared["updateCharacterGoal"]["targetDate"] is None
    for change in ({"targetValue": None}, {"targetValue": 200_000_001}):
        refused = await ada.refused(UPDATE_GOAL, input={"id": goal["id"]} | change)
        assert refused.code == "BAD_INPUT"
    stale = await ada.refused(
        UPDATE_GOAL, input={"id": goal["id"], "targetValue": 5, "expectedVersion": 1}
    )
    assert (stale.code, stale.info["currentVersion"]) == ("CONFLICT", 3)


@pytest.mark.parametrize(
    ("value", "at", "field"),
    [
        (200_000_001, DAY_ONE, "input.progressValue"),
        (-1, DAY_ONE, "input.progressValue"),
        (5, "2000-12-31T00:00:00Z", "input.timestamp"),
        (5, "2999-01-01T00:00:00Z", "input.timestamp"),
    ],
)
async def test_impossible_records(
    ada: Person, table: Gateway, value: int, at: str, field: str
) -> None:
    goal = await new_goal(ada)
    wanted = {"goalId": goal["id"], "progressValue": value, "timestamp": at}
    refused = await ada.refused(RECORD, input=wanted)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", field)
    assert await records(table, ada, goal) == []


async def test_expired_records_are_hidden_but_the_earliest_and_latest_stay(
    ada: Person, table: Gateway, clock: TestClock
) -> None:
    goal = await new_goal(ada, retentionDays=7)
    now = datetime.now(UTC)
    for value, days in ((100, 6), (150, 3), (300, 0)):
        await record(ada, goal["id"], value, instant(now - timedelta(days=days)))
    assert len((await progress(ada, goal["id"]))["items"]) == 3
    clock.move(days=5)
    person = await later(ada)
    left = await progress(person, goal["id"])
    assert [each["progressValue"] for each in left["items"]] == [300]
    seen = await see(person, goal["id"])
    gained = seen["latest"]["progressValue"] - seen["earliest"]["progressValue"]
    assert gained == 200
    kept = await records(table, ada, goal)
    assert [each.ttl is not None for each in kept] == [True] * 3
    forever = await new_goal(person)
    await record(person, forever["id"], 1, DAY_ONE)
    assert [each.ttl for each in await records(table, ada, forever)] == [None]


async def test_deleting_removes_all_records(ada: Person, table: Gateway) -> None:
    goal = await new_goal(ada)
    for day in (1, 2, 3):
        await record(ada, goal["id"], day, f"2025-01-0{day}T00:00:00Z")
    await ada.gql(DELETE_GOAL, input={"id": goal["id"]})
    assert (await ada.gql(GOAL, id=goal["id"]))["characterGoal"] is None
    pk = keys.characters_of_user(ada.id).pk
    left = [item["SK"]["S"] async for item in table.partition(pk)]
    assert [sk for sk in left if goal["id"] in sk] == []
    assert (await ada.refused(DELETE_GOAL, input={"id": goal["id"]})).code == "NOT_FOUND"
    late = await ada.refused(RECORD, input={"goalId": goal["id"], "progressValue": 1})
    assert late.code == "NOT_FOUND"


async def test_an_interrupted_deletion_is_finished(
    ada: Person, table: Gateway, resources: Resources
) -> None:
    goal = await new_goal(ada)
    await record(ada, goal["id"], 5, DAY_ONE)
    (left,) = await records(table, ada, goal)
    await ada.gql(DELETE_GOAL, input={"id": goal["id"]})
    # As it is when the process dies between the two steps.
    await table.write(Put(left), Put(_deleted_goal(left)))
    await sweep_goal_records(resources)
    assert await records(table, ada, goal) == []
    assert await table.get(keys.deleted_goal(ada.id, goal["id"])) is None


def _deleted_goal(left: ProgressRecord) -> DeletedGoal:
    return DeletedGoal(
        created_at=left.created_at,
        updated_at=left.updated_at,
        user_id=left.user_id,
        goal_id=left.goal_id,
        character_key=left.character_key,
    )


ABSENT = "01ARZ3NDEKTSV4RRFFQ69G5FAV"


@pytest.mark.parametrize(
    ("query", "name", "more"),
    [
        (UPDATE_GOAL, "id", {"targetValue": 1}),
        (DELETE_GOAL, "id", {}),
        (RECORD, "goalId", {"progressValue": 9}),
    ],
)
async def test_goals_of_others_are_not_found(
    ada: Person, bob: Person, table: Gateway, query: str, name: str, more: dict[str, object]
) -> None:
    goal = await new_goal(ada)
    await record(ada, goal["id"], 5, DAY_ONE)
    assert (await bob.gql(GOAL, id=goal["id"]))["characterGoal"] is None
    foreign = await bob.refused(query, input={name: goal["id"], **more})
    absent = await bob.refused(query, input={name: ABSENT, **more})
    assert foreign.code == absent.code == "NOT_FOUND"
    assert foreign.errors[0]["message"] == absent.errors[0]["message"]
    assert (await see(ada, goal["id"]))["latest"]["progressValue"] == 5
    assert len(await records(table, ada, goal)) == 1


async def test_a_list_of_goals_reads_latest_and_earliest_in_one_batch(
    ada: Person, table: Gateway, api: Any
) -> None:
    name = (await add(ada))["name"]
    for number in range(10):
        goal = await goal_of(ada, name, targetValue=1_000 + number)
        await record(ada, goal["id"], number)
    query = "{ characterGoals { items { id latest { progressValue } earliest { timestamp } } } }"
    before = await _calls(api)
    found = (await ada.gql(query))["characterGoals"]["items"]
    after = await _calls(api)
    assert [each["latest"]["progressValue"] for each in found] == list(range(10))
    assert after - before <= 6


async def _calls(api: Any) -> float:
    text = (await api.http.get("/metrics")).text
    lines = [
        each for each in text.splitlines() if each.startswith("guildhall_dynamodb_calls_total")
    ]
    return sum(float(each.rpartition(" ")[2]) for each in lines)


@pytest.mark.parametrize("kind", ["Discord", "Webhook", "SMS", "Email"])
async def test_a_goal_for_a_channel_that_one_does_not_have_is_refused(
    ada: Person, kind: str
) -> None:
    name = (await add(ada))["name"]
    await set_channel(ada, "SMS" if kind == "Email" else "Email", IDENTIFIERS[kind])
    wanted = {
        "characterName": name,
        "targetAttribute": "Mining",
        "targetType": "xp",
        "targetValue": 5,
        "notificationChannelType": kind,
    }
    refused = await ada.refused(CREATE_GOAL, input=wanted)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.notificationChannelType")
    assert f"You have no {kind} channel" in refused.errors[0]["message"]
    assert "setNotificationChannel" in refused.errors[0]["message"]
    goal = await goal_of(ada, name)
    change = {"id": goal["id"], "notificationChannelType": kind}
    refused = await ada.refused(UPDATE_GOAL, input=change)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.notificationChannelType")
    assert (await see(ada, goal["id"]))["version"] == goal["version"]
    goals = (await ada.gql("{ characterGoals { items { id } } }"))["characterGoals"]["items"]
    assert goals == [{"id": goal["id"]}]


IDENTIFIERS = dict.fromkeys(["Discord", "Webhook", "SMS"], "ada@example.com") | {
    "Email": "+14155552671"
}


async def test_a_goal_may_name_a_channel_that_is_not_verified_yet_and_keeps_one_that_is_gone(
    ada: Person,
) -> None:
    await set_channel(ada, "Email", "ada@example.com")
    goal = await new_goal(ada, notificationChannelType="Email")
    await ada.gql(DELETE_CHANNEL, input={"channelType": "Email"})
    changed = await ada.gql(UPDATE_GOAL, input={"id": goal["id"], "frequency": "daily"})
    assert changed["updateCharacterGoal"]["notificationChannelType"] == "Email"


@pytest.mark.parametrize(
    ("kind", "attribute"),
    [
        ("xp", "Mining"),
        ("xp", "Overall"),
        ("level", "Mining"),
        ("score", "Zulrah"),
        ("rank", "Nex"),
    ],
)
async def test_a_target_of_zero_is_refused(ada: Person, kind: str, attribute: str) -> None:
    name = (await add(ada))["name"]
    wanted = {
        "characterName": name,
        "targetAttribute": attribute,
        "targetType": kind,
        "targetValue": 0,
    }
    refused = await ada.refused(CREATE_GOAL, input=wanted)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.targetValue")
    goal = await goal_of(ada, name, **(wanted | {"targetValue": 1}))
    change = {"id": goal["id"], "targetValue": 0}
    assert (await ada.refused(UPDATE_GOAL, input=change)).code == "BAD_INPUT"


async def test_a_stored_target_of_zero_can_still_be_changed(ada: Person, table: Gateway) -> None:
    goal = await new_goal(ada)
    stored = await table.get(keys.goal(ada.id, goal["characterName"], goal["id"]))
    assert stored is not None
    await table.write(Put(dataclasses.replace(stored, target_value=WholeNumber(0))))
    changed = await ada.gql(UPDATE_GOAL, input={"id": goal["id"], "frequency": "daily"})
    assert changed["updateCharacterGoal"]["targetValue"] == 0


async def test_a_misspelt_attribute_is_refused_with_suggestions(ada: Person) -> None:
    name = (await add(ada))["name"]
    wanted = {"characterName": name, "targetType": "xp", "targetValue": 5}
    refused = await ada.refused(CREATE_GOAL, input=wanted | {"targetAttribute": "Woodcuting"})
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.targetAttribute")
    assert refused.info["suggestions"] == ["Woodcutting"]


async def test_known_attributes(ada: Person) -> None:
    query = """query ($kind: TargetAttributeKind) {
      targetAttributes(kind: $kind) { name kind targetTypes } }"""
    skills = (await ada.gql(query, kind="SKILL"))["targetAttributes"]
    every = (await ada.gql(query))["targetAttributes"]
    mining = {"name": "Mining", "kind": "SKILL", "targetTypes": ["xp", "level", "rank"]}
    zulrah = {"name": "Zulrah", "kind": "ACTIVITY", "targetTypes": ["score", "rank"]}
    assert mining in skills
    assert zulrah not in skills
    assert mining in every
    assert zulrah in every


async def test_activities_are_one_in_any_letter_case(ada: Person) -> None:
    name = (await add(ada))["name"]
    spelled = [("vorkath", "Vorkath"), ("VORKATH", "Vorkath"), ("My Own", "My Own")]
    for given, shown in [*spelled, ("my  own", "My Own")]:
        goal = await goal_of(ada, name, targetAttribute=given, targetType="score", targetValue=5)
        assert goal["targetAttribute"] == shown
    answer = await ada.gql("{ characters { items { trackedSkills } } }")
    assert answer["characters"]["items"] == [{"trackedSkills": ["Vorkath", "My Own"]}]
