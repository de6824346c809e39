"""Nobody reaches anything by another's id. Generated from the schema: every field of Query and
Mutation that takes an id, at any depth of its input, is asked by Bob with each of Ada's ids.

A domain plugs in by adding to OWNED what Ada makes: a function that gives its ids.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
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

from app.nodes import KINDS
from app.table.gateway import Gateway
from app.web.schema import build_schema
from tests.api import Api, Person
from tests.community.rooms import new_room, send
from tests.community.test_assist import new_goal, new_thread
from tests.community.test_company_goals import put
from tests.community.test_market import new_company, new_offer
from tests.goals.test_progress import create
from tests.goals.world import do, goal, project, task

SCHEMA = build_schema()._schema
# CONFLICT: an id of hers given as one to be made, or as the head of a history of his own.
REFUSALS = {"NOT_FOUND", "BAD_INPUT", "FORBIDDEN", "CONFLICT"}

# What of Ada's is meant to be seen or taken by everyone: fields whose ids are public.
PUBLIC = {"user", "company"}


async def goals(ada: Person) -> list[str]:
    """Of goals, tasks, projects, milestones, metrics and habits."""
    target = await goal(ada, tags=["a"], successCriteria=[{"text": "c", "id": "criterion-of-ada"}])
    child = await goal(ada, parentGoalId=target["id"])
    garden = await project(ada, goalIds=[target["id"]])
    blocker = await task(ada, "blocker")
    work = await task(
        ada,
        area="Health",
        goalIds=[target["id"]],
        projectIds=[garden["id"]],
        dependsOnIds=[blocker["id"]],
        recurrenceRule={"frequency": "DAILY"},
    )
    mark = await do(ada, "createMilestone", goalId=target["id"], name="m", percentage=50)
    return [each["id"] for each in (target, child, garden, blocker, work, mark)]


async def tracking(ada: Person) -> list[str]:
    metric = await create(ada, "Metric", name="m", targetValue="1")
    habit = await create(ada, "Habit", name="h")
    query = "mutation ($input: LogMetricInput!) { logMetric(input: $input) { id } }"
    logged = await ada.gql(query, input={"metricId": metric, "value": "1"})
    return [metric, habit, logged["logMetric"]["id"]]


async def rewards(ada: Person) -> list[str]:
    return [await create(ada, "Reward", title="r", pointCost=1, category="Treat")]


async def community(ada: Person) -> list[str]:
    """Of a private room and thread, a draft, a company that nobody but her is of, and a goal that
    stands under it."""
    room = await new_room(ada)
    said = await send(ada, room)
    thread = await new_thread(ada, isPublic=False)
    company = await new_company(ada)
    target = await new_goal(ada)
    await put(ada, company, target)
    offer = await new_offer(ada, company, status="DRAFT")
    return [room, said["id"], thread, company, target, offer]


OWNED: list[Callable[[Person], Awaitable[list[str]]]] = [goals, tracking, rewards, community]


def takes_ids(kind: GraphQLInputType, deep: int = 0) -> bool:
    named = get_named_type(kind)
    if isinstance(named, GraphQLInputObjectType):
        return deep < 3 and any(takes_ids(each.type, deep + 1) for each in named.fields.values())
    return named.name == "ID"


def filled(kind: Any, id: str, *, all_ids: bool, depth: int = 0) -> Any:
    """A value of this type: ids are Ada's, whatever else is needed is plausible."""
    if isinstance(kind, GraphQLNonNull):
        return filled(kind.of_type, id, all_ids=all_ids, depth=depth)
    if isinstance(kind, GraphQLList):
        return [filled(kind.of_type, id, all_ids=all_ids, depth=depth)]
    if isinstance(kind, GraphQLInputObjectType):
        return {
            name: filled(each.type, id, all_ids=all_ids, depth=depth + 1)
            for name, each in kind.fields.items()
            if is_required_input_field(each)
            or (all_ids and depth < 2 and takes_ids(each.type) and name != "id")
        }
    if isinstance(kind, GraphQLEnumType):
        return next(iter(kind.values))
    return PLAUSIBLE.get(kind.name, id if kind.name == "ID" else "word")


