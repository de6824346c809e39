"""Logs as CSV, in the dialect of spreadsheets: one file of metric logs, or one of habit logs."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from graphql import GraphQLError

from app.core.errors import BadInput
from app.core.ids import is_plain_id
from app.core.scalars import SCALARS, AWSDate, AWSDateTime, parse_decimal
from app.domains.tracking.types import HabitLog, LogKind, MetricLog

METRIC_COLUMNS = ("metric", "loggedAt", "value", "notes", "id")
HABIT_COLUMNS = ("habit", "date", "kind", "notes")
NEEDED = {"metric": {"metric", "loggedAt", "value"}, "habit": {"habit", "date"}}
MOST_PROBLEMS = 20
LONGEST_NAME, LONGEST_NOTES = 200, 2000
# A spreadsheet would run these as formulas; an apostrophe before them makes them text.
FORMULA = re.compile(r"[=+\-@\t\r]")
GUARDED = re.compile(r"'[=+\-@\t\r]")

Cells = dict[str, str]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MetricRow:
    metric: str
    logged_at: AWSDateTime
    value: Decimal
    notes: str | None
    id: str | None


@dataclass(frozen=True, slots=True)
class HabitRow:
    habit: str
    date: date
    kind: LogKind
    notes: str | None


class InvalidFile(BadInput):
    """Names every invalid line, up to twenty; nothing of the file is imported."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems[:MOST_PROBLEMS]))


def read_rows(lines: Iterable[str]) -> list[MetricRow] | list[HabitRow]:
    """The header decides which kind of logs the file has."""
    reader = csv.DictReader(lines, strict=True)
    try:
        columns = set(reader.fieldnames or [])
        kind = next((kind for kind, needed in NEEDED.items() if needed <= columns), None)
        if kind is None:
            raise InvalidFile(
                ["The first line must name the columns: metric, loggedAt, value (notes, id) "
                 "or habit, date (kind, notes)."]
            )  # fmt: skip
        if kind == "metric":
            return _read(reader, _metric_row)
        return _read(reader, _habit_row)
    except csv.Error as problem:
        raise InvalidFile([f"Line {reader.line_num}: {problem}"]) from None


def _read(reader: "csv.DictReader[str]", row_of: Callable[[Cells], T]) -> list[T]:
    rows: list[T] = []
    problems: list[str] = []
    for row in reader:
        try:
            rows.append(row_of(_unguarded(row)))
        except (ValueError, GraphQLError) as problem:
            text = problem.message if isinstance(problem, GraphQLError) else str(problem)
            problems.append(f"Line {reader.line_num}: {text}")
    if problems:
        raise InvalidFile(problems)
    return rows


def _unguarded(row: dict[Any, Any]) -> Cells:
    if None in row or None in row.values():
        raise ValueError("this line has more or fewer cells than the first")
    return {name: text[1:] if GUARDED.match(text) else text for name, text in row.items()}


def _metric_row(row: Cells) -> MetricRow:
    log_id = row.get("id") or None
    if log_id and not is_plain_id(log_id):
        raise ValueError("an id has 1 to 64 letters, digits, _ or -")
    return MetricRow(
        metric=_name(row["metric"]),
        logged_at=AWSDateTime(_parse_scalar(AWSDateTime, row["loggedAt"])),
        value=parse_decimal(row["value"].strip()),
        notes=_notes(row),
        id=log_id,
    )


def _habit_row(row: Cells) -> HabitRow:
    kind = row.get("kind") or LogKind.DONE.value
    if kind not in LogKind.__members__:
        raise ValueError(f"kind must be one of {', '.join(LogKind.__members__)}")
    return HabitRow(
        habit=_name(row["habit"]),
        date=date.fromisoformat(_parse_scalar(AWSDate, row["date"])),
        kind=LogKind(kind),
        notes=_notes(row),
    )


def _parse_scalar(scalar: object, text: str) -> str:
    """Parsed as the API parses it."""
    read = SCALARS[scalar].parse_value
    assert read is not None
    return str(read(text.strip()))


def _name(text: str) -> str:
    name = text.strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ValueError(f"a name has 1 to {LONGEST_NAME} characters")
    return name


def _notes(row: Cells) -> str | None:
    notes = row.get("notes") or None
    if notes and (len(notes) > LONGEST_NOTES or "\0" in notes):
        raise ValueError(f"notes have at most {LONGEST_NOTES} characters, and no NUL")
    return notes


def metric_cells(name: str, log: MetricLog) -> list[str]:
    return [
        _without_formula(name),
        log.logged_at,
        f"{log.value:f}",
        _without_formula(log.notes or ""),
        log.id,
    ]


def habit_cells(name: str, log: HabitLog) -> list[str]:
    return [_without_formula(name), log.date, log.kind.value, _without_formula(log.notes or "")]


def _without_formula(text: str) -> str:
    return f"'{text}" if FORMULA.match(text) or GUARDED.match(text) else text


def to_csv_lines(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """CRLF line ends, quoted where needed."""
    written: list[str] = []

    class LineSink:
        def write(self, text: str) -> None:
            written.append(text)

    writer = csv.writer(LineSink())
    for row in (columns, *rows):
        writer.writerow(row)
        yield written.pop()
