"""Projects."""

import strawberry

from app.core.record import Node
from app.core.scalars import AWSDate
from app.domains.goals.types.enums import Health, Priority, ProjectStatus


@strawberry.type(description="The health of a project today, and its reason.")
class ProjectHealth:
    health: Health | None = strawberry.field(description="Null while it is on hold or cancelled.")
    progress: int = strawberry.field(description="Percentage of its tasks that are done.")
    expected: int | None = strawberry.field(
        description="Percentage of its time that has passed. Null without a start or end date."
    )
    overdue: int = strawberry.field(description="Open tasks past their due date.")
    tasks_done: int = strawberry.field(description="Number of its tasks that are done.")
    tasks_total: int = strawberry.field(
        description="Number of its tasks. Cancelled tasks do not count."
    )
    points_behind: float | None = strawberry.field(
        description="Expected minus real progress, in percentage points; negative: ahead. Up to 10 "
        "is green, up to 20 yellow. Null without a start or end date, and if the dates do not "
        "decide."
    )
    reason: str = strawberry.field(description="Why it is so, in one sentence.")


@strawberry.type(description="A project: tasks with a common result.")
class Project(Node):
    user_id: strawberry.Private[str]
    name: str = strawberry.field(description="What it is called.")
    description: str | None = strawberry.field(
        default=None,
        description="What it is about.",
    )
    area: str | None = strawberry.field(
        default=None,
        description="The part of life that it belongs to; null: none.",
    )
    sub_category: str | None = strawberry.field(
        default=None,
        description="A part of the area, in your own words; null: none.",
    )
    priority: Priority = strawberry.field(
        default=Priority.P3,
        description="P1 is the most urgent.",
    )
    status: ProjectStatus = strawberry.field(
        default=ProjectStatus.Planning,
        description="Set by you; its tasks do not change it.",
    )
    impact: int | None = strawberry.field(
        default=None,
        description="How much it changes, from 1 (little) to 5 (much).",
    )
    start_date: AWSDate | None = strawberry.field(
        default=None,
        description="The first day; null: not set.",
    )
    end_date: AWSDate | None = strawberry.field(default=None, description="The planned end.")
    completed_date: AWSDate | None = strawberry.field(
        default=None, description="The day on which it became Completed, in your time zone."
    )
    notes: str | None = strawberry.field(
        default=None,
        description="Your notes, as plain text or Markdown.",
    )
    cached_health: Health | None = strawberry.field(
        default=None, description="As of the last change of the project. `health` is current."
    )
    cached_progress: int = strawberry.field(
        default=0,
        description="Percentage of its tasks that are done. Cancelled tasks do not count.",
    )
    goal_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list,
        description="The goals that it serves.",
    )
    tasks_in_order: strawberry.Private[bool] = False
    tasks_total: strawberry.Private[int] = 0
    tasks_done: strawberry.Private[int] = 0
