"""Commands that make, fill and change the table's data."""

from pathlib import Path
from typing import Annotated

import typer

from app import demo, log_files
from app.cli.command import OutputFile, app, console, read_settings, run, spinner
from app.core.errors import OperatorError
from app.domains.people.service.accounts import grant_group
from app.domains.tracking.rules.csv_files import MetricSetup
from app.domains.tracking.types import Aggregation, Direction
from app.migration.screen import show_migration
from app.resources import open_resources, open_table
from app.table.definition import check_table, reaching_store
from app.table.definition import create_table as make_table


@app.command()
def create_table() -> None:
    """Create the table with its indexes, or check the existing one."""
    settings = read_settings(complete=False)

    async def main() -> None:
        async with (
            open_table(settings) as table,
            spinner(f"Creating {settings.table_name}"),
            reaching_store(table),
        ):
            created = await make_table(table)
            await check_table(table)
        result = "created" if created else "in use already, with the right definition"
        console.print(f"{settings.table_name}: {result}.")

    run(main())


@app.command()
def seed() -> None:
    """Create the demo user and demo data, unless they exist."""
    settings = read_settings()

    async def main() -> None:
        if settings.production:
            raise OperatorError("The demo user has a known password: seed is not for production.")
        with_demo = settings.model_copy(update={"demo": True})
        async with open_resources(with_demo) as resources, spinner("Creating demo data"):
            await demo.ensure_demo(resources)
            await demo.fill_demo(resources)
        console.print(f"Sign in as {demo.EMAIL} with the password {demo.PASSWORD}.")

    run(main())


@app.command()
def grant(
    email: Annotated[str, typer.Argument(help="The user's e-mail address.")],
    group: Annotated[str, typer.Argument(help="moderators or admins.")],
    remove: Annotated[bool, typer.Option(help="Remove the user from the group.")] = False,
) -> None:
    """Add a user to a group, or remove them; effective from their next sign-in."""
    settings = read_settings()

    async def main() -> None:
        async with open_resources(settings) as resources:
            user = await grant_group(resources, email, group, remove=remove)
        console.print(f"{user.nickname}: {', '.join(user.groups) or 'no groups'}")

    run(main())


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
    settings = read_settings()

    async def main() -> None:
        async with open_resources(settings) as resources:
            await show_migration(resources, console, segments=segments, page=page, dry_run=dry_run)

    run(main())


OwnerEmail = Annotated[str, typer.Option("--email", help="The e-mail address of the logs' owner.")]


@app.command()
def import_logs(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A CSV file in UTF-8.")],
    email: OwnerEmail,
    unit: Annotated[str | None, typer.Option(help="Of new metrics, e.g. kg.")] = None,
    direction: Annotated[
        Direction | None, typer.Option(case_sensitive=False, help="Of new metrics.")
    ] = None,
    aggregation: Annotated[
        Aggregation | None, typer.Option(case_sensitive=False, help="Of new metrics.")
    ] = None,
) -> None:
    """Add the logs of a CSV file: metric, loggedAt, value (notes, id, unit, direction, aggregation)
    or habit, date (kind, notes, type).

    loggedAt without an offset is in the user's time zone; a date alone is its noon. A metric that
    the user does not have is created only if the file or the options say its direction and
    aggregation. An interrupted or repeated run adds only the missing logs."""
    settings = read_settings()

    async def main() -> None:
        async with open_resources(settings) as resources:
            setup = MetricSetup(unit, direction, aggregation)
            await log_files.import_logs(resources, email, file, console, setup)

    run(main())


@app.command()
def export_logs(
    email: OwnerEmail,
    habits: Annotated[
        bool, typer.Option("--habits", help="Logs of habits instead of metrics.")
    ] = False,
    output: OutputFile = None,
) -> None:
    """Write a user's logs as CSV, in the format of import-logs."""
    settings = read_settings()

    async def main() -> None:
        async with open_resources(settings) as resources:
            await log_files.export_logs(resources, email, habits=habits, output=output)

    run(main())
