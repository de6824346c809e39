"""Aliases with the names that Amplify expects, for the caller's own records."""

from typing import Any

import pytest
from graphql import parse

from app.web.amplify.models import MODELS, Model
from app.web.cost import query_cost
from tests.api import Person
from tests.realtime.sockets import TransportClient

# What a record needs, and what it can be called.
NEEDED: dict[str, dict[str, object]] = {"Reward": {"pointCost": 5}}
TITLED = {"Goal", "Task", "Reward"}
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)


def title_of(model: Model) -> str:
    return "title" if model.name in TITLED else "name"


async def create(person: Person, model: Model, title: str, **more: object) -> str:
    fields = {title_of(model): title, **NEEDED.get(model.name, {}), **more}
    return await change(person, model, "create", **fields)


async def change(person: Person, model: Model, word: str, **fields: object) -> str:
    """As Amplify writes it."""
    name = f"{word}{model.name}"
    kind = f"{name[0].upper()}{name[1:]}Input"
    query = f"mutation ($input: {kind}!) {{ {name}(input: $input) {{ id {title_of(model)} }} }}"
    return str((await person.gql(query, input=fields))[name]["id"])


async def get(person: Person, model: Model, id: str) -> Any:
    query = f"query ($id: ID!) {{ get{model.name}(id: $id) {{ id }} }}"
    return (await person.gql(query, id=id))[f"get{model.name}"]


def list_query(model: Model) -> str:
    return f"""
    query ($filter: Model{model.name}FilterInput, $limit: Int, $nextToken: String) {{
      list{model.plural}(filter: $filter, limit: $limit, nextToken: $nextToken) {{
        items {{ id {title_of(model)} }} nextToken __typename
      }}
    }}
    """


async def titles(person: Person, model: Model, **variables: object) -> tuple[list[str], str | None]:
    page = (await person.gql(list_query(model), **variables))[f"list{model.plural}"]
    return [each[title_of(model)] for each in page["items"]], page["nextToken"]


@every_model
async def test_get_and_list_own_records(ada: Person, bob: Person, model: Model) -> None:
    made = await create(ada, model, "hers")
    assert await get(ada, model, made) == {"id": made}
    assert await get(ada, model, "no-such-id") is None
    assert await get(bob, model, made) is None
    assert await titles(ada, model) == (["hers"], None)
    assert await titles(bob, model) == ([], None)


@every_model
async def test_pages_are_full_whatever_the_filter(ada: Person, model: Model) -> None:
    for n in range(7):
        await create(ada, model, f"{'even' if n % 2 == 0 else 'odd'} {n}")
    filter = {title_of(model): {"beginsWith": "even"}}
    first, token = await titles(ada, model, filter=filter, limit=3)
    assert first == ["even 0", "even 2", "even 4"]
    assert await titles(ada, model, filter=filter, limit=3, nextToken=token) == (["even 6"], None)
    other = {title_of(model): {"beginsWith": "odd"}}
    refused = await ada.refused(list_query(model), filter=other, limit=3, nextToken=token)
    assert refused.code == "BAD_TOKEN"


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ({"title": {"ge": "bc", "le": "bc"}}, ["bc"]),
        ({"size": {"gt": 10, "lt": 30}}, ["bc"]),
        ({"size": {"between": [20, 30]}}, ["bc", "cd"]),
        ({"status": {"eq": "Blocked"}}, []),
        ({"priority": {"eq": "P1"}}, ["cd"]),
        ({"priority": {"ne": "P1"}}, ["ab", "bc"]),
        ({"description": {"attributeExists": True}}, ["cd"]),
        ({"description": {"attributeExists": False}}, ["ab", "bc"]),
        ({"description": {"size": {"ge": 4}}}, ["cd"]),
        ({"description": {"size": {"ge": 4, "lt": 4}}}, []),
        ({"tags": {"contains": "deep"}}, ["ab"]),
        ({"tags": {"notContains": "deep"}}, ["bc", "cd"]),
        ({"tags": {"beginsWith": "d"}}, []),
        ({"description": {"beginsWith": "lo"}}, ["cd"]),
        ({"description": {"contains": "on"}}, ["cd"]),
        ({"description": {"notContains": "on"}}, ["ab", "bc"]),
        ({"description": {"ne": "long"}}, ["ab", "bc"]),
        ({"description": {"gt": "a"}}, ["cd"]),
        ({"or": [{"title": {"eq": "ab"}}] * 50}, ["ab"]),
        ({"not": {"title": {"contains": "b"}}}, ["cd"]),
        ({"not": {"or": [{"title": {"eq": "ab"}}, {"title": {"eq": "cd"}}]}}, ["bc"]),
        ({"and": [{"title": {"contains": "b"}}, {"not": {"size": {"eq": 10}}}]}, ["bc"]),
        ({"title": None, "and": None, "or": None, "not": None}, ["ab", "bc", "cd"]),
        ({}, ["ab", "bc", "cd"]),
        (None, ["ab", "bc", "cd"]),
    ],
)
async def test_filters_of_lists(
    ada: Person, filter: dict[str, Any] | None, expected: list[str]
) -> None:
    task = MODELS[1]
    await create(ada, task, "ab", size=10, tags=["deep"])
    await create(ada, task, "bc", size=20)
    await create(ada, task, "cd", size=30, priority="P1", description="long")
    assert await titles(ada, task, filter=filter) == (expected, None)


async def test_numbers_are_compared_exactly(ada: Person) -> None:
    metric = MODELS[4]
    await create(ada, metric, "third", targetValue="0.3")
    await create(ada, metric, "none")
    assert await titles(ada, metric, filter={"targetValue": {"eq": 0.3}}) == (["third"], None)
    assert await titles(ada, metric, filter={"targetValue": {"lt": "0.3"}}) == ([], None)


