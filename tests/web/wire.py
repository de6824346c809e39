"""Raw bytes on a TCP connection, for requests that no HTTP client would send."""

import json
import socket
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPResponse
from typing import Any, Self


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Message
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Wire:
    """One connection. Every wait ends after `seconds`, with a TimeoutError."""

    def __init__(self, url: str, seconds: float = 10) -> None:
        host, _, port = url.removeprefix("http://").partition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        """As much as the server accepts."""
        try:
            self._socket.sendall(data)
        except ConnectionError:
            return

    def answer(self) -> Answer:
        response = HTTPResponse(self._socket)
        response.begin()
        return Answer(response.status, response.headers, response.read())

    def rest(self) -> bytes:
        """All bytes until the server closes the connection."""
        try:
            return b"".join(iter(lambda: self._socket.recv(65536), b""))
        except ConnectionResetError:
            return b""


def request(
    body: bytes = b"", *, method: str = "POST", path: str = "/graphql", **headers: str
) -> bytes:
    """A request; underscores in the names of headers mean hyphens."""
    usual = {"host": "test", "content_type": "application/json", "content_length": str(len(body))}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in (usual | headers).items()]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode("latin-1") + body


def head(*lines: str) -> bytes:
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def ask(url: str, data: bytes) -> Answer:
    with Wire(url) as wire:
        wire.send(data)
        return wire.answer()
