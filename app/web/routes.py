"""Mounts everything that the server answers."""

import httpx
from fastapi import FastAPI
from starlette.routing import Route, WebSocketRoute

from app.auth.authenticator import Authenticator
from app.auth.authorizer import Authorizer
from app.auth.issuers import Issuer, configured_issuers
from app.auth.sigv4 import SignatureVerifier, parse_signing_keys
from app.core.caller import Caller
from app.graph.tokens import PageTokens
from app.resources import Resources
from app.services import Services
from app.settings import Settings
from app.web.charts import chart_routes
from app.web.execution import Executor
from app.web.graphiql import GraphiQL
from app.web.graphql import GraphQLEndpoint
from app.web.limits import Limits
from app.web.realtime.endpoint import RealtimeEndpoint
from app.web.realtime.hub import RealtimeHub
from app.web.realtime.sse import AnswerOrStream, StreamEndpoint
from app.web.schema import build_schema
from app.web.site import BuildConfig, asset_routes, graphiql_page, site_routes


def mount_routes(
    app: FastAPI, resources: Resources, http: httpx.AsyncClient, *, page_config: BuildConfig
) -> RealtimeHub:
    """`page_config` builds the configuration of the GraphiQL page for each visit."""
    settings = resources.settings
    graphiql = GraphiQL(settings.node_modules) if settings.graphiql else None
    show_page = graphiql_page(graphiql, page_config) if graphiql else None
    authenticator = build_authenticator(resources, http)
    executor, tokens = build_executor(settings), PageTokens(resources.secret, resources.clock)
    hub = RealtimeHub(resources, authenticator, executor, tokens)
    sockets = RealtimeEndpoint(hub)
    answer = GraphQLEndpoint(resources, authenticator, executor, tokens, show_page)
    stream = StreamEndpoint(hub)
    # Routes are tried in this order: the most frequent first.
    app.router.routes += [
        Route("/graphql", AnswerOrStream(answer, stream)),
        Route("/graphql/stream", stream),
        WebSocketRoute("/graphql", sockets),
        WebSocketRoute("/graphql/realtime", sockets),
    ]
    app.include_router(site_routes(resources))
    app.include_router(chart_routes(resources, authenticator))
    if graphiql:
        app.include_router(asset_routes(graphiql))
    return hub


def build_authenticator(resources: Resources, http: httpx.AsyncClient) -> Authenticator:
    async def is_alive(caller: Caller) -> bool:
        return await Services(resources, caller).identity.is_alive()

    settings, clock = resources.settings, resources.clock
    signing_keys = parse_signing_keys(settings.iam_keys)
    return Authenticator(
        clock=clock,
        api_keys=settings.api_keys,
        tokens=resources.tokens if settings.embedded_identity else None,
        issuers=[Issuer(each, http, clock) for each in configured_issuers(settings)],
        liveness=resources.liveness,
        is_alive=is_alive,
        signatures=SignatureVerifier(signing_keys, clock) if signing_keys else None,
        authorizer=Authorizer(settings.authorizer_url, http, clock)
        if settings.authorizer_url
        else None,
    )


def build_executor(settings: Settings) -> Executor:
    return Executor(
        build_schema(),
        limits=Limits(tokens=settings.max_tokens),
        seconds=settings.request_seconds,
        introspection=bool(settings.introspection),
        suggestions=settings.development,
        compiled=settings.compiled_execution,
    )
