"""The command: python -m app."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

import orjson
import typer
import uvloop
from pydantic import ValidationError
from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from app import demo, log_files
from app.core.errors import AppError
from app.domains.people.service.accounts import grant_group
from app.jobs.runner import work
from app.key_chart import key_chart
from app.logs import configure_logs
from app.main import create_app
from app.migration.screen import show_migration
from app.resources import open_resources, open_table
from app.settings import Settings
from app.table.definition import WrongTable, check_table
from app.table.definition import create_table as make_table
from app.table.engine import EngineError
from app.table.gateway import NoCredentials
from app.web.amplify.outputs import amplify_outputs
from app.web.schema import export_schema as schema_text
from app.web.server import server

app = typer.Typer(
    help="Guildhall: one GraphQL API for everything a person pursues. "
    "Settings come from the environment; README.md lists them.",
    no_args_is_help=True,
    add_completion=False,
)
console = Console(stderr=True)


def _settings() -> Settings:
    try:
        settings = Settings()
    except ValidationError as problems:
        for problem in problems.errors():
            name = ".".join(str(step).upper() for step in problem["loc"])
            message = problem["msg"].removeprefix("Value error, ")
            console.print(f"[red]Setting[/] {name or 'combination'}: {message}", highlight=False)
        raise typer.Exit(2) from None
    configure_logs(settings)
    return settings


@asynccontextmanager
async def _working(text: str) -> AsyncIterator[None]:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        progress.add_task(text)
        yield


def _run(coroutine: "asyncio._CoroutineLike[None]") -> None:
    """What the operator can mend is said in words; anything else may show its trace."""
    try:
        uvloop.run(coroutine)  # type: ignore[arg-type]
    except (EngineError, WrongTable, NoCredentials, AppError) as problem:
        console.print(f"[red]{escape(str(problem))}[/]", highlight=False)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


@app.command()
def serve() -> None:
    """Start the server (in development with the embedded engine, demo data and GraphiQL)."""
    settings = _settings()
    _check_port(settings)
    application = create_app(settings)
    web = server(application, settings, when_started=lambda: _greet(settings))

    async def run() -> None:
        # Not left to uvicorn, which would log a failed start as a trace and hide its message.
        async with application.router.lifespan_context(application):
            await web.serve()

    _run(run())


def _check_port(settings: Settings) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as problem:
            console.print(
                f"[red]Cannot listen on {settings.host}:{settings.port}[/] ({problem.strerror}). "
                "Another program may use it: stop it, or choose another with PORT=8001.",
                highlight=False,
            )
            raise typer.Exit(1) from None


def _greet(settings: Settings) -> None:
    lines = [f"GraphQL   [bold]{settings.address}/graphql[/]"]
    if settings.graphiql:
        lines[0] += "   (open it in a browser for GraphiQL)"
    if settings.demo and settings.embedded_identity:
        lines.append(f"Demo user {demo.EMAIL} · password {demo.PASSWORD}")
    if settings.development:
        lines.append(f"API key   {settings.api_keys[0]}")
    lines.append(f"Data      {_store(settings)}")
    console.print(Panel("\n".join(lines), title="Guildhall", expand=False), highlight=False)


def _store(settings: Settings) -> str:
    if settings.embedded_engine:
        return f"embedded engine in {settings.data_dir}"
    return settings.endpoint_url or f"DynamoDB in {settings.aws_region}"


@app.command()
def worker() -> None:
    """Run the background jobs. Several workers share the work; Ctrl-C lets a job finish."""
    settings = _settings()

    async def run() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        async with open_resources(settings) as resources:
            console.print("Working. Ctrl-C to stop.")
            await work(resources, stop)

    _run(run())


@app.command()
def create_table() -> None:
    """Create the table with its indexes, or check the one that is there."""
    settings = _settings()

    async def run() -> None:
        async with open_table(settings) as table, _working(f"Creating {settings.table_name}"):
            created = await make_table(table)
            await check_table(table)
        console.print(
            f"{settings.table_name}: {'created' if created else 'there already, and right'}."
        )

    _run(run())


@app.command()
def seed() -> None:
    """Make the demo user and demo data, unless they are there."""
    settings = _settings()

    async def run() -> None:
        async with open_resources(settings) as resources, _working("Making demo data"):
            await demo.ensure_demo(resources)
            await demo.fill_demo(resources)
        console.print(f"Sign in as {demo.EMAIL} with the password {demo.PASSWORD}.")

    _run(run())


@app.command()
def grant(
    email: Annotated[str, typer.Argument(help="Whose rights change.")],
    group: Annotated[str, typer.Argument(help="moderators or admins")],
    remove: Annotated[bool, typer.Option(help="Take the group away.")] = False,
) -> None:
    """Put a user into a group, or take them out; it counts from their next sign-in."""
    settings = _settings()

    async def run() -> None:
        async with open_resources(settings) as resources:
            user = await grant_group(resources, email, group, remove=remove)
        console.print(f"{user.nickname}: {', '.join(user.groups) or 'no groups'}")

    _run(run())


@app.command()
def migrate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count, of each kind.")] = False,
    segments: Annotated[int, typer.Option(min=1, max=64, help="Walked at the same time.")] = 4,
    page: Annotated[int, typer.Option(min=1, max=1000, help="Items at a time.")] = 100,
) -> None:
    """Bring all stored items into the shape of this release, once all servers run it.

    Servers may go on meanwhile. Broken off, it goes on where it was; run twice, it changes nothing
    more."""
    settings = _settings()

    async def run() -> None:
        async with open_resources(settings) as resources:
            await show_migration(resources, console, segments=segments, page=page, dry_run=dry_run)

    _run(run())


Output = Annotated[Path | None, typer.Option("--output", "-o", help="A file; else the screen.")]
Owner = Annotated[str, typer.Option("--email", help="Whose logs they are.")]


@app.command()
def import_logs(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="CSV, in UTF-8.")],
    email: Owner,
) -> None:
    """Add the logs of a CSV file: metric, loggedAt, value (notes, id) or habit, date (kind, notes).

    Broken off or run twice, it adds what is missing and nothing else."""
    settings = _settings()

    async def run() -> None:
        async with open_resources(settings) as resources:
            await log_files.import_logs(resources, email, file, console)

    _run(run())


@app.command()
def export_logs(
    email: Owner,
    habits: Annotated[bool, typer.Option("--habits", help="Of habits, not of metrics.")] = False,
    output: Output = None,
) -> None:
    """Write someone's logs as CSV, as import-logs reads it."""
    settings = _settings()

    async def run() -> None:
        async with open_resources(settings) as resources:
            await log_files.export_logs(resources, email, habits=habits, output=output)

    _run(run())


@app.command()
def export_schema(output: Output = None) -> None:
    """Print the GraphQL schema (schema.graphql)."""
    _print(schema_text(), output)


@app.command("amplify-outputs")
def print_amplify_outputs(output: Output = None) -> None:
    """Print an amplify_outputs.json for front ends that use AWS Amplify."""
    text = orjson.dumps(amplify_outputs(_settings()), option=orjson.OPT_INDENT_2).decode()
    _print(text + "\n", output)


@app.command()
def print_keys(output: Output = None) -> None:
    """Print the chart of keys and access patterns (app/KEYS.md)."""
    _print(key_chart(), output)


def _print(text: str, output: Path | None) -> None:
    if output is None:
        typer.echo(text, nl=False)
    else:
        output.write_text(text)
        console.print(f"Wrote {output}.")
