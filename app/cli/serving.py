"""Commands that run until they are stopped, and what they would run with."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated

import typer
from fastapi import FastAPI
from rich.panel import Panel

from app import demo
from app.cli.checking import database
from app.cli.command import app, console, read_settings, run, two_columns
from app.events.hub_client import HubClient
from app.jobs.runner import work
from app.main import create_app
from app.processes.supervisor import Supervisor, watch_sources
from app.resources import Resources, open_resources
from app.settings import Settings
from app.web.server import GracefulServer, bind, build_server
from app.web.site import site_routes


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on (HOST).")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on (PORT).")] = None,
    workers: Annotated[
        int | None, typer.Option(help="Server processes on the one port (WORKERS).")
    ] = None,
    reload: Annotated[
        bool, typer.Option("--reload", help="Start anew when a source file was changed.")
    ] = False,
) -> None:
    """Start the server (in development with the embedded engine, demo data and GraphiQL).

    With several workers SIGHUP replaces each in turn, without a pause, by one that reads the
    program and the settings anew."""
    settings = read_settings(serves=True, options={"host": host, "port": port, "workers": workers})

    async def main() -> None:
        # Before the engine is started, which takes longer than to see that a port is in use.
        sockets = bind(settings.host, settings.port)
        here = settings.model_copy(update={"port": sockets[0].getsockname()[1]})
        if here.workers > 1 or reload:
            await _supervise(here, sockets, reload=reload)
        else:
            await _serve(here, sockets, on_started=lambda _: _print_addresses(here))

    run(main())


async def _supervise(settings: Settings, sockets: list[socket.socket], *, reload: bool) -> None:
    supervisor = Supervisor(settings, sockets, on_started=lambda: _print_addresses(settings))
    watching = asyncio.create_task(watch_sources(supervisor.replace_soon)) if reload else None
    try:
        await supervisor.run()
    finally:
        if watching:
            watching.cancel()


async def _serve(
    settings: Settings,
    sockets: list[socket.socket],
    *,
    on_started: Callable[[GracefulServer], None],
    hub: HubClient | None = None,
) -> None:
    application = create_app(settings, parent=hub)
    web = build_server(application, settings, on_started=lambda: on_started(web))
    # uvicorn would log a failed start as a traceback, without our message.
    async with application.router.lifespan_context(application):
        await web.serve(sockets)


@app.command("serve-process", hidden=True)
def serve_process(
    hub: Annotated[str, typer.Option()],
    sockets: Annotated[list[int], typer.Option("--socket")],
    jobs: Annotated[bool, typer.Option()],
) -> None:
    """One of several server processes; serve starts it."""
    settings = read_settings(serves=True)
    settings = settings.model_copy(update={"worker": settings.worker and jobs})
    client = HubClient(hub, on_lost=lambda: os.kill(os.getpid(), signal.SIGTERM))

    def on_started(web: GracefulServer) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, web.stop_replaced)
        client.report_started()

    listeners = [socket.socket(fileno=number) for number in sockets]
    run(_serve(settings, listeners, on_started=on_started, hub=client))


def _print_addresses(settings: Settings) -> None:
    lines = {"GraphQL": f"{settings.address}/graphql"}
    if settings.graphiql:
        lines["GraphiQL"] = "the same address, in a browser"
    lines["Sockets"] = f"{settings.address.replace('http', 'ws', 1)}/graphql"
    lines["Health"] = f"{settings.address}/health, /ready, /metrics"
    if settings.demo and settings.embedded_identity:
        lines |= {"Demo user": demo.EMAIL, "Password": demo.PASSWORD}
    if settings.development:
        lines["API key"] = settings.api_keys[0]
    if settings.workers > 1:
        lines["Processes"] = f"{settings.workers}; kill -HUP {os.getpid()} replaces them in turn"
    lines["Data"] = database(settings)
    console.print(Panel(two_columns(lines), title="Guildhall", expand=False), highlight=False)


@app.command()
def worker() -> None:
    """Run the background jobs. Several workers share them; on Ctrl-C running jobs are finished."""
    settings = read_settings()

    async def main() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        async with open_resources(settings) as resources, _worker_site(resources):
            console.print("The worker is running. Ctrl-C stops it.")
            await work(resources, stop)

    run(main())


@asynccontextmanager
async def _worker_site(resources: Resources) -> AsyncIterator[None]:
    """/health, /ready and /metrics of a worker, if it has a port."""
    port = resources.settings.worker_port
    if port is None:
        yield
        return
    site = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    site.include_router(site_routes(resources))
    here = resources.settings.model_copy(update={"port": port, "drain_seconds": 0.0})
    web = build_server(site, here, on_started=lambda: None)
    # Its own handling of signals: it ends first, then raises them again for the worker.
    serving = asyncio.create_task(web.serve(bind(here.host, port)))
    try:
        yield
    finally:
        web.should_exit = True
        await serving
