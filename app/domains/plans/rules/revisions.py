"""The times and parents of commits."""

from datetime import UTC, datetime, timedelta

from app.core.clock import instant
from app.core.ids import ulid_milliseconds
from app.domains.plans.types import PlanRevision, ValuesRevision
from app.domains.plans.types.revisions import REVISION_ID, ULID_LENGTH

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def revision_time(rev_id: str) -> str | None:
    """The instant in the commit's key; None if no commit can have this id."""
    found = REVISION_ID.fullmatch(rev_id)
    milliseconds = ulid_milliseconds(found["ulid"]) if found else None
    try:
        return None if milliseconds is None else instant_at(milliseconds)
    except OverflowError:
        return None


def revision_id(ulid: str, branch: str | None) -> str:
    return f"{ulid}-{branch}" if branch else ulid


def next_millisecond(now: datetime, *parents: str | None) -> int:
    """Later than every parent, even if this machine's clock is behind the one that made it."""
    after = [ulid_milliseconds(each[:ULID_LENGTH]) or 0 for each in parents if each]
    return max([milliseconds(now), *(each + 1 for each in after)])


def milliseconds(moment: datetime) -> int:
    return (moment - BEGINNING) // timedelta(milliseconds=1)


def instant_at(milliseconds: int) -> str:
    return instant(BEGINNING + timedelta(milliseconds=milliseconds))


def was_head_at(revision: ValuesRevision | PlanRevision, moment: str) -> bool:
    """Whether the head had moved to it by then."""
    return (revision.moved_at or revision.rev_ts) <= moment


def parents_of(revision: ValuesRevision | None) -> list[str]:
    found = (revision.parent_rev_id, revision.merged_rev_id) if revision else ()
    return [each for each in found if each]
