"""AppSync's protocol, frame by frame, as its clients need it."""

import asyncio
import base64
import json
from collections.abc import Callable

import pytest

from app.core.errors import NotFound
from app.web.realtime import appsync
from app.web.schema import build_schema
from tests.api import Api, Person
from tests.community.rooms import SEND, new_room
from tests.realtime.sockets import AppSyncClient, Frames, coded, opened, token
from tests.servers import RunningServer

NAME = "graphql-ws"
PATH = "/graphql/realtime"
ON_TASK = "subscription { onTaskChanged { id title } }"
CREATE = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }"
KEY = {"host": "localhost", "x-api-key": "da2-guildhall-development"}


async def begin(frames: Frames) -> None:
    await frames.send(type="connection_init")
    assert await frames.next() == {
        "type": "connection_ack",
        "payload": {"connectionTimeoutMs": 300_000},
    }
    assert await frames.next() == {"type": "ka"}


async def hears_as(frames: Frames, person: Person) -> None:
    """The socket is theirs: a start that brings no credentials hears of their tasks."""
    payload = {"data": json.dumps({"query": ON_TASK})}
    await frames.send(type="start", id="1", payload=payload)
    assert await frames.expect("start_ack") == {"type": "start_ack", "id": "1"}
    made = (await person.gql(CREATE, input={"title": "Heard"}))["createTask"]["id"]
    received = (await frames.expect("data"))["payload"]["data"]
    assert received == {"onTaskChanged": {"id": made, "title": "Heard"}}


async def test_echoes_graphql_ws_and_nothing_else(server_url: str) -> None:
    async with opened(server_url, NAME, coded(KEY), path=PATH) as frames:
        assert frames.socket.subprotocol == NAME
        await begin(frames)


@pytest.mark.parametrize("path", ["/graphql", PATH])
async def test_credentials_in_the_subprotocol(server_url: str, ada: Person, path: str) -> None:
    header = {"host": "localhost", "Authorization": token(ada)}
    async with opened(server_url, NAME, coded(header), path=path) as frames:
        await begin(frames)
        await hears_as(frames, ada)


@pytest.mark.parametrize("with_breaks", [False, True])
async def test_credentials_in_the_query_string(
    server_url: str, ada: Person, with_breaks: bool
) -> None:
    raw = json.dumps({"host": "localhost", "Authorization": f"Bearer {token(ada)}"}).encode()
    text = base64.encodebytes(raw) if with_breaks else base64.b64encode(raw)
    query = f"?header={text.decode().replace(chr(10), '%0A')}&payload=e30="
    async with opened(server_url, NAME, path=PATH, query=query) as frames:
        await begin(frames)
        await hears_as(frames, ada)


async def test_credentials_as_headers_of_http(server_url: str, ada: Person) -> None:
    async with opened(server_url, NAME, path=PATH, headers=ada.headers) as frames:
        await begin(frames)
        await hears_as(frames, ada)


async def test_a_header_line_of_50_kilobytes_is_answered(server_url: str, ada: Person) -> None:
    """It hangs for ever if websockets keeps its limit of 8 KB a line."""
    header = {"host": "localhost", "Authorization": token(ada), "padding": "x" * 8_000}
    async with opened(server_url, NAME, coded(header), path=PATH) as frames:
        await begin(frames)
    async with opened(server_url, NAME, coded(header | {"more": "x" * 30_000}), path=PATH) as long:
        await long.send(type="connection_init")
        assert (await long.next())["type"] == "connection_error"


async def test_wrong_credentials_are_reported_after_init(server_url: str) -> None:
    header = {"host": "localhost", "Authorization": "no.such.token"}
    async with opened(server_url, NAME, coded(header), path=PATH) as frames:
        await frames.silent(0.3)
        await frames.send(type="connection_init")
        answer = await frames.next()
        assert answer["type"] == "connection_error"
        error = answer["payload"]["errors"][0]
        assert (error["errorType"], error["errorCode"]) == ("UnauthorizedException", 401)
        await frames.closed()


