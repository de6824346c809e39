"""The command: python -m app."""

import asyncio
import signal
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
from app.table.connection import NoCredentials
from app.table.definition import WrongTable, check_table
from app.table.definition import create_table as make_table
from app.table.engine import EngineError
from app.web.amplify.appsync_schema import appsync_schema
from app.web.amplify.outputs import amplify_outputs
from app.web.amplify.schema_module import schema_module
from app.web.schema import build_schema
from app.web.schema import export_schema as schema_text
from app.web.server import CannotListen, bind, build_server

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
async def _spinner(text: str) -> AsyncIterator[None]:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        progress.add_task(text)
        yield


def _run(coroutine: "asyncio._CoroutineLike[None]") -> None:
    """Errors that the operator can correct are printed as a message, all others as a traceback."""
    try:
        uvloop.run(coroutine)  # type: ignore[arg-type]
    except (EngineError, WrongTable, NoCredentials, CannotListen, AppError) as problem:
        console.print(f"[red]{escape(str(problem))}[/]", highlight=False)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


@app.command()
def serve() -> None:
    """Start the server (in development with the embedded engine, demo data and GraphiQL)."""
    settings = _settings()
    application = create_app(settings)
    web = build_server(application, settings, on_started=lambda: _print_addresses(settings))

    async def run() -> None:
        # Before the engine is started, which takes longer than to see that a port is in use.
        sockets = bind(settings.host, settings.port)
        # uvicorn would log a failed start as a traceback, without our message.
        async with application.router.lifespan_context(application):
            await web.serve(sockets)

    _run(run())


def _print_addresses(settings: Settings) -> None:
    lines = [f"GraphQL   [bold]{settings.address}/graphql[/]"]
    if settings.graphiql:
        lines[0] += "   (open it in a browser for GraphiQL)"
    if settings.demo and settings.embedded_identity:
        lines.append(f"Demo user {demo.EMAIL} · password {demo.PASSWORD}")
    if settings.development:
        lines.append(f"API key   {settings.api_keys[0]}")
    lines.append(f"Data      {_database(settings)}")
    console.print(Panel("\n".join(lines), title="Guildhall", expand=False), highlight=False)


def _database(settings: Settings) -> str:
    if settings.embedded_engine:
        return f"embedded engine in {settings.data_dir}"
    return settings.endpoint_url or f"DynamoDB in {settings.aws_region}"


@app.command()
def worker() -> None:
    """Run the background jobs. Several workers share them; on Ctrl-C running jobs are finished."""
    settings = _settings()

    async def run() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        async with open_resources(settings) as resources:
            console.print("The worker is running. Ctrl-C stops it.")
            await work(resources, stop)

    _run(run())


@app.command()
def create_table() -> None:
    """Create the table with its indexes, or check the existing one."""
    settings = _settings()

    async def run() -> None:
        async with open_table(settings) as table, _spinner(f"Creating {settings.table_name}"):
            created = await make_table(table)
            await check_table(table)
        result = "created" if created else "in use already, with the right definition"
        console.print(f"{settings.table_name}: {result}.")

    _run(run())


@app.command()
def seed() -> None:
    """Create the demo user and demo data, unless they exist."""
    settings = _settings()

    async def run() -> None:
        async with open_resources(settings) as resources, _spinner("Creating demo data"):
            await demo.ensure_demo(resources)
            await demo.fill_demo(resources)
        console.print(f"Sign in as {demo.EMAIL} with the password {demo.PASSWORD}.")

    _run(run())


@app.command()
def grant(
    email: Annotated[str, typer.Argument(help="The user's e-mail address.")],
    group: Annotated[str, typer.Argument(help="moderators or admins.")],
    remove: Annotated[bool, typer.Option(help="Remove the user from the group.")] = False,
) -> None:
    """Add a user to a group, or remove them; effective from their next sign-in."""
    settings = _settings()

    async def run() -> None:
        async with open_resources(settings) as resources:
            user = await grant_group(resources, email, group, remove=remove)
        console.print(f"{user.nickname}: {', '.join(user.groups) or 'no groups'}")

    _run(run())


@app.command()
def migrate(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only count the items to update, by kind.")
    ] = False,
    segments: Annotated[
        int, typer.Option(min=1, max=64, help="Segments of the table that are read in parallel.")
    ] = 4,
    page: Annotated[int, typer.Option(min=1, max=1000, help="Items per page.")] = 100,
) -> None:
    """Update all stored items to the format of this release, after all servers run it.

    Servers may continue to work. An interrupted run continues where it stopped; a second run
    changes nothing."""
    settings = _settings()

    async def run() -> None:
        async with open_resources(settings) as resources:
            await show_migration(resources, console, segments=segments, page=page, dry_run=dry_run)

    _run(run())


OutputFile = Annotated[
    Path | None, typer.Option("--output", "-o", help="The file to write; default: standard output.")
]
OwnerEmail = Annotated[str, typer.Option("--email", help="The e-mail address of the logs' owner.")]


@app.command()
def import_logs(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A CSV file in UTF-8.")],
    email: OwnerEmail,
) -> None:
    """Add the logs of a CSV file: metric, loggedAt, value (notes, id) or habit, date (kind, notes).

    An interrupted or repeated run adds only the missing logs."""
    settings = _settings()

    async def run() -> None:
        async with open_resources(settings) as resources:
            await log_files.import_logs(resources, email, file, console)

    _run(run())


@app.command()
def export_logs(
    email: OwnerEmail,
    habits: Annotated[
        bool, typer.Option("--habits", help="Logs of habits instead of metrics.")
    ] = False,
    output: OutputFile = None,
) -> None:
    """Write a user's logs as CSV, in the format of import-logs."""
    settings = _settings()

    async def run() -> None:
        async with open_resources(settings) as resources:
            await log_files.export_logs(resources, email, habits=habits, output=output)

    _run(run())


@app.command()
def export_schema(
    output: OutputFile = None,
    appsync: Annotated[
        bool,
        typer.Option("--appsync", help="As AWS AppSync and Amplify's generator take it."),
    ] = False,
) -> None:
    """Print the GraphQL schema, or write it to a file (./scripts/export-schema: schema.graphql)."""
    text = schema_text()
    _print_or_write(appsync_schema(text) if appsync else text, output)


@app.command("amplify-outputs")
def print_amplify_outputs(
    output: OutputFile = None,
    types: Annotated[
        Path | None,
        typer.Option("--types", help="Also write the types of its client: a module in TypeScript."),
    ] = None,
) -> None:
    """Print an amplify_outputs.json for front ends that use AWS Amplify."""
    text = orjson.dumps(amplify_outputs(_settings()), option=orjson.OPT_INDENT_2).decode()
    _print_or_write(text + "\n", output)
    if types is not None:
        _print_or_write(schema_module(build_schema()._schema), types)


@app.command()
def print_keys(output: OutputFile = None) -> None:
    """Print the chart of keys, or write it to a file (./scripts/print-keys: app/KEYS.md)."""
    _print_or_write(key_chart(), output)


def _print_or_write(text: str, output: Path | None) -> None:
    if output is None:
        typer.echo(text, nl=False)
    else:
        output.write_text(text)
        console.print(f"Wrote {output}.")
