"""Commands that run until they are stopped, and what they would run with."""

import asyncio
import signal

from rich.panel import Panel

from app import demo
from app.cli.checking import database
from app.cli.command import app, console, read_settings, run, two_columns
from app.jobs.runner import work
from app.main import create_app
from app.resources import open_resources
from app.settings import Settings
from app.web.server import bind, build_server


@app.command()
def serve() -> None:
    """Start the server (in development with the embedded engine, demo data and GraphiQL)."""
    settings = read_settings(serves=True)

    async def main() -> None:
        # Before the engine is started, which takes longer than to see that a port is in use.
        sockets = bind(settings.host, settings.port)
        here = settings.model_copy(update={"port": sockets[0].getsockname()[1]})
        application = create_app(here)
        web = build_server(application, here, on_started=lambda: _print_addresses(here))
        # uvicorn would log a failed start as a traceback, without our message.
        async with application.router.lifespan_context(application):
            await web.serve(sockets)

    run(main())


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
        async with open_resources(settings) as resources:
            console.print("The worker is running. Ctrl-C stops it.")
            await work(resources, stop)

    run(main())
