"""The cost of fields that read many records."""

import pytest
from graphql import parse

from app.web.cost import query_cost
from app.web.schema import build_schema
from app.web.work import READS_MANY, READS_PER_ID, FieldWork
from tests.api import Person

SCHEMA = build_schema()._schema
WORK = FieldWork(SCHEMA)


def cost(query: str, **variables: object) -> int:
    return query_cost(parse(query), None, variables, WORK)


@pytest.mark.parametrize("name", [*READS_MANY, *READS_PER_ID])
def test_every_field_with_a_price_exists(name: str) -> None:
    parent, _, field = name.partition(".")
    assert SCHEMA.get_field(SCHEMA.type_map[parent], field) is not None  # type: ignore[arg-type]


def test_a_stored_field_counts_one_and_a_relation_five() -> None:
    assert cost("{ me { id nickname } }") == 5 + 2
    assert cost('{ quest(id: "q") { id creator { id } } }') == 5 + 1 + 5 + 1


def test_many_records_count_more_wherever_the_field_is_named() -> None:
    assert cost("{ dashboard { date } }") == 400 + 1
    assert cost("{ ...D } fragment D on Query { dashboard { date } }") == 400 + 1
    assert cost("{ ... on Query { a: dashboard { date } b: dashboard { date } } }") == 2 * 401
    assert cost("{ habits(limit: 10) { items { streak } } }") == 5 + 1 + 10 * 20


def test_each_id_of_nodes_is_looked_for_among_all_kinds() -> None:
    query = "query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Goal { progress { percent } } } }"
    assert cost(query, ids=["a"]) == 5 + 20 + 1 + 20 + 1
    assert cost(query, ids=["a"] * 100) == 5 + 100 * (20 + 1 + 20 + 1)


async def test_a_query_within_the_values_but_not_the_work_is_refused(ada: Person) -> None:
    six = " ".join(f"a{n}: exportData" for n in range(6))
    refused = await ada.refused(f"{{ {six} }}")
    assert refused.code == "QUERY_TOO_COMPLEX"
    assert refused.errors[0]["message"].startswith("The cost of this query is 24000; the limit is")
    assert set(await ada.gql("{ a: exportData b: exportData }")) == {"a", "b"}
