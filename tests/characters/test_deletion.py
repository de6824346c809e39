"""A character is deleted with its goals and their records, at once or after an interruption."""

import asyncio
import dataclasses

import pytest

from app.core.caller import acting_for
from app.domains.characters import keys
from app.domains.characters.inputs import DeleteCharacterInput
from app.jobs.characters import sweep_goal_records
from app.resources import Resources
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.characters.operations import (
    ADD,
    ARCHIVE,
    CREATE_GOAL,
    DELETE_CHARACTER,
    RECORD,
    add,
    goal_of,
    record,
    see,
)
from tests.characters.test_characters import counts, items_of, names
from tests.table.faults import Crash, FaultyClient, after

GOAL = "query ($id: ID!) { characterGoal(id: $id) { id } }"


async def with_goals(person: Person, name: str) -> list[str]:
    await add(person, name)
    goals = [await goal_of(person, name, targetAttribute=each) for each in ("Mining", "Cooking")]
    for goal in goals:
        for day in (1, 2):
            await record(person, goal["id"], day, f"2025-01-0{day}T00:00:00Z")
    return [str(each["id"]) for each in goals]


async def test_nothing_of_it_is_left(ada: Person, table: Gateway) -> None:
    goals = await with_goals(ada, "Doomed")
    await with_goals(ada, "Other")
    before = [key for key, _ in await items_of(table, ada) if "other" in key]
    deleted = await ada.gql(DELETE_CHARACTER, input={"name": "doomed"})
    assert deleted["deleteCharacter"]["name"] == "Doomed"
    assert deleted["deleteCharacter"]["trackedSkills"] == ["Mining", "Cooking"]
    assert await names(ada, all=True) == ["Other"]
    for goal_id in goals:
        assert (await ada.gql(GOAL, id=goal_id))["characterGoal"] is None
    left = [key for key, _ in await items_of(table, ada)]
    assert [key for key in left if "other" in key] == before
    assert not [key for key in left if "doomed" in key]
    assert len(left) == len(before) + 2  # the pointers of the other's goals


async def test_the_counters_of_skills_fall_once(ada: Person, api: Api) -> None:
    before = await counts(api)
    for name in ("One", "Two"):
        await add(ada, name)
        await goal_of(ada, name, targetAttribute="Invention")
    await ada.gql(ARCHIVE, input={"name": "Two"})
    assert (await counts(api))["Invention"] == before.get("Invention", 0) + 1
    for name in ("One", "Two"):
        await ada.gql(DELETE_CHARACTER, input={"name": name})
    assert (await counts(api)).get("Invention", 0) == before.get("Invention", 0)


async def test_the_name_can_be_used_again_at_once(
    ada: Person, table: Gateway, resources: Resources
) -> None:
    """Also while the goals of the deleted one are still there: they do not come back."""
    goals = await with_goals(ada, "Phoenix")
    client = FaultyClient(table.client)
    client.meet("transact_write_items", after(Crash()))
    doomed = dataclasses.replace(resources, table=Gateway(client, table.table))
    with pytest.raises(Crash):
        await Services(doomed, acting_for(ada.id)).character_deletion.delete(
            DeleteCharacterInput(name="Phoenix")
        )
    await add(ada, "Phoenix")
    anew = await goal_of(ada, "Phoenix")
    await record(ada, anew["id"], 7)
    await sweep_goal_records(resources)
    assert await table.get(keys.deleted_character(ada.id, "phoenix")) is None
    for goal_id in goals:
        assert (await ada.gql(GOAL, id=goal_id))["characterGoal"] is None
    assert (await see(ada, anew["id"]))["latest"]["progressValue"] == 7


async def test_only_ones_own_and_only_as_it_was_read(ada: Person, bob: Person) -> None:
    await with_goals(ada, "Mine")
    assert (await bob.refused(DELETE_CHARACTER, input={"name": "Mine"})).code == "NOT_FOUND"
    wanted = {"name": "Mine", "expectedVersion": 1}
    assert (await ada.refused(DELETE_CHARACTER, input=wanted)).code == "CONFLICT"
    assert await names(ada) == ["Mine"]


async def test_a_repeated_request_gets_the_same_answer(ada: Person) -> None:
    await with_goals(ada, "Twice")
    wanted = {"name": "Twice", "idempotencyKey": "k"}
    first, second = [await ada.gql(DELETE_CHARACTER, input=wanted) for _ in range(2)]
    assert first == second
    await add(ada, "Twice")
    goal = await goal_of(ada, "Twice")
    assert await ada.gql(DELETE_CHARACTER, input=wanted) == first
    assert (await see(ada, goal["id"]))["characterName"] == "Twice"


async def test_goals_and_records_that_come_meanwhile_are_refused_or_deleted(
    ada: Person, table: Gateway, resources: Resources
) -> None:
    goals = await with_goals(ada, "Busy")
    goal: dict[str, object] = {
        "characterName": "Busy",
        "targetAttribute": "Fishing",
        "targetType": "xp",
        "targetValue": 5,
    }
    requests: list[tuple[str, dict[str, object]]] = [(DELETE_CHARACTER, {"name": "Busy"})]
    requests += [(CREATE_GOAL, goal)] * 5
    requests += [(RECORD, {"goalId": goals[0], "progressValue": n}) for n in range(3, 8)]
    await asyncio.gather(
        *(ada.api.post(query, headers=ada.headers, input=input) for query, input in requests)
    )
    await sweep_goal_records(resources)
    assert await items_of(table, ada) == []
    await ada.gql(ADD, input={"name": "Busy"})
