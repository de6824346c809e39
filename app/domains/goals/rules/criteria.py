"""Success criteria of a goal: their order, and the tasks and metrics that complete them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from app.core.errors import BadInput, Conflict, NotFound
from app.core.scalars import AWSDateTime
from app.domains.goals.rules.activities import ActivityDraft, criterion_activity
from app.domains.goals.types import ActivityType, SuccessCriterion, Task

MOST_CRITERIA = 50
MOST_GOALS_OF_TASK = 5
# With its links to 50 goals, a metric is deleted in one transaction.
MOST_GOALS_OF_METRIC = 40

CriterionList = list[SuccessCriterion]
LinkField = Literal["linked_task_id", "linked_metric_id"]


# The list. Its order is the order of the criteria; `order` repeats it for clients.


def with_orders(criteria: Sequence[SuccessCriterion]) -> CriterionList:
    return [replace(each, order=order) for order, each in enumerate(criteria, start=1)]


def check_unique_ids(criteria: Sequence[SuccessCriterion]) -> None:
    if len({each.id for each in criteria}) != len(criteria):
        raise Conflict("Two criteria have the same id.")


def insert_criterion(
    criteria: CriterionList, new: SuccessCriterion, order: int | None
) -> CriterionList:
    """At this place, from 1; last without one."""
    if len(criteria) >= MOST_CRITERIA:
        raise BadInput(f"A goal has at most {MOST_CRITERIA} criteria.", field="input")
    if any(each.id == new.id for each in criteria):
        raise Conflict("The goal already has a criterion with this id.")
    index = len(criteria) if order is None else order - 1
    return [*criteria[:index], new, *criteria[index:]]


def replace_criterion(
    criteria: CriterionList, new: SuccessCriterion, order: int | None = None
) -> CriterionList:
    """`order`: its new place, from 1; null leaves it where it is."""
    if order is None:
        return [new if each.id == new.id else each for each in criteria]
    others = [each for each in criteria if each.id != new.id]
    return [*others[: order - 1], new, *others[order - 1 :]]


def reorder_criteria(criteria: CriterionList, ids: Sequence[str]) -> CriterionList:
    """Criteria whose ids are left out follow in their former order."""
    by_id: dict[str, SuccessCriterion] = {each.id: each for each in criteria}
    if unknown := [each for each in ids if each not in by_id]:
        raise NotFound(f"criterion {unknown[0][:64]}")
    return [by_id[each] for each in dict.fromkeys([*ids, *by_id])]


def criterion_with_id(criteria: CriterionList, id: str) -> SuccessCriterion:
    found = next((each for each in criteria if each.id == id), None)
    if found is None:
        raise NotFound("criterion")
    return found


# Completion: by the owner, or by a linked task or metric.


def set_completed(
    criterion: SuccessCriterion, is_completed: bool, now: AWSDateTime
) -> tuple[SuccessCriterion, list[ActivityDraft]]:
    if criterion.is_completed == is_completed:
        return criterion, []
    type = ActivityType.criterion_completed if is_completed else ActivityType.criterion_reopened
    new = replace(criterion, is_completed=is_completed, completed_at=now if is_completed else None)
    return new, [criterion_activity(type, criterion)]


def follow_links(
    criteria: CriterionList, field: LinkField, is_completed: Mapping[str, bool], now: AWSDateTime
) -> tuple[CriterionList, list[ActivityDraft]]:
    """Each criterion whose linked task or metric is named is completed or reopened."""
    result: CriterionList = []
    activities: list[ActivityDraft] = []
    for each in criteria:
        state = is_completed.get(getattr(each, field))
        new, also = (each, []) if state is None else set_completed(each, state, now)
        result.append(new)
        activities += also
    return result, activities


def follow_tasks(
    criteria: CriterionList, tasks: Mapping[str, Task | None], now: AWSDateTime
) -> tuple[CriterionList, list[ActivityDraft]]:
    """A criterion is completed while its task is done; the link to a deleted task is removed."""
    deleted = {id for id, task in tasks.items() if task is None}
    is_done = {id: task.is_done for id, task in tasks.items() if task is not None}
    kept = without_links(criteria, "linked_task_id", deleted)
    return follow_links(kept, "linked_task_id", is_done, now)


def linked_ids(criteria: CriterionList, field: LinkField) -> set[str]:
    return {getattr(each, field) for each in criteria} - {None}


def check_one_criterion_per_task(criteria: CriterionList) -> None:
    linked = [each for each in criteria if each.linked_task_id]
    if len(linked) > len(linked_ids(criteria, "linked_task_id")):
        raise BadInput("A task is linked to at most one criterion of a goal.", field="input")


def add_criterion_goal(task: Task, goal_id: str) -> list[str]:
    """The goals with a criterion that follows the task, with one more."""
    if len(task.criterion_goal_ids) >= MOST_GOALS_OF_TASK:
        raise BadInput(
            f"A task is linked to criteria of at most {MOST_GOALS_OF_TASK} goals.", field="input"
        )
    return [*task.criterion_goal_ids, goal_id]


def without_links(criteria: CriterionList, field: LinkField, ids: set[str]) -> CriterionList:
    no_link: dict[str, Any] = {field: None}
    return [replace(each, **no_link) if getattr(each, field) in ids else each for each in criteria]


def follow_metrics(
    criteria: CriterionList, reached: Mapping[str, bool], now: AWSDateTime
) -> tuple[CriterionList, list[ActivityDraft]]:
    """`reached`: whether each existing metric is at its target. A criterion is completed while its
    metric is; the link to a deleted metric is removed."""
    deleted = linked_ids(criteria, "linked_metric_id") - reached.keys()
    kept = without_links(criteria, "linked_metric_id", deleted)
    return follow_links(kept, "linked_metric_id", reached, now)