async def test_no_credentials_at_all(server_url: str) -> None:
    async with opened(server_url, NAME, path=PATH) as frames:
        await frames.send(type="connection_init", payload={})
        error = (await frames.next())["payload"]["errors"][0]
        assert error["errorType"] == "UnauthorizedException"


async def test_no_subprotocol(server_url: str) -> None:
    async with opened(server_url, path=PATH) as frames:
        answer = await frames.next()
        assert answer["type"] == "connection_error"
        error = answer["payload"]["errors"][0]
        assert (error["message"], error["errorCode"]) == ("NoProtocolError", 400)


async def test_from_start_to_complete(server_url: str, ada: Person) -> None:
    async with AppSyncClient.signed_in(server_url, ada) as socket:
        await socket.started(ON_TASK, id="a-1")
        made = (await ada.gql(CREATE, input={"title": "Mow"}))["createTask"]["id"]
        assert await socket.next() == {
            "type": "data",
            "id": "a-1",
            "payload": {"data": {"onTaskChanged": {"id": made, "title": "Mow"}}},
        }
        await socket.send(type="stop", id="a-1")
        assert await socket.next() == {"type": "complete", "id": "a-1"}
        await ada.gql(CREATE, input={"title": "Unheard"})
        await socket.silent()


async def test_every_stop_is_answered(server_url: str, ada: Person) -> None:
    async with AppSyncClient.signed_in(server_url, ada) as socket:
        await socket.send(type="stop", id="never-started")
        assert await socket.next() == {"type": "complete", "id": "never-started"}


async def test_a_start_without_init(server_url: str, ada: Person) -> None:
    header = {"host": "localhost", "Authorization": token(ada)}
    async with opened(server_url, NAME, coded(header), path=PATH) as frames:
        socket = AppSyncClient(frames.socket)
        socket.authorization = header
        await socket.started(ON_TASK)


async def test_each_start_has_credentials_of_its_own(
    server_url: str, ada: Person, bob: Person
) -> None:
    async with AppSyncClient.signed_in(server_url, ada) as socket:
        socket.authorization = {"host": "localhost", "authorization": token(bob)}
        await socket.started(ON_TASK)
        await ada.gql(CREATE, input={"title": "Of Ada"})
        await socket.silent()
        await bob.gql(CREATE, input={"title": "Of Bob"})
        data = (await socket.expect("data"))["payload"]["data"]
        assert data["onTaskChanged"]["title"] == "Of Bob"


async def test_a_start_with_wrong_credentials_fails_alone(server_url: str, ada: Person) -> None:
    async with AppSyncClient.signed_in(server_url, ada) as socket:
        await socket.started(ON_TASK, id="good")
        socket.authorization = {"host": "localhost", "Authorization": "nonsense"}
        await socket.start(ON_TASK, id="bad")
        answer = await socket.expect("error")
        assert answer["id"] == "bad"
        assert answer["payload"]["errors"][0]["errorType"] == "UnauthorizedException"
        await ada.gql(CREATE, input={"title": "Still told"})
        assert (await socket.expect("data"))["id"] == "good"


async def test_an_api_key_sees_nothing_private(server_url: str) -> None:
    async with opened(server_url, NAME, coded(KEY), path=PATH) as frames:
        await begin(frames)
        socket = AppSyncClient(frames.socket)
        socket.authorization = KEY
        await socket.start(ON_TASK)
        answer = await socket.expect("error")
        assert answer["payload"]["errors"][0]["errorType"] == "Unauthorized"
        await socket.started("subscription { onQuestChanged { id } }", id="2")


