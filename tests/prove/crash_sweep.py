"""A pytest plugin: the server dies at every database call of every mutation that a test sends.

    python -m pytest -p tests.prove.crash_sweep tests/goals tests/community …

Each mutation gets an idempotencyKey. Its first attempt dies before the first database call, the
next one after it, the third before the second call, and so on; each is repeated with the same key,
as a client would, until one gets through. The test itself then says whether that had the effect of
one undisturbed request. What was swept is written as JSON to the file that --sweep-report names.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from graphql import (
    ArgumentNode,
    FieldNode,
    GraphQLError,
    GraphQLInputObjectType,
    NameNode,
    ObjectFieldNode,
    ObjectValueNode,
    OperationDefinitionNode,
    StringValueNode,
    VariableNode,
    Visitor,
    get_named_type,
    parse,
    print_ast,
    visit,
)
from starlette.types import Receive, Scope
from starlette.types import Send as AsgiSend

from app.web.graphql import GraphQLEndpoint
from app.web.schema import build_schema
from tests.api import Api
from tests.servers import RunningServer

Send = Callable[[dict[str, str]], Awaitable[httpx.Response]]

MOST_ATTEMPTS = 400
SCHEMA = build_schema()._schema
KEY = "idempotencyKey"


HEADER = "x-crash-sweep"
IS_SWEPT: ContextVar[bool] = ContextVar("is_swept", default=False)


class ProcessDied(BaseException):
    """Nothing of the server runs on after this."""


class DyingClient:
    """Counts the calls of one request and dies at the one that is set."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._point: int | None = None
        self._calls = 0
        self.died = False

    def die_at(self, point: int | None) -> None:
        """0: before the first call, 1: after it, 2: before the second …; None: never."""
        self._point, self._calls, self.died = point, 0, False

    def __getattr__(self, operation: str) -> Callable[..., Awaitable[Any]]:
        call = getattr(self._client, operation)

        async def counted(**parameters: Any) -> Any:
            if self._point is None or self.died or not IS_SWEPT.get():
                return await call(**parameters)
            number, self._calls = self._calls, self._calls + 1
            if self._point == 2 * number:
                self._die()
            answer = await call(**parameters)
            if self._point == 2 * number + 1:
                self._die()
            return answer

        return counted

    def _die(self) -> None:
        self.died = True
        raise ProcessDied


class Sweep:
    """`points`: the most crash points that a request of each mutation had; `crashes`: their sum."""

    def __init__(self) -> None:
        self.client: DyingClient | None = None
        self.points: dict[str, int] = {}
        self.crashes: Counter[str] = Counter()
        self.requests = 0
        self._lock = asyncio.Lock()

    async def send(self, name: str, send: Send) -> httpx.Response:
        """One request at a time; those that come meanwhile are left alone."""
        client = self.client
        if client is None or self._lock.locked():
            return await _send_undisturbed(send)
        async with self._lock:
            self.requests += 1
            for point in range(MOST_ATTEMPTS):
                client.die_at(point)
                answer = await send({HEADER: "1"})
                if not client.died:
                    client.die_at(None)
                    self.points[name] = max(self.points.get(name, 0), point)
                    return answer
                self.crashes[name] += 1
        raise AssertionError(f"{name} makes more than {MOST_ATTEMPTS} database calls")


async def _send_undisturbed(send: Send) -> httpx.Response:
    """Its reads may have been sent together with those of a request that died: then once more."""
    answer = await send({})
    while answer.status_code == 500 and answer.text == "Internal Server Error":
        answer = await send({})
    return answer


SWEEP = Sweep()


def mutation_in(query: str) -> tuple[OperationDefinitionNode, FieldNode] | None:
    """The only field of the only operation, if that is a mutation."""
    try:
        document = parse(query)
    except GraphQLError:
        return None
    operations = [d for d in document.definitions if isinstance(d, OperationDefinitionNode)]
    if len(operations) != 1 or len(document.definitions) != 1:
        return None
    fields = operations[0].selection_set.selections
    is_mutation = operations[0].operation.value == "mutation"
    if not is_mutation or len(fields) != 1 or not isinstance(fields[0], FieldNode):
        return None
    return operations[0], fields[0]


