"""Metrics, habits and logs for tests of rules, with only the fields that matter."""

from typing import Any

from strawberry import ID

from app.core.scalars import AWSDate, AWSDateTime
from app.domains.tracking.types import Habit, HabitLog, LogbookEntry, LogKind, Metric, MetricLog

NOW = AWSDateTime("2026-01-31T12:00:00.000Z")
STAMP: dict[str, Any] = {"created_at": NOW, "updated_at": NOW, "user_id": "ada"}


def metric(**fields: Any) -> Metric:
    return Metric(**STAMP | {"id": ID("weight"), "name": "Weight"} | fields)


def metric_log(value: Any, day: str = "2026-01-31", **fields: Any) -> MetricLog:
    at = AWSDateTime(f"{day}T10:00:00.000Z")
    given = {"id": ID(f"log-{day}"), "metric_id": ID("weight"), "logged_at": at, "date": day}
    return MetricLog(**STAMP | given | {"value": value} | fields)


def habit(**fields: Any) -> Habit:
    given = {"id": ID("reading"), "name": "Read", "start_date": AWSDate("2026-01-01")}
    return Habit(**STAMP | given | fields)


def habit_log(day: str, kind: LogKind = LogKind.DONE) -> HabitLog:
    done = kind is LogKind.DONE
    given = {"habit_id": ID("reading"), "date": day, "kind": kind, "completed": done}
    return HabitLog(**STAMP | given)


def entry(**fields: Any) -> LogbookEntry:
    return LogbookEntry(**STAMP | {"id": ID("entry"), "date": AWSDate("2026-01-31")} | fields)
