"""Shapes of queries that attack (RELIABILITY.md, A), through the real server."""

import time
from collections.abc import AsyncIterator
from uuid import uuid4

import httpx
import pytest
from graphql import get_introspection_query

from tests.api import PASSWORD, Api, Person

COMPLEX = "QUERY_TOO_COMPLEX"
PARSE = "GRAPHQL_PARSE_FAILED"
INVALID = "GRAPHQL_VALIDATION_FAILED"
PROCESSOR_SECONDS = 1.0  # of the whole process: server, client and test; each takes milliseconds


@pytest.fixture(autouse=True)
async def answers_afterwards(api: Api) -> AsyncIterator[None]:
    yield
    answer = await api.post("{ __typename }")
    assert (answer.status_code, answer.json()) == (200, {"data": {"__typename": "Query"}})


def doubling(fragments: int, leaf: str, alias: bool = False) -> str:
    def spread(i: int) -> str:
        both = ("x{0}: __typename ...F{0}", "y{0}: __typename ...F{0}")
        return " ".join(both).format(i) if alias else f"...F{i} ...F{i}"

    links = " ".join(f"fragment F{i} on Query {{ {spread(i + 1)} }}" for i in range(fragments))
    return f"{{ ...F0 }} {links} fragment F{fragments} on Query {{ {leaf} }}"


def errors_of(answer: httpx.Response) -> list[str]:
    errors = answer.json()["errors"]
    assert len(errors) <= 5
    assert all(len(error["message"]) <= 300 for error in errors)
    return [error["extensions"]["code"] for error in errors]


ATTACKS = {
    "1 depth 16": ("{" + "a{" * 15 + "b" + "}" * 16, COMPLEX),
    "1 depth 50": ("{" + "a{" * 49 + "b" + "}" * 50, COMPLEX),
    "1 depth 50 through fragments": (
        "{ ...F0 } "
        + " ".join(f"fragment F{i} on Query {{ a {{ ...F{i + 1} }} }}" for i in range(50))
        + " fragment F50 on Query { b }",
        COMPLEX,
    ),
    "2 depth 250": ("{" + "a{" * 250 + "b" + "}" * 251, PARSE),
    "2 depth 5000": ("{" + "a{" * 5_000, PARSE),
    "2 lists 900": ("{ user(id: " + "[" * 900 + "]" * 900 + ") { id } }", PARSE),
    "2 objects 600": ("{ user(id: " + "{a:" * 600 + "1" + "}" * 600 + ") { id } }", PARSE),
    "2 list types 900": ("query ($a: " + "[" * 900 + "ID" + "]" * 900 + ") { b }", PARSE),
    "2 lists 100": ("{ user(id: " + "[" * 100 + "]" * 100 + ") { id } }", INVALID),
    "3 51 aliases": (
        "{ me {" + " ".join(f"x{i}: id" for i in range(51)) + "} }",
        COMPLEX,
    ),
    "3 240 aliases": (
        "{" + " ".join(f'x{i}: nicknameAvailable(nickname: "abc")' for i in range(240)) + "}",
        COMPLEX,
    ),
    "3 1000 aliases": (
        "{" + " ".join(f"x{i}: exportData" for i in range(1_000)) + "}",
        "LIMIT_EXCEEDED",
    ),
    "3 21 root fields": ("{" + " __typename" * 21 + "}", COMPLEX),
    "3 501 fields": ("{ me {" + " id" * 501 + "} }", COMPLEX),
    "5 fragment bomb": (doubling(40, "__typename"), COMPLEX),
    "5 fragment bomb in a circle": (doubling(60, "...F0"), COMPLEX),
    "6 aliased fragment bomb": (doubling(14, "__typename", alias=True), COMPLEX),
    "7 cycle": ("{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }", INVALID),
    "7 own cycle": ("{ ...A } fragment A on Query { ...A }", INVALID),
    "7 unused": ("{ __typename } fragment A on Query { __typename }", INVALID),
    "7 unknown": ("{ ...A }", INVALID),
    "8 1000 directives": ("{ __typename " + "@a" * 900 + "}", COMPLEX),
    "8 skip repeated": ("{ __typename " + "@skip(if: false)" * 280 + "}", COMPLEX),
    "8 skip twice": ("{ __typename @skip(if: false) @skip(if: false) }", INVALID),
    "8 unknown directives": ("{ __typename @a @b @c @d @e @f @g }", INVALID),
    "9 introspection in circles": (
        "{ __schema { types {" + "fields { type {" * 6 + "name" + "} }" * 6 + "} } }",
        INVALID,
    ),
    "13 too large an Int": ("{ timeline(limit: 99999999999) { nextToken } }", INVALID),
    "16 long name": ("{" + "a" * 49_000 + "}", INVALID),
    "16 a megabyte": ("{" + "a" * 900_000 + "}", "LIMIT_EXCEEDED"),
    "16 unknown fields": ("{ me {" + " ".join(f"a{i}" for i in range(490)) + "} }", INVALID),
    "18 a million tokens": ("{" + "a " * 450_000 + "}", "LIMIT_EXCEEDED"),
    "18 comments": ("{" + "#\n" * 300_000 + "a}", "LIMIT_EXCEEDED"),
}


