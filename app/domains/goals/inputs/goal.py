"""What clients send about goals and their milestones."""

from typing import Annotated

import strawberry
from pydantic import Field

from app.core.ids import ClientId
from app.core.inputs import Input
from app.core.text import Area, Document, IdempotencyKey, Line, Paragraph
from app.domains.goals.inputs.words import (
    CLIENT_ID,
    EXPECTED,
    REPEAT,
    Day,
    GoalTags,
    SubCategory,
)
from app.domains.goals.types import GoalStatus, Priority, TimeHorizon

Percentage = Annotated[int, Field(ge=0, le=100)]
Place = Annotated[int, Field(ge=1, le=50)]
Order = Annotated[list[strawberry.ID], Field(max_length=50)]


@strawberry.input(description="Weights 0 to 100; they need not add up to 100.")
class ProgressConfigInput(Input):
    criteria_weight: Percentage | None = strawberry.UNSET
    tasks_weight: Percentage | None = strawberry.UNSET
    metrics_weight: Percentage | None = strawberry.UNSET
    habits_weight: Percentage | None = strawberry.UNSET
    manual_override: Percentage | None = strawberry.field(
        default=strawberry.UNSET, description="null: computed again. 0 counts."
    )


@strawberry.input
class SuccessCriterionInput(Input):
    text: Line
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CLIENT_ID)
    is_completed: bool | None = strawberry.UNSET
    linked_metric_id: strawberry.ID | None = strawberry.UNSET
    linked_task_id: strawberry.ID | None = strawberry.UNSET
    target_date: Day | None = strawberry.UNSET


Criteria = Annotated[list[SuccessCriterionInput], Field(max_length=50)]


@strawberry.input
class CreateGoalInput(Input):
    title: Line
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CLIENT_ID)
    description: Paragraph | None = strawberry.UNSET
    area: Area | None = strawberry.UNSET
    sub_category: SubCategory | None = strawberry.UNSET
    time_horizon: TimeHorizon | None = strawberry.UNSET
    priority: Priority | None = strawberry.UNSET
    status: GoalStatus | None = strawberry.UNSET
    target_date: Day | None = strawberry.UNSET
    success_criteria: Criteria | None = strawberry.UNSET
    progress_config: ProgressConfigInput | None = strawberry.UNSET
    parent_goal_id: strawberry.ID | None = strawberry.UNSET
    notes: Document | None = strawberry.UNSET
    tags: GoalTags | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=REPEAT
    )


@strawberry.input(description="What is left out stays as it is; null clears a field.")
class UpdateGoalInput(Input):
    id: strawberry.ID
    title: Line | None = strawberry.UNSET
    description: Paragraph | None = strawberry.UNSET
    area: Area | None = strawberry.UNSET
    sub_category: SubCategory | None = strawberry.UNSET
    time_horizon: TimeHorizon | None = strawberry.UNSET
    priority: Priority | None = strawberry.UNSET
    status: GoalStatus | None = strawberry.UNSET
    target_date: Day | None = strawberry.UNSET
    progress_config: ProgressConfigInput | None = strawberry.field(
        default=strawberry.UNSET, description="Each weight by itself."
    )
    parent_goal_id: strawberry.ID | None = strawberry.UNSET
    notes: Document | None = strawberry.UNSET
    tags: GoalTags | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=EXPECTED)
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=REPEAT
    )


@strawberry.input
class DeleteGoalInput(Input):
    id: strawberry.ID
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=EXPECTED)


@strawberry.input
class RecomputeGoalProgressInput(Input):
    id: strawberry.ID


@strawberry.input(description="Exactly one of taskId, metricId, habitId and projectId.")
class LinkToGoalInput(Input):
    goal_id: strawberry.ID
    task_id: strawberry.ID | None = strawberry.UNSET
    metric_id: strawberry.ID | None = strawberry.UNSET
    habit_id: strawberry.ID | None = strawberry.UNSET
    project_id: strawberry.ID | None = strawberry.UNSET


@strawberry.input(description="Exactly one of taskId, metricId, habitId and projectId.")
class UnlinkFromGoalInput(Input):
    goal_id: strawberry.ID
    task_id: strawberry.ID | None = strawberry.UNSET
    metric_id: strawberry.ID | None = strawberry.UNSET
    habit_id: strawberry.ID | None = strawberry.UNSET
    project_id: strawberry.ID | None = strawberry.UNSET


@strawberry.input
class AddCriterionInput(Input):
    goal_id: strawberry.ID
    text: Line
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CLIENT_ID)
    is_completed: bool | None = strawberry.UNSET
    linked_metric_id: strawberry.ID | None = strawberry.UNSET
    linked_task_id: strawberry.ID | None = strawberry.UNSET
    target_date: Day | None = strawberry.UNSET
    order: Place | None = strawberry.field(
        default=strawberry.UNSET, description="Its place, from 1; the last if left out."
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=REPEAT
    )


@strawberry.input(description="What is left out stays as it is; null clears a field.")
class UpdateCriterionInput(Input):
    goal_id: strawberry.ID
    id: strawberry.ID
    text: Line | None = strawberry.UNSET
    linked_metric_id: strawberry.ID | None = strawberry.UNSET
    linked_task_id: strawberry.ID | None = strawberry.UNSET
    target_date: Day | None = strawberry.UNSET
    order: Place | None = strawberry.UNSET


@strawberry.input
class CompleteCriterionInput(Input):
    goal_id: strawberry.ID
    id: strawberry.ID


@strawberry.input
class ReopenCriterionInput(Input):
    goal_id: strawberry.ID
    id: strawberry.ID


@strawberry.input
class RemoveCriterionInput(Input):
    goal_id: strawberry.ID
    id: strawberry.ID


@strawberry.input
class ReorderCriteriaInput(Input):
    goal_id: strawberry.ID
    ids: Order = strawberry.field(
        description="In the new order; criteria that are left out follow as they were."
    )


@strawberry.input
class CreateMilestoneInput(Input):
    goal_id: strawberry.ID
    name: Line
    percentage: Percentage
    description: Paragraph | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=REPEAT
    )


@strawberry.input(description="What is left out stays as it is; null clears a field.")
class UpdateMilestoneInput(Input):
    id: strawberry.ID
    goal_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Of which goal; it is found faster with it."
    )
    name: Line | None = strawberry.UNSET
    percentage: Percentage | None = strawberry.UNSET
    description: Paragraph | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=EXPECTED)


@strawberry.input
class DeleteMilestoneInput(Input):
    id: strawberry.ID
    goal_id: strawberry.ID | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=EXPECTED)
