"""Inputs of goals and milestones."""

from typing import Annotated

import strawberry
from pydantic import Field

from app.core.ids import CLIENT_ID, ClientId
from app.core.inputs import Input
from app.core.text import DocumentText, IdempotencyKey, LifeArea, LongText, ShortText
from app.domains.goals.inputs.field_types import (
    CRITERION_ID,
    EXPECTED_VERSION,
    IDEMPOTENCY_KEY,
    GoalTags,
    InputDate,
    SubCategoryName,
)
from app.domains.goals.types import GoalStatus, Priority, TimeHorizon

Percentage = Annotated[int, Field(ge=0, le=100)]
CriterionOrder = Annotated[int, Field(ge=1, le=50)]
CriterionIds = Annotated[list[strawberry.ID], Field(max_length=50)]


@strawberry.input(description="Weights, 0 to 100 each. Their sum need not be 100.")
class ProgressConfigInput(Input):
    criteria_weight: Percentage | None = strawberry.field(
        default=strawberry.UNSET,
        description="How much criteria count.",
    )
    tasks_weight: Percentage | None = strawberry.field(
        default=strawberry.UNSET,
        description="How much tasks count.",
    )
    metrics_weight: Percentage | None = strawberry.field(
        default=strawberry.UNSET,
        description="How much metrics count.",
    )
    habits_weight: Percentage | None = strawberry.field(
        default=strawberry.UNSET,
        description="How much habits count.",
    )
    manual_override: Percentage | None = strawberry.field(
        default=strawberry.UNSET,
        description="Progress set by hand; null: it is computed again.",
    )


@strawberry.input(description="A condition for a goal to be reached.")
class SuccessCriterionInput(Input):
    text: ShortText = strawberry.field(description="How you know that the goal is reached.")
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CRITERION_ID)
    is_completed: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="Whether it is met already; false if left out.",
    )
    linked_metric_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Your metric that decides it: it is met while the metric's target is reached.",
    )
    linked_task_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Your task that decides it: it is met while the task is Done.",
    )
    target_date: InputDate | None = strawberry.field(
        default=strawberry.UNSET,
        description="The day by which it is to be met.",
    )


CriterionInputs = Annotated[list[SuccessCriterionInput], Field(max_length=50)]


@strawberry.input
class CreateGoalInput(Input):
    title: ShortText
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CLIENT_ID)
    description: LongText | None = strawberry.UNSET
    area: LifeArea | None = strawberry.UNSET
    sub_category: SubCategoryName | None = strawberry.UNSET
    time_horizon: TimeHorizon | None = strawberry.UNSET
    priority: Priority | None = strawberry.UNSET
    status: GoalStatus | None = strawberry.UNSET
    target_date: InputDate | None = strawberry.UNSET
    success_criteria: CriterionInputs | None = strawberry.UNSET
    progress_config: ProgressConfigInput | None = strawberry.UNSET
    parent_goal_id: strawberry.ID | None = strawberry.UNSET
    notes: DocumentText | None = strawberry.UNSET
    tags: GoalTags | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=IDEMPOTENCY_KEY
    )


@strawberry.input(description="Fields that are left out stay as they are. Null clears a field.")
class UpdateGoalInput(Input):
    id: strawberry.ID
    title: ShortText | None = strawberry.UNSET
    description: LongText | None = strawberry.UNSET
    area: LifeArea | None = strawberry.UNSET
    sub_category: SubCategoryName | None = strawberry.UNSET
    time_horizon: TimeHorizon | None = strawberry.UNSET
    priority: Priority | None = strawberry.UNSET
    status: GoalStatus | None = strawberry.UNSET
    target_date: InputDate | None = strawberry.UNSET
    progress_config: ProgressConfigInput | None = strawberry.field(
        default=strawberry.UNSET, description="Weights that are left out stay as they are."
    )
    parent_goal_id: strawberry.ID | None = strawberry.UNSET
    notes: DocumentText | None = strawberry.UNSET
    tags: GoalTags | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_VERSION
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=IDEMPOTENCY_KEY
    )


@strawberry.input
class DeleteGoalInput(Input):
    id: strawberry.ID
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_VERSION
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class RecomputeGoalProgressInput(Input):
    id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="Send exactly one of taskId, metricId, habitId and projectId.")
class LinkToGoalInput(Input):
    goal_id: strawberry.ID
    task_id: strawberry.ID | None = strawberry.UNSET
    metric_id: strawberry.ID | None = strawberry.UNSET
    habit_id: strawberry.ID | None = strawberry.UNSET
    project_id: strawberry.ID | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="Send exactly one of taskId, metricId, habitId and projectId.")
class UnlinkFromGoalInput(Input):
    goal_id: strawberry.ID
    task_id: strawberry.ID | None = strawberry.UNSET
    metric_id: strawberry.ID | None = strawberry.UNSET
    habit_id: strawberry.ID | None = strawberry.UNSET
    project_id: strawberry.ID | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class AddCriterionInput(Input):
    goal_id: strawberry.ID
    text: ShortText = strawberry.field(description="How you know that the goal is reached.")
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CRITERION_ID)
    is_completed: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="Whether it is met already; false if left out.",
    )
    linked_metric_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Your metric that decides it: it is met while the metric's target is reached.",
    )
    linked_task_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Your task that decides it: it is met while the task is Done.",
    )
    target_date: InputDate | None = strawberry.UNSET
    order: CriterionOrder | None = strawberry.field(
        default=strawberry.UNSET, description="Its position, from 1. Last if left out."
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=IDEMPOTENCY_KEY
    )


@strawberry.input(description="Fields that are left out stay as they are. Null clears a field.")
class UpdateCriterionInput(Input):
    goal_id: strawberry.ID
    id: strawberry.ID
    text: ShortText | None = strawberry.field(
        default=strawberry.UNSET,
        description="How you know that the goal is reached.",
    )
    linked_metric_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Your metric that decides it; null: none.",
    )
    linked_task_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Your task that decides it; null: none.",
    )
    target_date: InputDate | None = strawberry.UNSET
    order: CriterionOrder | None = strawberry.field(
        default=strawberry.UNSET,
        description="Its new position among the criteria, from 0.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class CompleteCriterionInput(Input):
    goal_id: strawberry.ID
    id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class ReopenCriterionInput(Input):
    goal_id: strawberry.ID
    id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class RemoveCriterionInput(Input):
    goal_id: strawberry.ID
    id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class ReorderCriteriaInput(Input):
    goal_id: strawberry.ID
    ids: CriterionIds = strawberry.field(
        description="In the new order. Criteria that are left out follow in their former order."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class CreateMilestoneInput(Input):
    goal_id: strawberry.ID
    name: ShortText
    percentage: Percentage
    description: LongText | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=IDEMPOTENCY_KEY
    )


@strawberry.input(description="Fields that are left out stay as they are. Null clears a field.")
class UpdateMilestoneInput(Input):
    id: strawberry.ID
    goal_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Its goal. Faster with it."
    )
    name: ShortText | None = strawberry.UNSET
    percentage: Percentage | None = strawberry.UNSET
    description: LongText | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_VERSION
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteMilestoneInput(Input):
    id: strawberry.ID
    goal_id: strawberry.ID | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_VERSION
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
