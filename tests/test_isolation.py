"""No user reaches a record of another by its id.

Generated from the schema: every field of Query and Mutation that takes an id, at any depth of its
input, is sent by a stranger with each id of an owner. The owner has a record of every kind that has
an id: a new kind fails here until tests/isolation_records.py creates one.
"""

import asyncio
import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    get_named_type,
    is_leaf_type,
    is_required_argument,
    is_required_input_field,
)

from app import domains
from app.core.record import Node
from app.domains.people.repository import AccountItems
from app.nodes import KINDS
from app.table.entity import ENTITIES
from app.table.gateway import Gateway
from app.web.schema import build_schema
from tests.api import Api, Person
from tests.isolation_records import DOMAINS, Owner, create_records
from tests.quests.operations import moderator
from tests.servers import RunningServer

SCHEMA = build_schema()._schema

# CONFLICT: an id of the owner's, given for a new record or as the head of a history.
REFUSALS = {"NOT_FOUND", "BAD_INPUT", "FORBIDDEN", "CONFLICT", "ALREADY_CLAIMED", "QUEST_STATUS"}

PUBLIC_KINDS = {"User", "Company", "Quest", "QuestCategory"}
# Fields that show public records to everyone. They still must not change anything.
PUBLIC_FIELDS = {
    *("user", "company", "quest", "questCategory"),
    *("quests", "questsByCreator", "questsByPerformer"),
}
# Types with an id of which the owner needs no record.
EXEMPT = {
    "Change": "its id is that of the record that changed",
    "TaggedRecord": "its id is that of the record with the tag",
    "SearchHit": "its id is that of the record that was found",
    "TaskRefusal": "its id is that of the task",
    "GenericNode": "a node of a later version, found in the way of an ActionNode",
}


@dataclasses.dataclass
class Records:
    """`stored`: the owner's items after the last test."""

    owner: Person
    ids: dict[str, list[str]]
    stored: list[Any]

    @property
    def every_id(self) -> list[str]:
        return list(dict.fromkeys(id for ids in self.ids.values() for id in ids))


@pytest.fixture(scope="module")
async def records(api: Api, server: RunningServer, table: Gateway) -> Records:
    owner = Owner(
        person=await api.sign_up(),
        performer=await api.sign_up(),
        moderator=await moderator(api, server, table),
        table=table,
    )
    ids = await create_records(owner)
    return Records(owner.person, ids, await stored_items(table, owner.person))


@pytest.fixture(scope="module")
async def stranger(api: Api) -> Person:
    return await api.sign_up()


async def stored_items(table: Gateway, person: Person) -> list[Any]:
    """Every item in the user's partitions and in those that their records own."""
    items = AccountItems(table, person.id)
    found: dict[str, list[Any]] = {}
    waiting = set(items.partitions)
    while waiting:
        read = await asyncio.gather(*(partition(table, pk) for pk in sorted(waiting)))
        found |= dict(zip(sorted(waiting), read, strict=True))
        owned = {items.partition_owned_by(item) for rows in read for item in rows}
        waiting = {pk for pk in owned if pk} - found.keys()
    return [item for pk in sorted(found) for item in found[pk]]


async def partition(table: Gateway, pk: str) -> list[Any]:
    return [item async for item in table.partition(pk)]


def kinds_with_an_id() -> set[str]:
    return {
        name
        for name, kind in SCHEMA.type_map.items()
        if isinstance(kind, GraphQLObjectType) and "id" in kind.fields
    }


async def test_the_owner_has_a_record_of_every_kind_with_an_id(records: Records) -> None:
    kinds = kinds_with_an_id()
    nodes = {each.cls.__name__ for each in ENTITIES.values() if issubclass(each.cls, Node)}
    assert nodes <= kinds, "every Node stands in the schema"
    missing = kinds - EXEMPT.keys() - {kind for kind, ids in records.ids.items() if ids}
    assert missing == set(), "create one in tests/isolation_records.py"
    assert records.ids.keys() <= kinds, "misspelt, or no longer in the schema"


def test_every_domain_creates_records() -> None:
    [folder] = domains.__path__
    found = {path.parent.name for path in Path(folder).glob("*/__init__.py")}
    assert found == DOMAINS.keys()


def takes_ids(kind: GraphQLInputType, depth: int = 0) -> bool:
    named = get_named_type(kind)
    if isinstance(named, GraphQLInputObjectType):
        return depth < 3 and any(takes_ids(each.type, depth + 1) for each in named.fields.values())
    return named.name == "ID"


def fields_with_ids() -> list[tuple[str, str, GraphQLField]]:
    return [
        (root, name, field)
        for root, kind in (("query", SCHEMA.query_type), ("mutation", SCHEMA.mutation_type))
        if isinstance(kind, GraphQLObjectType)
        for name, field in kind.fields.items()
        if any(takes_ids(each.type) for each in field.args.values())
    ]


def test_fields_that_take_ids_are_found() -> None:
    names = {name for _, name, _ in fields_with_ids()}
    assert {"task", "goal", "project", "completeTask", "linkToGoal", "addCriterion"} <= names
    assert names >= PUBLIC_FIELDS


