"""From the arguments of a list to its filter."""

from typing import Any, TypeVar

from app.core.errors import BadInput
from app.core.inputs import Input
from app.core.text import normalize_tag, normalize_text
from app.domains.goals.rules.filters import (
    GoalListFilter,
    ListFilter,
    ProjectListFilter,
    TaskListFilter,
)

F = TypeVar("F", bound=ListFilter)
# Names of the input that differ from those of the filter.
RENAMED = {"due_from": "due_after", "due_to": "due_before", "has_due_date": "has_due"}
NORMALIZED = {"area": normalize_text, "sub_category": normalize_text, "tag": normalize_tag}


def task_filter(filter: Input | None, **arguments: Any) -> TaskListFilter:
    return _filter(TaskListFilter, filter, arguments)


def goal_filter(filter: Input | None, **arguments: Any) -> GoalListFilter:
    return _filter(GoalListFilter, filter, arguments)


def project_filter(filter: Input | None, **arguments: Any) -> ProjectListFilter:
    return _filter(ProjectListFilter, filter, arguments)


def _filter(kind: type[F], filter: Input | None, arguments: dict[str, Any]) -> F:
    """Arguments beside the filter are older than it: each may be sent in one of the two places."""
    sent = filter.sent_fields() if filter else {}
    values = {RENAMED.get(name, name): value for name, value in sent.items() if value is not None}
    for name, value in arguments.items():
        if value is not None and name in values:
            raise BadInput(f"Send {name} as an argument or in the filter, not both.", field=name)
        values[name] = value if value is not None else values.get(name)
    for name, normalize in NORMALIZED.items():
        if values.get(name) is not None:
            values[name] = normalize(values[name])
    return kind(**values)
