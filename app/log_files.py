"""The commands that import and export logs as CSV files."""

import sys
from contextlib import nullcontext
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from app.core.caller import MODERATORS, Access, Caller, acting_for
from app.core.errors import NotFound
from app.domains.tracking.rules.csv_files import (
    HABIT_COLUMNS,
    METRIC_COLUMNS,
    HabitRow,
    InvalidFile,
    MetricRow,
    MetricSetup,
    habit_cells,
    metric_cells,
    read_rows,
    to_csv_lines,
)
from app.domains.tracking.service.imports import NOTHING_GIVEN, ImportResult, OnProgress
from app.resources import Resources
from app.services import Services

COLUMNS = (
    TextColumn("{task.description}"),
    BarColumn(),
    MofNCompleteColumn(),
    TimeRemainingColumn(),
)


async def _services_of(resources: Resources, email: str) -> Services:
    operator = Caller(access=Access.SYSTEM, groups=frozenset({MODERATORS}))
    user = await Services(resources, operator).profiles.user_by_email(email)
    if user is None:
        raise NotFound("user")
    return Services(resources, acting_for(user.id))


async def import_logs(
    resources: Resources,
    email: str,
    file: Path,
    console: Console,
    setup: MetricSetup = NOTHING_GIVEN,
) -> ImportResult:
    """`setup`: of metrics that the user does not have yet, where the file does not say it."""
    services = await _services_of(resources, email)
    me = await services.profiles.me()
    rows = _read_file(file, me.time_zone or "UTC")
    with Progress(*COLUMNS, console=console) as progress:
        bar = progress.add_task(file.name, total=len(rows))
        result = await _add_rows(
            services, rows, setup, lambda number: progress.advance(bar, number)
        )
    console.print(f"{result.added} log(s) added, {result.existing} existed already.")
    return result


def _read_file(file: Path, time_zone: str) -> list[MetricRow] | list[HabitRow]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            return read_rows(lines, time_zone=time_zone)
    except UnicodeDecodeError:
        raise InvalidFile(["The file is not in UTF-8. Save it in UTF-8, then try again."]) from None


async def _add_rows(
    services: Services,
    rows: list[MetricRow] | list[HabitRow],
    setup: MetricSetup,
    on_progress: OnProgress,
) -> ImportResult:
    metric_rows = [row for row in rows if isinstance(row, MetricRow)]
    habit_rows = [row for row in rows if isinstance(row, HabitRow)]
    if metric_rows:
        return await services.imports.add_metric_logs(metric_rows, on_progress, setup)
    return await services.imports.add_habit_logs(habit_rows, on_progress)


async def export_logs(
    resources: Resources, email: str, *, habits: bool, output: Path | None
) -> None:
    imports = (await _services_of(resources, email)).imports
    if habits:
        columns: tuple[str, ...] = HABIT_COLUMNS
        rows = [habit_cells(habit, log) async for habit, log in imports.every_habit_log()]
    else:
        columns = METRIC_COLUMNS
        rows = [metric_cells(metric, log) async for metric, log in imports.every_metric_log()]
    opened = output.open("w", encoding="utf-8", newline="") if output else nullcontext(sys.stdout)
    with opened as file:
        file.writelines(to_csv_lines(columns, rows))
