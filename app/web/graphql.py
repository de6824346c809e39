"""GraphQL over HTTP as a bare ASGI application: POST and GET, both media types."""

import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qsl
from uuid import uuid4

import orjson
import structlog
from prometheus_client import Histogram
from starlette.types import Receive, Scope, Send

from app.auth.authenticator import Authenticator
from app.auth.sigv4 import Incoming
from app.graph.context import Context
from app.graph.tokens import PageTokens
from app.resources import Resources
from app.web.body import MalformedBody, Params, decode_body, graphql_params
from app.web.errors import formatted, refused
from app.web.execution import Executor, MutationByGet, Outcome
from app.web.http import ClientGone, Refused, Response, headers_of, read_body, refusal
from app.web.negotiation import RESPONSE_JSON, wanted, wants_page

REQUEST_TYPES = ("application/json", "application/graphql")
SECONDS = Histogram("guildhall_request_seconds", "Time of a GraphQL request", ["status"])
log = structlog.get_logger()

ShowPage = Callable[[], Awaitable[Response]]


class GraphQLEndpoint:
    """`show_page` answers a browser that comes without a query; None where GraphiQL is off."""

    def __init__(
        self,
        resources: Resources,
        authenticator: Authenticator,
        executor: Executor,
        page_tokens: PageTokens,
        show_page: ShowPage | None,
    ) -> None:
        self._resources = resources
        self._settings = resources.settings
        self._authenticator = authenticator
        self._executor = executor
        self._page_tokens = page_tokens
        self._show_page = show_page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, request_id = time.perf_counter(), uuid4().hex
        try:
            response = await self._answer(scope, receive, request_id)
        except ClientGone:
            return
        except Exception as problem:
            response = refusal(refused(problem, request_id))
        took = time.perf_counter() - began
        SECONDS.labels(response.status).observe(took)
        log.info("request", id=request_id, status=response.status, ms=round(took * 1000, 1))
        response = Response(
            response.status,
            response.body,
            response.content_type,
            {"x-amzn-requestid": request_id} | dict(response.headers),
        )
        await response.send(send)

    async def _answer(self, scope: Scope, receive: Receive, request_id: str) -> Response:
        headers = headers_of(scope)
        by_get = scope["method"] in ("GET", "HEAD")
        if by_get and self._show_page and self._is_visitor(scope, headers):
            return await self._show_page()
        media = wanted(headers.get("accept"))
        body = await self._body(scope, receive, headers)
        params = _params(scope, body)
        address = scope["client"][0] if scope.get("client") else ""
        caller = await self._authenticator.identify(
            headers, address, _incoming(scope, body, params)
        )
        context = Context(
            self._resources, caller, page_tokens=self._page_tokens, request_id=request_id
        )
        try:
            outcome = await self._executor.run(params, context, only_queries=by_get)
        except MutationByGet:
            raise Refused(405, "Send mutations by POST.", headers={"allow": "POST"}) from None
        finally:
            context.let_go()
        return _response(outcome, media, request_id)

    def _is_visitor(self, scope: Scope, headers: dict[str, str]) -> bool:
        return wants_page(headers.get("accept")) and b"query=" not in scope["query_string"]

    async def _body(self, scope: Scope, receive: Receive, headers: dict[str, str]) -> bytes:
        if scope["method"] == "GET":
            return b""
        if scope["method"] != "POST":
            raise Refused(405, "Use POST, or GET for queries.", headers={"allow": "GET, POST"})
        _check_content_type(headers.get("content-type", ""))
        most, seconds = self._settings.max_body_bytes, self._settings.request_seconds
        return await read_body(receive, headers, most=most, seconds=seconds)


def _params(scope: Scope, body: bytes) -> Params:
    try:
        by_get = scope["method"] == "GET"
        fields = _from_address(scope["query_string"]) if by_get else decode_body(body)
        return graphql_params(fields)
    except MalformedBody as problem:
        raise Refused(400, problem.message) from None


def _incoming(scope: Scope, body: bytes, params: Params) -> Incoming:
    return Incoming(
        method=scope["method"],
        path=scope["path"],
        query_string=scope["query_string"].decode("latin-1"),
        body=body,
        query=params.query,
        operation_name=params.operation_name,
        variables=params.variables or {},
    )


def _response(outcome: Outcome, media: str, request_id: str) -> Response:
    body: dict[str, Any] = {}
    if outcome.errors:
        body["errors"] = formatted(outcome.errors, request_id)
    if not (outcome.refused and media == RESPONSE_JSON):
        body["data"] = outcome.data
    status = 400 if outcome.refused and media == RESPONSE_JSON else 200
    return Response(status, orjson.dumps(body), f"{media}; charset=utf-8")


def _check_content_type(content_type: str) -> None:
    """Only types that a page elsewhere cannot send without asking first (CORS)."""
    media, *parameters = [piece.strip().lower() for piece in content_type.split(";")]
    if media not in REQUEST_TYPES:
        raise Refused(415, "Send the request as application/json.")
    charsets = [p[8:].strip('"') for p in parameters if p.startswith("charset=")]
    if charsets and charsets[0] not in ("utf-8", "utf8"):
        raise Refused(415, "Send the request in UTF-8.")


def _from_address(query_string: bytes) -> dict[str, object]:
    try:
        pairs = parse_qsl(query_string.decode(), errors="strict", max_num_fields=20)
    except ValueError:
        raise Refused(400, "The address is not a readable GraphQL request.") from None
    fields: dict[str, object] = {}
    for name, value in pairs:
        if name in fields:
            raise Refused(400, f"The parameter {name[:60]} was sent twice.")
        fields[name] = value
    for name in ("variables", "extensions"):
        if isinstance(text := fields.get(name), str):
            fields[name] = decode_body(text.encode())
    return fields
