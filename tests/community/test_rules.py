"""The decisions alone."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
import strawberry
from hypothesis import given
from hypothesis import strategies as st

from app.core.clock import instant
from app.core.ids import Ids
from app.core.scalars import AWSDateTime
from app.domains.community.rules import (
    EPOCH,
    OfferStatus,
    RoomRole,
    is_on_offer,
    is_over,
    may_still_edit,
    milliseconds,
    moderates,
    next_moment,
    outranks,
    sent_at,
    successor,
)

NOON = datetime(2026, 1, 10, 12, tzinfo=UTC)
MOMENTS = st.integers(0, 7_258_118_400_000_000).map(lambda us: EPOCH + timedelta(microseconds=us))


class Noon:
    def now(self) -> datetime:
        return NOON


@given(now=MOMENTS, last=MOMENTS)
def test_a_message_is_always_later_than_the_one_before(now: datetime, last: datetime) -> None:
    moment = next_moment(now, instant(last))
    assert instant(moment) > instant(last)
    assert instant(moment) >= instant(now)


def test_the_moment_of_a_message() -> None:
    assert next_moment(NOON, None) == NOON
    assert next_moment(NOON, "2026-01-10T11:59:59.999Z") == NOON
    assert next_moment(NOON, "2026-01-10T12:00:00.000Z") == NOON + timedelta(milliseconds=1)
    assert next_moment(NOON, "2026-01-10T13:00:00.000Z") == NOON + timedelta(
        hours=1, milliseconds=1
    )


@given(moment=MOMENTS)
def test_an_id_says_when_its_message_was_sent(moment: datetime) -> None:
    made = Ids(Noon()).at(milliseconds(moment))
    assert sent_at(made) == instant(moment)


@pytest.mark.parametrize("text", ["", "nothing", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "x" * 26, "é" * 26])
def test_what_is_no_id_of_a_message(text: str) -> None:
    assert sent_at(text) is None


def test_ephemeral_messages_end_at_their_second() -> None:
    end = int(NOON.timestamp())
    assert is_over(end, NOON)
    assert not is_over(end + 1, NOON)
    assert not is_over(None, NOON)


def test_editing_ends_after_15_minutes() -> None:
    sent = instant(NOON)
    assert may_still_edit(sent, NOON + timedelta(minutes=15))
    assert not may_still_edit(sent, NOON + timedelta(minutes=15, milliseconds=1))


def test_ranks() -> None:
    owner, moderator, member = RoomRole.OWNER, RoomRole.MODERATOR, RoomRole.MEMBER
    assert outranks(owner, moderator)
    assert outranks(moderator, member)
    assert not outranks(moderator, moderator)
    assert not outranks(member, owner)
    assert [moderates(each) for each in (owner, moderator, member)] == [True, True, False]


@dataclass
class Seat:
    user_id: strawberry.ID
    role: RoomRole
    created_at: AWSDateTime


def seat(name: str, role: RoomRole, day: int) -> Seat:
    return Seat(strawberry.ID(name), role, AWSDateTime(f"2026-01-{day:02d}T00:00:00.000Z"))


def test_who_owns_a_room_next() -> None:
    owner = seat("owner", RoomRole.OWNER, 1)
    early, late = seat("b", RoomRole.MEMBER, 2), seat("a", RoomRole.MEMBER, 3)
    moderator = seat("m", RoomRole.MODERATOR, 9)
    assert successor([owner, late, early], "owner") is early
    assert successor([owner, late, early, moderator], "owner") is moderator
    assert successor([owner], "owner") is None


def test_what_is_on_offer() -> None:
    later, now = instant(NOON + timedelta(milliseconds=1)), instant(NOON)
    assert is_on_offer(OfferStatus.OPEN, None, NOON)
    assert is_on_offer(OfferStatus.OPEN, later, NOON)
    assert not is_on_offer(OfferStatus.OPEN, now, NOON)
    assert not is_on_offer(OfferStatus.DRAFT, None, NOON)
    assert not is_on_offer(OfferStatus.CLOSED, later, NOON)
