"""Inputs of plans."""

from typing import Annotated

import strawberry
from pydantic import Field, StringConstraints

from app.core.ids import ClientId
from app.core.inputs import Input
from app.core.scalars import AWSDateTime
from app.core.text import IdempotencyKey, LongText, ShortText
from app.domains.plans.inputs.field_types import (
    COMPLETED_AT,
    EXPECTED_HEAD,
    KEY,
    MOST_IN_A_DAY,
    PlanDate,
    Pomodoros,
    RevisionId,
)
from app.domains.plans.types import (
    BlockType,
    MergeSide,
    PlanReason,
    TodoClassification,
)


@strawberry.input(description="A todo of the day.")
class TodoInput(Input):
    action_id: ClientId = strawberry.field(
        description="A live action of your values. A todo that stays in the plan may be one that "
        "was archived since."
    )
    classification: TodoClassification | None = strawberry.field(
        default=strawberry.UNSET, description="other if left out."
    )
    estimated_pomodoros: Pomodoros | None = strawberry.field(
        default=strawberry.UNSET,
        description="1 if left out.",
    )
    notes: LongText | None = strawberry.field(
        default=strawberry.UNSET,
        description="Your notes for today.",
    )


@strawberry.input(description="A block of time.")
class BlockInput(Input):
    id: ClientId | None = strawberry.field(
        default=strawberry.UNSET, description="Generated if left out."
    )
    block_type: BlockType = strawberry.field(description="What the time is for.")
    start_time_iso: AWSDateTime = strawberry.field(description="When it begins.")
    end_time_iso: AWSDateTime = strawberry.field(description="When it ends: after it begins.")
    title: ShortText | None = strawberry.field(
        default=strawberry.UNSET,
        description="What it is called; left out: nothing.",
    )
    action_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET, description="A POMODORO needs one: a todo of the day."
    )
    pomodoro_index: Annotated[int, Field(ge=1, le=32)] | None = strawberry.field(
        default=strawberry.UNSET,
        description="A POMODORO needs one: 1 up to the todo's estimate, each once a day.",
    )


@strawberry.input(description="The choice for one conflict.")
class ResolvePlanInput(Input):
    action_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET, description="As in the conflict."
    )
    block_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET, description="As in the conflict."
    )
    field: Annotated[str, StringConstraints(max_length=40)] = strawberry.field(
        description="As in the conflict."
    )
    take: MergeSide = strawberry.field(description="Whose value to keep.")


@strawberry.input(description="The whole plan of a day; a list that is left out stays as it is.")
class CommitPlanInput(Input):
    date: PlanDate
    expected_head: RevisionId | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_HEAD
    )
    reason: PlanReason | None = strawberry.field(
        default=strawberry.UNSET,
        description="Left out: morning_plan for the first commit of the day, else midday_replan.",
    )
    todos: Annotated[list[TodoInput], Field(max_length=MOST_IN_A_DAY)] | None = strawberry.field(
        default=strawberry.UNSET,
        description="In order, each action once.",
    )
    blocks: Annotated[list[BlockInput], Field(max_length=MOST_IN_A_DAY)] | None = strawberry.field(
        default=strawberry.UNSET,
        description="No overlaps except with a BUFFER.",
    )
    merge: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="If the head has moved, merge with it instead of CONFLICT: field by field, "
        "todos by their action and blocks by their id. Left out: false.",
    )
    resolve: Annotated[list[ResolvePlanInput], Field(max_length=1_000)] | None = strawberry.field(
        default=strawberry.UNSET, description="Choices for the conflicts in the answer of a merge."
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=KEY
    )


@strawberry.input(description="A new commit whose content is that of an old one.")
class RestorePlanInput(Input):
    date: PlanDate
    revision_id: RevisionId
    expected_head: RevisionId | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_HEAD
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=KEY
    )


@strawberry.input
class RolloverPlanInput(Input):
    to: PlanDate = strawberry.field(
        description="The day that gets the open todos of the last planned day before it."
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=KEY
    )


@strawberry.input
class CompleteActionInput(Input):
    action_id: ClientId = strawberry.field(description="The action.")
    date: PlanDate | None = strawberry.field(
        default=strawberry.UNSET,
        description="The day of the plan; left out: your today.",
    )
    completed_at: AWSDateTime | None = strawberry.field(
        default=strawberry.UNSET, description=COMPLETED_AT
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=KEY
    )


@strawberry.input(description="An action that is not done after all.")
class ReopenActionInput(Input):
    action_id: ClientId = strawberry.field(description="The action; it must not be archived.")
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=KEY
    )
