"""Who may read a record of somebody else. This is the one place that decides it."""

from collections.abc import Awaitable, Callable
from functools import partial

import strawberry

from app.core.caller import Caller
from app.core.errors import BadInput, NotFound, StaleVersion
from app.core.record import Node
from app.domains.community import keys
from app.domains.community.inputs import ShareWithInput, UnshareInput
from app.domains.community.repository import ShareRepository
from app.domains.community.types import (
    AssistMember,
    AssistStatus,
    AssistThread,
    Share,
    ShareKind,
    SubjectKind,
)
from app.domains.people.service import Profiles
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.gateway import Position, Rows
from app.table.writes import Delete, create

Kind = ShareKind | SubjectKind
# Reads a record as its owner does, through the service it belongs to: owner, kind, id.
ReadAsOwner = Callable[[str, str, str], Awaitable[Node | None]]


class Sharing(Service):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        read_as_owner: ReadAsOwner,
    ) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.read_as_owner = read_as_owner
        self.repository = ShareRepository(resources.table)

    async def may_read(self, owner_id: str, kind: Kind, record_id: str) -> bool:
        """One's own, and what its owner shares with the caller at this moment."""
        if owner_id == self.caller.user_id:
            return True
        share = await self.repository.share(owner_id, kind, record_id, self.caller.user_id)
        return share is not None

    async def read(self, owner_id: str, kind: Kind, record_id: str) -> Node | None:
        """Whether it is shared is looked at last: what is taken back is not read any more."""
        record = await self.read_as_owner(owner_id, kind.value, record_id)
        return record if record and await self.may_read(owner_id, kind, record_id) else None

    async def read_subject(self, thread: AssistThread, seat: AssistMember | None) -> Node | None:
        """Who helps may read the one record that an open thread is about."""
        mine = seat and (seat.thread_id, seat.user_id) == (thread.id, self.caller.user_id)
        if not mine or thread.user_id is None:
            return None
        if thread.status is not AssistStatus.OPEN and thread.user_id != self.caller.user_id:
            return None
        # A quest is public, and shows its parties more than others.
        is_quest = thread.subject_kind is SubjectKind.QUEST
        reader = self.caller.user_id if is_quest else thread.user_id
        return await self.read_as_owner(reader, thread.subject_kind.value, thread.subject_id)

    async def must_be_mine(self, kind: Kind, record_id: str) -> None:
        if await self.read_as_owner(self.caller.user_id, kind.value, record_id) is None:
            raise NotFound(kind.value.lower())

    async def share(self, request: ShareWithInput) -> Share:
        return await self.commit(partial(self._share, request))

    async def _share(self, request: ShareWithInput) -> Decision[Share]:
        if request.user_id == self.caller.user_id:
            raise BadInput("You see your own records anyway.", field="input.userId")
        await self.must_be_mine(request.kind, request.id)
        if await self.profiles.user(request.user_id) is None:
            raise NotFound("user")
        earlier = await self.repository.share(
            self.caller.user_id, request.kind, request.id, request.user_id
        )
        if earlier:
            return Decision(earlier)
        share = Share(
            created_at=self.now,
            updated_at=self.now,
            user_id=strawberry.ID(self.caller.user_id),
            partner_id=request.user_id,
            kind=request.kind,
            record_id=request.id,
            note=request.note or None,
        )
        return Decision(share, [create(share, otherwise=StaleVersion("share", None))])

    async def unshare(self, request: UnshareInput) -> Share:
        owner_id = request.owner_id or self.caller.user_id
        if self.caller.user_id not in (owner_id, request.user_id):
            raise NotFound("share")
        share = await self.repository.share(owner_id, request.kind, request.id, request.user_id)
        if share is None:
            raise NotFound("share")
        key = keys.share(owner_id, request.kind, request.id, request.user_id)
        await self.table.write(Delete(key))
        return share

    async def shared_by_me(self, *, limit: int, start: Position | None) -> Rows[Share]:
        return await self.repository.shares_of_user(self.caller.user_id, limit=limit, start=start)

    async def shared_with_me(self, *, limit: int, start: Position | None) -> Rows[Share]:
        return await self.repository.shares_with_partner(
            self.caller.user_id, limit=limit, start=start
        )

    async def leave_everything(self) -> None:
        """When the account goes. What it shared itself lies with it and goes with it."""
        for share in await self.repository.all_with_partner(self.caller.user_id):
            key = keys.share(share.user_id, share.kind, share.record_id, share.partner_id)
            await self.table.write(Delete(key))
