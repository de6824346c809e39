"""What clients send about values and plans."""

from typing import Annotated

import strawberry
from pydantic import AfterValidator, Field, StringConstraints

from app.core.ids import ClientId
from app.core.inputs import Input
from app.core.scalars import AWSDate, AWSDateTime
from app.core.text import IdempotencyKey, LongText, ShortText
from app.domains.plans.types import (
    BlockType,
    MergeSide,
    NodeType,
    PlanReason,
    TodoClassification,
    ValuesSource,
)
from app.domains.plans.types.revisions import BRANCH_NAME, MAIN

MOST_OPERATIONS = 5_000
MOST_IN_A_DAY = 100
RevisionId = Annotated[strawberry.ID, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,64}$")]
BranchName = Annotated[str, StringConstraints(pattern=f"^{BRANCH_NAME}$")]
CommitMessage = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)]
Parents = Annotated[list[ClientId], Field(max_length=20)]
Children = Annotated[list[ClientId], Field(max_length=5_000)]
SiblingPosition = Annotated[int, Field(ge=0, le=100_000)]
Pomodoros = Annotated[int, Field(ge=1, le=32)]

# A date may have an offset, which is dropped.
PlanDate = Annotated[AWSDate, AfterValidator(lambda text: text[:10])]

EXPECTED_HEAD = (
    "The revision that you have seen: CONFLICT (with currentHead) if it is no longer the head. "
    "null: there must be no commit yet. Left out: on top of the current head."
)
KEY = "The same key and input give the same answer for 30 days, with one commit."
COMPLETED_AT = "At most 5 minutes in the future, else BAD_INPUT; left out: now."
POSITION = "The position among the siblings, from 0; left out: at the end."


@strawberry.input
class AddNodeInput(Input):
    id: ClientId | None = strawberry.field(
        default=strawberry.UNSET,
        description="Your own id, to refer to it in later operations; generated if left out.",
    )
    node_type: NodeType
    title: ShortText
    notes: LongText | None = strawberry.UNSET
    driver_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET,
        description="An action needs one; left out: the driver above its first parent.",
    )
    parent_milestone_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET,
        description="The first parent. Without any parent its driver becomes the parent.",
    )
    parent_ids: Parents | None = strawberry.field(
        default=strawberry.UNSET, description="Further parents, or all of them; at most 20."
    )
    position: SiblingPosition | None = strawberry.field(
        default=strawberry.UNSET, description=POSITION
    )
    task_id: ClientId | None = strawberry.UNSET


@strawberry.input(description="What is left out stays as it is; null clears a field.")
class UpdateNodeInput(Input):
    id: ClientId
    title: ShortText | None = strawberry.UNSET
    notes: LongText | None = strawberry.UNSET
    node_type: NodeType | None = strawberry.UNSET
    task_id: ClientId | None = strawberry.UNSET


@strawberry.input(description="Actions below it that had its old driver get the new one.")
class MoveNodeInput(Input):
    id: ClientId
    parent_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET, description="The only parent from now on."
    )
    parent_ids: Parents | None = strawberry.field(
        default=strawberry.UNSET,
        description="All parents from now on. With neither parentId nor parentIds, a milestone "
        "becomes a root, and the driver becomes the parent of an action.",
    )
    driver_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET, description="Of an action; left out: the driver above."
    )
    position: SiblingPosition | None = strawberry.field(
        default=strawberry.UNSET, description=POSITION
    )


@strawberry.input
class ReorderNodesInput(Input):
    parent_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET, description="Left out: the order of the roots."
    )
    child_ids: Children = strawberry.field(
        description="These come first, in this order; the others follow in their present order."
    )


@strawberry.input
class CompleteNodeInput(Input):
    id: ClientId
    completed_at: AWSDateTime | None = strawberry.field(
        default=strawberry.UNSET, description=COMPLETED_AT
    )


@strawberry.input
class NodeIdInput(Input):
    id: ClientId


@strawberry.input(description="Exactly one operation.")
class ValuesOperationInput(Input):
    add: AddNodeInput | None = strawberry.UNSET
    update: UpdateNodeInput | None = strawberry.UNSET
    move: MoveNodeInput | None = strawberry.UNSET
    reorder: ReorderNodesInput | None = strawberry.UNSET
    complete: CompleteNodeInput | None = strawberry.UNSET
    reopen: NodeIdInput | None = strawberry.field(
        default=strawberry.UNSET, description="Removes the completion."
    )
    archive: NodeIdInput | None = strawberry.field(
        default=strawberry.UNSET,
        description="With all nodes below it that have no other live parent. Nothing is deleted.",
    )
    restore: NodeIdInput | None = strawberry.field(
        default=strawberry.UNSET,
        description="Restores it and the nodes that were archived together with it.",
    )


