"""Goals."""

import strawberry

from app.core.record import Node
from app.core.scalars import AWSDate, AWSDateTime
from app.domains.goals.types.enums import GoalStatus, Priority, TimeHorizon


@strawberry.type(description="A condition that is true when the goal is reached.")
class SuccessCriterion:
    id: strawberry.ID = strawberry.field(description="Its id, unique within the goal.")
    text: str = strawberry.field(description="How you know that the goal is reached.")
    is_completed: bool = strawberry.field(
        default=False,
        description="Whether it is met.",
    )
    completed_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it was met; null: not yet.",
    )
    linked_metric_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="It is completed while this metric is at its target. This does not link the "
        "metric to the goal: metricIds are linked by linkToGoal.",
    )
    linked_task_id: strawberry.ID | None = strawberry.field(
        default=None, description="It is completed while this task is Done."
    )
    target_date: AWSDate | None = strawberry.field(
        default=None,
        description="The day by which it is to be met; null: none.",
    )
    order: int = strawberry.field(default=0, description="Its position, from 1.")


@strawberry.type(
    description="Weights of the parts of a goal's progress. A part without members is not counted."
)
class ProgressConfig:
    criteria_weight: int = strawberry.field(
        default=40,
        description="How much criteria count.",
    )
    tasks_weight: int = strawberry.field(
        default=30,
        description="How much tasks count.",
    )
    metrics_weight: int = strawberry.field(
        default=20,
        description="How much metrics count.",
    )
    habits_weight: int = strawberry.field(
        default=10,
        description="How much habits count.",
    )
    manual_override: int | None = strawberry.field(
        default=None,
        description="0 to 100: replaces the computed progress. Null: the progress is computed.",
    )


@strawberry.type(description="What criteria, tasks, metrics or habits add to a goal's progress.")
class ProgressPart:
    name: str = strawberry.field(description="criteria, tasks, metrics or habits")
    weight: int = strawberry.field(description="How much this part counts, as progressConfig says.")
    value: float = strawberry.field(description="0 to 100.")
    count: int = strawberry.field(description="Members that are done or reached.")
    total: int = strawberry.field(description="All members. A part with 0 is not counted.")


@strawberry.type(description="The progress of a goal and its parts.")
class GoalProgress:
    percent: int = strawberry.field(
        description="The weighted mean of the parts that have members, or the manual override."
    )
    is_manual: bool = strawberry.field(description="Whether it is the manual override.")
    parts: list[ProgressPart] = strawberry.field(
        description="One for each of criteria, tasks, metrics and habits."
    )


@strawberry.type(description="Progress over all goals below a goal. Abandoned goals are left out.")
class RollUp:
    percent: int = strawberry.field(
        description="Mean cachedProgress of the goals below it that have no children; its own if "
        "there are none."
    )
    goals: int = strawberry.field(description="Number of goals below it.")
    achieved: int = strawberry.field(description="Number of them that are Achieved.")


@strawberry.type(description="A goal: a result to reach.")
class Goal(Node):
    user_id: strawberry.Private[str]
    title: str = strawberry.field(description="What you want to reach.")
    description: str | None = strawberry.field(
        default=None,
        description="Why, and what it means when it is reached.",
    )
    area: str | None = strawberry.field(default=None, description="Life area, e.g. Health.")
    sub_category: str | None = strawberry.field(
        default=None,
        description="A part of the area, in your own words; null: none.",
    )
    time_horizon: TimeHorizon | None = strawberry.field(
        default=None,
        description="The period that the goal is for.",
    )
    priority: Priority = strawberry.field(
        default=Priority.P3,
        description="P1 is the most urgent.",
    )
    status: GoalStatus = strawberry.field(
        default=GoalStatus.Planning,
        description="Set by you; progress does not change it.",
    )
    target_date: AWSDate | None = strawberry.field(
        default=None,
        description="The day by which you want to reach it; null: no deadline.",
    )
    completed_date: AWSDate | None = strawberry.field(
        default=None, description="The day on which it became Achieved, in your time zone."
    )
    success_criteria: list[SuccessCriterion] = strawberry.field(
        default_factory=list,
        description="By position.",
    )
    progress_config: ProgressConfig = strawberry.field(
        default_factory=ProgressConfig,
        description="How much criteria, tasks, metrics and habits count towards progress.",
    )
    cached_progress: int = strawberry.field(
        default=0, description="0 to 100, as of the last change of the goal. `progress` is current."
    )
    parent_goal_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="The goal that this one is a part of; null: none.",
    )
    last_activity_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When something last happened that its activity lists.",
    )
    notes: str | None = strawberry.field(
        default=None,
        description="Your notes, as plain text or Markdown.",
    )
    tags: list[str] = strawberry.field(
        default_factory=list,
        description="Words to find it by.",
    )
    metric_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="At most 20."
    )
    habit_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="At most 20."
    )
    tasks_in_order: strawberry.Private[bool] = False
    # Metrics that criteria follow are linked to the goal only if its owner linked them.
    criteria_apart: strawberry.Private[bool] = False
    tasks_total: strawberry.Private[int] = 0
    tasks_done: strawberry.Private[int] = 0
    milestone_count: strawberry.Private[int] = 0
    child_count: strawberry.Private[int] = 0
