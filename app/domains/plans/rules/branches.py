"""The newest commit of a branch, and what the next one says."""

from dataclasses import dataclass, replace
from datetime import datetime

import strawberry

from app.core.clock import instant, parse_instant
from app.core.ids import Ids, ulid_milliseconds
from app.core.scalars import AWSDateTime
from app.domains.plans.rules.revisions import (
    instant_at,
    milliseconds,
    next_millisecond,
    revision_id,
)
from app.domains.plans.types import (
    BranchRevision,
    ValuesBranch,
    ValuesHead,
    ValuesRevision,
    ValuesSource,
)
from app.domains.plans.types.revisions import ULID_LENGTH, branch_of


@dataclass(frozen=True, slots=True)
class BranchTip:
    """Where a branch ends. `branch` is None for main; `head` is None before the first commit."""

    user_id: str
    branch: str | None
    head: ValuesHead | ValuesBranch | None

    @property
    def head_id(self) -> str | None:
        return self.head.head_rev_id if self.head else None

    @property
    def revision(self) -> ValuesRevision | None:
        if isinstance(self.head, ValuesBranch):
            return self.head.revision()
        return self.head.revision if self.head else None

    @property
    def moved_at(self) -> datetime | None:
        """When the head moved last."""
        return parse_instant(self.head.updated_at) if self.head else None

    @property
    def started_at(self) -> datetime | None:
        """Of a branch other than main."""
        return parse_instant(self.head.created_at) if isinstance(self.head, ValuesBranch) else None

    def has_ancestor(self, rev_id: str) -> bool:
        """Every commit of a branch is an ancestor of its head, as the head only moves forward. An
        earlier branch may have had the same name."""
        if branch_of(rev_id) != self.branch:
            return False
        since = milliseconds(self.started_at) if self.started_at else 0
        return (ulid_milliseconds(rev_id[:ULID_LENGTH]) or 0) >= since


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitNote:
    """What a commit says about itself."""

    message: str
    source: ValuesSource
    merged: str | None = None


def new_revision(tip: BranchTip, note: CommitNote, *, now: datetime, ids: Ids) -> ValuesRevision:
    earliest = max(each for each in (now, tip.started_at, tip.moved_at) if each)
    at = next_millisecond(earliest, tip.head_id, note.merged)
    rev_ts = AWSDateTime(instant_at(at))
    cls = BranchRevision if tip.branch else ValuesRevision
    return cls(
        created_at=rev_ts,
        updated_at=rev_ts,
        user_id=tip.user_id,
        rev_id=revision_id(ids.at(at), tip.branch),
        rev_ts=rev_ts,
        parent_rev_id=tip.head_id,
        merged_rev_id=note.merged,
        message=note.message,
        source=note.source,
    )


def next_head(
    tip: BranchTip, revision: ValuesRevision, now: AWSDateTime
) -> ValuesHead | ValuesBranch:
    """The head after this commit."""
    head = tip.head or _first_head(tip, revision, now)
    moved = replace(
        head,
        head_rev_id=strawberry.ID(revision.rev_id),
        head_rev_ts=revision.rev_ts,
        parent_rev_id=revision.parent_rev_id,
        merged_rev_id=revision.merged_rev_id,
        message=revision.message,
        source=revision.source,
        updated_at=now,
        version=head.version + (1 if tip.head else 0),
    )
    if isinstance(moved, ValuesHead) and revision.source is ValuesSource.weekly_review:
        return replace(moved, last_review_rev_id=revision.rev_id)
    return moved


def _first_head(tip: BranchTip, revision: ValuesRevision, now: AWSDateTime) -> ValuesHead:
    return ValuesHead(
        created_at=now,
        updated_at=now,
        user_id=tip.user_id,
        head_rev_id=revision.rev_id,
        head_rev_ts=revision.rev_ts,
    )


def new_branch(
    name: str, start: ValuesRevision, earlier: ValuesRevision | None, now: datetime
) -> ValuesBranch:
    """It begins later than the last commit of an `earlier` branch of this name."""
    begins = next_millisecond(now, start.rev_id, earlier.rev_id if earlier else None)
    return ValuesBranch(
        created_at=AWSDateTime(instant_at(begins)),
        updated_at=instant(now),
        user_id=start.user_id,
        name=name,
        head_rev_id=strawberry.ID(start.rev_id),
        head_rev_ts=start.rev_ts,
        forked_rev_id=strawberry.ID(start.rev_id),
        parent_rev_id=start.parent_rev_id,
        merged_rev_id=start.merged_rev_id,
        message=start.message,
        source=start.source,
    )
