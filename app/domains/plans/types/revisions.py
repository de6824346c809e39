"""The commits of the values, and the heads that name the newest one of each branch."""

import re
from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.record import Record, computed
from app.core.scalars import AWSDateTime

MAIN = "main"
ULID_LENGTH = 26
BRANCH_NAME = r"[a-z0-9][a-z0-9-]{0,31}"
# A ULID contains the commit's time, a suffix the branch: so the id is enough to read the commit.
REVISION_ID = re.compile(rf"(?P<ulid>[0-9A-Z]{{{ULID_LENGTH}}})(?:-(?P<branch>{BRANCH_NAME}))?")


def branch_of(rev_id: str) -> str | None:
    """The branch that a revision was committed on; None is main."""
    found = REVISION_ID.fullmatch(rev_id)
    return found["branch"] if found else None


@enum_type(
    "What led to a commit of values.",
    weekly_review="The weekly review.",
    daily_update="A change in between.",
    completion="An action or milestone was completed or reopened.",
)
class ValuesSource(Enum):
    weekly_review = "weekly_review"
    daily_update = "daily_update"
    completion = "completion"


@strawberry.type(description="A commit. It never changes and is kept for ever.")
class ValuesRevision(Record):
    user_id: strawberry.Private[str]
    rev_id: strawberry.Private[str]
    rev_ts: strawberry.Private[str]
    parent_rev_id: strawberry.Private[str | None] = None
    merged_rev_id: strawberry.Private[str | None] = None
    # When it became the head: `rev_ts` is when the commit began. None: as `rev_ts`.
    moved_at: strawberry.Private[str | None] = None
    message: str = strawberry.field(description="What was changed and why; empty: not said.")
    source: ValuesSource = strawberry.field(description="What led to this commit.")

    @computed(description="Time-ordered: later commits have greater ids.")
    def id(self) -> strawberry.ID:
        return strawberry.ID(self.rev_id)

    @computed(description="None for the first commit; two for a merge, the previous head first.")
    def parent_ids(self) -> list[strawberry.ID]:
        return [strawberry.ID(each) for each in (self.parent_rev_id, self.merged_rev_id) if each]

    @computed(description="The branch that it was committed on, or main.")
    def branch(self) -> str:
        return branch_of(self.rev_id) or MAIN


class BranchRevision(ValuesRevision):
    """Of a named branch: with a key prefix of its own, so that each history is one key range."""

    @property
    def branch_name(self) -> str | None:
        return branch_of(self.rev_id)


@strawberry.type
class ValuesHead(Record):
    """With a copy of the newest revision, so that reading the head takes one record. `updated_at`
    is when the head moved."""

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


@strawberry.type(description="A branch: commits beside main, to be merged or dropped.")
class ValuesBranch(Record):
    user_id: strawberry.Private[str]
    name: str = strawberry.field(description="The branch's name.")
    head_rev_id: strawberry.ID = strawberry.field(description="Its newest revision.")
    head_rev_ts: strawberry.Private[str]
    forked_rev_id: strawberry.ID = strawberry.field(
        description="The revision that it was created from."
    )
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
