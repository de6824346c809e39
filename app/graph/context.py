"""What a resolver knows about its request."""

import strawberry

from app.core.caller import Access, Caller
from app.graph.tokens import PageTokens
from app.resources import Resources
from app.services import Services


class Context(Services):
    """The caller's services, and what the request adds."""

    def __init__(
        self, resources: Resources, caller: Caller, *, page_tokens: PageTokens, request_id: str
    ) -> None:
        super().__init__(resources, caller)
        self.page_tokens = page_tokens
        self.request_id = request_id
        self._has_profile = caller.session_id is not None or caller.access is not Access.USER

    async def ensure_profile(self) -> None:
        """Whoever signed up here has a profile; someone from outside gets one at the first call."""
        if not self._has_profile:
            await self.profiles.ensure_profile()
            self._has_profile = True


Info = strawberry.Info[Context, None]
