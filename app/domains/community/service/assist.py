"""Assist threads: reading, joining, resolving and rating them."""

import asyncio
from dataclasses import replace
from functools import partial

import strawberry

from app.core.errors import BadInput, Forbidden, NotFound, StaleVersion
from app.core.record import Node
from app.domains.community import keys
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
from app.domains.community.rules.assist import (
    expect_open,
    expect_participant,
    thread_refusal,
    without_opener,
)
from app.domains.community.rules.rooms import MOST_MEMBERS
from app.domains.community.service.conversation import ConversationWriter
from app.domains.community.service.sharing import Sharing
from app.domains.community.types import (
    AssistMember,
    AssistRole,
    AssistScope,
    AssistStatus,
    AssistThread,
)
from app.domains.people.service import Profiles
from app.domains.service import Decision, Service, required, uses
from app.table.conditions import attr, present
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Update, put_if_absent

IS_OPEN = attr("status").equals(AssistStatus.OPEN)


class Assist(Service):
    profiles = uses(Profiles)
    sharing = uses(Sharing)

    @property
    def repository(self) -> AssistRepository:
        return AssistRepository(self.table)

    def writer(self, thread_id: str) -> ConversationWriter:
        return ConversationWriter(self.scope, keys.assist_thread(thread_id))

    async def thread(self, thread_id: str) -> AssistThread | None:
        """Everybody sees a public thread that is open; only its participants see any other."""
        thread, membership = await self._thread_and_membership(thread_id)
        return thread if thread and (membership or thread.listed_at) else None

    async def _thread_and_membership(
        self, thread_id: str
    ) -> tuple[AssistThread | None, AssistMember | None]:
        return await asyncio.gather(
            self.table.load(keys.assist_thread(thread_id)), self.my_membership(thread_id)
        )

    async def threads(
        self, scope: AssistScope, *, limit: int, start: Position | None
    ) -> Rows[AssistThread]:
        if scope is AssistScope.OPEN:
            return await self.table.query(
                keys.open_assist_threads(),
                limit=limit,
                start=start,
                keep=lambda thread: thread.listed_at is not None,
            )
        return await self.repository.threads_of_user(self.caller.user_id, limit=limit, start=start)

    async def my_membership(self, thread_id: str) -> AssistMember | None:
        """Every read inside a thread checks the caller's membership here."""
        return await self.table.load(keys.assist_member(thread_id, self.caller.user_id))

    async def subject(self, thread: AssistThread) -> Node | None:
        return await self.sharing.read_subject(thread, await self.my_membership(thread.id))

    async def members(
        self, thread_id: str, *, limit: int, start: Position | None
    ) -> Rows[AssistMember]:
        query = keys.members_of_assist_thread(thread_id)
        rows = await self.table.query(query, limit=limit, start=start)
        return rows if await self.my_membership(thread_id) else Rows([])

    async def joined_thread(self, thread_id: str) -> tuple[AssistThread, AssistMember]:
        """The thread and the caller's membership; NOT_A_MEMBER or NOT_FOUND if there is none."""
        return expect_participant(*await self._thread_and_membership(thread_id))

    async def own_thread(self, thread_id: str) -> AssistThread:
        """A thread that the caller has opened."""
        thread, membership = await self.joined_thread(thread_id)
        if membership.role is not AssistRole.OPENER:
            raise Forbidden("Only the opener of the thread may do this.")
        return thread

    async def open(self, request: OpenAssistThreadInput) -> AssistThread:
        return await self.once(request, AssistThread, partial(self._open, request))

    async def _open(self, request: OpenAssistThreadInput) -> Decision[AssistThread]:
        await self.sharing.own_record(request.subject_kind, request.subject_id)
        helpers = [each for each in request.helper_ids or [] if each != self.caller.user_id]
        if None in await asyncio.gather(*(self.profiles.user(each) for each in helpers)):
            raise NotFound("user")
        thread = AssistThread(
            **self.stamp(),
            id=self.new_id(),
            title=request.title,
            description=request.description or None,
            subject_kind=request.subject_kind,
            subject_id=request.subject_id,
            is_public=request.is_public is not False,
            member_count=1 + len(helpers),
            gap_number=0,
        )
        members = [self._new_member(thread, self.caller.user_id, AssistRole.OPENER)]
        members += [self._new_member(thread, each, AssistRole.HELPER) for each in helpers]
        taken = NotFound("thread")
        records = (thread, *members)
        return Decision(thread, [put_if_absent(each, otherwise=taken) for each in records])

    def _new_member(self, thread: AssistThread, user_id: str, role: AssistRole) -> AssistMember:
        return AssistMember(
            created_at=self.now,
            updated_at=self.now,
            thread_id=thread.id,
            user_id=strawberry.ID(user_id),
            role=role,
        )

    async def join(self, request: JoinAssistThreadInput) -> AssistThread:
        decide = partial(self._join, request.thread_id)
        return await self.writer(request.thread_id).once(request, AssistThread, decide)

    async def _join(self, thread_id: str) -> Decision[AssistThread]:
        thread, membership = await self._thread_and_membership(thread_id)
        if thread and membership:
            return Decision(thread)
        if thread is None or not thread.is_public:
            raise NotFound("thread")
        expect_open(thread)
        member = self._new_member(thread, self.caller.user_id, AssistRole.HELPER)
        bigger = replace(thread, member_count=thread.member_count + 1)
        has_place = IS_OPEN & attr("memberCount").below(MOST_MEMBERS)
        counted = self.writer(thread_id).change_member_count(1, has_place, thread_refusal)
        again = StaleVersion("thread", None)
        return Decision(bigger, [counted, put_if_absent(member, otherwise=again)])

    async def leave(self, request: LeaveAssistThreadInput) -> AssistThread:
        decide = partial(self._without_member, request.thread_id, self.caller.user_id)
        return await self.writer(request.thread_id).once(request, AssistThread, decide)

    async def remove(self, request: RemoveFromAssistThreadInput) -> AssistThread:
        async def decide() -> Decision[AssistThread]:
            await self.own_thread(request.thread_id)
            return await self._without_member(request.thread_id, request.user_id)

        return await self.writer(request.thread_id).once(request, AssistThread, decide)

    async def _without_member(self, thread_id: str, user_id: str) -> Decision[AssistThread]:
        thread, _ = await self.joined_thread(thread_id)
        key = keys.assist_member(thread_id, user_id)
        member = required(await self.table.load(key), "member")
        if member.role is AssistRole.OPENER:
            raise Forbidden("The opener cannot leave a thread. You can resolve it.")
        smaller = replace(thread, member_count=thread.member_count - 1)
        removed = Delete(key, present(), StaleVersion("thread", None))
        counted = self.writer(thread_id).change_member_count(-1, present(), NotFound("thread"))
        return Decision(smaller, [removed, counted])

    async def resolve(self, request: ResolveAssistThreadInput) -> AssistThread:
        return await self._set_status(request, AssistStatus.RESOLVED)

    async def reopen(self, request: ReopenAssistThreadInput) -> AssistThread:
        return await self._set_status(request, AssistStatus.OPEN)

    async def _set_status(
        self, request: ResolveAssistThreadInput | ReopenAssistThreadInput, status: AssistStatus
    ) -> AssistThread:
        writer = self.writer(request.thread_id)

        async def decide() -> Decision[AssistThread]:
            old = await self.own_thread(request.thread_id)
            if old.status is status:
                return Decision(old)
            resolved_at = self.now if status is AssistStatus.RESOLVED else None
            new = old.evolve(self.now, status=status, resolved_at=resolved_at)
            return Decision(new, [writer.put(new, old, "thread")])

        return await writer.once(request, AssistThread, decide)

    async def rate(self, request: RateHelpInput) -> AssistThread:
        return await self.once(request, AssistThread, partial(self._rate, request))

    async def _rate(self, request: RateHelpInput) -> Decision[AssistThread]:
        thread = await self.own_thread(request.thread_id)
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

    async def leave_all(self) -> None:
        """When the account is deleted."""
        query = keys.assist_threads_of_user(self.caller.user_id)
        for member in [each async for each in self.table.query_all(query)]:
            decide = partial(self._leave_for_good, member.thread_id)
            await self.writer(member.thread_id).commit(decide)

    async def _leave_for_good(self, thread_id: str) -> Decision[None]:
        thread, membership = await self._thread_and_membership(thread_id)
        if thread is None or membership is None:
            return Decision(None)
        removed = Delete(keys.assist_member(thread.id, membership.user_id))
        new = thread.evolve(self.now, member_count=thread.member_count - 1)
        if membership.role is AssistRole.OPENER:
            new = without_opener(new, self.now)
        return Decision(None, [removed, self.writer(thread_id).put(new, thread, "thread")])
