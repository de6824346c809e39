"""Any record by its id: the same answer as from its own field."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from graphql import GraphQLObjectType

from app.nodes import KINDS, split_id
from app.table.gateway import CALLS, Gateway
from app.web.schema import build_schema
from tests.api import Api, Failed, Person
from tests.characters.operations import new_goal as character_goal
from tests.community.rooms import new_room
from tests.community.test_assist import new_thread
from tests.community.test_market import new_company, new_offer
from tests.goals.operations import create, do, goal, project, task
from tests.quests import operations

NODE = "query ($id: ID!) { node(id: $id) { __typename id } }"
NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }"
Make = Callable[[Person], Awaitable[str]]


async def id_of(made: Awaitable[Any]) -> str:
    return str((await made)["id"])


async def milestone(ada: Person) -> str:
    target = await goal(ada)
    return await id_of(do(ada, "createMilestone", goalId=target["id"], name="m", percentage=50))


async def template(ada: Person) -> str:
    rewards = {"xp": 10, "reputation": 1}
    words = {"title": "Water the plants", "description": "While I am away, twice a week."}
    return await create(ada, "QuestTemplate", **words, defaultRewards=rewards)


async def offer(ada: Person, status: str = "DRAFT") -> str:
    return await new_offer(ada, await new_company(ada), status=status)


async def reward(ada: Person) -> str:
    return await create(ada, "Reward", title="r", pointCost=1, category="Treat")


async def profile(ada: Person) -> str:
    return ada.id


MAKE: dict[str, Make] = {
    "Goal": lambda ada: id_of(goal(ada)),
    "Task": lambda ada: id_of(task(ada)),
    "Project": lambda ada: id_of(project(ada)),
    "Milestone": milestone,
    "Metric": lambda ada: create(ada, "Metric", name="m"),
    "Habit": lambda ada: create(ada, "Habit", name="h"),
    "Reward": reward,
    "CharacterGoal": lambda ada: id_of(character_goal(ada)),
    "Quest": lambda ada: id_of(operations.create(ada)),
    "QuestTemplate": template,
    "Room": new_room,
    "AssistThread": lambda ada: new_thread(ada, isPublic=False),
    "Company": new_company,
    "Offer": offer,
    "User": profile,
}
SEEN_BY_ALL = {"Quest", "Company", "User"}
every_kind = pytest.mark.parametrize("kind", MAKE)


def calls() -> dict[str, float]:
    samples = next(iter(CALLS.collect())).samples
    return {each.labels["operation"]: each.value for each in samples if "_total" in each.name}


async def counted_calls(
    person: Person, query: str, **variables: object
) -> tuple[Any, dict[str, float]]:
    """The answer, and which calls it took."""
    before = calls()
    answer = await person.gql(query, **variables)
    return answer, {
        name: count - before.get(name, 0)
        for name, count in calls().items()
        if count > before.get(name, 0)
    }


def test_every_kind_is_tested_except_quest_categories() -> None:
    assert MAKE.keys() == KINDS.keys() - {"QuestCategory"}


def test_every_kind_needs_the_rights_of_its_own_field() -> None:
    """The same guard; and every field that finds a Node by its id has a kind."""
    query = build_schema()._schema.query_type
    assert isinstance(query, GraphQLObjectType)
    direct = {
        str(field.type): field.extensions["strawberry-definition"].metadata["guard"]
        for name, field in query.fields.items()
        if list(field.args) == ["id"] and name != "node"
    }
    searched = {kind.name: "signed_in" for kind in KINDS.values() if kind.searched}
    assert direct | searched == {
        kind.name: "readers" if kind.public else "signed_in" for kind in KINDS.values()
    }


@every_kind
async def test_its_owner_finds_it(kind: str, ada: Person) -> None:
    id = await MAKE[kind](ada)
    found = {"__typename": kind, "id": id}
    assert (await ada.gql(NODE, id=id))["node"] == found
    assert (await ada.gql(NODE, id=f"{kind}:{id}"))["node"] == found
    other = "Task" if kind == "Goal" else "Goal"
    assert (await ada.gql(NODE, id=f"{other}:{id}"))["node"] is None


@every_kind
async def test_a_stranger_finds_only_what_is_public(kind: str, ada: Person, bob: Person) -> None:
    id = await MAKE[kind](ada)
    for words in (id, f"{kind}:{id}"):
        found = (await bob.gql(NODE, id=words))["node"]
        assert (found is not None) == (kind in SEEN_BY_ALL)


async def test_a_shared_record_is_not_found_by_its_id(ada: Person, bob: Person) -> None:
    """As goal(id): what others share is read through sharedWithMe."""
    id = await MAKE["Goal"](ada)
    share = "mutation ($input: ShareWithInput!) { shareWith(input: $input) { kind } }"
    await ada.gql(share, input={"kind": "GOAL", "id": id, "userId": bob.id})
    assert (await bob.gql(NODE, id=id))["node"] is None


async def test_fields_of_the_kind(ada: Person) -> None:
    made = await goal(ada, title="Learn to forge")
    query = """
    query ($id: ID!) {
      node(id: $id) { id version ... on Goal { title milestones { id } } ... on Task { notes } }
    }
    """
    assert (await ada.gql(query, id=made["id"]))["node"] == {
        "id": made["id"],
        "version": 1,
        "title": "Learn to forge",
        "milestones": [],
    }


@every_kind
async def test_with_an_api_key_only_what_is_public(
    kind: str, api: Api, ada: Person, settings: Any
) -> None:
    headers = {"x-api-key": settings.api_keys[0]}
    id = await MAKE[kind](ada)
    seen = (await api.gql(NODE, headers=headers, id=id))["node"]
    assert (seen is not None) == (kind in SEEN_BY_ALL)
    exact = (await api.post(NODE, headers=headers, id=f"{kind}:{id}")).json()
    assert exact["data"] == {"node": seen}
    codes = [each["extensions"]["code"] for each in exact.get("errors", [])]
    assert codes == ([] if KINDS[kind].public else ["FORBIDDEN"])


async def test_with_an_api_key_an_open_offer_and_a_public_room(
    api: Api, ada: Person, settings: Any
) -> None:
    headers = {"x-api-key": settings.api_keys[0]}
    ids = [await offer(ada, "OPEN"), await new_room(ada, isPublic=True)]
    found = (await api.gql(NODES, headers=headers, ids=ids))["nodes"]
    assert [each["__typename"] for each in found] == ["Offer", "Room"]


async def test_without_credentials_nothing(api: Api, ada: Person) -> None:
    with pytest.raises(Failed) as failed:
        await api.gql(NODE, id=ada.id)
    assert failed.value.code == "UNAUTHENTICATED"


async def test_one_id_of_two_kinds(ada: Person) -> None:
    made = await task(ada)
    same = await goal(ada, id=made["id"])
    assert same["id"] == made["id"]
    for words, kind in (("", "Goal"), ("Task:", "Task"), ("Goal:", "Goal")):
        found = (await ada.gql(NODE, id=words + made["id"]))["node"]
        assert found["__typename"] == kind


def test_a_colon_without_a_kind_belongs_to_the_id() -> None:
    assert split_id("us-east-1:7") == (None, "us-east-1:7")
    assert split_id("goal:7") == (None, "goal:7")
    assert split_id("Goal:us:7") == (KINDS["Goal"], "us:7")


@pytest.mark.parametrize("id", ["", "a#b", "Goal:", "Goal:a#b", "x" * 3000])
async def test_a_malformed_id_is_refused(ada: Person, id: str) -> None:
    assert (await ada.refused(NODE, id=id)).code == "BAD_INPUT"


async def test_all_kinds_are_read_with_one_call(ada: Person, table: Gateway) -> None:
    made = await task(ada)
    await ada.gql(NODE, id=made["id"])
    answer, took = await counted_calls(ada, NODE, id=made["id"])
    assert answer["node"]["id"] == made["id"]
    assert took == {"batch_get_item": 1}
    answer, took = await counted_calls(ada, NODE, id="nowhere")
    assert answer["node"] is None
    assert took == {"batch_get_item": 1, "query": 1}
    _, took = await counted_calls(ada, NODES, ids=[f"nowhere-{number}" for number in range(100)])
    assert took["query"] <= took["batch_get_item"] < 25, "not one search for each"


async def test_many_at_once_in_their_order(ada: Person, bob: Person) -> None:
    ids = [(await task(ada))["id"] for _ in range(3)]
    hers = await MAKE["Goal"](bob)
    wanted = [f"Task:{ids[2]}", "Task:nowhere", f"Goal:{hers}", ids[0], bob.id, ids[0]]
    found = (await ada.gql(NODES, ids=wanted))["nodes"]
    assert [each and each["id"] for each in found] == [ids[2], None, None, ids[0], bob.id, ids[0]]
    exact = [f"Task:{each}" for each in ids]
    answer, took = await counted_calls(ada, NODES, ids=exact)
    assert [each["id"] for each in answer["nodes"]] == ids
    assert took == {"batch_get_item": 1}


async def test_a_hundred_at_most(ada: Person) -> None:
    many = [f"Task:{number}" for number in range(101)]
    assert (await ada.gql(NODES, ids=many[:100]))["nodes"] == [None] * 100
    assert (await ada.gql(NODES, ids=[]))["nodes"] == []
    refused = await ada.refused(NODES, ids=many)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "ids")


async def test_each_id_counts_in_the_cost(ada: Person) -> None:
    query = """
    query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Goal { tasks(limit: 100) { items {
      id title notes } } } } }
    """
    assert (await ada.refused(query, ids=["a"] * 100)).code == "QUERY_TOO_COMPLEX"
    assert (await ada.gql(query, ids=["Goal:a"]))["nodes"] == [None]
