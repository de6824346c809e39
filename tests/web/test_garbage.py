"""What a request made is gone with it, without a search for garbage; unless an exception, which
holds its frames, came in between."""

import gc
from collections.abc import Iterator

import pytest

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
def no_search() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def of_requests() -> int:
    return sum(type(each) in (Context, CompiledExecutionContext) for each in gc.get_objects())


@pytest.mark.usefixtures("server", "no_search")
@pytest.mark.parametrize("query", ASKED)
async def test_a_request_leaves_nothing_behind(ada: Person, query: str) -> None:
    before = of_requests()
    for _ in range(5):
        await ada.api.post(query, headers=ada.headers)
    assert of_requests() == before
