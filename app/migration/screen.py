"""What the operator sees of a migration."""

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from app.migration.run import Migration, Report
from app.resources import Resources

COLUMNS = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())


async def show_migration(
    resources: Resources, console: Console, *, segments: int, page: int, dry_run: bool
) -> Report:
    with Progress(*COLUMNS, console=console, transient=True) as progress:
        task = progress.add_task("Looking at the table")

        def told(report: Report) -> None:
            text = f"{report.seen:,} items looked at, {report.changed:,} {_word(dry_run)}"
            progress.update(task, description=text)

        migration = Migration(resources, segments=segments, page=page, dry_run=dry_run, told=told)
        report = await migration.run()
    console.print(_table(report, dry_run))
    _sum_up(report, console, dry_run)
    return report


def _word(dry_run: bool) -> str:
    return "to be brought into shape" if dry_run else "brought into shape"


def _table(report: Report, dry_run: bool) -> Table:
    table = Table("Kind", "Looked at", _word(dry_run).capitalize())
    for kind, (seen, changed) in sorted(report.counts.items()):
        table.add_row(kind, f"{seen:,}", f"{changed:,}")
    return table


def _sum_up(report: Report, console: Console, dry_run: bool) -> None:
    if report.earlier:
        console.print(f"Went on where it was: {report.earlier:,} items were looked at before.")
    for key in report.wrong:
        console.print(f"Left alone, it cannot be read: {key}", markup=False, highlight=False)
    console.print(f"{report.seen:,} items, {report.changed:,} {_word(dry_run)}.", highlight=False)
