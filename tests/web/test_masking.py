"""Unexpected errors are masked for clients and logged for operators; secrets are not logged."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from app.settings import ROOT
from app.table.gateway import Gateway
from tests.api import PASSWORD, SIGN_UP, Api, Person
from tests.servers import RunningServer
from tests.web.processes import ServerProcess
from tests.web.wire import ask, head

SECRET = "secret-table-name"
HIDDEN = "Internal error. Report it to the server's operator with the request id {id}."
Break = Callable[[str, BaseException], None]


@pytest.fixture
def break_table(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> Break:
    """Makes one method of the running server's table fail."""
    table: Gateway = server.app.state.resources.table

    def replace(method: str, error: BaseException) -> None:
        async def fail(*_: object, **__: object) -> None:
            raise error

        monkeypatch.setattr(table, method, fail)

    return replace


@pytest.fixture
def logged() -> Iterator[list[Any]]:
    with capture_logs() as events:
        yield events


def unexpected(logged: list[Any]) -> list[Any]:
    return [event for event in logged if event["event"] == "unexpected error"]


async def test_an_unexpected_error_of_a_resolver_is_masked_and_logged_once(
    api: Api, ada: Person, break_table: Break, logged: list[Any]
) -> None:
    await ada.gql("{ me { id } }")
    error = RuntimeError(SECRET)
    break_table("load", error)
    answer = await api.post("{ user: me { id } }", headers=ada.headers)
    request_id = answer.headers["x-amzn-requestid"]
    assert answer.status_code == 200
    assert answer.json() == {
        "errors": [
            {
                "message": HIDDEN.format(id=request_id),
                "path": ["user"],
                "locations": [{"line": 1, "column": 3}],
                "errorType": "INTERNAL",
                "errorInfo": {"requestId": request_id},
                "extensions": {"code": "INTERNAL", "requestId": request_id},
            }
        ],
        "data": {"user": None},
    }
    (event,) = unexpected(logged)
    assert event["request_id"] == request_id
    assert event["path"] == "user"
    assert event["exc_info"] is error
    assert event["log_level"] == "error"


async def test_an_unexpected_error_before_graphql_is_masked_too(
    api: Api, ada: Person, server: RunningServer, break_table: Break, logged: list[Any]
) -> None:
    server.app.state.resources.liveness._alive_until.clear()
    for method in ("get", "load", "load_many"):
        break_table(method, RuntimeError(SECRET))
    answer = await api.post("{ __typename }", headers=ada.headers)
    request_id = answer.headers["x-amzn-requestid"]
    assert answer.status_code == 500
    assert answer.headers["x-amzn-errortype"] == "InternalFailure"
    found = answer.json()["errors"][0]["extensions"]
    assert found == {"code": "INTERNAL", "requestId": request_id}
    assert answer.json()["message"] == HIDDEN.format(id=request_id)
    assert [event["request_id"] for event in unexpected(logged)] == [request_id]


async def test_a_value_that_does_not_fit_the_schema_is_an_internal_error(
    api: Api, ada: Person, server: RunningServer, monkeypatch: pytest.MonkeyPatch, logged: list[Any]
) -> None:
    class Someone:
        id, version = ada.id, 2**40

    async def load(*_: object) -> Someone:
        return Someone()

    await ada.gql("{ me { id } }")
    monkeypatch.setattr(server.app.state.resources.table, "load", load)
    answer = await api.post("{ me { id version } }", headers=ada.headers)
    assert [error["extensions"]["code"] for error in answer.json()["errors"]] == ["INTERNAL"]
    assert str(2**40) not in answer.text
    assert len(unexpected(logged)) == 1


async def test_a_long_alias_does_not_fill_the_log(
    api: Api, ada: Person, break_table: Break, logged: list[Any]
) -> None:
    await ada.gql("{ me { id } }")
    break_table("load", RuntimeError(SECRET))
    await api.post("{ %s: me { id } }" % ("a" * 40_000), headers=ada.headers)
    (event,) = unexpected(logged)
    assert isinstance(event["path"], str)  # so that it is cut like any other text