@pytest.mark.parametrize("name", ATTACKS)
async def test_is_refused_before_anything_is_executed(api: Api, name: str) -> None:
    query, code = ATTACKS[name]
    used_before = time.process_time()
    answer = await api.post(query)
    assert time.process_time() - used_before < PROCESSOR_SECONDS
    assert answer.status_code == 200
    assert answer.json()["data"] is None
    assert set(errors_of(answer)) == {code}
    assert all(error["path"] is None for error in answer.json()["errors"])


async def test_a_larger_query_than_the_body_may_hold(api: Api) -> None:
    answer = await api.post("{" + "a" * 1_000_000 + "}")
    assert answer.status_code == 413
    assert errors_of(answer) == ["LIMIT_EXCEEDED"]


@pytest.mark.parametrize("times", [6, 100])
async def test_too_many_aliases_of_a_mutation_execute_none(api: Api, times: int) -> None:
    name = f"m{uuid4().hex[:10]}"
    sign_up = (
        'signUp(input: {email: "%s@example.com", nickname: "%s", password: "%s"}) { expiresAt }'
    )
    fields = [f"x{i}: {sign_up % (f'{name}{i}', f'{name}{i}', PASSWORD)}" for i in range(times)]
    answer = await api.post("mutation {" + " ".join(fields) + "}")
    assert errors_of(answer) == [COMPLEX if times == 6 else "LIMIT_EXCEEDED"]
    for i in (0, times - 1):
        free = await api.gql(f'{{ nicknameAvailable(nickname: "{name}{i}") }}')
        assert free == {"nicknameAvailable": True}


async def test_an_infinite_number_reaches_no_resolver(ada: Person) -> None:
    failed = await ada.refused("{ timeline(limit: 1e400) { nextToken } }")
    assert failed.code == "BAD_INPUT"
    assert failed.errors[0]["message"] == (
        "limit: The number '1e400' is too large. Example: 1.5e300"
    )


async def test_100_short_mutations_execute_none(api: Api, ada: Person) -> None:
    many = "mutation {" + " ".join(f"x{i}: signOut" for i in range(100)) + "}"
    failed = await ada.refused(many)
    assert failed.code == COMPLEX
    assert (await ada.gql("{ me { id } }"))["me"] == {"id": ada.id}


async def test_introspection_by_the_usual_tools_passes(api: Api) -> None:
    data = await api.gql(get_introspection_query(input_value_deprecation=True))
    assert data["__schema"]["queryType"]["name"] == "Query"


async def test_batches_are_refused(api: Api) -> None:
    answer = await api.http.post("/graphql", json=[{"query": "{ __typename }"}] * 1_000)
    assert answer.status_code == 400
    assert errors_of(answer) == ["BAD_REQUEST"]


@pytest.mark.parametrize("limit", [99_999_999, 101, 0, -1])
async def test_a_page_of_another_size_is_refused(ada: Person, limit: int) -> None:
    by_variable = "query ($limit: Int) { timeline(limit: $limit) { nextToken } }"
    for failed in (
        await ada.refused(by_variable, limit=limit),
        await ada.refused(f"{{ timeline(limit: {limit}) {{ nextToken }} }}"),
    ):
        assert failed.code == "BAD_INPUT"
        assert failed.errors[0]["message"] == "limit must be 1 to 100."


FIELDS = " ".join(["id", "version", "createdAt", "updatedAt", "__typename"] * 4)


async def test_the_cost_depends_on_the_requested_page_size(ada: Person) -> None:
    lists = " ".join(f"x{i}: timeline(limit: $limit) {{ items {{ {FIELDS} }} }}" for i in range(15))
    query = f"query ($limit: Int) {{ {lists} }}"
    failed = await ada.refused(query, limit=100)
    assert failed.code == COMPLEX
    assert failed.errors[0]["message"].startswith("The cost of this query is 30")
    assert len(await ada.gql(query, limit=10)) == 15
    assert len(await ada.gql(query)) == 15


async def test_the_cost_is_that_of_the_named_operation(api: Api, ada: Person) -> None:
    lists = " ".join(f"x{i}: timeline(limit: 100) {{ items {{ {FIELDS} }} }}" for i in range(15))
    query = f"query Dear {{ {lists} }} query Cheap {{ __typename }}"
    for name, expected in (("Dear", COMPLEX), ("Cheap", None)):
        body = {"query": query, "operationName": name}
        answer = await api.http.post("/graphql", json=body, headers=ada.headers)
        found = [error["extensions"]["code"] for error in answer.json().get("errors", [])]
        assert found == ([expected] if expected else [])
