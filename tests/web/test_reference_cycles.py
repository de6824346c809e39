"""The objects of a request are freed without the garbage collector, unless an exception, which
refers to its frames, was raised."""

import gc
from collections.abc import Iterator

import pytest
from graphql import GraphQLError

from app.graph.context import Context
from app.web.compiled import CompiledExecutionContext
from tests.api import Person

ASKED = [
    "{ me { nickname } }",
    "{ tasks { items { id title } nextToken } goals { items { id tasks { items { id } } } } }",
    'mutation { createTask(input: {title: "Sweep"}) { id title goals { items { id } } } }',
    "{ nonsense }",
]


@pytest.fixture
def collector_off() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def request_objects() -> int:
    return sum(type(each) in (Context, CompiledExecutionContext) for each in gc.get_objects())


@pytest.mark.usefixtures("server", "collector_off")
@pytest.mark.parametrize("query", ASKED)
async def test_a_request_leaves_no_reference_cycles(ada: Person, query: str) -> None:
    before = request_objects()
    for _ in range(5):
        await ada.api.post(query, headers=ada.headers)
    assert request_objects() == before


@pytest.mark.usefixtures("server", "collector_off")
async def test_a_refused_text_is_not_kept(ada: Person) -> None:
    """It was: the error referred to the frames that had parsed it, and they to the error."""
    long_text = "{ " + "a " * 450_000 + "}"
    for _ in range(3):
        await ada.api.post(long_text, headers=ada.headers)
    refused = [each for each in gc.get_objects() if isinstance(each, GraphQLError)]
    kept = [each for each in refused if each.message.startswith("The query is longer")]
    assert len(kept) <= 1  # the worker thread may hold its last result
