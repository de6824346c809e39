"""Threads in which people help each other."""

import asyncio
from dataclasses import replace
from functools import partial

import strawberry

from app.core.caller import Caller
from app.core.errors import AppError, BadInput, Forbidden, NotFound, StaleVersion
from app.core.record import Node
from app.domains.community import keys
from app.domains.community.errors import NotAMember, RoomFull, ThreadResolved
from app.domains.community.inputs import (
    JoinAssistThreadInput,
    LeaveAssistThreadInput,
    OpenAssistThreadInput,
    RateHelpInput,
    RemoveFromAssistThreadInput,
    ReopenAssistThreadInput,
    ResolveAssistThreadInput,
)
from app.domains.community.repository import AssistRepository
from app.domains.community.rules import (
    MOST_MEMBERS,
)
from app.domains.community.service.conversation import InTurn, resized, rewritten
from app.domains.community.service.sharing import Sharing
from app.domains.community.types import (
    AssistMember,
    AssistRole,
    AssistScope,
    AssistStatus,
    AssistThread,
)
from app.domains.people.service import Profiles
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.conditions import attr, present
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Update, create

IS_OPEN = attr("status").equals(AssistStatus.OPEN)
FORGOTTEN = "Deleted"


class Assist(Service):
    def __init__(
        self, resources: Resources, caller: Caller, profiles: Profiles, sharing: Sharing
    ) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.sharing = sharing
        self.repository = AssistRepository(resources.table)

    def in_turn(self, thread_id: str) -> InTurn:
        return InTurn(self.resources, self.caller, keys.assist_thread(thread_id))

    async def thread(self, thread_id: str) -> AssistThread | None:
        """Public threads that are open are seen by all, from outside; others from inside."""
        thread, seat = await self.repository.thread_and_member(thread_id, self.caller.user_id)
        return thread if thread and (seat or thread.listed_at) else None

    async def threads(
        self, scope: AssistScope, *, limit: int, start: Position | None
    ) -> Rows[AssistThread]:
        if scope is AssistScope.OPEN:
            return await self.repository.open_threads(limit=limit, start=start)
        return await self.repository.threads_of_user(self.caller.user_id, limit=limit, start=start)

    async def my_seat(self, thread_id: str) -> AssistMember | None:
        """Everything in a thread asks here who may see it."""
        return await self.repository.member(thread_id, self.caller.user_id)

    async def subject(self, thread: AssistThread) -> Node | None:
        return await self.sharing.read_subject(thread, await self.my_seat(thread.id))

    async def members(
        self, thread_id: str, *, limit: int, start: Position | None
    ) -> Rows[AssistMember]:
        rows = await self.repository.members(thread_id, limit=limit, start=start)
        return rows if await self.my_seat(thread_id) else Rows([])

    async def standing(self, thread_id: str) -> tuple[AssistThread, AssistMember]:
        return inside(*await self.repository.thread_and_member(thread_id, self.caller.user_id))

    async def opened(self, thread_id: str) -> AssistThread:
        """A thread that the caller has opened."""
        thread, seat = await self.standing(thread_id)
        if seat.role is not AssistRole.OPENER:
            raise Forbidden("This is for who opened the thread.")
        return thread

    async def open(self, request: OpenAssistThreadInput) -> AssistThread:
        return await self.once(request, AssistThread, partial(self._open, request))

    async def _open(self, request: OpenAssistThreadInput) -> Decision[AssistThread]:
        await self.sharing.must_be_mine(request.subject_kind, request.subject_id)
        helpers = [each for each in request.helper_ids or [] if each != self.caller.user_id]
        if None in await asyncio.gather(*(self.profiles.user(each) for each in helpers)):
            raise NotFound("user")
        thread = AssistThread(
            id=self.resources.ids.new(),
            created_at=self.now,
            updated_at=self.now,
            user_id=strawberry.ID(self.caller.user_id),
            title=request.title,
            description=request.description or None,
            subject_kind=request.subject_kind,
            subject_id=request.subject_id,
            is_public=request.is_public is not False,
            member_count=1 + len(helpers),
        )
        seats = [self._seat(thread, self.caller.user_id, AssistRole.OPENER)]
        seats += [self._seat(thread, each, AssistRole.HELPER) for each in helpers]
        taken = NotFound("thread")
        return Decision(thread, [create(each, otherwise=taken) for each in (thread, *seats)])

    def _seat(self, thread: AssistThread, user_id: str, role: AssistRole) -> AssistMember:
        return AssistMember(
            created_at=self.now,
            updated_at=self.now,
            thread_id=thread.id,
            user_id=strawberry.ID(user_id),
            role=role,
        )

    async def join(self, request: JoinAssistThreadInput) -> AssistThread:
        decide = partial(self._join, request.thread_id)
        return await self.in_turn(request.thread_id).commit(decide)

    async def _join(self, thread_id: str) -> Decision[AssistThread]:
        thread, seat = await self.repository.thread_and_member(thread_id, self.caller.user_id)
        if thread and seat:
            return Decision(thread)
        if thread is None or not thread.is_public:
            raise NotFound("thread")
        if thread.status is not AssistStatus.OPEN:
            raise ThreadResolved
        mine = self._seat(thread, self.caller.user_id, AssistRole.HELPER)
        bigger = replace(thread, member_count=thread.member_count + 1)
        space = IS_OPEN & attr("memberCount").below(MOST_MEMBERS)
        grown = resized(keys.assist_thread(thread_id), 1, space, no_space)
        again = StaleVersion("thread", None)
        return Decision(bigger, [grown, create(mine, otherwise=again)])

    async def leave(self, request: LeaveAssistThreadInput) -> AssistThread:
        decide = partial(self._without, request.thread_id, self.caller.user_id)
        return await self.in_turn(request.thread_id).commit(decide)

    async def remove(self, request: RemoveFromAssistThreadInput) -> AssistThread:
        async def decide() -> Decision[AssistThread]:
            await self.opened(request.thread_id)
            return await self._without(request.thread_id, request.user_id)

        return await self.in_turn(request.thread_id).commit(decide)

    async def _without(self, thread_id: str, user_id: str) -> Decision[AssistThread]:
        thread, _ = await self.standing(thread_id)
        seat = await self.repository.member(thread_id, user_id)
        if seat is None:
            raise NotFound("member")
        if seat.role is AssistRole.OPENER:
            raise Forbidden("Who opened a thread stays in it. You can resolve it.")
        smaller = replace(thread, member_count=thread.member_count - 1)
        gone = Delete(
            keys.assist_member(thread_id, user_id), present(), StaleVersion("thread", None)
        )
        shrunk = resized(keys.assist_thread(thread_id), -1, present(), NotFound("thread"))
        return Decision(smaller, [gone, shrunk])

    async def resolve(self, request: ResolveAssistThreadInput) -> AssistThread:
        return await self._set_status(request.thread_id, AssistStatus.RESOLVED)

    async def reopen(self, request: ReopenAssistThreadInput) -> AssistThread:
        return await self._set_status(request.thread_id, AssistStatus.OPEN)

    async def _set_status(self, thread_id: str, status: AssistStatus) -> AssistThread:
        async def decide() -> Decision[AssistThread]:
            old = await self.opened(thread_id)
            if old.status is status:
                return Decision(old)
            resolved_at = self.now if status is AssistStatus.RESOLVED else None
            new = old.evolve(self.now, status=status, resolved_at=resolved_at)
            return Decision(new, [rewritten(new, old, "thread")])

        return await self.in_turn(thread_id).commit(decide)

    async def rate(self, request: RateHelpInput) -> AssistThread:
        return await self.commit(partial(self._rate, request))

    async def _rate(self, request: RateHelpInput) -> Decision[AssistThread]:
        thread = await self.opened(request.thread_id)
        if thread.status is not AssistStatus.RESOLVED:
            raise BadInput("Help is rated once the thread is resolved.", field="input.threadId")
        if request.user_id == self.caller.user_id:
            raise BadInput("You can rate your helpers only.", field="input.userId")
        rated = Update(
            keys.assist_member(thread.id, request.user_id),
            put={"rating": request.rating, "ratingComment": request.comment or None},
            add={"version": 1},
            otherwise=NotFound("member"),
        )
        return Decision(thread, [rated])

    async def leave_everything(self) -> None:
        """When the account goes: what was asked is closed."""
        for seat in await self.repository.memberships(self.caller.user_id):
            decide = partial(self._depart, seat)
            await self.in_turn(seat.thread_id).commit(decide)

    async def _depart(self, known: AssistMember) -> Decision[None]:
        thread, seat = await self.repository.thread_and_member(known.thread_id, known.user_id)
        if thread is None or seat is None:
            return Decision(None)
        gone = Delete(keys.assist_member(thread.id, seat.user_id))
        new = thread.evolve(self.now, member_count=thread.member_count - 1)
        if seat.role is AssistRole.OPENER:
            new = replace(
                new,
                user_id=None,
                title=FORGOTTEN,
                description=None,
                status=AssistStatus.RESOLVED,
                resolved_at=thread.resolved_at or self.now,
            )
        return Decision(None, [gone, rewritten(new, thread, "thread")])


def inside(
    thread: AssistThread | None, seat: AssistMember | None
) -> tuple[AssistThread, AssistMember]:
    if thread and seat:
        return thread, seat
    raise NotAMember("thread") if thread and thread.listed_at else NotFound("thread")


def no_space(thread: AssistThread | None) -> AppError:
    if thread is None:
        return NotFound("thread")
    if thread.status is not AssistStatus.OPEN:
        return ThreadResolved()
    if thread.member_count >= MOST_MEMBERS:
        return RoomFull(MOST_MEMBERS)
    return StaleVersion("thread", thread.version)
