"""Decisions about rooms, threads, offers and who may see what, without any I/O."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Protocol

import strawberry

from app.core.clock import epoch, instant, moment_of
from app.core.ids import milliseconds_of
from app.core.scalars import AWSDateTime

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LONGEST_MESSAGE = 4_000
MESSAGES_A_MINUTE = 30
EDIT_MINUTES = 15
MOST_EDITS = 20
MOST_MEMBERS = 500
MOST_INVITED_AT_FIRST = 50
# They go in one transaction with the seat of who put them there.
MOST_GOALS_IN_COMPANY = 50
LONGEST_EPHEMERAL = 30 * 24 * 3600
LONGEST_MUTE_MINUTES = 30 * 24 * 60


@strawberry.enum(
    description="OWNER: one, may do everything. MODERATOR: may remove messages and members, mute, "
    "invite. MEMBER: reads and writes."
)
class RoomRole(Enum):
    OWNER = "OWNER"
    MODERATOR = "MODERATOR"
    MEMBER = "MEMBER"


RANKS = {RoomRole.OWNER: 0, RoomRole.MODERATOR: 1, RoomRole.MEMBER: 2}


@strawberry.enum(description="Offers that are OPEN are public; the others are for the company.")
class OfferStatus(Enum):
    DRAFT = "DRAFT"
    OPEN = "OPEN"
    CLOSED = "CLOSED"


class Seat(Protocol):
    """Somebody's place in a room, or in a company."""

    user_id: strawberry.ID
    created_at: AWSDateTime


class RoomSeat(Seat, Protocol):
    role: RoomRole


def milliseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(milliseconds=1)


def next_moment(now: datetime, last: str | None) -> datetime:
    """When the next message is sent: never at or before the last one, whatever this clock says."""
    now = now.replace(microsecond=now.microsecond // 1000 * 1000)
    return max(now, just_after(last)) if last else now


def just_after(stamp: str) -> datetime:
    return moment_of(stamp) + timedelta(milliseconds=1)


def sent_at(message_id: str) -> AWSDateTime | None:
    """A message's id says when it was sent; None if it is no id of ours."""
    made = milliseconds_of(message_id)
    if made is None:
        return None
    try:
        return instant(EPOCH + timedelta(milliseconds=made))
    except OverflowError:
        return None


def is_over(ttl: int | None, now: datetime) -> bool:
    """DynamoDB deletes days late what has ended."""
    return ttl is not None and ttl <= epoch(now)


def may_still_edit(sent: str, now: datetime) -> bool:
    return now - moment_of(sent) <= timedelta(minutes=EDIT_MINUTES)


def outranks(one: RoomRole, other: RoomRole) -> bool:
    return RANKS[one] < RANKS[other]


def moderates(role: RoomRole) -> bool:
    return role is not RoomRole.MEMBER


def successor(seats: Iterable[RoomSeat], leaving: str) -> RoomSeat | None:
    """Who owns a room after its owner: of the highest rank, those who are there longest first."""
    staying = [seat for seat in seats if seat.user_id != leaving]
    return min(
        staying, key=lambda seat: (RANKS[seat.role], seat.created_at, seat.user_id), default=None
    )


def is_on_offer(status: OfferStatus, expires_at: str | None, now: datetime) -> bool:
    """What everybody sees: open, and not past its end."""
    return status is OfferStatus.OPEN and (expires_at is None or moment_of(expires_at) > now)
