"""Slow, silent and disconnected clients, and a server that shuts down."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from uuid import uuid4

import pytest

from app.domains.people import keys
from app.table.gateway import Gateway
from app.web import server as web
from tests.api import PASSWORD, SIGN_UP, Api
from tests.servers import RunningServer
from tests.web.wire import Wire, ask, head, request

Start = Callable[..., RunningServer]
TYPENAME = b'{"query": "{ __typename }"}'
GOOD = {"data": {"__typename": "Query"}}
GET = head("GET /health HTTP/1.1", "host: test")
CHUNKED = head(
    "POST /graphql HTTP/1.1",
    "host: test",
    "content-type: application/json",
    "transfer-encoding: chunked",
)


@pytest.fixture
def short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "HEADER_SECONDS", 0.2)
    monkeypatch.setattr(web, "BODY_SECONDS", 0.2)


def send_slowly(wire: Wire, piece: bytes) -> bytes:
    """Sends a little again and again until the server closes; answers with what it said."""
    stop = threading.Event()

    def send() -> None:
        while not stop.wait(0.02):
            wire.send(piece)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        return wire.rest()
    finally:
        stop.set()
        sender.join()


# Slow and silent clients


@pytest.mark.usefixtures("short_timeouts")
def test_silent_connections_are_closed_and_others_served(server_url: str) -> None:
    with ExitStack() as stack:
        silent = [stack.enter_context(Wire(server_url)) for _ in range(300)]
        assert ask(server_url, request(TYPENAME)).json() == GOOD
        assert [wire.rest() for wire in silent] == [b""] * len(silent)


@pytest.mark.usefixtures("short_timeouts")
@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (b"", b"\r\n"),
        (b"GET /health HTTP/1.1\r\nx-a: ", b"a"),
        (b"GET /health HTTP/1.1\r\n", b"x-a: a\r\n"),
        (b"GET /", b"a"),
    ],
    ids=["empty lines", "a value", "headers", "an address"],
)
def test_a_connection_with_slow_headers_is_closed(
    server_url: str, start: bytes, piece: bytes
) -> None:
    with Wire(server_url) as wire:
        wire.send(start)
        assert send_slowly(wire, piece) == b""


@pytest.mark.usefixtures("short_timeouts")
@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (request(content_length="1000"), b"a"),
        (CHUNKED, b"1\r\na\r\n"),
        (CHUNKED + b"1;", b"a"),
    ],
    ids=["a length", "chunks", "an extension"],
)
def test_a_connection_with_a_slow_body_is_closed(
    server_url: str, start: bytes, piece: bytes
) -> None:
    with Wire(server_url) as wire:
        wire.send(start)
        assert send_slowly(wire, piece) == b""


@pytest.mark.usefixtures("short_timeouts")
def test_a_connection_with_a_slow_body_after_its_refusal_is_closed(server_url: str) -> None:
    with Wire(server_url) as wire:
        wire.send(request(path="/health", content_length="1000"))
        assert send_slowly(wire, b"a").startswith(b"HTTP/1.1 405")


@pytest.mark.usefixtures("short_timeouts")
def test_a_kept_connection_that_sends_only_blank_lines_is_closed(server_url: str) -> None:
    with Wire(server_url) as wire:
        wire.send(GET)
        assert wire.answer().status == 200
        assert send_slowly(wire, b"\r\n") == b""


def test_a_connection_is_kept_for_the_next_request(server_url: str) -> None:
    with Wire(server_url) as wire:
        for _ in range(3):
            wire.send(request(TYPENAME))
            assert wire.answer().json() == GOOD


def test_a_refused_body_does_not_disturb_the_next_request(server_url: str) -> None:
    with Wire(server_url) as wire:
        wire.send(request(b"x" * 500_000, content_type="text/plain"))
        assert wire.answer().status == 415
        wire.send(request(TYPENAME))
        assert wire.answer().json() == GOOD


def test_a_missing_body_is_answered_in_time(start_server: Start) -> None:
    running = start_server(request_seconds=0.2)
    with Wire(running.url) as wire:
        wire.send(request(b'{"query":', content_length="1000"))
        answer = wire.answer()
        assert answer.status == 408
        assert answer.json()["message"] == "The body did not arrive in time."
        assert answer.headers["connection"] == "close"
        assert wire.rest() == b""


# Headers


@pytest.mark.parametrize("size", [100_000, 5_000_000])
def test_headers_of_100_kb_are_refused(server_url: str, size: int) -> None:
    for lines in (["x-a: " + "a" * size], [f"x-{i}: {'a' * 90}" for i in range(size // 90)]):
        answer = ask(server_url, head("GET /health HTTP/1.1", "host: test", *lines))
        assert answer.status == 400
    assert ask(server_url, GET).status == 200


def test_headers_that_never_end_are_refused_while_they_come(server_url: str) -> None:
    with Wire(server_url) as wire:
        wire.send(b"GET /health HTTP/1.1\r\nx-a: ")
        for _ in range(10):
            wire.send(b"a" * 10_000)
        assert wire.answer().status == 400


def test_long_urls_are_refused(server_url: str) -> None:
    assert ask(server_url, head(f"GET /{'a' * 100_000} HTTP/1.1", "host: test")).status == 400


def test_a_token_of_50_kb_is_refused_by_the_graph_not_by_the_parser(server_url: str) -> None:
    answer = ask(server_url, request(TYPENAME, authorization="a" * 50_000))
    assert answer.status == 401


def test_a_request_for_http2_is_answered_in_http1(server_url: str) -> None:
    upgrade = ("connection: upgrade, http2-settings", "upgrade: h2c", "http2-settings: AAMAAABk")
    with Wire(server_url) as wire:
        wire.send(head("GET /health HTTP/1.1", "host: test", *upgrade))
        answer = wire.answer()
        assert answer.status == 200
        assert answer.headers["connection"] == "close"
        assert wire.rest() == b""


# Clients that go, and a server that goes


class Held:
    """A write of the running server that waits until it may go on."""

    def __init__(self, table: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
        self.has_begun = threading.Event()
        self.may_go_on = threading.Event()
        self.is_done = threading.Event()
        write = table.write

        async def held(*writes: object) -> None:
            self.has_begun.set()
            await asyncio.to_thread(self.may_go_on.wait, 10)
            await write(*writes)  # type: ignore[arg-type]
            self.is_done.set()

        monkeypatch.setattr(table, "write", held)


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[RunningServer], Held]]:
    all_held: list[Held] = []

    def hold(server: RunningServer) -> Held:
        all_held.append(Held(server.app.state.resources.table, monkeypatch))
        return all_held[-1]

    yield hold
    for held in all_held:
        held.may_go_on.set()


def newcomer() -> tuple[str, dict[str, str]]:
    name = f"p{uuid4().hex[:12]}"
    return name, {"email": f"{name}@example.com", "nickname": name, "password": PASSWORD}


def test_a_mutation_is_completed_when_its_client_disconnects(
    server: RunningServer, hold: Callable[[RunningServer], Held]
) -> None:
    held = hold(server)
    name, fields = newcomer()
    words = ", ".join(f'{key}: \\"{value}\\"' for key, value in fields.items())
    body = f'{{"query": "mutation {{ signUp(input: {{{words}}}) {{ expiresAt }} }}"}}'
    with Wire(server.url) as wire:
        wire.send(request(body.encode()))
        assert held.has_begun.wait(10)
    held.may_go_on.set()
    assert held.is_done.wait(10)
    question = f'{{"query": "{{ nicknameAvailable(nickname: \\"{name}\\") }}"}}'
    answer = ask(server.url, request(question.encode()))
    assert answer.json() == {"data": {"nicknameAvailable": False}}


async def test_a_server_that_stops_lets_a_request_finish(
    start_server: Start, hold: Callable[[RunningServer], Held], table: Gateway
) -> None:
    running = start_server()
    held = hold(running)
    _, fields = newcomer()
    async with Api(running.url) as api:
        answer = asyncio.create_task(api.post(SIGN_UP, input=fields))
        assert await asyncio.to_thread(held.has_begun.wait, 10)
        stopping = asyncio.create_task(asyncio.to_thread(running.__exit__))
        await no_longer_listening(running.url)
        held.may_go_on.set()
        response = await answer
        await stopping
    assert response.headers["connection"] == "close"
    user = response.json()["data"]["signUp"]["user"]
    assert await table.get(keys.user(user["id"])) is not None


async def no_longer_listening(url: str) -> None:
    async with asyncio.timeout(10):
        while True:
            try:
                Wire(url).__exit__()
            except ConnectionError:
                return
            await asyncio.sleep(0.02)


class LastMoment:
    """Runs `act` in the server's thread, when it is about to close its sockets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.act: Callable[[], None] = lambda: None
        stop_listening = web.GracefulServer._stop_listening

        def stop(server: web.GracefulServer) -> None:
            self.act()
            stop_listening(server)

        monkeypatch.setattr(web.GracefulServer, "_stop_listening", stop)


