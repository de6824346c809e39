"""A Lambda-style authorizer behind an address, as AppSync asks it."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from tests.api import Person
from tests.realtime.sockets import AppSyncClient, coded, opened
from tests.servers import RunningServer

ME = "{ me { id email nickname } }"


class Function:
    """What somebody wrote for AppSync: `answers` by token, and what it was asked."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.asked: list[dict[str, Any]] = []

    def handle(self, event: dict[str, Any]) -> Any:
        self.asked.append(event)
        return self.answers.get(event["authorizationToken"], {"isAuthorized": False})


@pytest.fixture
def function() -> Iterator[tuple[Function, str]]:
    function = Function()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            event = json.loads(self.rfile.read(int(self.headers["content-length"])))
            answer = function.handle(event)
            self.send_response(500 if answer == "broken" else 200)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def log_message(self, *_: object) -> None:
            """Quietly."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as remote_server:
        threading.Thread(target=remote_server.serve_forever, daemon=True).start()
        yield function, f"http://127.0.0.1:{remote_server.server_address[1]}/"
        remote_server.shutdown()


async def ask(server: RunningServer, token: str, query: str = ME) -> httpx.Response:
    async with httpx.AsyncClient(base_url=server.url) as http:
        body = {"query": query, "variables": {"a": 1}}
        return await http.post("/graphql", json=body, headers={"authorization": token})


async def test_its_sub_is_the_caller(start_server: Any, function: Any, ada: Person) -> None:
    asked, url = function
    asked.answers["custom-token"] = {"isAuthorized": True, "resolverContext": {"sub": ada.id}}
    server = start_server(authorizer_url=url)
    answer = await ask(server, "custom-token")
    assert answer.json()["data"]["me"]["id"] == ada.id
    event = asked.asked[0]
    assert event["authorizationToken"] == "custom-token"
    assert event["requestContext"]["queryString"] == ME
    assert event["requestContext"]["variables"] == {"a": 1}
    assert set(event["requestContext"]) >= {"apiId", "accountId", "requestId", "operationName"}
    assert "authorization" not in event["requestHeaders"]


async def test_a_refused_token_is_refused(start_server: Any, function: Any) -> None:
    server = start_server(authorizer_url=function[1])
    answer = await ask(server, "unknown")
    assert answer.status_code == 401
    assert answer.headers["x-amzn-errortype"] == "UnauthorizedException"


async def test_without_a_user_only_what_is_public(start_server: Any, function: Any) -> None:
    asked, url = function
    asked.answers["anybody"] = {"isAuthorized": True}
    server = start_server(authorizer_url=url)
    assert (await ask(server, "anybody")).json()["errors"][0]["extensions"]["code"] == "FORBIDDEN"
    assert "data" in (await ask(server, "anybody", "{ publicRooms { items { id } } }")).json()


async def test_denied_fields_are_null_with_an_error(
    start_server: Any, function: Any, ada: Person
) -> None:
    asked, url = function
    arn = "arn:aws:appsync:us-east-1:111122223333:apis/x/types/User/fields/bio"
    asked.answers["t"] = {
        "isAuthorized": True,
        "resolverContext": {"sub": ada.id},
        "deniedFields": ["User.email", arn],
    }
    server = start_server(authorizer_url=url)
    answer = (await ask(server, "t", "{ me { id email bio nickname } }")).json()
    assert answer["data"]["me"] == {
        "id": ada.id,
        "email": None,
        "bio": None,
        "nickname": ada.nickname,
    }
    assert [each["errorType"] for each in answer["errors"]] == ["Unauthorized"] * 2
    assert answer["errors"][0]["message"] == "Not Authorized to access email on type User"


async def test_asked_again_unless_it_says_for_how_long(
    start_server: Any, function: Any, ada: Person
) -> None:
    asked, url = function
    known = {"isAuthorized": True, "resolverContext": {"sub": ada.id}}
    asked.answers = {"once": known | {"ttlOverride": 0}, "kept": known | {"ttlOverride": 60}}
    server = start_server(authorizer_url=url)
    for token in ("once", "once", "kept", "kept"):
        await ask(server, token)
    assert [each["authorizationToken"] for each in asked.asked] == ["once", "once", "kept"]


async def test_every_token_is_refused_while_it_does_not_answer(
    start_server: Any, function: Any
) -> None:
    asked, url = function
    asked.answers = {"a": "broken", "b": ["list"], "c": {"isAuthorized": "true"}}
    server = start_server(authorizer_url=url)
    assert [(await ask(server, each)).status_code for each in "abc"] == [503, 401, 401]


async def test_our_own_tokens_do_not_go_there(
    start_server: Any, function: Any, ada: Person
) -> None:
    asked, url = function
    server = start_server(authorizer_url=url)
    answer = await ask(server, str(ada.session["accessToken"]))
    assert answer.json()["data"]["me"]["id"] == ada.id
    assert asked.asked == []


async def test_on_a_socket(start_server: Any, function: Any, ada: Person) -> None:
    asked, url = function
    asked.answers["custom"] = {"isAuthorized": True, "resolverContext": {"sub": ada.id}}
    server = start_server(authorizer_url=url)
    header = {"host": "localhost", "Authorization": "custom"}
    async with opened(server.url, "graphql-ws", coded(header), path="/graphql/realtime") as frames:
        socket = AppSyncClient(frames.socket)
        socket.authorization = header
        await socket.send(type="connection_init")
        await socket.expect("connection_ack")
        await socket.started("subscription Named { onTaskChanged { id } }")
        assert asked.asked[-1]["requestContext"]["queryString"].startswith("subscription Named")
