"""Attributes that are not selected are not read from the table, and answers stay the same."""

from typing import Any

import pytest
from graphql import GraphQLList, GraphQLObjectType, get_named_type, is_leaf_type
from strawberry.utils.str_converters import to_camel_case

from app.core.record import READS
from app.table.entity import ENTITIES
from app.web.schema import build_schema
from tests.api import Api, Person
from tests.quests import operations
from tests.servers import RunningServer
from tests.table.test_projection import Wire

SCHEMA = build_schema()._schema
LONG = ("All of them, and the ones in the kitchen too. " * 20).strip()
QUESTS = """
query ($id: ID!, $full: Boolean = false) {
  questsByCreator(creatorId: $id, limit: 20) { items { %s } nextToken @include(if: $full) }
}
"""
FRAGMENTS = {
    "Much": "fragment Much on Node { id ...More }",
    "More": "fragment More on Quest { ...Little ... on Quest { description } }",
    "Little": "fragment Little on Quest { id title }",
}
LEAN = [
    "id title",
    "__typename id title status tags rewardXp performers createdAt",
    "a: id b: title",
    "...Little",
    "... on Quest { id title }",
    "... on Node { id version }",
    "id title description @include(if: $full)",
    "id title ...More @include(if: $full)",
    "id ... @include(if: $full) { description requirements } title",
    "id description @skip(if: true)",
    "id title creator { id nickname } performer { id } history { items { id } }",
]
FULL = [
    "id title description",
    "a: description",
    "...More",
    "...Little ...More",
    "... on Node { id ... on Quest { d: description } }",
    "...Much",
    "id description @include(if: true)",
    "id description @skip(if: $full)",
    "id title checklist { text done }",
]


@pytest.fixture(scope="module")
async def creator(api: Api) -> Person:
    ada = await api.sign_up()
    for number in range(20):
        words = {"title": f"Plants {number}", "description": LONG, "tags": ["lean"]}
        await operations.create(
            ada, **words, requirements=[f"{n} {LONG[:170].strip()}" for n in range(5)]
        )
    return ada


def quests(fields: str) -> str:
    """With the fragments that it needs, and no others."""
    query = QUESTS % fields
    for name, fragment in FRAGMENTS.items():
        query += fragment if f"...{name}" in query else ""
    return query


async def with_bytes_read(
    server: RunningServer, person: Person, query: str, **variables: object
) -> tuple[Any, int]:
    """The answer, and how many bytes of the table's went into it."""
    with Wire(server.app.state.resources.table) as wire:
        answer = await person.gql(query, **variables)
    return answer, wire.bytes


@pytest.mark.parametrize("fields", LEAN)
async def test_unselected_long_texts_are_not_read(
    creator: Person, server: RunningServer, fields: str
) -> None:
    query = quests(f"{fields} ...Little")
    lean, size = await with_bytes_read(server, creator, query, id=creator.id)
    assert size < 40_000
    assert len(lean["questsByCreator"]["items"]) == 20
    whole = quests(f"{fields} ...Little whole: description list: checklist {{ text }}")
    all_of_it, size = await with_bytes_read(server, creator, whole, id=creator.id)
    assert size > 40_000
    for row in all_of_it["questsByCreator"]["items"]:
        assert (row.pop("whole"), len(row.pop("list"))) == (LONG, 5)
    assert lean["questsByCreator"]["items"] == all_of_it["questsByCreator"]["items"]


@pytest.mark.parametrize("fields", FULL)
async def test_selected_long_texts_are_complete(
    creator: Person, server: RunningServer, fields: str
) -> None:
    query = quests(f"{fields} own: description ...Little")
    answer, _ = await with_bytes_read(server, creator, query, id=creator.id)
    alone, _ = await with_bytes_read(server, creator, quests(fields), id=creator.id)
    for row, same in zip(
        answer["questsByCreator"]["items"], alone["questsByCreator"]["items"], strict=True
    ):
        assert same == {name: row[name] for name in same}


QUEST_LISTS = [
    'quests(tag: "lean", limit: 20) { items { %s } }',
    "quests(limit: 20) { items { %s } }",
    'questsByCreator(creatorId: "$id", limit: 20) { items { %s } }',
]


@pytest.mark.parametrize("field", QUEST_LISTS, ids=["tag", "status", "creator"])
async def test_every_list_of_quests(creator: Person, server: RunningServer, field: str) -> None:
    field = f"query {{ list: {field.replace('$id', creator.id)} }}"
    lean, small = await with_bytes_read(server, creator, field % "id title")
    full, large = await with_bytes_read(
        server, creator, field % "id title description checklist { text }"
    )
    rows = full["list"]["items"]
    texts = sum(len(row["description"]) for row in rows)
    # The list of open quests is everybody's: those of other tests may have short texts.
    assert small < 25_000
    assert large - small > texts * 0.9
    assert lean["list"]["items"] == [{"id": row["id"], "title": row["title"]} for row in rows]


