"""Compiled selection sets give exactly the answers of graphql-core, errors and paths included."""

import asyncio
from decimal import Decimal
from enum import Enum
from typing import Any

import pytest
import strawberry
from graphql import ExecutionResult, execute, parse
from hypothesis import given, settings
from hypothesis import strategies as st
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from app.core.scalars import SCALARS, AWSDateTime
from app.web.compiled import CompiledExecutionContext, SelectionPlans


@strawberry.enum
class Mood(Enum):
    low = "low"
    high = "high"


@strawberry.interface
class Thing:
    id: strawberry.ID


@strawberry.type
class Step(Thing):
    text: str
    done: bool | None = None


@strawberry.type
class Task(Thing):
    title: str
    size: int | None = None
    points: Decimal | None = None
    mood: Mood | None = None
    at: AWSDateTime | None = None
    tags: list[str] = strawberry.field(default_factory=list)
    steps: list[Step] = strawberry.field(default_factory=list)
    first: Step | None = None

    @strawberry.field
    def shout(self, times: int = 1) -> str:
        return self.title.upper() * times

    @strawberry.field
    async def later(self) -> Step | None:
        await asyncio.sleep(0)
        return self.first

    @strawberry.field
    def broken(self) -> str:
        raise ValueError("broken")


@strawberry.type
class Query:
    @strawberry.field
    async def tasks(self, info: strawberry.Info) -> list[Task]:
        found: list[Task] = info.context
        return found

    @strawberry.field
    def task(self, info: strawberry.Info) -> Task | None:
        return info.context[0] if info.context else None

    @strawberry.field
    def things(self, info: strawberry.Info) -> list[Thing | None]:
        return [*info.context, *(task.first for task in info.context)]


SCHEMA = strawberry.Schema(
    query=Query, types=[Task, Step], config=StrawberryConfig(scalar_map=SCALARS)
)

# Also values that no field may have: the compiled code must leave them to graphql-core.
texts = st.one_of(st.text(max_size=5), st.none(), st.integers())
steps = st.builds(Step, id=texts, text=texts, done=st.one_of(st.booleans(), st.none(), texts))
tasks = st.builds(
    Task,
    id=texts,
    title=st.text(max_size=5),
    size=st.one_of(st.none(), st.integers(-(2**33), 2**33), st.booleans(), texts),
    points=st.one_of(st.none(), st.decimals(-9, 9, places=2), texts),
    mood=st.one_of(st.none(), st.sampled_from(Mood), texts),
    at=st.one_of(st.none(), st.just("2026-01-10T10:00:00.000Z"), st.integers()),
    tags=st.one_of(st.lists(texts, max_size=3), st.none()),
    steps=st.one_of(st.lists(st.one_of(steps, st.none()), max_size=3), st.none()),
    first=st.one_of(st.none(), steps),
)
STEP_FIELDS = ["id", "text", "done", "__typename", "x: text", "done @skip(if: $no)"]
step_sets = st.lists(st.sampled_from(STEP_FIELDS), min_size=1, max_size=5).map(" ".join)
PLAIN = ["id", "title", "size", "points", "mood", "at", "tags", "__typename", "s: size"]
PLAIN += ["title @include(if: $yes)", "size @skip(if: $yes)", "shout", "shout2: shout(times: 2)"]
PLAIN += ["broken", "...F", "... on Task { mood }", "... @include(if: $no) { at }"]
nested = st.tuples(st.sampled_from(["steps", "first", "later", "f: first"]), step_sets).map(
    lambda pair: f"{pair[0]} {{ {pair[1]} }}"
)
task_sets = st.lists(
    st.one_of(st.sampled_from(PLAIN), nested), min_size=1, max_size=8, unique=True
).map(" ".join)
THING = "things { id __typename ... on Task { title tags } ... on Step { text } }"


def document(chosen: str, root: str) -> str:
    return (
        f"query ($yes: Boolean!, $no: Boolean!) {{ {root} {{ {chosen} }} {THING} }}"
        " fragment F on Task { size tags id }"
    )


async def run(text: str, content: object, **options: Any) -> ExecutionResult:
    result = execute(
        SCHEMA._schema,
        parse(text),
        context_value=content,
        variable_values={"yes": True, "no": False},
        **options,
    )
    return await result if asyncio.iscoroutine(result) else result  # type: ignore[return-value]


def outcome(result: ExecutionResult) -> tuple[Any, list[tuple[Any, str]]]:
    errors = [(tuple(e.path or ()), e.message) for e in result.errors or []]
    return result.data, sorted(errors, key=repr)


@given(
    content=st.lists(tasks, min_size=1, max_size=4),
    chosen=task_sets,
    root=st.sampled_from(["tasks", "task"]),
)
@settings(max_examples=200, deadline=None)
def test_answers_as_graphql_core_does(content: list[Task], chosen: str, root: str) -> None:
    text = document(chosen, root)
    general = asyncio.run(run(text, content, executor_class=StrawberryGraphQLCoreExecutionContext))
    plans: SelectionPlans = {}
    compiled = asyncio.run(run(text, content, executor_class=CompiledExecutionContext, plans=plans))
    assert outcome(compiled) == outcome(general)
    if compiled.data:
        assert list(compiled.data) == list(general.data or {})


async def test_plain_records_never_reach_graphql_core(monkeypatch: pytest.MonkeyPatch) -> None:
    def general(*_: object) -> None:
        raise AssertionError("graphql-core was asked")

    content = [Task(id=strawberry.ID("1"), title="a", tags=["x"], mood=Mood.low)]
    monkeypatch.setattr(StrawberryGraphQLCoreExecutionContext, "complete_iterable_value", general)
    options = {"executor_class": CompiledExecutionContext, "plans": {}}
    result = await run("{ tasks { id title tags mood size __typename } }", content, **options)
    assert result.errors is None
    assert result.data == {
        "tasks": [
            {
                "id": "1",
                "title": "a",
                "tags": ["x"],
                "mood": "low",
                "size": None,
                "__typename": "Task",
            }
        ]
    }
    assert list(result.data["tasks"][0]) == ["id", "title", "tags", "mood", "size", "__typename"]


async def test_variables_that_skip_fields_do_not_share_a_plan() -> None:
    content = [Task(id=strawberry.ID("1"), title="a")]
    text = "query ($no: Boolean!) { tasks { id title @skip(if: $no) } }"
    parsed = parse(text)
    plans: SelectionPlans = {}
    for skip in (True, False, True):
        result = execute(
            SCHEMA._schema,
            parsed,
            context_value=content,
            variable_values={"no": skip},
            executor_class=CompiledExecutionContext,
            plans=plans,
        )
        answer = await result  # type: ignore[misc]
        assert ("title" in answer.data["tasks"][0]) is not skip
