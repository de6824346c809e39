"""The context of a request: the caller's services, page tokens, the request id."""

from typing import Protocol

import strawberry

from app.core.caller import Access, Caller, acting_for
from app.graph.tokens import PageTokens
from app.resources import Resources
from app.services import Services


class OwnedRecord(Protocol):
    user_id: str


class Context(Services):
    """The caller's services, and what belongs to the request."""

    def __init__(
        self, resources: Resources, caller: Caller, *, page_tokens: PageTokens, request_id: str
    ) -> None:
        super().__init__(resources, caller)
        self.page_tokens = page_tokens
        self.request_id = request_id
        self.operation_kind = ""
        self.operation_name: str | None = None
        self._owners: dict[str, Services] = {}
        self._has_profile = caller.session_id is not None or caller.access is not Access.USER

    def services_of_owner(self, record: OwnedRecord) -> Services:
        """The services of the record's owner, to compute numbers of a record that is shared with
        the caller: every reader sees the owner's numbers. Not for reading other records of the
        owner: they are not shared with it."""
        if record.user_id == self.caller.id:
            return self
        if record.user_id not in self._owners:
            self._owners[record.user_id] = self.acting_for(record.user_id)
        return self._owners[record.user_id]

    def acting_for(self, user_id: str) -> Services:
        """Services only: page tokens and the request id stay with the request."""
        return Services(self.resources, acting_for(user_id))

    def release(self) -> None:
        super().release()
        for owner in self._owners.values():
            owner.release()

    async def ensure_profile(self) -> None:
        """A user of an external issuer gets a profile with the first request; signUp makes one."""
        if not self._has_profile:
            await self.profiles.ensure_profile()
            self._has_profile = True


Info = strawberry.Info[Context, None]
