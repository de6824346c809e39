"""Traces of commits under way. A crash leaves them behind, and a sweep finds by them the snapshots
that no head or revision names."""

import strawberry

from app.core.record import Record


@strawberry.type
class ValuesDraft(Record):
    """`doomed`: a sweep has begun to remove the snapshot, so it can no longer be committed."""

    user_id: str
    rev_id: str
    doomed: bool | None = None


@strawberry.type
class PlanDraft(Record):
    user_id: str
    date: str
    rev_id: str
    doomed: bool | None = None


@strawberry.type
class DraftsOfDay(Record):
    """That a user began a commit on this day (UTC): where the sweep looks for drafts."""

    day: str
    user_id: str
