"""Marks on the way to a goal, and what happened on it."""

from enum import Enum

import strawberry

from app.core.record import Node
from app.core.scalars import AWSDateTime


@strawberry.type(
    description="A mark on the way to a goal. It is achieved by itself when the goal's progress "
    "reaches its percentage, and stays achieved."
)
class Milestone(Node):
    user_id: strawberry.Private[str]
    goal_id: strawberry.ID
    name: str
    percentage: int = strawberry.field(description="0 to 100.")
    achieved: bool = False
    achieved_at: AWSDateTime | None = None
    description: str | None = None


@strawberry.enum
class ActivityType(Enum):
    goal_created = "goal_created"
    goal_updated = "goal_updated"
    status_changed = "status_changed"
    progress_overridden = "progress_overridden"
    criterion_added = "criterion_added"
    criterion_updated = "criterion_updated"
    criterion_removed = "criterion_removed"
    criterion_completed = "criterion_completed"
    criterion_reopened = "criterion_reopened"
    task_linked = "task_linked"
    task_unlinked = "task_unlinked"
    task_completed = "task_completed"
    task_reopened = "task_reopened"
    task_cancelled = "task_cancelled"
    task_deleted = "task_deleted"
    metric_linked = "metric_linked"
    metric_unlinked = "metric_unlinked"
    habit_linked = "habit_linked"
    habit_unlinked = "habit_unlinked"
    project_linked = "project_linked"
    project_unlinked = "project_unlinked"
    child_added = "child_added"
    child_removed = "child_removed"
    milestone_added = "milestone_added"
    milestone_achieved = "milestone_achieved"


@strawberry.type(description="Something that happened to a goal.")
class GoalActivity(Node):
    user_id: strawberry.Private[str]
    goal_id: strawberry.ID
    type: ActivityType
    title: str
    description: str | None = None
    related_entity_type: str | None = strawberry.field(
        default=None, description="e.g. Task, Metric, Criterion"
    )
    related_entity_id: strawberry.ID | None = None
