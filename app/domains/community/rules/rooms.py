"""Rooms: roles, membership, and the errors of refused writes."""

from collections.abc import Iterable

from app.core.errors import AppError, NotFound, StaleVersion
from app.core.scalars import AWSDateTime
from app.domains.community.errors import Muted, NotAMember, RoomArchived, RoomFull
from app.domains.community.types import MessageReport, ReportStatus, Room, RoomMember, RoomRole

MOST_MEMBERS = 500
MOST_INVITED_AT_FIRST = 50
LONGEST_MUTE_MINUTES = 30 * 24 * 60
RANKS = {RoomRole.OWNER: 0, RoomRole.MODERATOR: 1, RoomRole.MEMBER: 2}


def outranks(role: RoomRole, other: RoomRole) -> bool:
    return RANKS[role] < RANKS[other]


def may_moderate(role: RoomRole) -> bool:
    return role is not RoomRole.MEMBER


def next_owner(members: Iterable[RoomMember], leaving: str) -> RoomMember | None:
    """Of the highest rank the one who joined first; None: nobody is left."""
    staying = [member for member in members if member.user_id != leaving]
    return min(
        staying,
        key=lambda member: (RANKS[member.role], member.created_at, member.user_id),
        default=None,
    )


def expect_member(room: Room | None, member: RoomMember | None) -> tuple[Room, RoomMember]:
    if room and member:
        return room, member
    raise NotAMember("room") if room and room.listed_at else NotFound("room")


def is_muted(member: RoomMember, now: str) -> bool:
    """The release before let an owner stay muted."""
    is_owner = member.role is RoomRole.OWNER
    return not is_owner and member.muted_until is not None and member.muted_until > now


def expect_may_write(room: Room, member: RoomMember, now: str) -> None:
    if room.archived_at:
        raise RoomArchived
    if is_muted(member, now):
        raise Muted(member.muted_until)


def as_resolved(report: MessageReport, now: AWSDateTime) -> MessageReport:
    """Its message was removed."""
    return report.evolve(now, status=ReportStatus.RESOLVED, resolved_at=now)


def join_refusal(room: Room | None) -> AppError:
    """The error of a join that the room, as it is now, did not accept."""
    if room and not room.archived_at and room.member_count >= MOST_MEMBERS:
        return RoomFull(MOST_MEMBERS)
    return send_refusal(room)


def send_refusal(room: Room | None) -> AppError:
    """The error of a message that the room, as it is now, did not accept."""
    if room is None:
        return NotFound("room")
    return RoomArchived() if room.archived_at else StaleVersion("room", room.version)


def sender_refusal(member: RoomMember | None) -> AppError:
    return Muted(member.muted_until) if member else NotFound("room")
