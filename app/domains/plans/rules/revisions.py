"""Revision ids: a ULID tells its moment, a suffix its branch, so the id alone finds the commit."""

import re
from datetime import UTC, datetime, timedelta

from app.core.clock import instant
from app.core.ids import milliseconds_of

MAIN = "main"
ULID_LENGTH = 26
BRANCH_NAME = r"[a-z0-9][a-z0-9-]{0,31}"
REVISION = re.compile(rf"(?P<ulid>[0-9A-Z]{{{ULID_LENGTH}}})(?:-(?P<branch>{BRANCH_NAME}))?")
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def revision_time(rev_id: str) -> str | None:
    """The instant in the commit's key; None if no commit of ours can have this id."""
    found = REVISION.fullmatch(rev_id)
    milliseconds = milliseconds_of(found["ulid"]) if found else None
    try:
        return None if milliseconds is None else instant_at(milliseconds)
    except OverflowError:
        return None


def branch_of(rev_id: str) -> str | None:
    """The branch it was committed on; None is the main line."""
    found = REVISION.fullmatch(rev_id)
    return found["branch"] if found else None


def revision_id(ulid: str, branch: str | None) -> str:
    return f"{ulid}-{branch}" if branch else ulid


def next_millisecond(now: datetime, *parents: str | None) -> int:
    """Later than every parent, even if this machine's clock is behind the one that made it."""
    after = [milliseconds_of(each[:ULID_LENGTH]) or 0 for each in parents if each]
    return max([milliseconds(now), *(each + 1 for each in after)])


def milliseconds(moment: datetime) -> int:
    return (moment - BEGINNING) // timedelta(milliseconds=1)


def instant_at(milliseconds: int) -> str:
    return instant(BEGINNING + timedelta(milliseconds=milliseconds))