PLAUSIBLE: dict[str, Any] = {
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


def selection(field: GraphQLField) -> str:
    named = get_named_type(field.type)
    if is_leaf_type(named):
        return ""
    return "{ items { __typename } }" if "items" in named.fields else "{ __typename }"  # type: ignore[attr-defined]


def variants(root: str, name: str, field: GraphQLField, id: str) -> Iterator[tuple[str, Any]]:
    """The field with the ids it must have, and with every id it may have besides."""
    for all_ids in (False, True):
        wanted = {
            argument: each
            for argument, each in field.args.items()
            if is_required_argument(each) or (all_ids and takes_ids(each.type))
        }
        if not any(takes_ids(each.type) for each in wanted.values()):
            continue
        declared = ", ".join(f"${argument}: {each.type}" for argument, each in wanted.items())
        passed = ", ".join(f"{argument}: ${argument}" for argument in wanted)
        query = f"{root} ({declared}) {{ {name}({passed}) {selection(field)} }}"
        yield (
            query,
            {argument: filled(each.type, id, all_ids=all_ids) for argument, each in wanted.items()},
        )


def fields_with_ids() -> list[tuple[str, str, GraphQLField]]:
    return [
        (root, name, field)
        for root, kind in (("query", SCHEMA.query_type), ("mutation", SCHEMA.mutation_type))
        if isinstance(kind, GraphQLObjectType)
        for name, field in kind.fields.items()
        if name not in PUBLIC and any(takes_ids(each.type) for each in field.args.values())
    ]


def shows_nothing(answer: Any) -> bool:
    """What is public is found by node too."""
    if isinstance(answer, list):
        return all(shows_nothing(each) for each in answer)
    return answer in (None, {"items": []}, *({"__typename": name.title()} for name in PUBLIC))


async def belongings(table: Gateway, person: Person) -> list[Any]:
    """Everything in someone's partition and in those that its records own, as stored."""
    found: list[Any] = []
    async for item in table.partition(f"USER#{person.id}"):
        found.append(item)
        kind, _, rest = item["SK"]["S"].partition("#")
        if kind in ("GOAL", "TASK", "PROJECT", "METRIC", "HABIT", "REWARD"):
            found += [each async for each in table.partition(f"{kind}#{rest}")]
    return found


@pytest.fixture(scope="module")
async def owner(api: Api) -> tuple[Person, list[str]]:
    person = await api.sign_up()
    ids = [person.id]
    for made in OWNED:
        ids += await made(person)
    return person, ids


@pytest.fixture(scope="module")
async def stranger(api: Api) -> Person:
    return await api.sign_up()


def test_there_is_something_to_try() -> None:
    names = {name for _, name, _ in fields_with_ids()}
    assert {"task", "goal", "project", "completeTask", "linkToGoal", "addCriterion"} <= names


@pytest.mark.parametrize(
    ("root", "name", "field"),
    [pytest.param(*each, id=each[1]) for each in fields_with_ids()],
)
async def test_another_s_id_gives_nothing_and_changes_nothing(
    owner: tuple[Person, list[str]],
    stranger: Person,
    table: Gateway,
    root: str,
    name: str,
    field: GraphQLField,
) -> None:
    ada, ids = owner
    before = await belongings(table, ada)
    asked = [pair for id in ids for pair in variants(root, name, field, id)]
    answers = await asyncio.gather(
        *(stranger.api.post(query, headers=stranger.headers, **each) for query, each in asked)
    )
    for (query, variables), answer in zip(asked, answers, strict=True):
        said = answer.json()
        if "errors" in said:
            codes = {each["extensions"]["code"] for each in said["errors"]}
            assert codes <= REFUSALS, (query, variables, said)
        elif root == "query":
            assert shows_nothing(said["data"][name]), (query, said)
    assert await belongings(table, ada) == before


async def test_by_node_she_finds_all_that_is_hers_and_a_stranger_nothing(
    owner: tuple[Person, list[str]], stranger: Person
) -> None:
    """By the bare id, and by the id together with each kind that there is."""
    ada, ids = owner
    words = [*ids, *(f"{kind}:{id}" for kind in KINDS for id in ids)]
    runs = [words[start : start + 100] for start in range(0, len(words), 100)]
    query = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }"
    hers = {each["__typename"] for run in runs for each in await nodes(ada, query, run) if each}
    his = {each["__typename"] for run in runs for each in await nodes(stranger, query, run) if each}
    kept = {"Goal", "Task", "Project", "Milestone", "Metric", "Habit", "Reward"}
    public = {name.title() for name in PUBLIC}
    assert hers == {"Room", "AssistThread", "Offer", *kept, *public}
    assert his == public


async def nodes(person: Person, query: str, ids: list[str]) -> list[Any]:
    return list((await person.gql(query, ids=ids))["nodes"])


@pytest.mark.parametrize("name", ["task", "goal", "project"])
async def test_absent_and_another_s_are_the_same(
    owner: tuple[Person, list[str]], bob: Person, name: str
) -> None:
    """To the letter: nobody learns which ids exist."""
    _, ids = owner
    words = []
    for id in ("01ARZ3NDEKTSV4RRFFQ69G5FAV", *ids):
        mutation = f"delete{name.title()}"
        query = f"mutation ($id: ID!) {{ {mutation}(input: {{id: $id}}) {{ id }} }}"
        answer = (await bob.api.post(query, headers=bob.headers, id=id)).json()
        words.append([each["message"] for each in answer["errors"]])
    assert len({str(each) for each in words}) == 1
