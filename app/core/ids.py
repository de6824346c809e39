"""Ids: ULIDs of our own, or what a client sends if it is plain enough for a key."""

import os
import re
from typing import Annotated

import strawberry
from pydantic import StringConstraints
from ulid import ULID, LaxMonotonicPolicy, ULIDGenerator

from app.core.clock import Clock

ID_PATTERN = r"[A-Za-z0-9_-]{1,64}"

ClientId = Annotated[strawberry.ID, StringConstraints(pattern=f"^{ID_PATTERN}$")]


def is_plain_id(text: str) -> bool:
    return re.fullmatch(ID_PATTERN, text) is not None


class Ids:
    """Within one process, ids rise even inside one millisecond."""

    def __init__(self, clock: Clock) -> None:
        self._generator = ULIDGenerator(
            clock=lambda: int(clock.now().timestamp() * 1000), policy=LaxMonotonicPolicy()
        )

    def new(self) -> strawberry.ID:
        return strawberry.ID(str(self._generator.generate()))

    def at(self, milliseconds: int) -> strawberry.ID:
        """An id of that moment (since 1970), for what must sort after something else."""
        return strawberry.ID(str(ULID.from_bytes(milliseconds.to_bytes(6, "big") + os.urandom(10))))


def milliseconds_of(ulid: str) -> int | None:
    """The moment an id of ours was made, since 1970; None if it is no ULID."""
    try:
        return ULID.from_str(ulid).milliseconds
    except ValueError:
        return None
