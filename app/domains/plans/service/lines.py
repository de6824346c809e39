"""A line of commits: the main one, or a branch. What a new commit on it consists of."""

from dataclasses import dataclass, replace
from datetime import datetime
from heapq import heappop, heappush

import strawberry

from app.core.clock import moment_of
from app.core.ids import Ids, milliseconds_of
from app.core.scalars import AWSDateTime
from app.domains.plans.errors import HeadMoved
from app.domains.plans.repository import ValuesRepository
from app.domains.plans.rules.revisions import (
    MAIN,
    ULID_LENGTH,
    branch_of,
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
from app.table.conditions import absent, attr
from app.table.writes import Put, Write, create


@dataclass(frozen=True, slots=True)
class Line:
    user_id: str
    branch: str | None
    head: ValuesHead | ValuesBranch | None

    @property
    def name(self) -> str:
        return self.branch or MAIN

    @property
    def head_id(self) -> str | None:
        return self.head.head_rev_id if self.head else None

    @property
    def revision(self) -> ValuesRevision | None:
        if isinstance(self.head, ValuesBranch):
            return self.head.revision()
        return self.head.revision if self.head else None

    @property
    def begins(self) -> datetime | None:
        return moment_of(self.head.created_at) if isinstance(self.head, ValuesBranch) else None

    def leads_through(self, rev_id: str) -> bool:
        """Every commit of a line is an ancestor of its head, as the head only moves forward. A
        branch of the same name may have been there before."""
        if branch_of(rev_id) != self.branch:
            return False
        since = milliseconds(self.begins) if self.begins else 0
        return (milliseconds_of(rev_id[:ULID_LENGTH]) or 0) >= since


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a commit says about itself."""

    message: str
    source: ValuesSource
    merged: str | None = None


def new_revision(line: Line, about: About, *, now: datetime, ids: Ids) -> ValuesRevision:
    begins = line.begins
    at = next_millisecond(max(now, begins) if begins else now, line.head_id, about.merged)
    rev_ts = AWSDateTime(instant_at(at))
    cls = BranchRevision if line.branch else ValuesRevision
    return cls(
        created_at=rev_ts,
        updated_at=rev_ts,
        user_id=line.user_id,
        rev_id=revision_id(ids.at(at), line.branch),
        rev_ts=rev_ts,
        parent_rev_id=line.head_id,
        merged_rev_id=about.merged,
        message=about.message,
        source=about.source,
    )


def writes_of(line: Line, revision: ValuesRevision, now: AWSDateTime) -> list[Write]:
    """The commit, and the head that moves to it unless somebody has moved it."""
    unmoved = attr("headRevId").equals(line.head_id) if line.head else absent()
    return [
        create(revision, otherwise=HeadMoved(line.head_id)),
        Put(_next_head(line, revision, now), when=unmoved, otherwise=moved),
    ]


def moved(now: ValuesHead | ValuesBranch | None) -> HeadMoved:
    return HeadMoved(now.head_rev_id if now else None)


def _next_head(line: Line, revision: ValuesRevision, now: AWSDateTime) -> ValuesHead | ValuesBranch:
    head = line.head or _first_head(line, revision, now)
    moved = replace(
        head,
        head_rev_id=strawberry.ID(revision.rev_id),
        head_rev_ts=revision.rev_ts,
        parent_rev_id=revision.parent_rev_id,
        merged_rev_id=revision.merged_rev_id,
        message=revision.message,
        source=revision.source,
        updated_at=now,
        version=head.version + (1 if line.head else 0),
    )
    if isinstance(moved, ValuesHead) and revision.source is ValuesSource.weekly_review:
        return replace(moved, last_review_rev_id=revision.rev_id)
    return moved


def _first_head(line: Line, revision: ValuesRevision, now: AWSDateTime) -> ValuesHead:
    return ValuesHead(
        created_at=now,
        updated_at=now,
        user_id=line.user_id,
        head_rev_id=revision.rev_id,
        head_rev_ts=revision.rev_ts,
    )


async def common_ancestor(repository: ValuesRepository, one: str, other: str) -> str | None:
    """The newest commit that both come from. A parent is always older than its children, so
    walking both from new to old meets it first."""
    seen_from: dict[str, set[str]] = {}
    waiting: list[tuple[int, str]] = []

    def meet(rev_id: str, sides: set[str]) -> None:
        if rev_id not in seen_from:
            heappush(waiting, (-(milliseconds_of(rev_id[:ULID_LENGTH]) or 0), rev_id))
        seen_from.setdefault(rev_id, set()).update(sides)

    meet(one, {"one"})
    meet(other, {"other"})
    while waiting:
        _, rev_id = heappop(waiting)
        if len(seen_from[rev_id]) == 2:
            return rev_id
        revision = await repository.revision(rev_id)
        for parent in _parents(revision):
            meet(parent, seen_from[rev_id])
    return None


def _parents(revision: ValuesRevision | None) -> list[str]:
    found = (revision.parent_rev_id, revision.merged_rev_id) if revision else ()
    return [each for each in found if each]
