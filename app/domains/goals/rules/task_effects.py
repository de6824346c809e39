"""The effects of a changed task on the goals and projects that it belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.core.scalars import AWSDateTime
from app.domains.goals.rules.activities import ActivityDraft, task_activities
from app.domains.goals.rules.counts import task_counts
from app.domains.goals.rules.criteria import follow_tasks
from app.domains.goals.types import Goal, Project, Task

# No timestamp begins with this character: links without a due moment sort last.
NO_DUE = "~"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountDelta:
    """The change of one goal or project by the tasks of one transaction. `tasks`: those tasks after
    the change, null if deleted. `is_new_link`: the goal or project must exist."""

    total: int = 0
    done: int = 0
    is_new_link: bool = False
    tasks: Mapping[str, Task | None] = field(default_factory=dict)
    activities: tuple[ActivityDraft, ...] = ()

    def __add__(self, other: "CountDelta") -> "CountDelta":
        return CountDelta(
            total=self.total + other.total,
            done=self.done + other.done,
            is_new_link=self.is_new_link or other.is_new_link,
            tasks={**self.tasks, **other.tasks},
            activities=(*self.activities, *other.activities),
        )


def either(old: Task | None, new: Task | None) -> Task:
    task = new or old
    assert task is not None, "a task before or after the change"
    return task


def affected_goal_ids(old: Task | None, new: Task | None) -> list[str]:
    linked = {id for task in (old, new) if task for id in task.goal_ids}
    return sorted(linked | set(either(old, new).criterion_goal_ids))


def affected_project_ids(old: Task | None, new: Task | None) -> list[str]:
    return sorted({id for task in (old, new) if task for id in task.project_ids})


def goal_delta(
    goal_id: str, old: Task | None, new: Task | None, reason: str | None
) -> CountDelta | None:
    """None if the goal stays as it is."""
    task = either(old, new)
    before, after = linked_to_goal(old, goal_id), linked_to_goal(new, goal_id)
    activities = [
        replace(each, description=reason)
        for each in task_activities(
            old, new, was_linked=before is not None, is_linked=after is not None
        )
    ]
    has_criterion = goal_id in task.criterion_goal_ids and _is_done(old) != _is_done(new)
    if not activities and not has_criterion and new is not None:
        return None
    return replace(_count_delta(before, after), tasks={task.id: new}, activities=tuple(activities))


def project_delta(project_id: str, old: Task | None, new: Task | None) -> CountDelta | None:
    """None if the project's counts and overdue tasks stay as they are."""
    before, after = linked_to_project(old, project_id), linked_to_project(new, project_id)
    if before and after and _counted_fields(before) == _counted_fields(after):
        return None
    return replace(_count_delta(before, after), tasks={either(old, new).id: after})


def linked_to_goal(task: Task | None, goal_id: str) -> Task | None:
    return task if task and goal_id in task.goal_ids else None


def linked_to_project(task: Task | None, project_id: str) -> Task | None:
    return task if task and project_id in task.project_ids else None


def apply_to_goal(
    goal: Goal, delta: CountDelta, now: AWSDateTime
) -> tuple[Goal, list[ActivityDraft]]:
    """The goal with new counts and with the criteria that follow the tasks; all activities."""
    criteria, also = follow_tasks(goal.success_criteria, delta.tasks, now)
    changed = goal.evolve(
        now,
        tasks_total=goal.tasks_total + delta.total,
        tasks_done=goal.tasks_done + delta.done,
        success_criteria=criteria,
    )
    return changed, [*delta.activities, *also]


def apply_to_project(project: Project, delta: CountDelta, now: AWSDateTime) -> Project:
    return project.evolve(
        now,
        tasks_total=project.tasks_total + delta.total,
        tasks_done=project.tasks_done + delta.done,
    )


def link_due(task: Task | None) -> str:
    """The place of a link among the links of a goal or project."""
    return (task.due_at if task else None) or NO_DUE


def needs_link_write(old: Task | None, new: Task) -> bool:
    """A link is written when it is new, and when its place changes."""
    return old is None or old.due_at != new.due_at


def _is_done(task: Task | None) -> bool:
    return task is not None and task.is_done


def _count_delta(old: Task | None, new: Task | None) -> CountDelta:
    total_before, done_before = task_counts(old.status if old else None)
    total_after, done_after = task_counts(new.status if new else None)
    return CountDelta(
        total=total_after - total_before,
        done=done_after - done_before,
        is_new_link=old is None and new is not None,
    )


def _counted_fields(task: Task) -> tuple[object, object]:
    return task.status, task.due_at