VALID: dict[str, Any] = {
    "Int": 50,
    "Float": 1.0,
    "Boolean": True,
    "Decimal": "1",
    "AWSDate": "2026-01-10",
    "AWSDateTime": "2026-01-10T10:00:00Z",
    "AWSTime": "10:00",
    "AWSTimestamp": 1767225600,
    "AWSEmail": "somebody@example.com",
    "AWSURL": "https://example.com/",
    "AWSJSON": "{}",
    "AWSPhone": "+1 415-555-2671",
}


def value_of(kind: Any, id: str, *, with_optional: bool, depth: int = 0) -> Any:
    """A value of this type: `id` for every id, something valid for the rest."""
    if isinstance(kind, GraphQLNonNull):
        return value_of(kind.of_type, id, with_optional=with_optional, depth=depth)
    if isinstance(kind, GraphQLList):
        return [value_of(kind.of_type, id, with_optional=with_optional, depth=depth)]
    if isinstance(kind, GraphQLInputObjectType):
        return {
            name: value_of(each.type, id, with_optional=with_optional, depth=depth + 1)
            for name, each in kind.fields.items()
            if is_required_input_field(each)
            or (with_optional and depth < 2 and takes_ids(each.type) and name != "id")
        }
    if isinstance(kind, GraphQLEnumType):
        return next(iter(kind.values))
    return VALID.get(kind.name, id if kind.name == "ID" else "word")


def selection(field: GraphQLField) -> str:
    named = get_named_type(field.type)
    if is_leaf_type(named):
        return ""
    fields: Any = named.fields  # type: ignore[attr-defined]
    if "items" in fields:
        return "{ items { __typename } }"
    return "{ total }" if "total" in fields and "id" not in fields else "{ __typename }"


def requests_with(root: str, name: str, field: GraphQLField, id: str) -> Iterator[tuple[str, Any]]:
    """With the required ids only, and with every optional id too, if that makes a difference."""
    sent = None
    for with_optional in (False, True):
        arguments = {
            argument: each
            for argument, each in field.args.items()
            if is_required_argument(each) or (with_optional and takes_ids(each.type))
        }
        if not any(takes_ids(each.type) for each in arguments.values()):
            continue
        variables = {
            argument: value_of(each.type, id, with_optional=with_optional)
            for argument, each in arguments.items()
        }
        if variables != sent:
            declared = ", ".join(f"${key}: {each.type}" for key, each in arguments.items())
            passed = ", ".join(f"{key}: ${key}" for key in arguments)
            yield f"{root} ({declared}) {{ {name}({passed}) {selection(field)} }}", variables
        sent = variables


def shows_nothing_private(answer: Any) -> bool:
    if isinstance(answer, list):
        return all(shows_nothing_private(each) for each in answer)
    return answer in (
        None,
        {"items": []},
        {"total": 0},
        *({"__typename": kind} for kind in PUBLIC_KINDS),
    )


@pytest.mark.parametrize(
    ("root", "name", "field"),
    [pytest.param(*each, id=each[1]) for each in fields_with_ids()],
)
async def test_an_id_of_another_user_shows_nothing_and_changes_nothing(
    records: Records,
    stranger: Person,
    table: Gateway,
    root: str,
    name: str,
    field: GraphQLField,
) -> None:
    requests = [each for id in records.every_id for each in requests_with(root, name, field, id)]
    responses = await asyncio.gather(
        *(
            stranger.api.post(query, headers=stranger.headers, **variables)
            for query, variables in requests
        )
    )
    for (query, variables), response in zip(requests, responses, strict=True):
        answer = response.json()
        if "errors" in answer:
            codes = {each["extensions"]["code"] for each in answer["errors"]}
            assert codes <= REFUSALS, (query, variables, answer)
        elif root == "query" and name not in PUBLIC_FIELDS:
            assert shows_nothing_private(answer["data"][name]), (query, variables, answer)
    before, records.stored = records.stored, await stored_items(table, records.owner)
    assert records.stored == before


async def kinds_found_by_node(person: Person, ids: list[str]) -> set[str]:
    query = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }"
    batches = [ids[start : start + 100] for start in range(0, len(ids), 100)]
    answers = [await person.gql(query, ids=batch) for batch in batches]
    return {each["__typename"] for answer in answers for each in answer["nodes"] if each}


async def test_node_finds_every_kind_for_its_owner_and_only_public_ones_for_a_stranger(
    records: Records, stranger: Person
) -> None:
    """By the id alone, and by the id with each kind as its prefix."""
    ids = [*records.every_id, *(f"{kind}:{id}" for kind in KINDS for id in records.every_id)]
    assert await kinds_found_by_node(records.owner, ids) == KINDS.keys()
    assert await kinds_found_by_node(stranger, ids) == PUBLIC_KINDS


@pytest.mark.parametrize("name", ["task", "goal", "project"])
async def test_an_id_of_another_user_is_refused_as_an_unknown_id_is(
    records: Records, bob: Person, name: str
) -> None:
    """With exactly the same message: nobody learns which ids exist."""
    mutation = f"delete{name.title()}"
    query = f"mutation ($id: ID!) {{ {mutation}(input: {{id: $id}}) {{ id }} }}"
    messages = []
    for id in ("01ARZ3NDEKTSV4RRFFQ69G5FAV", *records.every_id):
        answer = (await bob.api.post(query, headers=bob.headers, id=id)).json()
        messages.append([each["message"] for each in answer["errors"]])
    assert len({str(each) for each in messages}) == 1
