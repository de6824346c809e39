"""Socket connections: how they end, limits per user, memory, slow readers."""

import asyncio
import json
import logging
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.api import Person
from tests.community.rooms import new_room, send
from tests.realtime.sockets import AppSyncClient, TransportClient, opened, token
from tests.servers import RunningServer, TestClock

ON_TASK = "subscription { onTaskChanged { id title } }"
ON_MESSAGE = "subscription ($room: ID!) { onMessageSent(roomId: $room) { number text } }"
# More than the buffers of a machine hold for one that does not read.
COPIES = " ".join(f"c{n}: text" for n in range(40))
HEAVY = f"subscription ($room: ID!) {{ onMessageSent(roomId: $room) {{ number {COPIES} }} }}"
CREATE = "mutation ($t: String!) { createTask(input: {title: $t}) { id } }"
SIGN_OUT = "mutation { signOut }"


async def test_http_timeouts_do_not_close_a_socket(
    server_url: str, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The timers that close silent HTTP connections must not know of it."""
    monkeypatch.setattr("app.web.server.HEADER_SECONDS", 0.3)
    monkeypatch.setattr("app.web.server.BODY_SECONDS", 0.3)
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe(ON_TASK)
        await socket.silent(1.5)
        await ada.gql(CREATE, t="Later")
        assert (await socket.data())["onTaskChanged"]["title"] == "Later"


async def test_closed_when_the_token_expires(
    server_url: str, ada: Person, bob: Person, clock: TestClock
) -> None:
    async with (
        TransportClient.signed_in(server_url, ada) as hers,
        AppSyncClient.signed_in(server_url, bob) as his,
    ):
        await his.started(ON_TASK)
        clock.move(hours=2)
        assert await hers.closed() == (4403, "Token has expired.")
        error = (await his.expect("error"))["payload"]["errors"][0]
        assert error["errorType"] == "UnauthorizedException"
        assert (await his.closed())[0] == 4401


async def test_signing_out_ends_the_subscription(server_url: str, ada: Person) -> None:
    other = await ada.api.gql(
        """mutation ($e: AWSEmail!) {
          signIn(input: {email: $e, password: "correct horse battery"}) {
            accessToken user { id nickname }
          }
        }""",
        e=ada.email,
    )
    again = Person(ada.api, other["signIn"])
    async with TransportClient.signed_in(server_url, again) as socket:
        await socket.subscribe(ON_TASK)
        await socket.silent(0.2)
        await again.gql(SIGN_OUT)
        await ada.gql(CREATE, t="Unheard")
        assert (await socket.closed())[0] == 4403


async def test_a_user_has_at_most_ten_sockets(server_url: str, ada: Person, bob: Person) -> None:
    async with asyncio.timeout(20):
        sockets = [TransportClient.signed_in(server_url, ada) for _ in range(10)]
        for each in sockets:
            await each.__aenter__()
        async with opened(server_url, "graphql-transport-ws") as frames:
            await frames.send(type="connection_init", payload=ada.headers)
            assert await frames.closed() == (4429, "Too many sockets of one user")
        async with TransportClient.signed_in(server_url, bob):
            pass
        await sockets[0].__aexit__(None, None, None)
        assert await has_room(server_url, ada)
        for each in sockets[1:]:
            await each.__aexit__(None, None, None)


async def has_room(server_url: str, person: Person) -> bool:
    """The server learns a moment later that a socket has closed."""
    while True:
        async with opened(server_url, "graphql-transport-ws") as frames:
            await frames.send(type="connection_init", payload=person.headers)
            with suppress(ConnectionClosed):
                return bool((await frames.next())["type"] == "connection_ack")


async def test_nothing_is_kept_when_clients_disconnect(server: RunningServer, ada: Person) -> None:
    place = server.app.state.realtime_hub
    events = server.app.state.resources.events
    before = (place.count, events.subscription_count)
    for _ in range(5):
        async with TransportClient.signed_in(server.url, ada) as socket:
            await socket.subscribe(ON_TASK)
            await socket.silent(0.05)
            socket.socket.transport.abort()
    for _ in range(100):
        if (place.count, events.subscription_count) == before:
            return
        await asyncio.sleep(0.05)
    assert (place.count, events.subscription_count) == before


async def test_only_the_subscriber_that_does_not_read_is_dropped(
    server: RunningServer, ada: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.events.bus.MOST_UNREAD", 8)
    room = await new_room(ada, bob)
    heavy = "x" * 2000
    async with (
        TransportClient.signed_in(server.url, ada) as reader,
        TransportClient.signed_in(server.url, bob) as sleeper,
    ):
        await reader.subscribe(ON_MESSAGE, room=room)
        await sleeper.subscribe(HEAVY, room=room)
        await reader.silent(0.2)
        sleeper.socket.transport.pause_reading()
        texts = [f"{n} {heavy}" for n in range(152)]
        numbers = []
        for start in range(0, len(texts), 8):
            some = texts[start : start + 8]
            for text in some:
                await send(ada, room, text)
            numbers += [(await reader.data())["onMessageSent"]["number"] for _ in some]
        assert numbers == list(range(1, 153))
        sleeper.socket.transport.resume_reading()
        seen: list[dict[str, Any]] = []
        while not seen or seen[-1]["type"] == "next":
            seen.append(await sleeper.next())
        assert len(seen) < 152
        assert seen[-1]["type"] == "error"
        assert seen[-1]["payload"][0]["extensions"]["code"] == "SLOW_SUBSCRIBER"


async def test_tokens_are_never_logged(
    server_url: str,
    ada: Person,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    header = {"host": "localhost", "Authorization": token(ada)}
    with caplog.at_level(logging.WARNING):
        async with AppSyncClient.signed_in(server_url, ada) as socket:
            await socket.started(ON_TASK)
        async with opened(server_url, "graphql-ws", path="/graphql/realtime", headers=header):
            pass
    captured = capfd.readouterr()
    for text in (caplog.text, captured.out, captured.err):
        assert token(ada) not in text


async def test_a_long_subscription_does_not_grow(server: RunningServer, ada: Person) -> None:
    """What one event leaves behind is not kept for the next."""
    async with TransportClient.signed_in(server.url, ada) as socket:
        await socket.subscribe(ON_TASK)
        await socket.silent(0.1)
        for n in range(30):
            await ada.gql(CREATE, t=f"{n}")
            assert (await socket.data())["onTaskChanged"]["title"] == f"{n}"


async def test_a_subscription_over_http_names_the_socket(ada: Person) -> None:
    failed = await ada.refused(ON_TASK)
    assert "WebSocket" in failed.errors[0]["message"]
    assert json.dumps(failed.errors)
