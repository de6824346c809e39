"""The application: opens its resources and mounts the routes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from app.core.clock import Clock
from app.demo import ensure_demo, graphiql_session_of_demo
from app.events.hub_client import HubClient
from app.jobs.runner import running_jobs
from app.resources import open_resources
from app.settings import Settings
from app.web.http import SecurityHeaders
from app.web.routes import mount_routes

EXPOSED_HEADERS = [
    "x-amzn-RequestId",
    "x-amzn-ErrorType",
    "x-amz-user-agent",
    "x-amzn-ErrorMessage",
    "Date",
    "x-amz-schema-version",
]


def create_app(
    settings: Settings, clock: Clock | None = None, parent: HubClient | None = None
) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with (
            open_resources(settings, clock, share_engine=False, hub=parent) as resources,
            httpx.AsyncClient(timeout=5) as http,
        ):
            await ensure_demo(resources)
            hub = mount_routes(
                app, resources, http, page_config=lambda: graphiql_session_of_demo(resources)
            )
            app.state.resources, app.state.realtime_hub = resources, hub
            async with running_jobs(resources), hub.running():
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
