"""Characters: names, renaming, archiving, and the counters of popular skills."""

import asyncio
from typing import Any

import pytest

from app.domains.characters import keys
from app.table.gateway import Gateway
from tests.api import PASSWORD, Api, Failed, Person
from tests.characters.operations import (
    ADD,
    ARCHIVE,
    CHARACTERS,
    DELETE_GOAL,
    POPULAR,
    RENAME,
    add,
    goal_of,
    new_goal,
    new_name,
    record,
    see,
)

KEY = {"x-api-key": "da2-guildhall-development"}


async def items_of(table: Gateway, person: Person) -> list[tuple[str, str]]:
    pk = keys.characters_of_user(person.id).pk
    return [
        (item["SK"]["S"], item["entityType"]["S"])
        async for item in table.partition(pk)
        if item["SK"]["S"].startswith("CHARACTER")
    ]


async def names(person: Person, **arguments: object) -> list[str]:
    answer = await person.gql(CHARACTERS, **arguments)
    return [each["name"] for each in answer["characters"]["items"]]


async def counts(api: Api) -> dict[str, int]:
    answer = await api.gql(POPULAR, headers=KEY)
    return {each["skill"]: each["count"] for each in answer["popularSkills"]["items"]}


async def test_is_stored_where_the_document_says(ada: Person, table: Gateway) -> None:
    await add(ada, "Ze_Zima")
    assert await items_of(table, ada) == [("CHARACTER#METADATA#ze zima", "Character")]
    stored = await table.get(keys.character(ada.id, "ze zima"))
    assert stored is not None
    assert stored.name == "Ze_Zima"


@pytest.mark.parametrize("twin", ["zezima", "ZEZIMA"])
async def test_one_name_in_any_spelling(ada: Person, twin: str) -> None:
    await add(ada, "Zezima")
    assert (await ada.refused(ADD, input={"name": twin})).code == "CHARACTER_EXISTS"
    assert await names(ada) == ["Zezima"]


async def test_a_character_called_metadata(ada: Person, table: Gateway) -> None:
    await add(ada, "METADATA")
    goal = await goal_of(ada, "METADATA")
    await add(ada, "b")
    assert await names(ada) == ["b", "METADATA"]
    found = [sk for sk, _ in await items_of(table, ada)]
    assert f"CHARACTER#metadata#GOAL#METADATA#{goal['id']}" in found
    assert "CHARACTER#METADATA#metadata" in found


@pytest.mark.parametrize("name", ["", "   ", "a#b", "thirteen char", "é", "---"])
async def test_names_against_the_rules_are_refused(ada: Person, table: Gateway, name: str) -> None:
    refused = await ada.refused(ADD, input={"name": name})
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.name")
    assert await items_of(table, ada) == []


async def test_adding_again_with_the_same_key_changes_nothing(ada: Person) -> None:
    wanted = {"name": "Zezima", "idempotencyKey": "one"}
    first, second = [await ada.gql(ADD, input=wanted) for _ in range(2)]
    assert first == second


async def test_twenty_add_one_name_at_once(ada: Person) -> None:
    answers = await asyncio.gather(
        *(ada.api.post(ADD, headers=ada.headers, input={"name": "Zezima"}) for _ in range(20))
    )
    assert sum("errors" not in each.json() for each in answers) == 1
    assert await names(ada) == ["Zezima"]


async def test_goals_of_a_are_not_those_of_ab(ada: Person) -> None:
    await add(ada, "A")
    await add(ada, "AB")
    of_a, of_ab = await goal_of(ada, "A"), await goal_of(ada, "ab")
    found = (await ada.gql(CHARACTERS))["characters"]["items"]
    goals = {each["name"]: [goal["id"] for goal in each["goals"]["items"]] for each in found}
    assert goals == {"A": [of_a["id"]], "AB": [of_ab["id"]]}


async def test_a_renamed_character_keeps_goals_and_history(ada: Person) -> None:
    await add(ada, "Old Name")
    goal = await goal_of(ada, "Old Name")
    await record(ada, goal["id"], 5_000)
    answer = await ada.gql(RENAME, input={"name": "old_name", "newName": "New Name"})
    renamed = answer["renameCharacter"]
    assert renamed["name"] == "New Name"
    assert [each["name"] for each in renamed["formerNames"]] == ["Old Name"]
    assert renamed["goals"]["items"] == [
        {"id": goal["id"], "characterName": "New Name", "latest": {"progressValue": 5_000}}
    ]
    assert await names(ada) == ["New Name"]
    await record(ada, goal["id"], 6_000)
    assert (await see(ada, goal["id"]))["latest"]["progressValue"] == 6_000


async def test_a_former_name_can_be_used_again(ada: Person) -> None:
    await add(ada, "Old")
    first = await goal_of(ada, "Old")
    await ada.gql(RENAME, input={"name": "Old", "newName": "New"})
    await add(ada, "Old")
    second = await goal_of(ada, "Old")
    found = (await ada.gql(CHARACTERS))["characters"]["items"]
    goals = {each["name"]: [goal["id"] for goal in each["goals"]["items"]] for each in found}
    assert goals == {"New": [first["id"]], "Old": [second["id"]]}
    swap = await ada.refused(RENAME, input={"name": "New", "newName": "Old"})
    assert swap.code == "CHARACTER_EXISTS"


async def test_another_spelling_is_a_renaming_too(ada: Person) -> None:
    await add(ada, "ze_zima")
    await ada.gql(RENAME, input={"name": "ze zima", "newName": "Ze-Zima"})
    assert await names(ada) == ["Ze-Zima"]


