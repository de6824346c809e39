"""A name that changes its answer after it was checked (DNS rebinding), on the real way.

The system's resolver, real connections, real TLS; only a public number is led to a machine of ours.
"""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from app.domains.notifications.courier.webhook import look_up, post
from app.domains.notifications.rules.sending import Outcome, Result
from tests.far_side import Answer, FarSide
from tests.notifications.test_certificates import HOST, certificate, proving_to_be

PUBLIC, PRIVATE = "93.184.216.34", "127.0.0.1"
REAL_SOCKET, REAL_LOOK_UP = socket.socket, socket.getaddrinfo


@dataclass
class Network:
    """`answers`: what the name resolves to, in turn, the last of it for ever. `public`: the port at
    which the machine with the public number really listens."""

    answers: list[str]
    public: int
    asked: int = 0
    called: list[tuple[str, int]] = field(default_factory=list)

    def look_up(self, host: Any, port: Any, *args: Any, **more: Any) -> Any:
        if host not in (HOST, HOST.encode()):
            return REAL_LOOK_UP(host, port, *args, **more)
        self.asked += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return REAL_LOOK_UP(answer, port, *args, **more)

    def connect(self, real: socket.socket, address: Any) -> None:
        self.called.append(address[:2])
        led = (PRIVATE, self.public) if address[0] == PUBLIC else address
        REAL_SOCKET.connect(real, led)


@contextmanager
def plugged_in(network: Network, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    class Plugged(socket.socket):
        def connect(self, address: Any) -> None:
            network.connect(self, address)

    with monkeypatch.context() as patch:
        patch.setattr(socket, "socket", Plugged)
        patch.setattr(socket, "getaddrinfo", network.look_up)
        yield


@dataclass(frozen=True)
class Machines:
    """Both can prove to be the host; only one has a public number."""

    public: FarSide
    private: FarSide
    http: httpx.AsyncClient

    @property
    def url(self) -> str:
        return f"https://{HOST}:{self.private.port}/in/x?y=1"


@pytest.fixture
async def machines(tmp_path: Path) -> Any:
    pem = certificate(tmp_path, HOST)
    trusting = ssl.create_default_context(cafile=str(pem))
    with proving_to_be(pem) as public, proving_to_be(pem) as private:
        async with httpx.AsyncClient(verify=trusting, trust_env=False) as http:
            yield Machines(public, private, http)


async def test_the_connection_goes_to_the_number_that_was_checked(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Network([PUBLIC, PRIVATE], machines.public.port)
    with plugged_in(network, monkeypatch):
        parts = urlsplit(machines.url)
        found = await post(machines.http, parts, {}, resolve=look_up, insecure=False)
    assert found == Outcome(Result.SENT)
    assert network.asked == 1
    assert network.called == [(PUBLIC, machines.private.port)]
    (received,) = machines.public.received
    assert (received.path, received.query) == ("/in/x", {"y": ["1"]})
    assert received.headers["host"] == f"{HOST}:{machines.private.port}"
    assert machines.private.received == []


async def test_when_it_turns_private_nobody_is_called(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Network([PUBLIC, PRIVATE], machines.public.port)
    with plugged_in(network, monkeypatch):
        parts = urlsplit(machines.url)
        await post(machines.http, parts, {}, resolve=look_up, insecure=False)
        again = await post(machines.http, parts, {}, resolve=look_up, insecure=False)
    assert again == Outcome(Result.REFUSED, "The host is not on the public internet.")
    assert len(network.called) == 1
    assert machines.private.received == []


async def test_who_asks_again_falls_into_the_trap(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the trap is one: checking a name and then calling it by name is not enough."""
    network = Network([PUBLIC, PRIVATE], machines.public.port)
    with plugged_in(network, monkeypatch):
        assert await look_up(HOST, 443) == [PUBLIC]
        await machines.http.post(machines.url, json={})
    assert network.called == [(PRIVATE, machines.private.port)]
    assert len(machines.private.received) == 1
    assert machines.public.received == []


async def test_a_redirect_to_a_private_machine_is_not_followed(
    machines: Machines, far_side: FarSide, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = f"http://{PRIVATE}:{far_side.port}/hooks/inner"
    machines.public.answer("/in/x", Answer(307, headers={"location": inner}))
    network = Network([PUBLIC], machines.public.port)
    with plugged_in(network, monkeypatch):
        parts = urlsplit(machines.url)
        found = await post(machines.http, parts, {}, resolve=look_up, insecure=False)
    assert found == Outcome(Result.REFUSED, "The far side answered 307.")
    assert far_side.at("/hooks/inner") == []
    assert network.called == [(PUBLIC, machines.private.port)]