async def test_errors_carry_the_id_and_an_object(server_url: str, ada: Person) -> None:
    async with AppSyncClient.signed_in(server_url, ada) as socket:
        await socket.start("subscription { onNothing { id } }", id="z")
        answer = await socket.expect("error")
        assert answer["id"] == "z"
        assert "onNothing" in answer["payload"]["errors"][0]["message"]


async def test_errors_of_no_operation_have_no_id(server_url: str, ada: Person) -> None:
    async with AppSyncClient.signed_in(server_url, ada) as socket:
        for text in ("null", "{", '{"type": "start"}', '{"type": "dance", "id": null}'):
            await socket.raw(text)
            answer = await socket.expect("error")
            assert "id" not in answer
            assert isinstance(answer["payload"]["errors"], list)


async def test_a_duplicate_id(server_url: str, ada: Person) -> None:
    async with AppSyncClient.signed_in(server_url, ada) as socket:
        await socket.started(ON_TASK, id="d")
        await socket.start(ON_TASK, id="d")
        error = (await socket.expect("error"))["payload"]["errors"][0]
        assert error["errorType"] == "DuplicatedOperationError"
        assert error["message"] == "Duplicated operation with id d"


async def test_only_subscriptions_run_here(server_url: str, ada: Person) -> None:
    async with AppSyncClient.signed_in(server_url, ada) as socket:
        await socket.start("{ me { id } }")
        error = (await socket.expect("error"))["payload"]["errors"][0]
        assert error["errorType"] == "UnsupportedOperation"
        assert error["message"] == "unknown not supported through the realtime channel"
        await socket.send(type="start", id="2", payload={})
        error = (await socket.expect("error"))["payload"]["errors"][0]
        assert error["errorType"] == "UnsupportedOperation"


async def test_a_hundred_subscriptions_and_no_more(server_url: str, ada: Person) -> None:
    async with AppSyncClient.signed_in(server_url, ada) as socket:
        for number in range(100):
            await socket.started(ON_TASK, id=str(number))
        await socket.start(ON_TASK, id="100")
        error = (await socket.expect("error"))["payload"]["errors"][0]
        assert error["errorType"] == "MaxSubscriptionsReachedError"


def test_data_is_never_null_as_a_whole() -> None:
    """Amplify drops such frames without a word: so every subscription field may be null."""
    schema = build_schema()._schema
    assert schema.subscription_type is not None
    fields = schema.subscription_type.fields.values()
    assert [field for field in fields if str(field.type).endswith("!")] == []


