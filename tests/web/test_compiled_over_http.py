"""COMPILED_EXECUTION on and off give the same answers, through HTTP and event streams."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from app.web import compiled
from tests.api import Api, Person
from tests.servers import RunningServer

MAKE = """
mutation ($goal: CreateGoalInput!, $task: CreateTaskInput!) {
  createGoal(input: $goal) { id }
  createTask(input: $task) { id }
}
"""
QUERIES = {
    "plain fields of one record": "{ me { __typename id nickname email createdAt version } }",
    "a list of plain fields": "{ tasks { items { id title status tags createdAt } nextToken } }",
    "nested lists and computed fields": """
        { goals { items { title cachedProgress tasks { items { title } } milestones { name } } } }
    """,
    "an interface": "{ timeline { items { __typename id version } nextToken } }",
    "aliases, fragments and directives": """
        query ($no: Boolean = false) {
          a: tasks { items { ...F title @include(if: $no) } }
          b: tasks(limit: 1) { items { ...F name: title } nextToken @skip(if: true) }
        }
        fragment F on Task { id urgency dueAt }
    """,
    "an error beside data": "{ me { id } tasks(limit: 0) { items { id } } }",
    "a record that is not found": '{ task(id: "none") { id } }',
    "an invalid query": "{ tasks { nonsense } }",
}


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The types whose selection sets were compiled, by any server of this process."""
    compile_selection = compiled.compile_selection
    names: list[str] = []

    def count(schema: Any, parent_type: Any, fields: Any) -> compiled.SelectionPlan:
        names.append(parent_type.name)
        return compile_selection(schema, parent_type, fields)

    monkeypatch.setattr(compiled, "compile_selection", count)
    return names


@pytest.fixture
def other_server(start_server: Callable[..., RunningServer]) -> RunningServer:
    return start_server(compiled_execution=False)


async def answers(api: Api, person: Person) -> dict[str, Any]:
    found = {}
    for name, query in QUERIES.items():
        answer = await api.post(query, headers=person.headers)
        body = answer.json()
        for error in body.get("errors", []):
            error["extensions"].pop("requestId", None)
        found[name] = (answer.status_code, body)
    return found


async def prepare(person: Person) -> None:
    task = {"title": "Sweep", "tags": ["hall"], "dueAt": "2031-05-01T10:00:00.000Z"}
    await person.gql(MAKE, goal={"title": "A clean hall"}, task=task)


async def test_gives_the_same_answers(
    api: Api, ada: Person, other_server: RunningServer, compilations: list[str]
) -> None:
    await prepare(ada)
    compilations.clear()
    async with Api(other_server.url) as other:
        without_plans = await answers(other, ada)
    assert compilations == []
    with_plans = await answers(api, ada)
    assert {"User", "Task", "Goal"} <= set(compilations)
    assert with_plans == without_plans
    failed = [name for name, (_, body) in with_plans.items() if body.get("errors")]
    assert failed == ["an error beside data", "an invalid query"]
    assert with_plans["a list of plain fields"][1]["data"]["tasks"]["items"][0]["tags"] == ["hall"]


async def first_event(url: str, person: Person, cursor: str) -> str:
    query = f'subscription {{ onChange(since: "{cursor}") {{ type record {{ __typename }} }} }}'
    body, address = {"query": query}, f"{url}/graphql/stream"
    async with (
        httpx.AsyncClient(timeout=30, headers=person.headers) as client,
        client.stream("POST", address, json=body) as stream,
    ):
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                return line
    raise AssertionError("the stream ended")


async def test_gives_the_same_events(
    api: Api, ada: Person, other_server: RunningServer, compilations: list[str]
) -> None:
    cursor = (await ada.gql("{ changes { cursor } }"))["changes"]["cursor"]
    await prepare(ada)
    compilations.clear()
    event = await first_event(other_server.url, ada, cursor)
    assert compilations == []
    assert await first_event(api.url, ada, cursor) == event
    assert "Change" in compilations
