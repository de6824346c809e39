"""GraphQL over HTTP as an ASGI application: POST and GET, both media types."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qsl
from uuid import uuid4

import orjson
from starlette.types import Receive, Scope, Send

from app.auth.authenticator import Authenticator
from app.auth.sigv4 import IncomingRequest
from app.graph.context import Context
from app.graph.tokens import PageTokens
from app.resources import Resources
from app.web.body import MalformedBody, Params, TooManyValues, decode_body, graphql_params
from app.web.errors import format_errors, to_http_error
from app.web.execution import Executor, MutationByGet
from app.web.http import (
    ClientDisconnected,
    HttpError,
    Response,
    client_address,
    error_response,
    read_body,
    read_headers,
)
from app.web.large_body import read_params
from app.web.negotiation import RESPONSE_JSON, accepts_html, choose_media_type
from app.web.request_log import RequestLog
from app.web.results import OperationResult

REQUEST_TYPES = ("application/json", "application/graphql")

ShowPage = Callable[[], Awaitable[Response]]


class GraphQLEndpoint:
    """`show_page` answers a browser that sends no query; None if GraphiQL is off."""

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
        request = RequestLog(uuid4().hex)
        try:
            response = await self._answer(scope, receive, request)
        except ClientDisconnected:
            return
        except Exception as problem:
            error = to_http_error(problem, request.id)
            request.code = error.code
            response = error_response(error)
        request.finish(response.status)
        response = Response(
            response.status,
            response.body,
            response.content_type,
            {"x-amzn-requestid": request.id} | dict(response.headers),
        )
        await response.send(send)

    async def _answer(self, scope: Scope, receive: Receive, request: RequestLog) -> Response:
        headers = read_headers(scope)
        by_get = scope["method"] in ("GET", "HEAD")
        if by_get and self._show_page and self._is_browser(scope, headers):
            return await self._show_page()
        media = choose_media_type(headers.get("accept"))
        body = await self._body(scope, receive, headers)
        request.address = address = client_address(scope)
        params = await self._params(scope, body, address)
        request.operation = params.operation_name
        caller = await self._authenticator.identify(
            headers, address, _incoming_request(scope, body, params)
        )
        request.user = caller.id
        context = Context(
            self._resources, caller, page_tokens=self._page_tokens, request_id=request.id
        )
        try:
            result = await self._executor.run(params, context, only_queries=by_get)
        except MutationByGet:
            raise HttpError(405, "Send mutations by POST.", headers={"allow": "POST"}) from None
        finally:
            request.kind = context.operation_kind
            request.operation = context.operation_name or request.operation
            context.release()
        return _response(result, media, request)

    async def _params(self, scope: Scope, body: bytes, address: str) -> Params:
        try:
            if scope["method"] == "GET":
                return _params_of_query_string(scope["query_string"], self._settings.max_values)
            return await read_params(body, self._settings.max_values, self._executor.share, address)
        except TooManyValues as problem:
            raise HttpError(413, problem.message, code="LIMIT_EXCEEDED") from None
        except MalformedBody as problem:
            raise HttpError(400, problem.message) from None

    def _is_browser(self, scope: Scope, headers: dict[str, str]) -> bool:
        return accepts_html(headers.get("accept")) and b"query=" not in scope["query_string"]

    async def _body(self, scope: Scope, receive: Receive, headers: dict[str, str]) -> bytes:
        if scope["method"] == "GET":
            return b""
        if scope["method"] != "POST":
            raise HttpError(405, "Use POST, or GET for queries.", headers={"allow": "GET, POST"})
        _check_content_type(headers.get("content-type", ""))
        max_bytes, seconds = self._settings.max_body_bytes, self._settings.request_seconds
        return await read_body(receive, headers, max_bytes=max_bytes, seconds=seconds)


def _incoming_request(scope: Scope, body: bytes, params: Params) -> IncomingRequest:
    return IncomingRequest(
        method=scope["method"],
        path=scope["path"],
        query_string=scope["query_string"].decode("latin-1"),
        body=body,
        query=params.query,
        operation_name=params.operation_name,
        variables=params.variables or {},
    )


def _response(result: OperationResult, media: str, request: RequestLog) -> Response:
    if result.json is not None and not result.errors:
        return Response(200, b'{"data":' + result.json + b"}", f"{media}; charset=utf-8")
    body: dict[str, Any] = {}
    if result.errors:
        body["errors"] = errors = format_errors(result.errors, request.id)
        request.code = errors[0]["extensions"]["code"]
    if not (result.is_request_error and media == RESPONSE_JSON):
        body["data"] = result.data
    status = 400 if result.is_request_error and media == RESPONSE_JSON else 200
    return Response(status, orjson.dumps(body), f"{media}; charset=utf-8")


def _check_content_type(content_type: str) -> None:
    """Accepts only types that a page of another origin cannot send without a CORS preflight."""
    media, *parameters = [piece.strip().lower() for piece in content_type.split(";")]
    if media not in REQUEST_TYPES:
        raise HttpError(415, "Send the request as application/json.")
    charsets = [p[8:].strip('"') for p in parameters if p.startswith("charset=")]
    if charsets and charsets[0] not in ("utf-8", "utf8"):
        raise HttpError(415, "Send the request in UTF-8.")


def _params_of_query_string(query_string: bytes, max_values: int) -> Params:
    try:
        pairs = parse_qsl(query_string.decode(), errors="strict", max_num_fields=20)
    except ValueError:
        raise HttpError(400, "The query string is not a GraphQL request.") from None
    fields: dict[str, object] = {}
    for name, value in pairs:
        if name in fields:
            raise HttpError(400, f"The parameter {name[:60]} was sent twice.")
        fields[name] = value
    for name in ("variables", "extensions"):
        if isinstance(text := fields.get(name), str):
            fields[name] = decode_body(text.encode(), max_values)
    return graphql_params(fields, len(query_string))