async def test_pages_continue_where_the_last_one_ended(creator: Person) -> None:
    query = """
    query ($id: ID!, $token: String) {
      questsByCreator(creatorId: $id, limit: 7, nextToken: $token) { items { title } nextToken }
    }
    """
    seen: list[str] = []
    token = None
    for _ in range(3):
        page = (await creator.gql(query, id=creator.id, token=token))["questsByCreator"]
        seen += [each["title"] for each in page["items"]]
        token = page["nextToken"]
    assert token is None
    assert seen == [f"Plants {number}" for number in reversed(range(20))]


async def test_one_quest(creator: Person, server: RunningServer, bob: Person) -> None:
    made = await operations.submitted(creator, bob, requirements=["All"], description=LONG)
    lean = "query ($id: ID!) { quest(id: $id) { title status performers } }"
    answer, small = await with_bytes_read(server, creator, lean, id=made["id"])
    assert answer["quest"] == {
        "title": made["title"],
        "status": "PENDING_REVIEW",
        "performers": [bob.id],
    }
    answer, large = await with_bytes_read(server, creator, operations.GET, id=made["id"])
    assert answer["quest"] == made
    assert small + 1_000 < large


async def test_a_strangers_view_holds_for_partial_reads(
    creator: Person, bob: Person, api: Api
) -> None:
    """A stranger's view blanks texts; here one of them was not even read."""
    made = await operations.submitted(creator, bob)
    stranger = await api.sign_up()
    query = "query ($id: ID!) { quest(id: $id) { status %s } }"
    assert (await stranger.gql(query % "submission", id=made["id"]))["quest"] == {
        "status": "PENDING_REVIEW",
        "submission": None,
    }
    assert (await stranger.gql(query % "", id=made["id"]))["quest"] == {"status": "PENDING_REVIEW"}


def fields_that_say_what_they_read() -> list[tuple[str, Any]]:
    return [
        (name, field)
        for kind in [SCHEMA.get_type("Quest")]
        if isinstance(kind, GraphQLObjectType)
        for name, field in kind.fields.items()
        if READS in field.extensions["strawberry-definition"].metadata
    ]


def below(kind: Any, deep: int = 0) -> str:
    """Every leaf of a type, through pages and lists."""
    named = get_named_type(kind)
    if is_leaf_type(named):
        return ""
    inner = " ".join(
        f"{name} {below(each.type, deep + 1)}"
        for name, each in named.fields.items()
        if is_leaf_type(get_named_type(each.type)) or (name in ("items", "parts") and deep < 2)
    )
    return f"{{ {inner} }}"


@pytest.fixture(scope="module")
async def completed(api: Api) -> tuple[Person, str]:
    """A quest with everything that a computed field may lead to."""
    ada, bob = await api.sign_up(), await api.sign_up()
    quest = await operations.submitted(ada, bob, requirements=["All"])
    await operations.do(ada, "attestQuest", questId=quest["id"], rating=5)
    return bob, quest["id"]


@pytest.mark.parametrize(
    ("name", "field"),
    [pytest.param(*each, id=each[0]) for each in fields_that_say_what_they_read()],
)
async def test_a_computed_field_reads_only_what_it_declares(
    completed: tuple[Person, str], name: str, field: Any
) -> None:
    """The same, whether the quest was read whole (by node) or without what the field ignores."""
    bob, id = completed
    inner = f"{name} {below(field.type)}"
    lean = f"query ($id: ID!) {{ quest(id: $id) {{ {inner} }} }}"
    whole = f"query ($id: ID!) {{ node(id: $id) {{ ... on Quest {{ {inner} }} }} }}"
    answer = (await bob.gql(lean, id=id))["quest"]
    assert answer == (await bob.gql(whole, id=f"Quest:{id}"))["node"]
    shown = answer[name]
    assert shown not in ([], {"items": []}), "nothing to compare"
    assert isinstance(field.type, GraphQLList) <= isinstance(shown, list)


def test_only_texts_that_the_graph_shows_are_heavy() -> None:
    """So a selection tells whether they are needed."""
    shown = SCHEMA.get_type("Quest")
    assert isinstance(shown, GraphQLObjectType)
    names = {to_camel_case(name) for name in ENTITIES["Quest"].heavy}
    assert names
    assert names <= shown.fields.keys()


def test_only_quests_are_read_without_their_texts() -> None:
    assert [name for name, entity in ENTITIES.items() if entity.heavy] == ["Quest"]
