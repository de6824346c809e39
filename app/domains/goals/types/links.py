"""Thin links between records, and what else lies in partitions that name no owner."""

import strawberry

from app.core.record import Record


@strawberry.type
class GoalTask(Record):
    """`due`: its place among the goal's tasks; a link from before there was one has none."""

    goal_id: str
    task_id: str
    user_id: str
    due: str | None = None


@strawberry.type
class GoalMetric(Record):
    goal_id: str
    metric_id: str
    user_id: str


@strawberry.type
class GoalHabit(Record):
    goal_id: str
    habit_id: str
    user_id: str


@strawberry.type
class GoalProject(Record):
    goal_id: str
    project_id: str
    user_id: str


@strawberry.type
class GoalChild(Record):
    goal_id: str
    child_id: str
    user_id: str


@strawberry.type
class ProjectTask(Record):
    """`due`: as in GoalTask."""

    project_id: str
    task_id: str
    user_id: str
    due: str | None = None


@strawberry.type
class TaskDependency(Record):
    """`task_id` waits for `depends_on_task_id`."""

    task_id: str
    depends_on_task_id: str
    user_id: str


@strawberry.type
class TaskBlocks(Record):
    """The same, found from the other side."""

    task_id: str
    blocked_task_id: str
    user_id: str


@strawberry.type
class GoalTag(Record):
    goal_id: str
    tag: str
    user_id: str


@strawberry.type
class TaskTag(Record):
    task_id: str
    tag: str
    user_id: str


@strawberry.type
class Structure(Record):
    """Moved on with every new edge of someone's goal tree or dependencies, so that two edges that
    would close a circle together cannot be added side by side."""

    user_id: str
    kind: str


@strawberry.type
class Removal(Record):
    """What is left to do after something was deleted. It goes when everything is done."""

    user_id: str
    kind: str
    id: str
    goal_ids: list[str] = strawberry.field(default_factory=list)
    task_ids: list[str] = strawberry.field(default_factory=list)
    parent_goal_id: str | None = None
