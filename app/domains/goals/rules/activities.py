"""The activities that a change adds to the history of a goal."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from app.domains.goals.types import (
    ActivityType,
    Goal,
    Milestone,
    SuccessCriterion,
    Task,
    TaskStatus,
)
from app.domains.tracking.types import Habit, Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityDraft:
    """A GoalActivity before it is written. `entity` and `id` name the record that it is about."""

    type: ActivityType
    title: str
    description: str | None = None
    entity: str | None = None
    id: str | None = None


def goal_activities(old: Goal, new: Goal) -> Iterator[ActivityDraft]:
    if new.status is not old.status:
        change = f"{old.status.value} to {new.status.value}"
        yield ActivityDraft(type=ActivityType.status_changed, title=change)
    before, after = (each.progress_config.manual_override for each in (old, new))
    if before != after:
        title = "computed again" if after is None else f"{after} %"
        yield ActivityDraft(type=ActivityType.progress_overridden, title=title)
    elif _has_other_changes(old, new):
        yield ActivityDraft(type=ActivityType.goal_updated, title=new.title)


def _has_other_changes(old: Goal, new: Goal) -> bool:
    same = replace(new, status=old.status, completed_date=old.completed_date)
    return replace(same, version=old.version, updated_at=old.updated_at) != old


def child_activity(type: ActivityType, child: Goal) -> ActivityDraft:
    return ActivityDraft(type=type, title=child.title, entity="Goal", id=child.id)


def milestone_activity(type: ActivityType, milestone: Milestone) -> ActivityDraft:
    return ActivityDraft(type=type, title=milestone.name, entity="Milestone", id=milestone.id)


def criterion_activity(type: ActivityType, criterion: SuccessCriterion) -> ActivityDraft:
    return ActivityDraft(type=type, title=criterion.text, entity="Criterion", id=criterion.id)


def task_activities(
    old: Task | None, new: Task | None, *, was_linked: bool, is_linked: bool
) -> list[ActivityDraft]:
    """The activities of a goal to which the task was linked before the change, or is after it."""
    task = new or old
    assert task is not None, "a task before or after the change"
    types: list[ActivityType | None] = []
    if was_linked and not is_linked:
        types.append(ActivityType.task_unlinked if new else ActivityType.task_deleted)
    elif is_linked and not was_linked:
        types.append(ActivityType.task_linked)
    if is_linked and new:
        types.append(_status_activity(old.status if old else None, new.status))
    return [
        ActivityDraft(type=type, title=task.title, entity="Task", id=task.id)
        for type in types
        if type
    ]


def _status_activity(before: TaskStatus | None, after: TaskStatus) -> ActivityType | None:
    if before is after:
        return None
    if after is TaskStatus.Done:
        return ActivityType.task_completed
    if after is TaskStatus.Cancelled:
        return ActivityType.task_cancelled
    was_closed = before in (TaskStatus.Done, TaskStatus.Cancelled)
    return ActivityType.task_reopened if was_closed else None


def project_activity(type: ActivityType, project_id: str, name: str) -> ActivityDraft:
    return ActivityDraft(type=type, title=name, entity="Project", id=project_id)


def metric_activity(type: ActivityType, metric: Metric) -> ActivityDraft:
    return ActivityDraft(type=type, title=metric.name, entity="Metric", id=metric.id)


def habit_activity(type: ActivityType, habit: Habit) -> ActivityDraft:
    return ActivityDraft(type=type, title=habit.name, entity="Habit", id=habit.id)
