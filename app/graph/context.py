"""What a resolver knows about its request."""

from typing import Protocol

import strawberry

from app.core.caller import Access, Caller, acting_for
from app.graph.tokens import PageTokens
from app.resources import Resources
from app.services import Services


class Owned(Protocol):
    user_id: str


class Context(Services):
    """The caller's services, and what the request adds."""

    def __init__(
        self, resources: Resources, caller: Caller, *, page_tokens: PageTokens, request_id: str
    ) -> None:
        super().__init__(resources, caller)
        self.page_tokens = page_tokens
        self.request_id = request_id
        self._owners: dict[str, Services] = {}
        self._has_profile = caller.session_id is not None or caller.access is not Access.USER

    def as_owner_of(self, record: Owned) -> Services:
        """To work out numbers of a record that the caller was given: whoever may read it sees the
        same ones. Never for other records that hang on it, which are not shared with it."""
        if record.user_id == self.caller.id:
            return self
        if record.user_id not in self._owners:
            self._owners[record.user_id] = Services(self.resources, acting_for(record.user_id))
        return self._owners[record.user_id]

    def let_go(self) -> None:
        super().let_go()
        for owner in self._owners.values():
            owner.let_go()

    async def ensure_profile(self) -> None:
        """Whoever signed up here has a profile; someone from outside gets one at the first call."""
        if not self._has_profile:
            await self.profiles.ensure_profile()
            self._has_profile = True


Info = strawberry.Info[Context, None]
