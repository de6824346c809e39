"""A load generator light enough not to be what is measured: raw sockets, kept alive."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import cast

import orjson

HOST = "127.0.0.1"
LAST_CHUNK = b"0\r\n\r\n"


class WrongAnswer(Exception):
    """Not what was asked for: a measurement of it would be worth nothing."""


@dataclass
class Load:
    """What a server did under load: the time of each answer in seconds, and of the whole."""

    latencies: list[float] = field(default_factory=list)
    seconds: float = 0.0
    answers: list[bytes] = field(default_factory=list)


def http_request(body: bytes, token: str) -> bytes:
    head = (
        f"POST /graphql HTTP/1.1\r\nhost: {HOST}\r\nauthorization: Bearer {token}\r\n"
        "content-type: application/json\r\naccept: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class Connection(asyncio.Protocol):
    """Sends one request again and again, each as soon as the answer to the last is whole."""

    def __init__(self, request: bytes, until: float) -> None:
        self._request = request
        self._until = until
        self._buffer = bytearray()
        self._sent = 0.0
        self._body_length = 0
        self.latencies: list[float] = []
        self.last = b""
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._send()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        body = _body(self._buffer)
        if body is None:
            return
        now = time.perf_counter()
        self.latencies.append(now - self._sent)
        if not self._is_right(body):
            self._end(WrongAnswer(bytes(self._buffer[:2000]).decode(errors="replace")))
        elif now >= self._until:
            self.last = body
            self._end(None)
        else:
            self._buffer.clear()
            self._send()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(exc or ConnectionResetError("the server closed the connection"))

    def _send(self) -> None:
        self._sent = time.perf_counter()
        self._transport.write(self._request)

    def _is_right(self, body: bytes) -> bool:
        """The same request has answers of the same length; the last one is read in full."""
        self._body_length = self._body_length or len(body)
        return self._buffer.startswith(b"HTTP/1.1 200 ") and len(body) == self._body_length

    def _end(self, problem: Exception | None) -> None:
        self._transport.close()
        if self.done.done():
            return
        if problem:
            self.done.set_exception(problem)
        else:
            self.done.set_result(None)


def _body(buffer: bytearray) -> bytes | None:
    """The body of the one answer in the buffer, once all of it is there."""
    head_end = buffer.find(b"\r\n\r\n")
    if head_end < 0:
        return None
    head = bytes(buffer[:head_end]).lower()
    start = head_end + 4
    at = head.find(b"\r\ncontent-length:")
    if at >= 0:
        length = int(head[at + 17 :].split(b"\r\n", 1)[0])
        return bytes(buffer[start:]) if len(buffer) == start + length else None
    return _joined(bytes(buffer[start:])) if buffer.endswith(LAST_CHUNK) else None


def _joined(chunked: bytes) -> bytes:
    pieces = []
    while chunked:
        size, _, rest = chunked.partition(b"\r\n")
        pieces.append(rest[: int(size, 16)])
        chunked = rest[int(size, 16) + 2 :]
    return b"".join(pieces)


async def drive(port: int, requests: list[bytes], seconds: float) -> Load:
    """One connection for each request, for so long; raises if an answer is not as it should be."""
    loop = asyncio.get_running_loop()
    load, began = Load(), time.perf_counter()
    connections = []
    for request in requests:
        _, connection = await loop.create_connection(
            lambda request=request: Connection(request, began + seconds),  # type: ignore[misc]
            HOST,
            port,
        )
        connections.append(connection)
    await asyncio.gather(*(each.done for each in connections))
    load.seconds = time.perf_counter() - began
    for each in connections:
        load.latencies += each.latencies
        load.answers.append(each.last)
    return load


async def ask(port: int, request: bytes) -> object:
    """The data of one answer."""
    load = await drive(port, [request], seconds=0)
    return data_of(load.answers[0])


def data_of(answer: bytes) -> object:
    content = orjson.loads(answer)
    if content.get("errors") or not content.get("data"):
        raise WrongAnswer(answer[:2000].decode())
    return content["data"]
