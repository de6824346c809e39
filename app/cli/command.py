"""What every command begins with: settings, the console, errors as sentences."""

import os
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
import uvloop
from pydantic import SecretStr, ValidationError
from pydantic_core import ErrorDetails
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from app.core.errors import AppError, OperatorError
from app.logs import configure_logs
from app.settings import Settings
from app.settings_check import given_names, problems, warnings

app = typer.Typer(
    help="Guildhall: one GraphQL API for everything a person pursues. "
    "Settings come from the environment; README.md lists them.",
    no_args_is_help=True,
    add_completion=False,
)
console = Console(stderr=True)
OutputFile = Annotated[
    Path | None, typer.Option("--output", "-o", help="The file to write; default: standard output.")
]
SHOWN_CHARACTERS = 60


def read_settings(
    *, serves: bool = False, complete: bool = True, options: Mapping[str, object] | None = None
) -> Settings:
    """Stops with one sentence for each problem. `serves`: clients will connect to it; `complete`:
    everything that a server or worker needs must be there; `options` go before the environment."""
    given: dict[str, Any] = {
        name: each for name, each in (options or {}).items() if each is not None
    }
    try:
        settings = Settings(**given)
    except ValidationError as error:
        raise _stopped([_sentence(each) for each in error.errors()]) from None
    names = given_names(os.environ)
    if complete and (found := problems(settings, names, serves=serves)):
        raise _stopped(found)
    for warning in warnings(settings, names):
        console.print(f"[yellow]{warning}[/]", highlight=False, soft_wrap=True)
    configure_logs(settings)
    return settings


def _stopped(found: list[str]) -> typer.Exit:
    for problem in found:
        console.print(f"[red]{escape(problem)}[/]", highlight=False, soft_wrap=True)
    return typer.Exit(2)


def _sentence(problem: ErrorDetails) -> str:
    message = problem["msg"].removeprefix("Value error, ")
    if not problem["loc"]:
        return f"{message}."
    name = str(problem["loc"][0])
    return f"{name.upper()} is {_shown(name, problem['input'])}: {message}."


def _shown(name: str, value: object) -> str:
    """A secret is not shown; neither are keys in a list."""
    field = Settings.model_fields.get(name)
    if field is None or SecretStr in getattr(field.annotation, "__args__", ()) or "key" in name:
        return "not valid"
    return repr(str(value)[:SHOWN_CHARACTERS])


def two_columns(lines: Mapping[str, str]) -> Table:
    """Long values are continued on the next line."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in lines.items():
        table.add_row(name, escape(value))
    return table


@asynccontextmanager
async def spinner(text: str) -> AsyncIterator[None]:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        progress.add_task(text)
        yield


def run(main: Coroutine[Any, Any, None]) -> None:
    """Errors that the operator can correct are printed as a message, all others as a traceback."""
    try:
        uvloop.run(main)
    except (OperatorError, AppError) as problem:
        console.print(f"[red]{escape(str(problem))}[/]", highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
