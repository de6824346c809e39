"""Logs as CSV, in the dialect of spreadsheets: one file of metric logs, or one of habit logs."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from functools import partial
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from graphql import GraphQLError

from app.core.clock import instant
from app.core.errors import BadInput
from app.core.ids import is_plain_id
from app.core.scalars import SCALARS, AWSDate, AWSDateTime, parse_decimal
from app.domains.tracking.rules.habit_records import shown_kind
from app.domains.tracking.types import (
    Aggregation,
    Direction,
    Habit,
    HabitLog,
    HabitType,
    LogKind,
    Metric,
    MetricLog,
)

METRIC_COLUMNS = (
    "metric", "loggedAt", "value", "notes", "id", "unit", "direction", "aggregation"
)  # fmt: skip
HABIT_COLUMNS = ("habit", "date", "kind", "notes", "type")
# In any letter case.
COLUMN_NAMES = {name.casefold(): name for name in (*METRIC_COLUMNS, *HABIT_COLUMNS)}
NEEDED = {"metric": {"metric", "loggedAt", "value"}, "habit": {"habit", "date"}}
MOST_PROBLEMS = 20
LONGEST_NAME, LONGEST_NOTES, LONGEST_UNIT = 200, 2000, 40
DATE_ALONE = re.compile(r"\d{4}-\d\d-\d\d")
NOON = time(12)
# A spreadsheet would run these as formulas; an apostrophe before them makes them text.
FORMULA = re.compile(r"[=+\-@\t\r]")
GUARDED = re.compile(r"'[=+\-@\t\r]")

Cells = dict[str, str]
T = TypeVar("T")
E = TypeVar("E", bound=Enum)


@dataclass(frozen=True, slots=True)
class MetricSetup:
    """How to make a metric that does not exist yet, as far as it is said."""

    unit: str | None = None
    direction: Direction | None = None
    aggregation: Aggregation | None = None


@dataclass(frozen=True, slots=True)
class MetricRow:
    """`is_date_alone`: the file says a day, which is taken as noon."""

    metric: str
    logged_at: AWSDateTime
    value: Decimal
    notes: str | None
    id: str | None
    is_date_alone: bool = False
    setup: MetricSetup = field(default_factory=MetricSetup)


@dataclass(frozen=True, slots=True)
class HabitRow:
    habit: str
    date: date
    kind: LogKind
    notes: str | None
    habit_type: HabitType | None = None


class InvalidFile(BadInput):
    """Names every invalid line, up to twenty; nothing of the file is imported."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems[:MOST_PROBLEMS]))


def read_rows(lines: Iterable[str], *, time_zone: str = "UTC") -> list[MetricRow] | list[HabitRow]:
    """The header decides which kind of logs the file has. `time_zone`: of times without an
    offset."""
    reader = csv.DictReader(lines, strict=True)
    try:
        names = [name.strip() for name in reader.fieldnames or []]
        reader.fieldnames = [COLUMN_NAMES.get(name.casefold(), name) for name in names]
        columns = set(reader.fieldnames)
        kind = next((kind for kind, needed in NEEDED.items() if needed <= columns), None)
        if kind is None:
            raise InvalidFile(
                ["The first line must name the columns: metric, loggedAt, value (notes, id, unit, "
                 "direction, aggregation) or habit, date (kind, notes, type)."]
            )  # fmt: skip
        if kind == "metric":
            return _read(reader, partial(_metric_row, time_zone=time_zone))
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


def _metric_row(row: Cells, *, time_zone: str) -> MetricRow:
    log_id = row.get("id") or None
    if log_id and not is_plain_id(log_id):
        raise ValueError("an id has 1 to 64 letters, digits, _ or -")
    return MetricRow(
        metric=_name(row["metric"]),
        logged_at=_time(row["loggedAt"].strip(), time_zone),
        value=parse_decimal(row["value"].strip()),
        notes=_notes(row),
        id=log_id,
        is_date_alone=bool(DATE_ALONE.fullmatch(row["loggedAt"].strip())),
        setup=MetricSetup(
            _unit(row), _word(row, "direction", Direction), _word(row, "aggregation", Aggregation)
        ),
    )


def _time(text: str, time_zone: str) -> AWSDateTime:
    """A day alone is its noon; a time without an offset is in the user's zone."""
    zone = ZoneInfo(time_zone)
    if DATE_ALONE.fullmatch(text):
        day = date.fromisoformat(_parse_scalar(AWSDate, text))
        return instant(datetime.combine(day, NOON, zone))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is not None:
        return AWSDateTime(_parse_scalar(AWSDateTime, text))
    return instant(moment.replace(tzinfo=zone))


def _word(row: Cells, column: str, words: type[E]) -> E | None:
    """In any letter case; None: the cell is empty or absent."""
    text = (row.get(column) or "").strip()
    if not text:
        return None
    found = next((each for each in words if each.value.casefold() == text.casefold()), None)
    if found is None:
        known = ", ".join(each.value for each in words)
        raise ValueError(f"{column} must be one of {known}, not {text[:LONGEST_UNIT]}")
    return found


def _unit(row: Cells) -> str | None:
    unit = (row.get("unit") or "").strip()
    if len(unit) > LONGEST_UNIT:
        raise ValueError(f"a unit has at most {LONGEST_UNIT} characters")
    return unit or None


def _habit_row(row: Cells) -> HabitRow:
    return HabitRow(
        habit=_name(row["habit"]),
        date=date.fromisoformat(_parse_scalar(AWSDate, row["date"])),
        kind=_word(row, "kind", LogKind) or LogKind.DONE,
        notes=_notes(row),
        habit_type=_word(row, "type", HabitType),
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


def metric_cells(metric: Metric, log: MetricLog) -> list[str]:
    return [
        _without_formula(metric.name),
        log.logged_at,
        f"{log.value:f}",
        _without_formula(log.notes or ""),
        log.id,
        _without_formula(metric.unit),
        metric.direction.value,
        metric.aggregation.value,
    ]


def habit_cells(habit: Habit, log: HabitLog) -> list[str]:
    return [
        _without_formula(habit.name),
        log.date,
        shown_kind(habit, log.kind).value,
        _without_formula(log.notes or ""),
        habit.habit_type.value,
    ]


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