Operations = Annotated[list[ValuesOperationInput], Field(max_length=MOST_OPERATIONS)]


@strawberry.input(description="The choice for one conflict.")
class ResolveInput(Input):
    node_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET, description="As in the conflict; null: the order of the roots."
    )
    field: Annotated[str, StringConstraints(max_length=40)] = strawberry.field(
        description="As in the conflict."
    )
    take: MergeSide


Resolutions = Annotated[list[ResolveInput], Field(max_length=MOST_OPERATIONS)]


@strawberry.input(
    description="All operations or none; the rules are checked on the resulting tree."
)
class CommitValuesInput(Input):
    expected_head: RevisionId | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_HEAD
    )
    message: CommitMessage | None = strawberry.UNSET
    source: ValuesSource | None = strawberry.field(
        default=strawberry.UNSET, description="daily_update if left out."
    )
    operations: Operations = strawberry.field(description="1 to 5,000, applied in order.")
    branch: BranchName | None = strawberry.field(default=strawberry.UNSET, description=MAIN)
    merge: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="If the head has moved, merge with it instead of CONFLICT.",
    )
    resolve: Resolutions | None = strawberry.field(
        default=strawberry.UNSET, description="Choices for the conflicts in the answer of a merge."
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=KEY
    )


@strawberry.input(description="A new commit whose content is that of an old one.")
class RestoreValuesInput(Input):
    revision_id: RevisionId
    node_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET, description="Only this node, as it was then."
    )
    expected_head: RevisionId | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_HEAD
    )
    message: CommitMessage | None = strawberry.UNSET
    branch: BranchName | None = strawberry.field(default=strawberry.UNSET, description=MAIN)
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=KEY
    )


@strawberry.input
class UndoValuesInput(Input):
    expected_head: RevisionId | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_HEAD
    )
    branch: BranchName | None = strawberry.field(default=strawberry.UNSET, description=MAIN)
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=KEY
    )


@strawberry.input
class FinishWeeklyReviewInput(Input):
    expected_head: RevisionId | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_HEAD
    )
    message: CommitMessage | None = strawberry.UNSET
    operations: Operations | None = strawberry.field(
        default=strawberry.UNSET, description="What the review changed; may be empty."
    )
    merge: bool | None = strawberry.UNSET
    resolve: Resolutions | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=KEY
    )


@strawberry.input
class CreateValuesBranchInput(Input):
    name: BranchName = strawberry.field(
        description="1 to 32 of a-z, 0-9 and -, e.g. what-if-i-move."
    )
    revision_id: RevisionId | None = strawberry.field(
        default=strawberry.UNSET, description="Its first revision; left out: the head."
    )


@strawberry.input
class MergeValuesBranchInput(Input):
    name: BranchName = strawberry.field(description="The branch to merge.")
    into: BranchName | None = strawberry.field(
        default=strawberry.UNSET, description="main if left out."
    )
    message: CommitMessage | None = strawberry.UNSET
    resolve: Resolutions | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=KEY
    )


@strawberry.input
class DropValuesBranchInput(Input):
    name: BranchName


@strawberry.input
class TodoInput(Input):
    action_id: ClientId = strawberry.field(
        description="A live action of your values. A todo that stays in the plan may be one that "
        "was archived since."
    )
    classification: TodoClassification | None = strawberry.field(
        default=strawberry.UNSET, description="other if left out."
    )
    estimated_pomodoros: Pomodoros | None = strawberry.field(
        default=strawberry.UNSET, description="1 to 32; 1 if left out."
    )
    notes: LongText | None = strawberry.UNSET


@strawberry.input
class BlockInput(Input):
    id: ClientId | None = strawberry.field(
        default=strawberry.UNSET, description="Generated if left out."
    )
    block_type: BlockType
    start_time_iso: AWSDateTime
    end_time_iso: AWSDateTime
    title: ShortText | None = strawberry.UNSET
    action_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET, description="A POMODORO needs one: a todo of the day."
    )
    pomodoro_index: Annotated[int, Field(ge=1, le=32)] | None = strawberry.field(
        default=strawberry.UNSET,
        description="A POMODORO needs one: 1 up to the todo's estimate, each once a day.",
    )


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
        default=strawberry.UNSET, description="In order, at most 100, each action once."
    )
    blocks: Annotated[list[BlockInput], Field(max_length=MOST_IN_A_DAY)] | None = strawberry.field(
        default=strawberry.UNSET, description="At most 100; no overlaps except with a BUFFER."
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
    action_id: ClientId
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
