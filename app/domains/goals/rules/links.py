"""Lists of linked ids inside records."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import strawberry

from app.core.errors import BadInput
from app.domains.goals.types import Task

MOST_GOALS = 10
MOST_PROJECTS = 5
# Metrics of a goal; habits of a goal.
MOST_MEASURES = 20
LINK_FIELDS = ("task_id", "metric_id", "habit_id", "project_id")


def add_link(ids: Sequence[strawberry.ID], id: strawberry.ID, most: int) -> list[strawberry.ID]:
    if len(ids) >= most:
        raise BadInput(f"It already has {most} links of this kind.", field="input")
    return [*ids, id]


def remove_link(ids: Sequence[strawberry.ID], id: str) -> list[strawberry.ID]:
    return [each for each in ids if each != id]


def merge_goal_ids(
    goal_ids: Sequence[strawberry.ID], goal_id: strawberry.ID | None
) -> list[strawberry.ID]:
    """A client may send goalIds, goalId or both."""
    merged = list(dict.fromkeys([*goal_ids, *([goal_id] if goal_id else [])]))
    if len(merged) > MOST_GOALS:
        raise BadInput(f"A task is linked to at most {MOST_GOALS} goals.", field="input.goalIds")
    return merged


def without_goal(task: Task, goal_id: str) -> Task:
    return replace(
        task,
        goal_ids=remove_link(task.goal_ids, goal_id),
        criterion_goal_ids=[each for each in task.criterion_goal_ids if each != goal_id],
    )


def only_link(values: Mapping[str, Any]) -> tuple[str, str]:
    """The one link field that was sent, and its id."""
    sent = [(name, values[name]) for name in LINK_FIELDS if values.get(name)]
    if len(sent) != 1:
        raise BadInput("Send exactly one of taskId, metricId, habitId, projectId.", field="input")
    return sent[0]
