"""The repository of values: its commits, its heads, and what was made of two of its trees."""

from enum import Enum
from typing import TYPE_CHECKING, Annotated

import strawberry

from app.core.record import Record, computed
from app.core.scalars import AWSDateTime
from app.domains.plans.rules.revisions import MAIN, branch_of

if TYPE_CHECKING:
    from app.domains.plans.types.tree import TreeNode

TreeNodeField = Annotated["TreeNode", strawberry.lazy("app.domains.plans.types.tree")]


@strawberry.enum(description="A driver is why, a milestone a step, an action something to do.")
class NodeType(Enum):
    DRIVER = "DRIVER"
    MILESTONE = "MILESTONE"
    ACTION = "ACTION"


@strawberry.enum(description="What led to a commit of values.")
class ValuesSource(Enum):
    weekly_review = "weekly_review"
    daily_update = "daily_update"
    completion = "completion"


@strawberry.type(description="A commit. It never changes, and it stays for ever.")
class ValuesRevision(Record):
    user_id: strawberry.Private[str]
    rev_id: strawberry.Private[str]
    rev_ts: strawberry.Private[str]
    parent_rev_id: strawberry.Private[str | None] = None
    merged_rev_id: strawberry.Private[str | None] = None
    message: str
    source: ValuesSource

    @computed(description="Time-ordered: later commits have greater ids.")
    def id(self) -> strawberry.ID:
        return strawberry.ID(self.rev_id)

    @computed(description="None for the first commit; two for a merge, the head before it first.")
    def parent_ids(self) -> list[strawberry.ID]:
        return [strawberry.ID(each) for each in (self.parent_rev_id, self.merged_rev_id) if each]

    @computed(description="The branch that it was committed on, or main.")
    def branch(self) -> str:
        return branch_of(self.rev_id) or MAIN


class BranchRevision(ValuesRevision):
    """Of a named branch: in a log of its own, so that each history is one run of keys."""

    @property
    def branch_name(self) -> str | None:
        return branch_of(self.rev_id)


@strawberry.type
class ValuesHead(Record):
    """With what the newest revision says, so that reading the head needs no second record."""

    user_id: str
    head_rev_id: str
    head_rev_ts: str
    parent_rev_id: str | None = None
    merged_rev_id: str | None = None
    message: str = ""
    source: ValuesSource = ValuesSource.daily_update
    last_review_rev_id: str | None = None

    @property
    def revision(self) -> ValuesRevision:
        return revision_at(self)


@strawberry.type(description="A 'what if': commits beside the main line, to be merged or dropped.")
class ValuesBranch(Record):
    user_id: strawberry.Private[str]
    name: str
    head_rev_id: strawberry.ID = strawberry.field(description="Its newest revision.")
    head_rev_ts: strawberry.Private[str]
    forked_rev_id: strawberry.ID = strawberry.field(description="The revision it began with.")
    parent_rev_id: strawberry.Private[str | None] = None
    merged_rev_id: strawberry.Private[str | None] = None
    message: strawberry.Private[str] = ""
    source: strawberry.Private[ValuesSource] = ValuesSource.daily_update

    @computed(description="Its newest commit.")
    def revision(self) -> ValuesRevision:
        return revision_at(self)


def revision_at(head: ValuesHead | ValuesBranch) -> ValuesRevision:
    return ValuesRevision(
        created_at=AWSDateTime(head.head_rev_ts),
        updated_at=AWSDateTime(head.head_rev_ts),
        user_id=head.user_id,
        rev_id=head.head_rev_id,
        rev_ts=head.head_rev_ts,
        parent_rev_id=head.parent_rev_id,
        merged_rev_id=head.merged_rev_id,
        message=head.message,
        source=head.source,
    )


@strawberry.type(description="Both sides changed it since their common ancestor.")
class MergeConflict:
    node_id: strawberry.ID | None = strawberry.field(description="Null: the order of the roots.")
    node: TreeNodeField | None = strawberry.field(description="As it is at the head.")
    field: str = strawberry.field(
        description="title, notes, nodeType, taskId, driverId, parentIds, order (of its children), "
        "archived (one archived, the other edited) or exists (one went back to before it was)."
    )
    base: str | None = strawberry.field(description="In the common ancestor; ids with commas.")
    ours: str | None = strawberry.field(description="In your commit.")
    theirs: str | None = strawberry.field(description="At the head.")


@strawberry.type
class FieldChange:
    field: str
    before: str | None
    after: str | None


@strawberry.type
class NodeChange:
    node_id: strawberry.ID
    node: TreeNodeField
    fields: list[FieldChange]


@strawberry.type
class NodeMove:
    node_id: strawberry.ID
    node: TreeNodeField
    from_parent_ids: list[strawberry.ID]
    to_parent_ids: list[strawberry.ID]


@strawberry.type(description="Children of one parent that stand in another order than before.")
class Reorder:
    parent_id: strawberry.ID | None = strawberry.field(description="Null: the roots.")
    before: list[strawberry.ID]
    after: list[strawberry.ID]


@strawberry.type(description="What leads from one revision to another.")
class ValuesDiff:
    from_: ValuesRevision | None = strawberry.field(
        name="from", description="Null: before the first commit."
    )
    to: ValuesRevision | None
    added: list[TreeNodeField]
    removed: list[TreeNodeField]
    changed: list[NodeChange]
    moved: list[NodeMove]
    reordered: list[Reorder]


@strawberry.type(description="What happened to the values since the last review.")
class WeeklyReview:
    week: str = strawberry.field(description="The ISO week of your today, e.g. 2026-W04.")
    since: ValuesRevision | None = strawberry.field(
        description="The last review; null if there was none: then everything counts."
    )
    head: ValuesRevision | None
    reviewed_at: AWSDateTime | None
    completed: list[TreeNodeField]
    added: list[TreeNodeField]
    archived: list[TreeNodeField]
    moved: list[TreeNodeField]
