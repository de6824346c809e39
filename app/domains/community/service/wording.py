"""Changing and taking back what was said: the same in a room and in a thread."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

from app.core.caller import Caller
from app.core.errors import Forbidden, LimitExceeded, StaleVersion
from app.domains.community.errors import EditTooLate
from app.domains.community.rules import MOST_EDITS, may_still_edit
from app.domains.community.types import Post, PostEdit
from app.domains.service import Decision, Service, expect_version
from app.resources import Resources
from app.table.entity import entity_of
from app.table.writes import Delete, Write, create, replace

P = TypeVar("P", bound=Post)


class Rewording(Protocol):
    """What a client sends to change a message."""

    text: str
    expected_version: int | None


class Wording(Service):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        edits_of: Callable[[Any], Awaitable[Sequence[PostEdit]]],
    ) -> None:
        super().__init__(resources, caller)
        self.edits_of = edits_of

    def edited(self, old: P, request: Rewording, kept: PostEdit) -> Decision[P]:
        """By its sender, for a while; the text it had is kept."""
        if old.user_id != self.caller.user_id:
            raise Forbidden("Only who sent a message can edit it.")
        expect_version(request, old, "message")
        if not may_still_edit(old.created_at, self.resources.clock.now()):
            raise EditTooLate
        if old.text == request.text:
            return Decision(old)
        if old.edit_count >= MOST_EDITS:
            raise LimitExceeded(f"A message can be edited {MOST_EDITS} times. Send a new one.")
        new = old.evolve(
            self.now, text=request.text, edited_at=self.now, edit_count=old.edit_count + 1
        )
        again = StaleVersion("message", None)
        return Decision(new, [replace(new, old, "message"), create(kept, otherwise=again)])

    async def tombstone(self, old: P, **changes: object) -> tuple[P, list[Write]]:
        """The place stays, so that readers who stand on it can go on; every text goes."""
        deleted_at = old.deleted_at or self.now
        new = old.evolve(self.now, text=None, deleted_at=deleted_at, edit_count=0, **changes)
        edits = await self.edits_of(old) if old.edit_count else []
        doomed = [Delete(entity_of(each).key_of(each)) for each in edits]
        return new, [replace(new, old, "message"), *doomed]

    async def forgotten(self, old: P | None) -> Decision[None]:
        """When the sender's account goes: no text and no name stays, but the place does."""
        if old is None or old.user_id is None:
            return Decision(None)
        _, writes = await self.tombstone(old, user_id=None)
        return Decision(None, writes)
