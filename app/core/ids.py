"""Ids: ULIDs, or ids that a client chose, if they consist of characters allowed in keys."""

import os
import re
from typing import Annotated

import strawberry
from pydantic import StringConstraints
from ulid import ULID, LaxMonotonicPolicy, ULIDGenerator

from app.core.clock import Clock

ID_PATTERN = r"[A-Za-z0-9_-]{1,64}"

CLIENT_ID = (
    "An id of your choice: up to 64 letters, digits, _ or -. It must be unique among all records "
    "of this kind, also those of other users, so use a ULID or a UUID. Refused with CONFLICT if it "
    "is in use. Generated if left out."
)

ClientId = Annotated[strawberry.ID, StringConstraints(pattern=f"^{ID_PATTERN}$")]


def is_plain_id(text: str) -> bool:
    return re.fullmatch(ID_PATTERN, text) is not None


class Ids:
    """Ids of one process increase strictly, also within one millisecond."""

    def __init__(self, clock: Clock) -> None:
        self._generator = ULIDGenerator(
            clock=lambda: int(clock.now().timestamp() * 1000), policy=LaxMonotonicPolicy()
        )

    def new(self) -> strawberry.ID:
        return strawberry.ID(str(self._generator.generate()))

    def at(self, milliseconds: int) -> strawberry.ID:
        """An id with this time since 1970, so that it sorts after a known id."""
        return strawberry.ID(str(ULID.from_bytes(milliseconds.to_bytes(6, "big") + os.urandom(10))))


def ulid_milliseconds(ulid: str) -> int | None:
    """The time since 1970 that a ULID contains; None if it is not a ULID."""
    try:
        return ULID.from_str(ulid).milliseconds
    except ValueError:
        return None