@pytest.mark.parametrize(
    "query",
    [
        "{ my-secret-query",
        "{ mySecretQuery }",
        '{ user(id: "my-secret-query", no: 1) { id } }',
        "query ($mySecretQuery: ID!) { user(id: $mySecretQuery) { id } }",
    ],
)
async def test_a_clients_mistakes_are_not_logged_as_errors(
    api: Api, query: str, logged: list[Any]
) -> None:
    answer = await api.post(query)
    assert answer.json()["errors"]
    (event,) = logged
    assert event == {
        "event": "request",
        "log_level": "info",
        "id": answer.headers["x-amzn-requestid"],
        "status": 200,
        "ms": event["ms"],
        "operation": "unnamed",
        "kind": event["kind"],
        "code": answer.json()["errors"][0]["extensions"]["code"],
        "user": None,
        "address": "127.0.0.1",
    }
    assert event["kind"] in ("", "query")


# Everything that the server writes in a whole session


SIGN_IN = """
mutation SignInOfAda($email: AWSEmail!, $password: String!) {
  signIn(input: {email: $email, password: $password}) { accessToken refreshToken }
}
"""
MARK = "marked-variable"
EVIL = 'x\r\n{"event": "forged"}\x1b[31m\x00\u2028'


async def a_whole_session(url: str) -> list[str]:
    """Does what a client may do, also wrongly; answers with all that is to be kept secret."""
    async with Api(url) as api:
        ada = await api.sign_up(fullName=MARK)
        again = await api.gql(SIGN_IN, email=ada.email, password=PASSWORD)
        await api.post(SIGN_IN, email=ada.email, password=MARK)
        await api.post(SIGN_UP, input={"email": ada.email, "nickname": MARK, "password": MARK})
        await ada.gql("mutation ($b: String) { updateProfile(input: {bio: $b}) { bio } }", b=MARK)
        for query in ("{ marked-variable", "{ me { markedField } }", EVIL):
            await api.post(query, headers=ada.headers, marked=MARK)
        await api.http.post("/graphql", json={"query": "query A { a }", "operationName": EVIL})
        await api.http.get("/graphql", params={"query": "{ a }", "token": MARK, "variables": EVIL})
        await api.http.get(f"/{MARK}%0d%0a%1b[31m")
        await api.post("{ __typename }", headers={"authorization": f"Bearer {MARK}.a.b"})
        await api.post("{ __typename }", headers={"user-agent": "x\x1b[31m" + "y" * 5_000})
        await api.post("mutation { signOut }", headers=ada.headers)
        sessions = (ada.session, again["signIn"])
        tokens = [each[kind] for each in sessions for kind in ("accessToken", "refreshToken")]
        names = ["markedField", "forged"]
        return [ada.email, ada.nickname, PASSWORD, MARK, *names, *tokens]


async def test_no_secret_in_any_log_line_of_a_session(endpoint: str, tmp_path: Path) -> None:
    table = f"logs_{uuid4().hex[:8]}"
    with ServerProcess(tmp_path, ENDPOINT_URL=endpoint, TABLE_NAME=table) as process:
        secrets = await a_whole_session(process.url)
        ask(process.url, head(f"GET /{MARK}\x1b HTTP/1.1", f"x y z: {MARK}"))
        process.stop()
    lines = process.lines()
    assert sum(event["event"] == "request" for event in process.events()) >= 12
    assert [secret for secret in secrets if any(secret in line for line in lines)] == []
    assert not any("\x1b" in line or "\r" in line for line in lines)
    assert max(map(len, lines)) < 3_000


LOGGING = """
import logging
import structlog
from app.logs import configure_logs
from app.settings import Settings

configure_logs(Settings(_env_file=None))
evil = "a\\r\\nb\\x1b[31m" + "c" * 1_000_000

def fail():
    password = "my-local-password"
    raise RuntimeError(evil)

for log in (structlog.get_logger(), logging.getLogger("uvicorn.error")):
    try:
        fail()
    except RuntimeError as error:
        log.error(evil, exc_info=error)
"""


def test_log_entries_are_single_truncated_lines() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOGGING], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = done.stderr.removesuffix("\n").split("\n")
    assert len(lines) == 2
    for line in lines:
        assert "\r" not in line
        assert "\x1b" not in line
        assert "RuntimeError" in line
        assert "my-local-password" not in line
        assert 2_000 < len(line) < 30_000
