"""Milestones and activities of goals."""

from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.record import Node
from app.core.scalars import AWSDateTime


@strawberry.type(
    description="A percentage of a goal's progress. It is achieved when the progress reaches it "
    "and stays achieved when the progress falls."
)
class Milestone(Node):
    user_id: strawberry.Private[str]
    goal_id: strawberry.ID = strawberry.field(description="The goal.")
    name: str = strawberry.field(description="What is reached at this point.")
    percentage: int = strawberry.field(
        description="The progress at which it is achieved, 0 to 100.",
    )
    achieved: bool = strawberry.field(
        default=False,
        description="Whether progress has reached its percentage; it stays achieved.",
    )
    achieved_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it was achieved; null: not yet.",
    )
    description: str | None = strawberry.field(
        default=None,
        description="Details; null: none.",
    )


@enum_type(
    "What happened to a goal.",
    goal_created="The goal was created.",
    goal_updated="Its fields were changed.",
    status_changed="It got another status.",
    progress_overridden="Its progress was set by hand, or that was taken back.",
    criterion_added="A criterion was added.",
    criterion_updated="A criterion was changed.",
    criterion_removed="A criterion was removed.",
    criterion_completed="A criterion was met.",
    criterion_reopened="A criterion is open again.",
    task_linked="A task was linked.",
    task_unlinked="A task was unlinked.",
    task_completed="A linked task was done.",
    task_reopened="A linked task is open again.",
    task_cancelled="A linked task was cancelled.",
    task_deleted="A linked task was deleted.",
    metric_linked="A metric was linked.",
    metric_unlinked="A metric was unlinked.",
    habit_linked="A habit was linked.",
    habit_unlinked="A habit was unlinked.",
    project_linked="A project was linked.",
    project_unlinked="A project was unlinked.",
    child_added="A goal became a part of it.",
    child_removed="A goal is no longer a part of it.",
    milestone_added="A milestone was added.",
    milestone_achieved="A milestone was reached.",
)
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
    goal_id: strawberry.ID = strawberry.field(description="The goal.")
    type: ActivityType = strawberry.field(description="What happened.")
    title: str = strawberry.field(description="What happened, in one line.")
    description: str | None = strawberry.field(
        default=None,
        description="Details; null: there are none.",
    )
    related_entity_type: str | None = strawberry.field(
        default=None, description="E.g. Task, Metric, Criterion."
    )
    related_entity_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="The record that it is about, e.g. the completed task; null: the goal itself.",
    )
