"""Imported logs: ids that come from the content, so that an import can be repeated."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, TypeVar

from app.core.clock import parse_instant
from app.core.errors import BadInput
from app.domains.tracking.rules.csv_files import HabitRow, InvalidFile, MetricRow, MetricSetup
from app.domains.tracking.rules.habit_records import LONGEST_AGO, is_to_avoid
from app.domains.tracking.rules.metrics import EARLIEST_LOG
from app.domains.tracking.types import Habit, HabitType, LogKind, Metric

HALF_A_DAY = timedelta(hours=12)
TO_AVOID = (HabitType.Reduce, HabitType.Quit)

R = TypeVar("R")
SETUP_FIELDS = ("unit", "direction", "aggregation")
T = TypeVar("T", Metric, Habit)


def check_metric_rows(rows: Iterable[MetricRow], now: datetime) -> None:
    """A day alone may be today, whose noon may still come."""
    for row in rows:
        latest = now + HALF_A_DAY if row.is_date_alone else now
        if not EARLIEST_LOG <= parse_instant(row.logged_at) <= latest:
            raise BadInput("loggedAt must be between 1970 and now, in every line.")


def metric_setup(name: str, rows: Sequence[MetricRow], given: MetricSetup) -> dict[str, Any]:
    """The fields of a new metric: as the file says, or else as the command does. Nothing is
    guessed, because points depend on it."""
    said = [{getattr(row.setup, field) for row in rows} - {None} for field in SETUP_FIELDS]
    found = {
        field: next(iter(values), getattr(given, field))
        for field, values in zip(SETUP_FIELDS, said, strict=True)
    }
    if any(len(values) > 1 for values in said):
        raise InvalidFile([f"The lines of “{name}” differ in unit, direction or aggregation."])
    if found["direction"] is None or found["aggregation"] is None:
        raise InvalidFile(
            [f"You have no metric “{name}”. Add the columns direction (Higher, Lower, Target) and "
             "aggregation (last, sum, min, max, mean), or give --direction and --aggregation; or "
             "create the metric first."]
        )  # fmt: skip
    return {field: value for field, value in found.items() if value is not None}


def habit_kind(habit: Habit, row: HabitRow) -> LogKind:
    """The kind to store. In files of release 0.1 a slip is DONE, as it is stored."""
    if row.kind is not LogKind.SLIP:
        return row.kind
    if not is_to_avoid(habit):
        raise InvalidFile([f"“{habit.name}” on {row.date}: SLIP is for habits to reduce or quit."])
    return LogKind.DONE


def new_habit_types(
    groups: Mapping[str, Sequence[HabitRow]], habits: Mapping[str, Habit]
) -> dict[str, HabitType]:
    """Of the habits to make. All rows are checked, before anything is written."""
    for name, rows in groups.items():
        known = find_record(habits, name)
        if known is not None:
            for row in rows:
                habit_kind(known, row)
    return {
        name: _new_habit_type(name, rows)
        for name, rows in groups.items()
        if find_record(habits, name) is None
    }


def _new_habit_type(name: str, rows: Sequence[HabitRow]) -> HabitType:
    """Build, if the file does not say it."""
    said = {row.habit_type for row in rows if row.habit_type}
    if len(said) > 1:
        raise InvalidFile([f"The lines of “{name}” differ in type."])
    found = next(iter(said), HabitType.Build)
    if found not in TO_AVOID and any(row.kind is LogKind.SLIP for row in rows):
        raise InvalidFile(
            [f"You have no habit “{name}”, and its slips need a column type with Reduce or Quit."]
        )
    return found


def check_habit_rows(rows: Iterable[HabitRow], today: date) -> None:
    if any(not today - LONGEST_AGO <= row.date <= today for row in rows):
        raise BadInput("date must be in the last ten years, up to today, in every line.")


def group_rows(
    rows: Iterable[R], name_of: Callable[[R], str], known: Container[str]
) -> dict[str, list[R]]:
    """By the name of their metric or habit. New names that differ in letter case are one, in the
    spelling that comes first."""
    groups: dict[str, list[R]] = defaultdict(list)
    spellings: dict[str, str] = {}
    for row in rows:
        name = name_of(row)
        spelling = name if name in known else spellings.setdefault(name.casefold(), name)
        groups[spelling].append(row)
    return groups


def by_id_or_name(records: Sequence[T]) -> dict[str, T]:
    """An id wins over a name, a name over one in another letter case; of two with one name, the
    first."""
    found = {record.name.casefold(): record for record in reversed(records)}
    found |= {record.name: record for record in reversed(records)}
    return found | {record.id: record for record in records}


def find_record(records: Mapping[str, T], name: str) -> T | None:
    return records.get(name) or records.get(name.casefold())


def rows_by_log_id(metric_id: str, rows: Iterable[MetricRow]) -> dict[str, MetricRow]:
    """In the order of time. A row without an id gets one from its content; equal rows are counted,
    so that each keeps an id of its own."""
    seen: Counter[str] = Counter()
    found: dict[str, MetricRow] = {}
    for row in sorted(rows, key=lambda row: row.logged_at):
        content = f"{metric_id}\n{row.logged_at}\n{row.value}\n{row.notes}"
        seen[content] += 1
        found[row.id or _hash(f"{content}\n{seen[content]}")] = row
    return found


def _hash(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()[:32]
