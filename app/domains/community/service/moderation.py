"""Moderation of rooms. Every action of a moderator is logged in the same transaction."""

from datetime import timedelta
from functools import partial

from app.core.clock import instant
from app.core.errors import BadInput, Forbidden, NotFound, StaleVersion
from app.domains.community import keys
from app.domains.community.inputs import MuteInRoomInput, ReportMessageInput, ResolveReportInput
from app.domains.community.repository import RoomRepository
from app.domains.community.rules.rooms import as_resolved, may_moderate
from app.domains.community.service.messages import Messages
from app.domains.community.service.rooms import Rooms
from app.domains.community.types import (
    Message,
    MessageReport,
    ModerationAction,
    ModerationEntry,
    ReportStatus,
    Room,
)
from app.domains.service import Decision, Service, uses
from app.table.conditions import attr, present
from app.table.gateway import Position, Rows
from app.table.writes import Check, Update, Write, put_if_absent, put_if_unchanged


class Moderation(Service):
    rooms = uses(Rooms)
    messages = uses(Messages)

    @property
    def repository(self) -> RoomRepository:
        return RoomRepository(self.table)

    async def may_moderate(self, room_id: str) -> bool:
        """The room's own moderators. Those of the whole site only see reported messages."""
        membership = await self.rooms.my_membership(room_id)
        return membership is not None and may_moderate(membership.role)

    async def log(
        self, room_id: str, *, limit: int, start: Position | None
    ) -> Rows[ModerationEntry]:
        rows = await self.table.query(keys.moderation_log(room_id), limit=limit, start=start)
        return rows if await self.may_moderate(room_id) else Rows([])

    async def reports_of_room(
        self, room_id: str, *, limit: int, start: Position | None
    ) -> Rows[MessageReport]:
        query = keys.reports_of_room(room_id, ReportStatus.OPEN)
        rows = await self.table.query(query, limit=limit, start=start)
        return rows if await self.may_moderate(room_id) else Rows([])

    async def reports(
        self, status: ReportStatus, *, limit: int, start: Position | None
    ) -> Rows[MessageReport]:
        self.caller.must_be_moderator()
        return await self.table.query(
            keys.reports_by_status(status),
            limit=limit,
            start=start,
            keep=lambda report: report.status is status,
        )

    async def reported_message(self, report: MessageReport) -> Message | None:
        """For a moderator of the site only while the report is open."""
        seen = await self.messages.message(report.room_id, report.message_id)
        if seen or not self.caller.is_moderator or report.status is not ReportStatus.OPEN:
            return seen
        return await self.repository.message(report.room_id, report.message_id)

    async def report(self, request: ReportMessageInput) -> MessageReport:
        return await self.once(request, MessageReport, partial(self._report, request))

    async def _report(self, request: ReportMessageInput) -> Decision[MessageReport]:
        """Once per message and member; the first reason stays."""
        room, _ = await self.rooms.joined_room(request.room_id)
        message = await self.messages.message(room.id, request.message_id)
        if message is None or message.deleted_at:
            raise NotFound("message")
        if message.user_id == self.caller.user_id:
            raise BadInput("You can delete your own message.", field="input.messageId")
        earlier = await self.table.get(keys.report(self.caller.user_id, message.id))
        if earlier:
            return Decision(earlier)
        report = MessageReport(
            **self.stamp(),
            room_id=room.id,
            message_id=message.id,
            reason=request.reason,
        )
        again = StaleVersion("report", None)
        still_there = Check(
            keys.message(room.id, message.created_at, message.id),
            present() & attr("deletedAt").absent(),
            NotFound("message"),
        )
        return Decision(report, [put_if_absent(report, otherwise=again), still_there])

    async def resolve(self, request: ResolveReportInput) -> MessageReport:
        return await self.once(request, MessageReport, partial(self._resolve, request))

    async def _resolve(self, request: ResolveReportInput) -> Decision[MessageReport]:
        old = await self.table.get(keys.report(request.reporter_id, request.message_id))
        if old is None or not await self._may_resolve(old):
            raise NotFound("report")
        if old.status is not ReportStatus.OPEN:
            return Decision(old)
        if request.remove:
            new, effects = as_resolved(old, self.now), await self._removal(old, request)
        else:
            new = old.evolve(self.now, status=ReportStatus.DISMISSED, resolved_at=self.now)
            effects = [self._dismissal(old, request)]
        return Decision(new, [put_if_unchanged(new, old, "report"), *effects])

    def _dismissal(self, report: MessageReport, request: ResolveReportInput) -> Write:
        return self.rooms.moderation_entry(
            report.room_id,
            ModerationAction.DISMISS_REPORT,
            message_id=report.message_id,
            reason=request.reason or None,
        )

    async def _may_resolve(self, report: MessageReport) -> bool:
        return self.caller.is_moderator or await self.may_moderate(report.room_id)

    async def _removal(self, report: MessageReport, request: ResolveReportInput) -> list[Write]:
        """A message that is gone already resolves its reports all the same."""
        message = await self.repository.message(report.room_id, report.message_id)
        if message is None:
            return [self._dismissal(report, request)]
        if message.deleted_at:
            others = await self.messages.resolve_reports(message, besides=report)
            return [self._dismissal(report, request), *others]
        reason = request.reason or report.reason
        _, writes = await self.messages.removal(message, reason, resolved=report)
        return writes

    async def mute(self, request: MuteInRoomInput) -> Room:
        return await self.once(request, Room, partial(self._mute, request))

    async def _mute(self, request: MuteInRoomInput) -> Decision[Room]:
        room, mine = await self.rooms.moderated_room(request.room_id)
        member = await self.rooms.lower_member(room, mine, request.user_id)
        ends = self.resources.clock.now() + timedelta(minutes=request.minutes)
        entry = self.rooms.moderation_entry(
            room.id,
            ModerationAction.MUTE if request.minutes else ModerationAction.UNMUTE,
            subject_id=member.user_id,
            reason=request.reason or None,
        )
        muted = Update(
            keys.room_member(room.id, member.user_id),
            put={"mutedUntil": instant(ends) if request.minutes else None, "updatedAt": self.now},
            add={"version": 1},
            when=attr("role").equals(member.role),
            otherwise=StaleVersion("room", None),
        )
        still_moderator = Check(
            keys.room_member(room.id, mine.user_id),
            attr("role").equals(mine.role),
            Forbidden("Only the room's owner and moderators may do this."),
        )
        return Decision(room, [muted, entry, still_moderator])