def test_connections_that_wait_to_be_accepted_are_served(
    start_server: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    last_moment, running = LastMoment(monkeypatch), start_server()
    waiting: list[Wire] = []

    def connect() -> None:
        for _ in range(5):
            waiting.append(Wire(running.url))
            waiting[-1].send(request(TYPENAME))

    last_moment.act = connect
    running.__exit__()
    with ExitStack() as stack:
        answers = [stack.enter_context(wire).answer() for wire in waiting]
    assert [(each.status, each.json()) for each in answers] == [(200, GOOD)] * 5
    assert {each.headers["connection"] for each in answers} == {"close"}


def test_a_request_on_a_kept_connection_is_answered_while_the_server_stops(
    start_server: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    last_moment, running = LastMoment(monkeypatch), start_server()
    with Wire(running.url) as kept:
        kept.send(request(TYPENAME))
        assert kept.answer().headers["connection"] is None
        last_moment.act = lambda: kept.send(request(TYPENAME))
        running.__exit__()
        answer = kept.answer()
        assert (answer.json(), answer.headers["connection"]) == (GOOD, "close")
        assert kept.rest() == b""


def test_a_stopping_server_tells_the_proxy_and_still_answers(
    start_server: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = start_server(drain_seconds=60)
    assert ask(running.url, request(method="GET", path="/ready")).status == 200
    stopping = threading.Thread(target=running.__exit__)
    stopping.start()
    while (ready := ask(running.url, request(method="GET", path="/ready"))).status == 200:
        pass
    assert (ready.status, ready.json()) == (503, {"status": "the server is stopping"})
    answer = ask(running.url, request(TYPENAME))
    assert (answer.json(), answer.headers["connection"]) == (GOOD, "close")
    running.stop_now()
    stopping.join()