async def test_an_event_that_fails_is_sent_with_its_error(
    server: RunningServer, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise NotFound("goal")

    monkeypatch.setattr("app.domains.goals.service.Goals.goals_by_ids", broken)
    async with AppSyncClient.signed_in(server.url, ada) as socket:
        await socket.started("subscription { onTaskChanged { id goals { id } } }")
        await ada.gql(CREATE, input={"title": "Half"})
        payload = (await socket.expect("data"))["payload"]
        assert payload["data"] == {"onTaskChanged": None}
        assert payload["errors"][0]["errorType"] == "NOT_FOUND"
        monkeypatch.undo()
        made = (await ada.gql(CREATE, input={"title": "Whole"}))["createTask"]["id"]
        payload = (await socket.expect("data"))["payload"]
        assert payload == {"data": {"onTaskChanged": {"id": made, "goals": []}}}


async def test_an_event_that_takes_too_long_ends_the_subscription(
    start_server: Callable[..., RunningServer], ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def endless(*_: object) -> None:
        await asyncio.Event().wait()

    server = start_server(request_seconds=1)
    monkeypatch.setattr("app.domains.goals.service.Goals.goals_by_ids", endless)
    async with AppSyncClient.signed_in(server.url, ada) as socket:
        await socket.started("subscription { onTaskChanged { id goals { id } } }", id="slow")
        async with Api(server.url) as api:
            await api.gql(CREATE, headers=ada.headers, input={"title": "Late"})
        answer = await socket.expect("error")
        assert answer["id"] == "slow"
        assert answer["payload"]["errors"][0]["errorType"] == "UNAVAILABLE"
        await socket.started(ON_TASK, id="quick")


async def test_keeps_alive_every_minute(
    server: RunningServer, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert appsync.KEEP_ALIVE_SECONDS == 60
    monkeypatch.setattr(appsync, "KEEP_ALIVE_SECONDS", 0.5)
    async with AppSyncClient.signed_in(server.url, ada) as socket:
        assert await socket.next() == {"type": "ka"}
        assert await socket.next() == {"type": "ka"}


async def test_a_connection_without_init_is_closed(
    server_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.realtime.appsync.INIT_SECONDS", 0.2)
    monkeypatch.setattr("app.web.realtime.transport_ws.INIT_SECONDS", 0.2)
    async with opened(server_url, NAME, coded(KEY), path=PATH) as frames:
        await frames.closed()
    async with opened(server_url, "graphql-transport-ws") as frames:
        assert await frames.closed() == (4408, "Connection initialisation timeout")


async def test_http_401_names_its_error_for_pages_elsewhere(api: Api) -> None:
    """Without the name, or if the page may not read it, Amplify says "Unknown error"."""
    headers = {"authorization": "no.such.token", "origin": "https://front.example"}
    answer = await api.post("{ me { id } }", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["x-amzn-errortype"] == "UnauthorizedException"
    exposed = answer.headers["access-control-expose-headers"].lower()
    assert {"x-amzn-errortype", "x-amzn-requestid", "date"} <= set(exposed.split(", "))
    assert answer.json()["errors"][0]["errorType"] == "UnauthorizedException"
    assert answer.headers["date"]


async def test_a_mutation_that_fails_is_http_200(ada: Person) -> None:
    """Amplify sends again what was answered with 429 or 5xx, whether or not it took effect."""
    rename = 'mutation { updateTask(input: {id: "none", title: "x"}) { id } }'
    answer = await ada.api.post(rename, headers=ada.headers)
    assert answer.status_code == 200
    assert answer.json()["errors"][0]["errorType"] == "NOT_FOUND"


async def test_a_rate_limited_mutation_is_http_200(
    start_server: Callable[..., RunningServer], ada: Person
) -> None:
    room = await new_room(ada)
    server = start_server(rate_factor=0.001)
    async with Api(server.url) as api:
        input = {"roomId": room, "text": "Hello"}
        await api.gql(SEND, headers=ada.headers, input=input)
        answer = await api.post(SEND, headers=ada.headers, input=input)
    assert answer.status_code == 200
    assert answer.json()["errors"][0]["errorType"] == "RATE_LIMITED"


async def test_a_mutation_past_its_deadline_is_http_200(
    start_server: Callable[..., RunningServer], ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has taken effect: sent again, it would do so twice."""

    async def endless(*_: object) -> None:
        await asyncio.Event().wait()

    server = start_server(request_seconds=1)
    monkeypatch.setattr("app.domains.goals.service.Goals.goals_by_ids", endless)
    create = 'mutation { createTask(input: {title: "Late"}) { goals { id } } }'
    async with Api(server.url) as api:
        answer = await api.post(create, headers=ada.headers)
    assert answer.status_code == 200
    assert answer.json()["errors"][0]["errorType"] == "OUTCOME_UNKNOWN"
    tasks = await ada.gql("{ tasks { items { title } } }")
    assert tasks["tasks"]["items"] == [{"title": "Late"}]


async def test_a_mutation_with_an_internal_error_is_http_200(
    ada: Person, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr("app.domains.goals.service.Goals.goals_by_ids", broken)
    create = 'mutation { createTask(input: {title: "Half"}) { goals { id } } }'
    answer = await ada.api.post(create, headers=ada.headers)
    assert answer.status_code == 200
    assert answer.json()["errors"][0]["errorType"] == "INTERNAL"
    assert "secret" not in answer.text