def takes_key(name: str) -> bool:
    field = SCHEMA.mutation_type.fields.get(name) if SCHEMA.mutation_type else None
    argument = field.args.get("input") if field else None
    kind = get_named_type(argument.type) if argument else None
    return isinstance(kind, GraphQLInputObjectType) and KEY in kind.fields


def with_key(
    query: str, variables: dict[str, object], key: str
) -> tuple[str, str, dict[str, object]] | None:
    """The mutation's name, and the request with a key; None if it takes none."""
    found = mutation_in(query)
    if found is None or not takes_key(found[1].name.value):
        return None
    operation, field = found
    argument = next((each for each in field.arguments or () if each.name.value == "input"), None)
    if argument is None:
        return None
    if isinstance(argument.value, VariableNode):
        name = argument.value.name.value
        given = variables.get(name)
        if isinstance(given, dict) and given.get(KEY) is None:
            variables = {**variables, name: {**given, KEY: key}}
        return field.name.value, query, variables
    own = _key_variable(argument)
    if own is not None:
        return field.name.value, query, {**variables, own: variables.get(own) or key}
    return field.name.value, _with_literal_key(operation, argument, key), variables


def _key_variable(argument: ArgumentNode) -> str | None:
    """The variable that a literal input takes its key from."""
    for field in getattr(argument.value, "fields", ()):
        if field.name.value == KEY and isinstance(field.value, VariableNode):
            return str(field.value.name.value)
    return None


def _with_literal_key(operation: OperationDefinitionNode, argument: ArgumentNode, key: str) -> str:
    value = argument.value
    if not isinstance(value, ObjectValueNode) or KEY in {f.name.value for f in value.fields}:
        return print_ast(operation)
    added = ObjectFieldNode(name=NameNode(value=KEY), value=StringValueNode(value=key))
    return print_ast(visit(operation, _Replacing(value, (*value.fields, added))))


class _Replacing(Visitor):
    def __init__(self, old: ObjectValueNode, fields: tuple[ObjectFieldNode, ...]) -> None:
        super().__init__()
        self._old = old
        self._fields = fields

    def enter_object_value(self, node: ObjectValueNode, *_: object) -> Any:
        return ObjectValueNode(fields=self._fields) if node is self._old else None


# Tests that say what a server does that stays alive.
LEFT_OUT = {
    "test_subscribers_hear_once_that_a_goal_is_reached": "its subscribers died with it",
    "test_edits_and_deletions_are_not_published_as_new_messages": "as above",
    "test_a_task_at_all_limits_can_be_completed": "more milestones than fit into one transaction: "
    "the next change of the goal achieves the rest",
    "test_a_task_created_as_done_leaves_room_for_its_blockers": "as above",
}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if getattr(item, "originalname", "") in LEFT_OUT]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sweep-report", default="", help="a file for what was swept, as JSON")


@pytest.fixture(scope="module", autouse=True)
def dying_server(server: RunningServer) -> Iterator[None]:
    resources = server.app.state.resources
    post, answer = Api.post, GraphQLEndpoint.__call__

    async def swept_answer(
        endpoint: GraphQLEndpoint, scope: Scope, receive: Receive, send: AsgiSend
    ) -> None:
        IS_SWEPT.set((HEADER.encode(), b"1") in scope["headers"])
        await answer(endpoint, scope, receive, send)

    async def swept_post(
        api: Api, query: str, *, headers: dict[str, str] | None = None, **variables: object
    ) -> httpx.Response:
        request = with_key(query, variables, uuid4().hex) if api.url == server.url else None
        if request is None:
            return await post(api, query, headers=headers, **variables)
        name, text, given = request
        own = headers or {}
        return await SWEEP.send(name, lambda extra: post(api, text, headers=own | extra, **given))

    SWEEP.client = DyingClient(resources.table.client)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resources.table, "client", SWEEP.client)
        patch.setattr(GraphQLEndpoint, "__call__", swept_answer)
        patch.setattr(Api, "post", swept_post)
        yield


def pytest_sessionfinish(session: pytest.Session) -> None:
    path = session.config.getoption("--sweep-report")
    if path:
        report = {"requests": SWEEP.requests, "points": SWEEP.points, "crashes": SWEEP.crashes}
        Path(path).write_text(json.dumps(report, sort_keys=True))
