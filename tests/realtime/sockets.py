"""Socket clients that send and receive single frames."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tests.api import Person

SECONDS = 10
MUST_STAY_SILENT = 0.4


class Frames:
    """One socket. Every wait ends after some seconds."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, **frame: object) -> None:
        await self.socket.send(json.dumps(frame))

    async def raw(self, text: str) -> None:
        await self.socket.send(text)

    async def next(self) -> dict[str, Any]:
        async with asyncio.timeout(SECONDS):
            frame: dict[str, Any] = json.loads(await self.socket.recv())
        return frame

    async def expect(self, kind: str) -> dict[str, Any]:
        """The next frame, which must be of this type; keep-alives are passed over."""
        frame = await self.next()
        while frame["type"] == "ka" != kind:
            frame = await self.next()
        assert frame["type"] == kind, frame
        return frame

    async def silent(self, seconds: float = MUST_STAY_SILENT) -> None:
        try:
            async with asyncio.timeout(seconds):
                frame = await self.socket.recv()
        except TimeoutError:
            return
        raise AssertionError(f"expected nothing, got {frame!r}")

    async def closed(self) -> tuple[int, str]:
        """Code and reason, whatever still came before."""
        try:
            async with asyncio.timeout(SECONDS):
                while True:
                    await self.socket.recv()
        except ConnectionClosed:
            return self.socket.close_code or 0, self.socket.close_reason or ""


def address(url: str, path: str = "/graphql", query: str = "") -> str:
    return url.replace("http", "ws", 1) + path + query


@asynccontextmanager
async def opened(
    url: str,
    *subprotocols: str,
    path: str = "/graphql",
    query: str = "",
    headers: dict[str, str] | None = None,
    **options: Any,
) -> AsyncIterator[Frames]:
    names = [Subprotocol(each) for each in subprotocols]
    async with connect(
        address(url, path, query),
        subprotocols=names or None,
        additional_headers=headers,
        max_size=None,
        **options,
    ) as socket:
        yield Frames(socket)


class TransportClient(Frames):
    """graphql-transport-ws."""

    @classmethod
    @asynccontextmanager
    async def signed_in(
        cls, url: str, person: Person | None, path: str = "/graphql"
    ) -> AsyncIterator[Self]:
        async with opened(url, "graphql-transport-ws", path=path) as frames:
            client = cls(frames.socket)
            await client.send(type="connection_init", payload=person.headers if person else {})
            await client.expect("connection_ack")
            yield client

    async def subscribe(self, query: str, id: str = "1", **variables: object) -> None:
        payload = {"query": query, "variables": variables}
        await self.send(type="subscribe", id=id, payload=payload)

    async def data(self) -> Any:
        frame = await self.expect("next")
        assert "errors" not in frame["payload"], frame
        return frame["payload"]["data"]


def token(person: Person) -> str:
    return str(person.session["accessToken"])


def coded(header: dict[str, str]) -> str:
    raw = base64.urlsafe_b64encode(json.dumps(header).encode()).decode()
    return f"header-{raw.rstrip('=')}"


class AppSyncClient(Frames):
    authorization: dict[str, str]

    @classmethod
    @asynccontextmanager
    async def signed_in(cls, url: str, person: Person) -> AsyncIterator[Self]:
        header = {"host": "localhost", "Authorization": token(person)}
        async with opened(url, "graphql-ws", coded(header), path="/graphql/realtime") as frames:
            client = cls(frames.socket)
            client.authorization = header
            await client.send(type="connection_init")
            await client.expect("connection_ack")
            assert await client.next() == {"type": "ka"}
            yield client

    async def start(self, query: str, id: str = "1", **variables: object) -> None:
        data = json.dumps({"query": query, "variables": variables})
        extensions = {"authorization": self.authorization}
        await self.send(type="start", id=id, payload={"data": data, "extensions": extensions})

    async def started(self, query: str, id: str = "1", **variables: object) -> None:
        await self.start(query, id, **variables)
        assert await self.expect("start_ack") == {"type": "start_ack", "id": id}
