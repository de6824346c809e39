"""Inputs of values."""

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
    MOST_OPERATIONS,
    POSITION,
    BranchName,
    Children,
    CommitMessage,
    Parents,
    RevisionId,
    SiblingPosition,
)
from app.domains.plans.types import (
    MergeSide,
    NodeType,
    ValuesSource,
)
from app.domains.plans.types.revisions import MAIN


@strawberry.input(description="A new node of the values tree.")
class AddNodeInput(Input):
    id: ClientId | None = strawberry.field(
        default=strawberry.UNSET,
        description="Your own id, to refer to it in later operations; generated if left out.",
    )
    node_type: NodeType = strawberry.field(description="What it is.")
    title: ShortText = strawberry.field(description="What it is called.")
    notes: LongText | None = strawberry.field(
        default=strawberry.UNSET,
        description="Your notes, as plain text or Markdown.",
    )
    driver_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET,
        description="An action needs one; left out: the driver above its first parent.",
    )
    parent_milestone_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET,
        description="The first parent. Without any parent its driver becomes the parent.",
    )
    parent_ids: Parents | None = strawberry.field(
        default=strawberry.UNSET,
        description="Further parents, or all of them.",
    )
    position: SiblingPosition | None = strawberry.field(
        default=strawberry.UNSET, description=POSITION
    )
    task_id: ClientId | None = strawberry.UNSET


@strawberry.input(description="What is left out stays as it is; null clears a field.")
class UpdateNodeInput(Input):
    id: ClientId
    title: ShortText | None = strawberry.field(
        default=strawberry.UNSET,
        description="What it is called.",
    )
    notes: LongText | None = strawberry.field(
        default=strawberry.UNSET,
        description="Your notes, as plain text or Markdown; null clears them.",
    )
    node_type: NodeType | None = strawberry.field(
        default=strawberry.UNSET,
        description="What it is to be from now on.",
    )
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


@strawberry.input(description="The order of the children of a node.")
class ReorderNodesInput(Input):
    parent_id: ClientId | None = strawberry.field(
        default=strawberry.UNSET, description="Left out: the order of the roots."
    )
    child_ids: Children = strawberry.field(
        description="These come first, in this order; the others follow in their present order."
    )


@strawberry.input(description="An action or milestone that is done.")
class CompleteNodeInput(Input):
    id: ClientId
    completed_at: AWSDateTime | None = strawberry.field(
        default=strawberry.UNSET, description=COMPLETED_AT
    )


@strawberry.input(description="A node of the values tree.")
class NodeIdInput(Input):
    id: ClientId


@strawberry.input(description="Exactly one operation.")
class ValuesOperationInput(Input):
    add: AddNodeInput | None = strawberry.field(
        default=strawberry.UNSET,
        description="Adds a node.",
    )
    update: UpdateNodeInput | None = strawberry.field(
        default=strawberry.UNSET,
        description="Changes the fields of a node.",
    )
    move: MoveNodeInput | None = strawberry.field(
        default=strawberry.UNSET,
        description="Gives a node other parents.",
    )
    reorder: ReorderNodesInput | None = strawberry.field(
        default=strawberry.UNSET,
        description="Orders the children of a node.",
    )
    complete: CompleteNodeInput | None = strawberry.field(
        default=strawberry.UNSET,
        description="Completes an action or milestone.",
    )
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
    take: MergeSide = strawberry.field(description="Whose value is kept.")


Resolutions = Annotated[list[ResolveInput], Field(max_length=MOST_OPERATIONS)]


@strawberry.input(
    description="All operations or none; the rules are checked on the resulting tree."
)
class CommitValuesInput(Input):
    expected_head: RevisionId | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_HEAD
    )
    message: CommitMessage | None = strawberry.field(
        default=strawberry.UNSET,
        description="What is changed and why.",
    )
    source: ValuesSource | None = strawberry.field(
        default=strawberry.UNSET, description="daily_update if left out."
    )
    operations: Operations = strawberry.field(
        description="Applied in order, all or none.",
    )
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
    message: CommitMessage | None = strawberry.field(
        default=strawberry.UNSET,
        description="What is changed and why.",
    )
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
    message: CommitMessage | None = strawberry.field(
        default=strawberry.UNSET,
        description="What is changed and why.",
    )
    operations: Operations | None = strawberry.field(
        default=strawberry.UNSET, description="What the review changed; may be empty."
    )
    merge: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="true: if others committed meanwhile, both changes are merged; false: "
        "CONFLICT.",
    )
    resolve: Resolutions | None = strawberry.field(
        default=strawberry.UNSET,
        description="Choices for the conflicts in the answer of a merge.",
    )
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
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class MergeValuesBranchInput(Input):
    name: BranchName = strawberry.field(description="The branch to merge.")
    into: BranchName | None = strawberry.field(
        default=strawberry.UNSET, description="main if left out."
    )
    message: CommitMessage | None = strawberry.field(
        default=strawberry.UNSET,
        description="What is changed and why.",
    )
    resolve: Resolutions | None = strawberry.field(
        default=strawberry.UNSET,
        description="Choices for the conflicts in the answer of a merge.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=KEY
    )


@strawberry.input
class DropValuesBranchInput(Input):
    name: BranchName
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
