"""The migration on the operator's screen."""

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from app.migration.run import Migration, MigrationReport
from app.resources import Resources

COLUMNS = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())


async def show_migration(
    resources: Resources, console: Console, *, segments: int, page: int, dry_run: bool
) -> MigrationReport:
    with Progress(*COLUMNS, console=console, transient=True) as progress:
        task = progress.add_task("Reading the table")

        def show_page(report: MigrationReport) -> None:
            progress.update(task, description=_summary(report, dry_run))

        migration = Migration(
            resources, segments=segments, page=page, dry_run=dry_run, on_page=show_page
        )
        report = await migration.run()
    console.print(_table(report, dry_run))
    _print_summary(report, console, dry_run)
    return report


def _summary(report: MigrationReport, dry_run: bool) -> str:
    return f"{report.seen:,} items read, {report.changed:,} {_result(dry_run)}"


def _result(dry_run: bool) -> str:
    return "to update" if dry_run else "updated"


def _table(report: MigrationReport, dry_run: bool) -> Table:
    table = Table("Kind", "Read", _result(dry_run).capitalize())
    for kind, (seen, changed) in sorted(report.counts.items()):
        table.add_row(kind, f"{seen:,}", f"{changed:,}")
    return table


def _print_summary(report: MigrationReport, console: Console, dry_run: bool) -> None:
    if report.earlier:
        console.print(f"Continued an interrupted run, which had read {report.earlier:,} items.")
    for key in report.unreadable:
        console.print(f"Not changed, cannot be read: {key}", markup=False, highlight=False)
    console.print(f"{_summary(report, dry_run)}.", highlight=False)
