"""Links between records, edge locks and unfinished removals."""

import strawberry

from app.core.record import Record


@strawberry.type
class GoalTask(Record):
    """`due`: its place among the goal's tasks. Links of older releases have none."""

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
    """`due`: see GoalTask."""

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
    """The reverse of TaskDependency: `blocked_task_id` waits for `task_id`."""

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
class EdgeLock(Record):
    """Its version rises with every new edge of a user's goal tree or dependencies: two concurrent
    edges that together close a cycle cannot both be written."""

    user_id: str
    kind: str


@strawberry.type
class CriterionMetric(Record):
    """A criterion of the goal follows the metric."""

    goal_id: str
    metric_id: str
    user_id: str


@strawberry.type
class Removal(Record):
    """The remaining work after a record was deleted. It is deleted when the work is done."""

    user_id: str
    kind: str
    id: str
    goal_ids: list[str] = strawberry.field(default_factory=list)
    task_ids: list[str] = strawberry.field(default_factory=list)
    metric_ids: list[str] = strawberry.field(default_factory=list)
    parent_goal_id: str | None = None
