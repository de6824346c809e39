"""Marks of unfinished commits. A crash leaves them behind; they lead a sweep to the snapshots that
no revision refers to."""

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
    """Marks that a user began a commit on this day (UTC): the sweep looks here for drafts."""

    day: str
    user_id: str
