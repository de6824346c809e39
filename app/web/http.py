"""Reading requests and sending answers, with every cap applied before anything is parsed."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

JSON = "application/json; charset=utf-8"
SECURITY_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
]


class SecurityHeaders:
    """On whatever the server answers, pages that do not exist included."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *SECURITY_HEADERS]
            await send(message)

        await self._app(scope, receive, send_guarded if scope["type"] == "http" else send)


class Refused(Exception):
    """Answered at the door, before GraphQL is reached. AppSync's clients read `error_type`."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str = "BAD_REQUEST",
        error_type: str = "MalformedHttpRequestException",
        info: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        self.error_type = error_type
        self.info = info or {}
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
        headers = {
            **self.headers,
            "cache-control": "no-store",
            "content-type": self.content_type,
            "content-length": str(len(self.body)),
        }
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": raw})
        await send({"type": "http.response.body", "body": self.body})


def unauthorized(
    message: str, *, status: int = 401, error_type: str = "UnauthorizedException"
) -> Refused:
    return Refused(status, message, code="UNAUTHENTICATED", error_type=error_type)


def refusal(refused: Refused) -> Response:
    error = {
        "message": refused.message,
        "errorType": refused.error_type,
        "extensions": {"code": refused.code, **refused.info},
    }
    # Amplify reads a top-level message where AppSync has none.
    body = orjson.dumps({"errors": [error], "message": refused.message})
    headers = {"x-amzn-errortype": refused.error_type} | dict(refused.headers)
    return Response(refused.status, body, headers=headers)


def headers_of(scope: Scope) -> dict[str, str]:
    """By lower-case name. One sent twice is joined, as HTTP says; credentials must be single."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if name in headers and name in ("authorization", "x-api-key"):
            raise unauthorized(f"The header {name} was sent twice.")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


async def read_body(
    receive: Receive, headers: Mapping[str, str], *, most: int, seconds: float
) -> bytes:
    if "content-encoding" in headers and headers["content-encoding"] != "identity":
        raise Refused(415, "Send the body uncompressed.")
    # The parser below us lets only digits pass, but any number of zeros before them.
    if int(headers.get("content-length", "0")[:20]) > most:
        raise _too_large(most)
    try:
        async with asyncio.timeout(seconds):
            return await _chunks(receive, most)
    except TimeoutError:
        raise Refused(
            408, "The body did not arrive in time.", headers={"connection": "close"}
        ) from None


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
    # Closing now would reset the connection before the client has read why; the rest of the body
    # is thrown away as it comes, for as long as the server waits for one.
    return Refused(413, f"The body is larger than {most} bytes.", code="LIMIT_EXCEEDED")