async def test_renaming_what_is_not_there(ada: Person, bob: Person) -> None:
    await add(bob, "Bobs")
    refused = await ada.refused(RENAME, input={"name": "Bobs", "newName": "Mine"})
    assert refused.code == "NOT_FOUND"
    assert await names(bob) == ["Bobs"]


async def test_an_archived_character_is_silent_until_it_is_added_again(
    ada: Person, table: Gateway
) -> None:
    await add(ada, "Resting")
    goal = await goal_of(ada, "Resting", frequency="daily")
    key = keys.goal(ada.id, "resting", goal["id"])
    await ada.gql(ARCHIVE, input={"name": "Resting"})
    assert await names(ada) == []
    assert await names(ada, all=True) == ["Resting"]
    resting = await table.get(key)
    assert resting is not None
    assert resting.next_at is None
    await add(ada, "resting")
    assert await names(ada) == ["Resting"]
    awake = await table.get(key)
    assert awake is not None
    assert awake.poll_at
    assert awake.send_at


async def test_archiving_twice_changes_nothing(ada: Person) -> None:
    await add(ada, "Resting")
    first, second = [await ada.gql(ARCHIVE, input={"name": "Resting"}) for _ in range(2)]
    assert first == second


async def test_pages_of_characters(ada: Person) -> None:
    for number in range(5):
        await add(ada, f"n{number}")
    first = (await ada.gql(CHARACTERS, limit=3))["characters"]
    assert [each["name"] for each in first["items"]] == ["n0", "n1", "n2"]
    rest = (await ada.gql(CHARACTERS, limit=3, nextToken=first["nextToken"]))["characters"]
    assert ([each["name"] for each in rest["items"]], rest["nextToken"]) == (["n3", "n4"], None)


async def test_others_see_nothing(ada: Person, bob: Person) -> None:
    await add(ada, "Secret")
    assert await names(bob) == []
    query = "query ($name: String!) { character(name: $name) { id } }"
    assert (await bob.gql(query, name="Secret"))["character"] is None
    assert (await bob.gql(query, name="#"))["character"] is None
    assert (await bob.refused(ARCHIVE, input={"name": "Secret"})).code == "NOT_FOUND"
    assert await names(ada) == ["Secret"]


async def test_skills_are_counted_once_a_character(ada: Person, api: Api) -> None:
    before = (await counts(api)).get("Necromancy", 0)
    name = (await add(ada, new_name()))["name"]
    first = await goal_of(ada, name, targetAttribute="necromancy")
    second = await goal_of(ada, name, targetAttribute="Necromancy", targetValue=5)
    other = await new_goal(ada, targetAttribute="Necromancy")
    assert (await counts(api))["Necromancy"] == before + 2
    await ada.gql(DELETE_GOAL, input={"id": first["id"]})
    assert (await counts(api))["Necromancy"] == before + 2
    await ada.gql(DELETE_GOAL, input={"id": second["id"]})
    assert (await counts(api))["Necromancy"] == before + 1
    await ada.gql(ARCHIVE, input={"name": other["characterName"]})
    assert (await counts(api)).get("Necromancy", 0) == before
    await add(ada, other["characterName"])
    assert (await counts(api))["Necromancy"] == before + 1
    await ada.gql(DELETE_GOAL, input={"id": other["id"]})
    assert (await counts(api)).get("Necromancy", 0) == before


async def test_twenty_goals_at_once_are_all_counted(api: Api) -> None:
    people = await asyncio.gather(*(api.sign_up() for _ in range(20)))
    before = (await counts(api)).get("Archaeology", 0)
    await asyncio.gather(*(new_goal(each, targetAttribute="Archaeology") for each in people))
    assert (await counts(api))["Archaeology"] == before + 20


async def test_activities_are_not_counted_publicly(ada: Person, api: Api) -> None:
    text = f"my mail is {new_name()}"
    goal = await new_goal(ada, targetAttribute=text, targetType="score", targetValue=3)
    found = (await ada.gql(CHARACTERS))["characters"]["items"]
    assert [each["trackedSkills"] for each in found] == [[goal["targetAttribute"]]]
    assert text not in await counts(api)


async def test_popular_skills_need_at_least_a_key(api: Api) -> None:
    with pytest.raises(Failed) as failed:
        await api.gql(POPULAR)
    assert failed.value.code == "UNAUTHENTICATED"


async def test_pages_of_popular_skills(ada: Person) -> None:
    for skill in ("Mining", "Fishing", "Cooking"):
        await new_goal(ada, targetAttribute=skill)
    query = """query ($limit: Int, $nextToken: String) {
      popularSkills(limit: $limit, nextToken: $nextToken) { items { skill count } nextToken } }"""
    found: list[Any] = []
    token = None
    while True:
        page = (await ada.gql(query, limit=2, nextToken=token))["popularSkills"]
        found += page["items"]
        token = page["nextToken"]
        if token is None:
            break
    assert len({each["skill"] for each in found}) == len(found) >= 3
    assert [each["count"] for each in found] == sorted((e["count"] for e in found), reverse=True)


async def test_deleting_the_account_subtracts_its_counts(api: Api, table: Gateway) -> None:
    leaving = await api.sign_up()
    before = (await counts(api)).get("Divination", 0)
    await new_goal(leaving, targetAttribute="Divination")
    assert (await counts(api))["Divination"] == before + 1
    query = "mutation ($input: DeleteAccountInput!) { deleteAccount(input: $input) { id } }"
    wanted = {"confirmNickname": leaving.nickname, "password": PASSWORD}
    await leaving.gql(query, input=wanted)
    assert (await counts(api)).get("Divination", 0) == before
    assert await items_of(table, leaving) == []