@pytest.mark.parametrize(
    "filter",
    [
        {"title": {"between": ["a"]}},
        {"title": {"between": None}},
        {"description": {"size": {"between": [1]}}},
        {"or": [{}] * 101},
        {"not": {"not": {"not": {"not": {"not": {}}}}}},
        {"and": [{"or": [{}] * 100 + [{"title": {"between": []}}]}]},
        {"and": [{"or": [{"title": {"eq": "a"}}] * 20}] * 20},
        {"or": [{"title": {"eq": "a"}, "notes": {"eq": "a"}}] * 40},
    ],
)
async def test_filters_that_cannot_work_are_refused(ada: Person, filter: dict[str, Any]) -> None:
    assert (await ada.refused(list_query(MODELS[0]), filter=filter)).code == "BAD_INPUT"


@every_model
async def test_create_update_and_delete_each_have_a_subscription(
    server_url: str, ada: Person, bob: Person, model: Model
) -> None:
    title = title_of(model)
    async with (
        TransportClient.signed_in(server_url, ada) as hers,
        TransportClient.signed_in(server_url, bob) as his,
    ):
        for socket in (hers, his):
            for moment in ("Create", "Update", "Delete"):
                field = f"on{moment}{model.name}"
                await socket.subscribe(f"subscription {{ {field} {{ id {title} }} }}", id=moment)
        await hers.silent(0.2)
        made = await create(ada, model, "first")
        received = await hers.expect("next")
        assert (received["id"], received["payload"]["data"]) == (
            "Create",
            {f"onCreate{model.name}": {"id": made, title: "first"}},
        )
        await change(ada, model, "update", id=made, **{title: "second"})
        received = await hers.expect("next")
        assert (received["id"], received["payload"]["data"]) == (
            "Update",
            {f"onUpdate{model.name}": {"id": made, title: "second"}},
        )
        await change(ada, model, "delete", id=made)
        received = await hers.expect("next")
        assert (received["id"], received["payload"]["data"]) == (
            "Delete",
            {f"onDelete{model.name}": {"id": made, title: "second"}},
        )
        await hers.silent(0.2)
        await his.silent(0.1)


async def test_a_deletion_is_filtered_by_the_last_state(server_url: str, ada: Person) -> None:
    goal = MODELS[0]
    query = """
    subscription ($filter: ModelSubscriptionGoalFilterInput) {
      onDeleteGoal(filter: $filter) { id cachedProgress progressConfig { tasksWeight } }
    }
    """
    kept, gone = await create(ada, goal, "other"), await create(ada, goal, "wanted")
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe(query, filter={"title": {"eq": "wanted"}})
        await socket.silent(0.2)
        await change(ada, goal, "delete", id=kept)
        await change(ada, goal, "delete", id=gone)
        received = (await socket.data())["onDeleteGoal"]
        assert received == {"id": gone, "cachedProgress": 0, "progressConfig": {"tasksWeight": 30}}
        await socket.silent(0.1)


async def test_a_refused_deletion_publishes_nothing(server_url: str, ada: Person) -> None:
    made = await create(ada, MODELS[0], "stays")
    query = "mutation ($id: ID!) { deleteGoal(input: {id: $id, expectedVersion: 9}) { id } }"
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe("subscription { onDeleteGoal { id } }")
        await socket.silent(0.2)
        assert (await ada.refused(query, id=made)).code == "CONFLICT"
        await socket.silent()
    assert await get(ada, MODELS[0], made) == {"id": made}


async def test_a_record_created_again_with_the_same_id_is_sent(
    server_url: str, ada: Person
) -> None:
    task = MODELS[1]
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe("subscription { onCreateTask { id title } }")
        await socket.silent(0.2)
        await create(ada, task, "first", id="chosen")
        await change(ada, task, "delete", id="chosen")
        await create(ada, task, "second", id="chosen")
        received = [(await socket.data())["onCreateTask"]["title"] for _ in range(2)]
        assert received == ["first", "second"]


def test_a_list_without_a_limit_costs_as_much_as_it_may_give() -> None:
    assert query_cost(parse("{ listGoals { items { id } } }"), None, None) == 2 + 100
    text = "query ($limit: Int) { listGoals(limit: $limit) { items { id } } }"
    assert query_cost(parse(text), None, {}) == 2 + 100
    assert query_cost(parse(text), None, {"limit": 3}) == 2 + 3
    assert query_cost(parse(text), None, {"limit": 1000}) == 2 + 1000
    assert query_cost(parse(text), None, {"limit": 5000}) == 2 + 1000


def test_a_long_list_of_wide_rows_is_cut_and_not_refused() -> None:
    fields = " ".join(f"f{n}" for n in range(40))
    text = f"query ($limit: Int) {{ listGoals(limit: $limit) {{ items {{ {fields} }} }} }}"
    assert query_cost(parse(text), None, {"limit": 1000}) == 2 + 40 * (15_000 // 40)


async def test_a_token_is_valid_with_numbers_of_any_length_in_its_arguments(ada: Person) -> None:
    for number in (2**63, -(2**64), 10**30):
        query = f"{{ listMetrics(filter: {{targetValue: {{lt: {number}}}}}) {{ items {{ id }} }} }}"
        assert (await ada.gql(query))["listMetrics"] == {"items": []}
    query = "{ questsByCreator(creatorId: 99999999999999999999) { items { id } } }"
    assert (await ada.gql(query))["questsByCreator"] == {"items": []}
