"""The protocol of graphql-ws, frame by frame."""

import json

import pytest
from websockets.exceptions import InvalidStatus

from tests.api import Api, Person
from tests.realtime.sockets import TransportClient, opened
from tests.servers import RunningServer

NAME = "graphql-transport-ws"
ON_TASK = "subscription { onTaskChanged { id title status urgency } }"
CREATE = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }"


async def test_events_reach_the_owner_only(server_url: str, ada: Person, bob: Person) -> None:
    async with (
        TransportClient.signed_in(server_url, ada) as hers,
        TransportClient.signed_in(server_url, bob) as his,
    ):
        await hers.subscribe(ON_TASK)
        await his.subscribe(ON_TASK)
        await his.silent(0.2)
        created = await ada.gql(CREATE, input={"title": "Water the plants"})
        received = (await hers.data())["onTaskChanged"]
        assert received["id"] == created["createTask"]["id"]
        assert received["title"] == "Water the plants"
        assert received["urgency"] > 0
        await his.silent()


@pytest.mark.parametrize("path", ["/graphql", "/graphql/realtime"])
async def test_queries_and_mutations_run_too(server_url: str, ada: Person, path: str) -> None:
    async with TransportClient.signed_in(server_url, ada, path) as socket:
        await socket.subscribe("{ me { id } }")
        assert await socket.data() == {"me": {"id": ada.id}}
        assert await socket.next() == {"id": "1", "type": "complete"}
        await socket.subscribe(CREATE, input={"title": "By socket"})
        assert (await socket.data())["createTask"]["id"]


async def test_credentials_may_be_sent_in_the_handshake(server_url: str, ada: Person) -> None:
    async with opened(server_url, NAME, headers=ada.headers) as frames:
        socket = TransportClient(frames.socket)
        await socket.send(type="connection_init")
        await socket.expect("connection_ack")
        await socket.subscribe("{ me { id } }")
        assert await socket.data() == {"me": {"id": ada.id}}


async def test_echoes_its_subprotocol(server_url: str) -> None:
    async with opened(server_url, NAME) as frames:
        assert frames.socket.subprotocol == NAME


async def test_a_ping_is_answered_with_its_payload(server_url: str) -> None:
    async with TransportClient.signed_in(server_url, None) as socket:
        await socket.send(type="ping", payload={"a": 1})
        assert await socket.next() == {"type": "pong", "payload": {"a": 1}}
        await socket.send(type="pong")
        await socket.send(type="ping")
        assert await socket.next() == {"type": "pong"}


async def test_bad_credentials_are_forbidden(server_url: str) -> None:
    async with opened(server_url, NAME) as frames:
        await frames.send(type="connection_init", payload={"Authorization": "no.such.token"})
        assert (await frames.closed())[0] == 4403


async def test_without_credentials_private_things_are_refused(server_url: str) -> None:
    async with TransportClient.signed_in(server_url, None) as socket:
        await socket.subscribe(ON_TASK)
        error = await socket.expect("error")
        assert error["id"] == "1"
        assert error["payload"][0]["extensions"]["code"] == "UNAUTHENTICATED"


async def test_subscribing_before_init(server_url: str) -> None:
    async with opened(server_url, NAME) as frames:
        await frames.send(type="subscribe", id="1", payload={"query": "{ __typename }"})
        assert await frames.closed() == (4401, "Unauthorized")


async def test_a_second_init(server_url: str) -> None:
    async with TransportClient.signed_in(server_url, None) as socket:
        await socket.send(type="connection_init")
        assert await socket.closed() == (4429, "Too many initialisation requests")


async def test_an_id_in_use(server_url: str, ada: Person) -> None:
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe(ON_TASK, id="x")
        await socket.subscribe(ON_TASK, id="x")
        assert await socket.closed() == (4409, "Subscriber for x already exists")


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "[]",
        "{",
        '"text"',
        '{"type": "subscribe"}',
        '{"type": "dance"}',
        '{"type": "subscribe", "id": 1}',
        '{"type": "subscribe", "id": "1", "payload": {"query": 7}}',
        "[" * 5000 + "]" * 5000,
        '{"a":' * 5000 + "1" + "}" * 5000,
        '{"type": "ping", "payload": {"a": [' + "1," * 5000 + "1]}}",
        '{"type": "ping", "payload": {"a": ' + "9" * 4301 + "}}",
    ],
    ids=range(12),
)
async def test_a_malformed_frame_closes_with_4400(server_url: str, text: str) -> None:
    async with TransportClient.signed_in(server_url, None) as socket:
        await socket.raw(text)
        assert (await socket.closed())[0] == 4400


async def test_a_frame_past_64_kilobytes(server_url: str) -> None:
    async with TransportClient.signed_in(server_url, None) as socket:
        await socket.raw(json.dumps({"type": "ping", "payload": {"text": "x" * 70_000}}))
        assert (await socket.closed())[0] == 1009


async def test_a_flood_of_frames(server_url: str) -> None:
    async with TransportClient.signed_in(server_url, None) as socket:
        for _ in range(1000):
            await socket.send(type="pong")
        assert await socket.closed() == (4429, "Too many messages")


async def test_long_frames_count_as_several(server_url: str) -> None:
    async with TransportClient.signed_in(server_url, None) as socket:
        for _ in range(40):
            await socket.send(type="pong", payload={"text": "x" * 60_000})
        assert await socket.closed() == (4429, "Too many messages")


async def test_validation_errors_are_of_the_operation(server_url: str, ada: Person) -> None:
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe("subscription { onNothing { id } }")
        error = await socket.expect("error")
        assert error["payload"][0]["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"
        await socket.subscribe("{ me { id } }")
        assert (await socket.data())["me"]["id"] == ada.id


async def test_complete_ends_it(server: RunningServer, ada: Person) -> None:
    events = server.app.state.resources.events
    before = events.subscription_count
    async with TransportClient.signed_in(server.url, ada) as socket:
        await socket.subscribe(ON_TASK)
        await socket.silent(0.2)
        assert events.subscription_count == before + 1
        await socket.send(type="complete", id="1")
        await ada.gql(CREATE, input={"title": "Unheard"})
        await socket.silent()
        assert events.subscription_count == before


async def test_a_hundred_operations_and_no_more(server_url: str, ada: Person) -> None:
    async with TransportClient.signed_in(server_url, ada) as socket:
        for number in range(101):
            await socket.subscribe(ON_TASK, id=str(number))
        error = await socket.expect("error")
        assert error["id"] == "100"
        assert error["payload"][0]["extensions"]["code"] == "LIMIT_EXCEEDED"


async def test_a_page_of_another_origin_may_not_open_a_socket(start_server, api: Api) -> None:  # type: ignore[no-untyped-def]
    url = start_server(cors_origins=["https://front.example"]).url
    async with opened(url, NAME, headers={"Origin": "https://front.example"}):
        pass
    host = url.removeprefix("http://")
    async with opened(url, NAME, headers={"Origin": f"http://{host}"}):
        pass
    with pytest.raises(InvalidStatus) as refused:
        async with opened(url, NAME, headers={"Origin": "https://evil.example"}):
            pass
    assert refused.value.response.status_code == 403
