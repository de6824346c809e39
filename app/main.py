"""The application: opens what it needs, mounts the routes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route, WebSocketRoute

from app.auth.authenticator import Authenticator
from app.auth.authorizer import Authorizer
from app.auth.issuers import Issuer, configured
from app.auth.sigv4 import Signatures, keys_from
from app.core.caller import Caller
from app.core.clock import Clock
from app.demo import ensure_demo, greet_as_demo
from app.graph.tokens import PageTokens
from app.jobs.runner import running_jobs
from app.resources import Resources, open_resources
from app.services import Services
from app.settings import Settings
from app.web.charts import chart_routes
from app.web.execution import Executor
from app.web.graphiql import GraphiQL
from app.web.graphql import GraphQLEndpoint
from app.web.http import SecurityHeaders
from app.web.limits import Limits
from app.web.realtime.edge import Edge
from app.web.realtime.endpoint import RealtimeEndpoint
from app.web.realtime.sse import StreamEndpoint
from app.web.schema import build_schema
from app.web.site import asset_routes, graphiql_page, site_routes

EXPOSED_HEADERS = [
    "x-amzn-RequestId",
    "x-amzn-ErrorType",
    "x-amz-user-agent",
    "x-amzn-ErrorMessage",
    "Date",
    "x-amz-schema-version",
]


def create_app(settings: Settings, clock: Clock | None = None) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with (
            open_resources(settings, clock) as resources,
            httpx.AsyncClient(timeout=5) as http,
        ):
            await ensure_demo(resources)
            edge = _mount(app, resources, http)
            async with running_jobs(resources), edge.running():
                yield

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=settings.cors_origins,
        allow_methods=["GET", "POST"],
        allow_headers=["*"],
        expose_headers=EXPOSED_HEADERS,
        max_age=600,
    )
    app.add_middleware(SecurityHeaders)
    return app


def _mount(app: FastAPI, resources: Resources, http: httpx.AsyncClient) -> Edge:
    settings = resources.settings
    app.state.resources = resources
    show_page = None
    if settings.graphiql:
        graphiql = GraphiQL(settings.node_modules)
        show_page = graphiql_page(graphiql, lambda: greet_as_demo(resources))
    authenticator = _authenticator(resources, http)
    executor, tokens = _executor(settings), _page_tokens(resources)
    endpoint = GraphQLEndpoint(resources, authenticator, executor, tokens, show_page)
    edge = app.state.edge = Edge(resources, authenticator, executor, tokens)
    sockets = RealtimeEndpoint(edge)
    # First what is asked for most: routes are tried in this order.
    app.router.routes += [
        Route("/graphql", endpoint),
        Route("/graphql/stream", StreamEndpoint(edge)),
        WebSocketRoute("/graphql", sockets),
        WebSocketRoute("/graphql/realtime", sockets),
    ]
    app.include_router(site_routes(resources))
    app.include_router(chart_routes(resources, authenticator))
    if settings.graphiql:
        app.include_router(asset_routes(graphiql))
    return edge


def _page_tokens(resources: Resources) -> PageTokens:
    return PageTokens(resources.secret, resources.clock)


def _authenticator(resources: Resources, http: httpx.AsyncClient) -> Authenticator:
    async def is_alive(caller: Caller) -> bool:
        return await Services(resources, caller).identity.is_alive()

    settings = resources.settings
    return Authenticator(
        clock=resources.clock,
        api_keys=settings.api_keys,
        tokens=resources.tokens if settings.embedded_identity else None,
        issuers=[Issuer(each, http, resources.clock) for each in configured(settings)],
        standing=resources.standing,
        is_alive=is_alive,
        signatures=_signatures(resources),
        authorizer=_authorizer(resources, http),
    )


def _signatures(resources: Resources) -> Signatures | None:
    keys = keys_from(resources.settings.iam_keys)
    return Signatures(keys, resources.clock) if keys else None


def _authorizer(resources: Resources, http: httpx.AsyncClient) -> Authorizer | None:
    url = resources.settings.authorizer_url
    return Authorizer(url, http, resources.clock) if url else None


def _executor(settings: Settings) -> Executor:
    return Executor(
        build_schema(),
        limits=Limits(tokens=settings.max_tokens),
        seconds=settings.request_seconds,
        introspection=bool(settings.introspection),
        suggestions=settings.development,
    )
