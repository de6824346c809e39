"""How rooms are kept civil. Everything a moderator does is written down, in the same step."""

from datetime import timedelta
from functools import partial

import strawberry

from app.core.caller import Caller
from app.core.clock import instant
from app.core.errors import BadInput, Forbidden, NotFound, StaleVersion
from app.domains.community import keys
from app.domains.community.inputs import MuteInRoomInput, ReportMessageInput, ResolveReportInput
from app.domains.community.repository import RoomRepository
from app.domains.community.rules import moderates
from app.domains.community.service.messages import Messages
from app.domains.community.service.rooms import Rooms
from app.domains.community.types import (
    Message,
    ModerationAction,
    ModerationEntry,
    Report,
    ReportStatus,
    Room,
)
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.conditions import absent, attr
from app.table.gateway import Position, Rows
from app.table.writes import Check, Put, Update, Write, replace


class Moderation(Service):
    def __init__(
        self, resources: Resources, caller: Caller, rooms: Rooms, messages: Messages
    ) -> None:
        super().__init__(resources, caller)
        self.rooms = rooms
        self.messages = messages
        self.repository = RoomRepository(resources.table)

    async def may_moderate(self, room_id: str) -> bool:
        """The room's own moderators. Those of the whole site see what is reported to them."""
        seat = await self.rooms.my_seat(room_id)
        return seat is not None and moderates(seat.role)

    async def log(
        self, room_id: str, *, limit: int, start: Position | None
    ) -> Rows[ModerationEntry]:
        rows = await self.repository.moderation_log(room_id, limit=limit, start=start)
        return rows if await self.may_moderate(room_id) else Rows([])

    async def reports_of_room(
        self, room_id: str, *, limit: int, start: Position | None
    ) -> Rows[Report]:
        rows = await self.repository.open_reports_of_room(room_id, limit=limit, start=start)
        return rows if await self.may_moderate(room_id) else Rows([])

    async def reports(
        self, status: ReportStatus, *, limit: int, start: Position | None
    ) -> Rows[Report]:
        self.caller.must_be_moderator()
        return await self.repository.reports_by_status(status, limit=limit, start=start)

    async def reported_message(self, report: Report) -> Message | None:
        """For a moderator of the site, only while the report waits for a decision."""
        seen = await self.messages.message(report.room_id, report.message_id)
        if seen or not self.caller.is_moderator or report.status is not ReportStatus.OPEN:
            return seen
        return await self.repository.message(report.room_id, report.message_id)

    async def report(self, request: ReportMessageInput) -> Report:
        return await self.commit(partial(self._report, request))

    async def _report(self, request: ReportMessageInput) -> Decision[Report]:
        """Once per message and member; the first reason stays."""
        room, _ = await self.rooms.standing(request.room_id)
        message = await self.messages.message(room.id, request.message_id)
        if message is None or message.deleted_at:
            raise NotFound("message")
        if message.user_id == self.caller.user_id:
            raise BadInput("You can delete your own message.", field="input.messageId")
        earlier = await self.repository.report(self.caller.user_id, message.id)
        if earlier:
            return Decision(earlier)
        report = Report(
            created_at=self.now,
            updated_at=self.now,
            user_id=strawberry.ID(self.caller.user_id),
            room_id=room.id,
            message_id=message.id,
            reason=request.reason,
        )
        again = StaleVersion("report", None)
        return Decision(report, [Put(report, when=absent(), otherwise=again)])

    async def resolve(self, request: ResolveReportInput) -> Report:
        return await self.commit(partial(self._resolve, request))

    async def _resolve(self, request: ResolveReportInput) -> Decision[Report]:
        old = await self.repository.report(request.reporter_id, request.message_id)
        if old is None or not await self._decides(old):
            raise NotFound("report")
        if old.status is not ReportStatus.OPEN:
            return Decision(old)
        status = ReportStatus.RESOLVED if request.remove else ReportStatus.DISMISSED
        new = old.evolve(self.now, status=status, resolved_at=self.now)
        deed = await self._removal(old, request) if request.remove else []
        if not deed:
            entry = self.rooms.entry(
                old.room_id,
                ModerationAction.DISMISS_REPORT,
                message_id=old.message_id,
                reason=request.reason or None,
            )
            deed = [entry]
        return Decision(new, [replace(new, old, "report"), *deed])

    async def _decides(self, report: Report) -> bool:
        return self.caller.is_moderator or await self.may_moderate(report.room_id)

    async def _removal(self, report: Report, request: ResolveReportInput) -> list[Write]:
        message = await self.repository.message(report.room_id, report.message_id)
        if message is None or message.deleted_at:
            return []
        _, writes = await self.messages.removal(message, request.reason or report.reason)
        return writes

    async def mute(self, request: MuteInRoomInput) -> Room:
        return await self.commit(partial(self._mute, request))

    async def _mute(self, request: MuteInRoomInput) -> Decision[Room]:
        room, mine = await self.rooms.moderated(request.room_id)
        seat = await self.rooms.below(room, mine, request.user_id)
        ends = self.resources.clock.now() + timedelta(minutes=request.minutes)
        entry = self.rooms.entry(
            room.id,
            ModerationAction.MUTE if request.minutes else ModerationAction.UNMUTE,
            subject_id=seat.user_id,
            reason=request.reason or None,
        )
        muted = Update(
            keys.room_member(room.id, seat.user_id),
            put={"mutedUntil": instant(ends) if request.minutes else None, "updatedAt": self.now},
            add={"version": 1},
            when=attr("role").equals(seat.role),
            otherwise=StaleVersion("room", None),
        )
        still = Check(
            keys.room_member(room.id, mine.user_id),
            attr("role").equals(mine.role),
            Forbidden("This is for the room's owner and moderators."),
        )
        return Decision(room, [muted, entry, still])
