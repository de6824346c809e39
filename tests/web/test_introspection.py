"""Introspection is executed once per query text and kept."""

from graphql import get_introspection_query, parse

from app.web.introspection import Introspection, is_introspection
from app.web.schema import build_schema
from tests.api import Api

SCHEMA = build_schema()._schema
SHORT = "{ __schema { queryType { name } } }"


def operation_of(query: str) -> bool:
    return is_introspection(parse(query).definitions[0])  # type: ignore[arg-type]


def test_what_counts_as_introspection() -> None:
    assert operation_of(get_introspection_query())
    assert operation_of('{ __typename __type(name: "Task") { name } }')
    assert not operation_of("{ __typename }")
    assert not operation_of("{ __schema { queryType { name } } me { id } }")
    assert not operation_of("query ($n: String!) { __type(name: $n) { name } }")


async def test_it_is_executed_once() -> None:
    introspection = Introspection(SCHEMA)
    first = await introspection.answer(SHORT, parse(SHORT), None)
    again = await introspection.answer(SHORT, parse(SHORT), None)
    assert again is first
    assert first.json == b'{"__schema":{"queryType":{"name":"Query"}}}'


async def test_only_the_latest_are_kept() -> None:
    introspection = Introspection(SCHEMA)
    for number in range(40):
        query = f"{{ a{number}: __schema {{ queryType {{ name }} }} }}"
        await introspection.answer(query, parse(query), None)
    assert len(introspection._kept) == 32


async def test_over_http(api: Api) -> None:
    for _ in range(2):
        answer = await api.post(SHORT)
        assert answer.json() == {"data": {"__schema": {"queryType": {"name": "Query"}}}}
