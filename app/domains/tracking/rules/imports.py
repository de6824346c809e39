"""Imported logs: ids that come from the content, so that an import can be repeated."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import TypeVar

from app.core.clock import parse_instant
from app.core.errors import BadInput
from app.domains.tracking.rules.csv_files import HabitRow, MetricRow
from app.domains.tracking.rules.habit_records import LONGEST_AGO
from app.domains.tracking.rules.metrics import EARLIEST_LOG
from app.domains.tracking.types import Habit, Metric

R = TypeVar("R")
T = TypeVar("T", Metric, Habit)


def check_metric_rows(rows: Iterable[MetricRow], now: datetime) -> None:
    if any(not EARLIEST_LOG <= parse_instant(row.logged_at) <= now for row in rows):
        raise BadInput("loggedAt must be between 1970 and now, in every line.")


def check_habit_rows(rows: Iterable[HabitRow], today: date) -> None:
    if any(not today - LONGEST_AGO <= row.date <= today for row in rows):
        raise BadInput("date must be in the last ten years, up to today, in every line.")


def group_rows(rows: Iterable[R], name_of: Callable[[R], str]) -> dict[str, list[R]]:
    groups: dict[str, list[R]] = defaultdict(list)
    for row in rows:
        groups[name_of(row)].append(row)
    return groups


def by_id_or_name(records: Sequence[T]) -> dict[str, T]:
    """An id wins over a name; of two with one name, the first."""
    found = {record.name: record for record in reversed(records)}
    return found | {record.id: record for record in records}


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
