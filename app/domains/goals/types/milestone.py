"""Milestones and activities of goals."""

from enum import Enum

import strawberry

from app.core.record import Node
from app.core.scalars import AWSDateTime


@strawberry.type(
    description="A percentage of a goal's progress. It is achieved when the progress reaches it "
    "and stays achieved when the progress falls."
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


@strawberry.type(description="A change of a goal or of a record that is linked to it.")
class GoalActivity(Node):
    user_id: strawberry.Private[str]
    goal_id: strawberry.ID
    type: ActivityType
    title: str
    description: str | None = None
    related_entity_type: str | None = strawberry.field(
        default=None, description="E.g. Task, Metric, Criterion."
    )
    related_entity_id: strawberry.ID | None = None
