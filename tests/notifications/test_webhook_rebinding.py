"""DNS rebinding: a name that resolves to another address after it was checked.

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

from app.domains.notifications.rules.sending import SendOutcome, SendResult
from app.domains.notifications.transports.webhook import resolve_host, send_to_webhook
from tests.notifications.test_webhook_certificates import HOST, certificate, serving_with
from tests.remote_servers import Answer, RemoteServer

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
    """Both have a certificate of the host; only one has a public address."""

    public: RemoteServer
    private: RemoteServer
    http: httpx.AsyncClient

    @property
    def url(self) -> str:
        return f"https://{HOST}:{self.private.port}/in/x?y=1"


@pytest.fixture
async def machines(tmp_path: Path) -> Any:
    pem = certificate(tmp_path, HOST)
    trusting = ssl.create_default_context(cafile=str(pem))
    with serving_with(pem) as public, serving_with(pem) as private:
        async with httpx.AsyncClient(verify=trusting, trust_env=False) as http:
            yield Machines(public, private, http)


async def test_the_connection_goes_to_the_address_that_was_checked(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Network([PUBLIC, PRIVATE], machines.public.port)
    with plugged_in(network, monkeypatch):
        parts = urlsplit(machines.url)
        found = await send_to_webhook(
            machines.http, parts, {}, resolve=resolve_host, insecure=False
        )
    assert found == SendOutcome(SendResult.SENT)
    assert network.asked == 1
    assert network.called == [(PUBLIC, machines.private.port)]
    (received,) = machines.public.received
    assert (received.path, received.query) == ("/in/x", {"y": ["1"]})
    assert received.headers["host"] == f"{HOST}:{machines.private.port}"
    assert machines.private.received == []


async def test_a_name_that_becomes_private_is_refused(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Network([PUBLIC, PRIVATE], machines.public.port)
    with plugged_in(network, monkeypatch):
        parts = urlsplit(machines.url)
        await send_to_webhook(machines.http, parts, {}, resolve=resolve_host, insecure=False)
        again = await send_to_webhook(
            machines.http, parts, {}, resolve=resolve_host, insecure=False
        )
    assert again == SendOutcome(SendResult.REFUSED, "The host is not on the public internet.")
    assert len(network.called) == 1
    assert machines.private.received == []


async def test_resolving_again_would_reach_the_private_server(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This shows the attack: checking a name and then connecting by name is not enough."""
    network = Network([PUBLIC, PRIVATE], machines.public.port)
    with plugged_in(network, monkeypatch):
        assert await resolve_host(HOST, 443) == [PUBLIC]
        await machines.http.post(machines.url, json={})
    assert network.called == [(PRIVATE, machines.private.port)]
    assert len(machines.private.received) == 1
    assert machines.public.received == []


async def test_a_redirect_to_a_private_machine_is_not_followed(
    machines: Machines, remote_server: RemoteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = f"http://{PRIVATE}:{remote_server.port}/hooks/inner"
    machines.public.answer("/in/x", Answer(307, headers={"location": inner}))
    network = Network([PUBLIC], machines.public.port)
    with plugged_in(network, monkeypatch):
        parts = urlsplit(machines.url)
        found = await send_to_webhook(
            machines.http, parts, {}, resolve=resolve_host, insecure=False
        )
    assert found == SendOutcome(
        SendResult.REFUSED, "The channel's host answered with HTTP status 307."
    )
    assert remote_server.at("/hooks/inner") == []
    assert network.called == [(PUBLIC, machines.private.port)]
