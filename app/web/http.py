"""Reads requests and sends responses. Size limits apply before anything is parsed."""

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
    """Adds SECURITY_HEADERS to every response, 404 included."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *SECURITY_HEADERS]
            await send(message)

        await self._app(scope, receive, send_guarded if scope["type"] == "http" else send)


class HttpError(Exception):
    """The request fails with this status before GraphQL is reached. AppSync's clients read
    `error_type`."""

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


class ClientDisconnected(Exception):
    """The client closed the connection, or has stopped reading."""


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
) -> HttpError:
    return HttpError(status, message, code="UNAUTHENTICATED", error_type=error_type)


def error_response(problem: HttpError) -> Response:
    error = {
        "message": problem.message,
        "errorType": problem.error_type,
        "extensions": {"code": problem.code, **problem.info},
    }
    # Amplify reads a top-level message where AppSync has none.
    body = orjson.dumps({"errors": [error], "message": problem.message})
    headers = {"x-amzn-errortype": problem.error_type} | dict(problem.headers)
    return Response(problem.status, body, headers=headers)


def client_address(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


def read_headers(scope: Scope) -> dict[str, str]:
    """By lower-case name. Repeated headers are joined with a comma, as HTTP defines; credentials
    must not be repeated."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if name in headers and name in ("authorization", "x-api-key"):
            raise unauthorized(f"The header {name} was sent twice.")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


async def read_body(
    receive: Receive, headers: Mapping[str, str], *, max_bytes: int, seconds: float
) -> bytes:
    if "content-encoding" in headers and headers["content-encoding"] != "identity":
        raise HttpError(415, "Send the body uncompressed.")
    # httptools accepts only digits here, but any number of leading zeros.
    if int(headers.get("content-length", "0")[:20]) > max_bytes:
        raise _too_large(max_bytes)
    try:
        async with asyncio.timeout(seconds):
            return await _read_chunks(receive, max_bytes)
    except TimeoutError:
        raise HttpError(
            408, "The body did not arrive in time.", headers={"connection": "close"}
        ) from None


async def _read_chunks(receive: Receive, max_bytes: int) -> bytes:
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnected
        body += bytes(message.get("body", b""))
        if len(body) > max_bytes:
            raise _too_large(max_bytes)
        if not message.get("more_body", False):
            return body


def _too_large(max_bytes: int) -> HttpError:
    # Closing now would reset the connection before the client has read the response. The rest of
    # the body is discarded as it arrives, until the server's timeout for a body.
    return HttpError(413, f"The body is larger than {max_bytes} bytes.", code="LIMIT_EXCEEDED")
