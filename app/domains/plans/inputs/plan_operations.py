"""Changes of a day's plan, one todo or block at a time."""

from typing import Annotated

import strawberry
from pydantic import Field

from app.core.ids import ClientId
from app.core.inputs import Input
from app.core.scalars import AWSDateTime
from app.core.text import IdempotencyKey, LongText, ShortText
from app.domains.plans.inputs.field_types import (
    EXPECTED_HEAD,
    KEY,
    MOST_IN_A_DAY,
    PlanDate,
    Pomodoros,
    RevisionId,
)
from app.domains.plans.inputs.plans import BlockInput, TodoInput
from app.domains.plans.types import PlanReason, TodoClassification

TodoPosition = Annotated[int, Field(ge=0, le=MOST_IN_A_DAY)]


@strawberry.input(description="A new todo.")
class AddTodoInput(TodoInput):
    position: TodoPosition | None = strawberry.field(
        default=strawberry.UNSET, description="From 0; left out, or beyond the last: at the end."
    )


@strawberry.input(description="What is left out stays as it is; null clears the notes.")
class UpdateTodoInput(Input):
    action_id: ClientId = strawberry.field(description="The action of the todo.")
    classification: TodoClassification | None = strawberry.field(
        default=strawberry.UNSET, description="How much it matters; cannot be null."
    )
    estimated_pomodoros: Pomodoros | None = strawberry.field(
        default=strawberry.UNSET, description="25 minutes each; cannot be null."
    )
    notes: LongText | None = strawberry.field(
        default=strawberry.UNSET, description="Your notes for the day."
    )


@strawberry.input(description="Another place in the order of the todos.")
class MoveTodoInput(Input):
    action_id: ClientId = strawberry.field(description="The action of the todo.")
    position: TodoPosition = strawberry.field(
        description="Its place among the todos afterwards, from 0; beyond the last: at the end."
    )


@strawberry.input(description="A todo that is no longer planned.")
class RemoveTodoInput(Input):
    action_id: ClientId = strawberry.field(
        description="The action of the todo. Its POMODORO blocks are removed with it."
    )


@strawberry.input(description="Another time for a block.")
class MoveBlockInput(Input):
    id: ClientId = strawberry.field(description="The block.")
    start_time_iso: AWSDateTime = strawberry.field(description="When it begins from now on.")
    end_time_iso: AWSDateTime | None = strawberry.field(
        default=strawberry.UNSET, description="When it ends; left out: it stays as long as it is."
    )


@strawberry.input(description="Another name for a block.")
class UpdateBlockInput(Input):
    id: ClientId = strawberry.field(description="The block.")
    title: ShortText | None = strawberry.field(
        default=strawberry.UNSET, description="What it is called; null: nothing."
    )


@strawberry.input(description="A block that is no longer planned.")
class RemoveBlockInput(Input):
    id: ClientId = strawberry.field(description="The block.")


@strawberry.input(description="Exactly one operation.")
class PlanOperationInput(Input):
    add_todo: AddTodoInput | None = strawberry.field(
        default=strawberry.UNSET, description="Adds a todo."
    )
    update_todo: UpdateTodoInput | None = strawberry.field(
        default=strawberry.UNSET, description="Changes what a todo says."
    )
    move_todo: MoveTodoInput | None = strawberry.field(
        default=strawberry.UNSET, description="Changes the order of the todos."
    )
    remove_todo: RemoveTodoInput | None = strawberry.field(
        default=strawberry.UNSET, description="Removes a todo and its POMODORO blocks."
    )
    add_block: BlockInput | None = strawberry.field(
        default=strawberry.UNSET, description="Adds a block of time."
    )
    update_block: UpdateBlockInput | None = strawberry.field(
        default=strawberry.UNSET, description="Changes the name of a block."
    )
    move_block: MoveBlockInput | None = strawberry.field(
        default=strawberry.UNSET, description="Changes the time of a block."
    )
    remove_block: RemoveBlockInput | None = strawberry.field(
        default=strawberry.UNSET, description="Removes a block."
    )


PlanOperations = Annotated[list[PlanOperationInput], Field(max_length=MOST_IN_A_DAY)]


@strawberry.input(
    description="Changes of a day's plan without sending the day: all operations or none; the "
    "rules are checked on the resulting plan."
)
class ChangePlanInput(Input):
    date: PlanDate = strawberry.field(description="The day.")
    operations: PlanOperations = strawberry.field(description="At least 1, applied in order.")
    expected_head: RevisionId | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_HEAD
    )
    reason: PlanReason | None = strawberry.field(
        default=strawberry.UNSET,
        description="Left out: morning_plan for the first commit of the day, else midday_replan.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=KEY
    )
