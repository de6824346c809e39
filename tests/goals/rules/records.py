"""Records for tests of rules: only the fields that a test is about are given."""

from typing import Any

from app.core.scalars import AWSDateTime
from app.domains.goals.types import Goal, Project, SuccessCriterion, Task

NOW = AWSDateTime("2026-01-01T00:00:00.000Z")
STAMP: dict[str, Any] = {"created_at": NOW, "updated_at": NOW, "user_id": "u"}


def make_task(**fields: Any) -> Task:
    return Task(**STAMP | {"id": "t", "title": "Review"} | fields)


def make_goal(**fields: Any) -> Goal:
    return Goal(**STAMP | {"id": "g", "title": "Run a marathon"} | fields)


def make_project(**fields: Any) -> Project:
    return Project(**STAMP | {"id": "p", "name": "Garden"} | fields)


def make_criterion(id: str, **fields: Any) -> SuccessCriterion:
    return SuccessCriterion(**{"id": id, "text": f"criterion {id}"} | fields)
