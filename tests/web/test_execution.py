"""Executing an operation: documents are cached, cost is estimated if necessary, deadlines hold."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
import strawberry

from app.core.caller import anonymous
from app.core.errors import OutcomeUnknown, Unavailable
from app.graph.context import Context
from app.web import cost, documents, execution
from app.web.body import Params
from app.web.execution import Executor, MutationByGet
from app.web.limits import Limits
from app.web.results import OperationResult

CONTEXT = cast(Context, SimpleNamespace(caller=anonymous()))


@strawberry.type
class Row:
    id: int = 1


@strawberry.type
class Rows:
    items: list[Row]


@strawberry.type
class Query:
    @strawberry.field
    def rows(self, limit: int = 20) -> Rows:
        return Rows(items=[Row()] * limit)

    @strawberry.field
    async def slow(self) -> int:
        await asyncio.Event().wait()
        return 1


@strawberry.type
class Mutation:
    @strawberry.mutation
    async def slow(self) -> int:
        await asyncio.Event().wait()
        return 1


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def ticks(self) -> AsyncIterator[int]:
        yield 1


SCHEMA = strawberry.Schema(query=Query, mutation=Mutation, subscription=Subscription)


def executor(*, cost: int = 100, seconds: float = 10) -> Executor:
    return Executor(
        SCHEMA, limits=Limits(cost=cost), seconds=seconds, introspection=True, suggestions=True
    )


async def run(
    executor: Executor, query: str, *, name: str | None = None, get: bool = False, **variables: Any
) -> OperationResult:
    params = Params(query, variables, name, None)
    return await executor.run(params, CONTEXT, only_queries=get)


def codes(outcome: OperationResult) -> list[object]:
    return [(error.extensions or {}).get("code") for error in outcome.errors or []]


@pytest.fixture
def estimated(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The operations whose cost was asked for."""
    counted_calls: list[str | None] = []
    price = cost.query_cost

    def counted(document: Any, name: str | None, variables: Any, work: Any) -> int:
        counted_calls.append(name)
        return price(document, name, variables, work)

    monkeypatch.setattr(execution, "query_cost", counted)
    return counted_calls


async def test_a_query_within_the_limit_for_all_variables_is_never_estimated(
    estimated: list[str | None],
) -> None:
    query = "query ($limit: Int!) { rows(limit: $limit) { items { id } } }"
    for limit in (1, 100):
        outcome = await run(executor(cost=102), query, limit=limit)
        assert outcome.data is not None
    assert estimated == []


async def test_a_query_that_may_exceed_the_limit_is_estimated_with_its_variables(
    estimated: list[str | None],
) -> None:
    query = "query ($limit: Int!) { rows(limit: $limit) { items { id } } }"
    one = executor(cost=101)
    assert (await run(one, query, limit=99)).data is not None
    expensive = await run(one, query, limit=100)
    assert expensive.is_request_error
    assert codes(expensive) == ["QUERY_TOO_COMPLEX"]
    assert len(estimated) == 2


async def test_of_several_operations_the_one_that_runs_is_estimated(
    estimated: list[str | None],
) -> None:
    query = "query A { rows(limit: 100) { items { id } } } query B { __typename }"
    one = executor(cost=50)
    assert codes(await run(one, query, name="A")) == ["QUERY_TOO_COMPLEX"]
    assert (await run(one, query, name="B")).data == {"__typename": "Query"}
    assert estimated == ["A", "B"]


async def test_a_document_is_prepared_once() -> None:
    one = executor()
    for _ in range(3):
        await run(one, "{ __typename }")
    assert len(one.documents._documents) == 1


async def test_the_cache_evicts_the_oldest_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "CACHED_CHARACTERS", 2_000)
    one = executor()
    texts = [f"query Q{i} {{ __typename }}" for i in range(10)]
    for text in [*texts, "{ __typename }" + " " * 1_200]:
        await run(one, text)
    assert [text for text, _ in one.documents._documents] == [
        texts[-1],
        "{ __typename }" + " " * 1_200,
    ]
    assert one.documents._characters == 1_714


async def test_a_long_document_is_not_cached() -> None:
    one = executor()
    await run(one, "{ __typename }" + " " * documents.LONGEST_CACHED)
    assert len(one.documents._documents) == 0


async def test_a_subscription_is_refused() -> None:
    outcome = await run(executor(), "subscription { ticks }")
    assert outcome.is_request_error
    assert codes(outcome) == ["GRAPHQL_VALIDATION_FAILED"]


@pytest.mark.parametrize("query", ["mutation { slow }", "mutation A { slow } query B { slow }"])
async def test_a_mutation_is_refused_where_only_queries_may_run(query: str) -> None:
    with pytest.raises(MutationByGet):
        await run(executor(), query, name="A" if "A" in query else None, get=True)


@pytest.mark.parametrize(
    ("query", "late"), [("{ slow }", Unavailable), ("mutation { slow }", OutcomeUnknown)]
)
async def test_an_operation_past_its_deadline_is_ended(query: str, late: type[Exception]) -> None:
    outcome = await run(executor(seconds=0.01), query)
    assert not outcome.is_request_error
    assert [type(error.original_error) for error in outcome.errors or []] == [late]
