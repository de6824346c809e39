"""Reading requests and sending answers, with every cap applied before anything is parsed."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson
from starlette.types import Receive, Scope, Send

JSON = "application/json; charset=utf-8"
SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}


class Refused(Exception):
    """Answered at the door, before GraphQL is reached. AppSync's clients read `error_type`."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str = "BAD_REQUEST",
        error_type: str = "MalformedHttpRequestException",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        self.error_type = error_type
        self.headers = headers or {}


class ClientGone(Exception):
    """Nobody waits for an answer any more."""


@dataclass(frozen=True, slots=True)
class Response:
    status: int
    body: bytes
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)

    async def send(self, send: Send) -> None:
        headers = (
            SECURITY_HEADERS
            | dict(self.headers)
            | {
                "content-type": self.content_type,
                "content-length": str(len(self.body)),
            }
        )
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": raw})
        await send({"type": "http.response.body", "body": self.body})


def refusal(refused: Refused, content_type: str = JSON) -> Response:
    error = {
        "message": refused.message,
        "errorType": refused.error_type,
        "extensions": {"code": refused.code},
    }
    # Amplify reads a top-level message where AppSync has none.
    body = orjson.dumps({"errors": [error], "message": refused.message})
    headers = {"x-amzn-errortype": refused.error_type} | dict(refused.headers)
    return Response(refused.status, body, content_type, headers)


def headers_of(scope: Scope) -> dict[str, str]:
    """By lower-case name. One sent twice is joined, as HTTP says; credentials must be single."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if name in headers and name in ("authorization", "x-api-key"):
            raise Refused(400, f"The header {name} was sent twice.")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


async def read_body(
    receive: Receive, headers: Mapping[str, str], *, most: int, seconds: float
) -> bytes:
    if "content-encoding" in headers and headers["content-encoding"] != "identity":
        raise Refused(415, "Send the body uncompressed.")
    if (
        headers.get("content-length", "0").isdigit()
        and int(headers.get("content-length", "0")) > most
    ):
        raise _too_large(most)
    try:
        async with asyncio.timeout(seconds):
            return await _chunks(receive, most)
    except TimeoutError:
        raise Refused(408, "The body did not arrive in time.") from None


async def _chunks(receive: Receive, most: int) -> bytes:
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        body += bytes(message.get("body", b""))
        if len(body) > most:
            raise _too_large(most)
        if not message.get("more_body", False):
            return body


def _too_large(most: int) -> Refused:
    return Refused(
        413,
        f"The body is larger than {most} bytes.",
        code="LIMIT_EXCEEDED",
        headers={"connection": "close"},
    )
