"""Routes besides GraphQL: GraphiQL, health, readiness, metrics, public keys."""

import hmac
from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse
from fastapi.responses import Response as Answer
from prometheus_client import CONTENT_TYPE_LATEST

from app.resources import Resources
from app.web.graphiql import GraphiQL
from app.web.graphiql.page import CONTENT_SECURITY_POLICY, PageConfig
from app.web.http import Response
from app.web.metrics import metrics_text

BuildConfig = Callable[[], Awaitable[PageConfig]]


def graphiql_page(
    graphiql: GraphiQL, build_config: BuildConfig
) -> Callable[[], Awaitable[Response]]:
    """`build_config` says which user the page is signed in as."""

    async def show() -> Response:
        page = graphiql.page(config=await build_config())
        headers = {"content-security-policy": CONTENT_SECURITY_POLICY}
        return Response(200, page, "text/html; charset=utf-8", headers)

    return show


def asset_routes(graphiql: GraphiQL) -> APIRouter:
    router = APIRouter()

    @router.get("/graphql/assets/{name}")
    async def asset(name: str) -> Answer:
        found = graphiql.asset(name)
        if found is None:
            return PlainTextResponse("File not found.", status_code=404)
        headers = {"cache-control": found.cache_control, "etag": found.etag}
        return Answer(found.body, media_type=found.content_type, headers=headers)

    return router


def site_routes(resources: Resources) -> APIRouter:
    router = APIRouter()

    @router.get("/health", summary="Alive")
    async def health() -> dict[str, str]:
        return {"status": "alive"}

    @router.get("/ready", summary="Able to work: the table answers")
    async def ready(request: Request) -> JSONResponse:
        problem = await _not_ready(resources, request)
        return JSONResponse({"status": problem or "ready"}, status_code=503 if problem else 200)

    @router.get("/metrics", summary="For Prometheus")
    async def metrics(request: Request) -> Answer:
        if not _may_read_metrics(resources, request.headers.get("authorization", "")):
            return PlainTextResponse("Page not found.", status_code=404)
        return Answer(metrics_text(), media_type=CONTENT_TYPE_LATEST)

    @router.get("/.well-known/jwks.json", summary="The keys of our access tokens")
    async def key_set() -> dict[str, object]:
        return resources.tokens.key_set()

    @router.get("/.well-known/openid-configuration")
    async def configuration() -> dict[str, object]:
        address = resources.settings.address
        return {
            "issuer": resources.tokens.issuer,
            "jwks_uri": f"{address}/.well-known/jwks.json",
        }

    return router


async def _not_ready(resources: Resources, request: Request) -> str | None:
    if getattr(request.app.state, "stopping", False):
        return "the server is stopping"
    try:
        await resources.table.ping()
    except Exception:
        return "the table does not answer"
    return None


def _may_read_metrics(resources: Resources, authorization: str) -> bool:
    token = resources.settings.metrics_token
    if token is None:
        return resources.settings.development
    return hmac.compare_digest(
        authorization.encode(), f"Bearer {token.get_secret_value()}".encode()
    )
