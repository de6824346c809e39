"""Decisions about rooms, threads, messages, companies and offers: no I/O."""

from datetime import UTC, datetime, timedelta

import pytest
import strawberry
from hypothesis import given
from hypothesis import strategies as st

from app.core.clock import instant
from app.core.errors import BadInput, Forbidden, LimitExceeded, NotFound, StaleVersion
from app.core.ids import Ids
from app.core.scalars import AWSDateTime
from app.domains.community.errors import (
    EditTooLate,
    Muted,
    NotAMember,
    RoomArchived,
    RoomFull,
    ThreadResolved,
)
from app.domains.community.rules.assist import (
    expect_open,
    expect_participant,
    thread_refusal,
    without_opener,
)
from app.domains.community.rules.market import (
    expect_future_expiry,
    goal_refusal,
    is_public,
    next_admin,
    public_tags,
)
from app.domains.community.rules.messages import (
    EPOCH,
    edit_fields,
    epoch_milliseconds,
    expect_editable,
    expect_edits_left,
    expect_sender,
    is_expired,
    may_still_edit,
    next_send_time,
    sent_at,
)
from app.domains.community.rules.rooms import (
    expect_may_write,
    expect_member,
    join_refusal,
    may_moderate,
    next_owner,
    outranks,
    send_refusal,
    sender_refusal,
)
from app.domains.community.types import (
    AssistMember,
    AssistRole,
    AssistStatus,
    AssistThread,
    CompanyMember,
    CompanyRole,
    Message,
    Offer,
    OfferStatus,
    Room,
    RoomMember,
    RoomRole,
    SubjectKind,
)

NOON = datetime(2026, 1, 10, 12, tzinfo=UTC)
MOMENTS = st.integers(0, 7_258_118_400_000_000).map(lambda us: EPOCH + timedelta(microseconds=us))


class Noon:
    def now(self) -> datetime:
        return NOON


@given(now=MOMENTS, last=MOMENTS)
def test_a_message_is_always_later_than_the_one_before(now: datetime, last: datetime) -> None:
    moment = next_send_time(now, instant(last))
    assert instant(moment) > instant(last)
    assert instant(moment) >= instant(now)


def test_the_moment_of_a_message() -> None:
    assert next_send_time(NOON, None) == NOON
    assert next_send_time(NOON, "2026-01-10T11:59:59.999Z") == NOON
    assert next_send_time(NOON, "2026-01-10T12:00:00.000Z") == NOON + timedelta(milliseconds=1)
    assert next_send_time(NOON, "2026-01-10T13:00:00.000Z") == NOON + timedelta(
        hours=1, milliseconds=1
    )


@given(moment=MOMENTS)
def test_an_id_says_when_its_message_was_sent(moment: datetime) -> None:
    made = Ids(Noon()).at(epoch_milliseconds(moment))
    assert sent_at(made) == instant(moment)


@pytest.mark.parametrize("text", ["", "nothing", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "x" * 26, "é" * 26])
def test_a_text_that_is_no_message_id_has_no_time(text: str) -> None:
    assert sent_at(text) is None


def test_ephemeral_messages_end_at_their_second() -> None:
    end = int(NOON.timestamp())
    assert is_expired(end, NOON)
    assert not is_expired(end + 1, NOON)
    assert not is_expired(None, NOON)


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
    assert [may_moderate(each) for each in (owner, moderator, member)] == [True, True, False]


def day(number: int) -> AWSDateTime:
    return AWSDateTime(f"2026-01-{number:02d}T00:00:00.000Z")


STAMP = {"created_at": instant(NOON), "updated_at": instant(NOON)}


def member(name: str, role: RoomRole, joined: int) -> RoomMember:
    return RoomMember(
        created_at=day(joined),
        updated_at=day(joined),
        room_id=strawberry.ID("room"),
        user_id=strawberry.ID(name),
        role=role,
    )


def room(**fields: object) -> Room:
    return Room(**STAMP | {"id": "room", "name": "Hall", "is_public": True} | fields)  # type: ignore[arg-type]


def message(**fields: object) -> Message:
    first = {"id": "m", "room_id": "room", "user_id": "ada", "text": "Hello", "number": 1}
    return Message(**STAMP | first | fields)  # type: ignore[arg-type]


def thread(**fields: object) -> AssistThread:
    first = {"id": "t", "title": "Help", "subject_kind": SubjectKind.GOAL, "subject_id": "g"}
    return AssistThread(**STAMP | first | fields)  # type: ignore[arg-type]


def offer(**fields: object) -> Offer:
    first = {"id": "o", "company_id": "c", "title": "Bread", "tags": ["food"]}
    return Offer(**STAMP | first | fields)  # type: ignore[arg-type]


def test_the_next_owner_of_a_room() -> None:
    owner = member("owner", RoomRole.OWNER, 1)
    early, late = member("b", RoomRole.MEMBER, 2), member("a", RoomRole.MEMBER, 3)
    moderator = member("m", RoomRole.MODERATOR, 9)
    assert next_owner([owner, late, early], "owner") is early
    assert next_owner([owner, late, early, moderator], "owner") is moderator
    assert next_owner([owner], "owner") is None


def test_only_a_listed_room_tells_strangers_that_it_exists() -> None:
    mine = member("ada", RoomRole.MEMBER, 1)
    assert expect_member(room(), mine) == (room(), mine)
    with pytest.raises(NotAMember):
        expect_member(room(), None)
    for hidden in (None, room(is_public=False), room(archived_at=instant(NOON))):
        with pytest.raises(NotFound):
            expect_member(hidden, None)


def test_nobody_writes_in_an_archived_room_nor_while_muted() -> None:
    mine, now = member("ada", RoomRole.MEMBER, 1), instant(NOON)
    expect_may_write(room(), mine, now)
    with pytest.raises(RoomArchived):
        expect_may_write(room(archived_at=now), mine, now)
    muted = mine.evolve(now, muted_until=instant(NOON + timedelta(milliseconds=1)))
    with pytest.raises(Muted):
        expect_may_write(room(), muted, now)
    expect_may_write(room(), mine.evolve(now, muted_until=now), now)
    assert isinstance(sender_refusal(muted), Muted)
    assert isinstance(sender_refusal(None), NotFound)


def test_why_a_room_refuses() -> None:
    archived, full = room(archived_at=instant(NOON), member_count=500), room(member_count=500)
    cases = (None, archived, full, room(member_count=499))
    joining = [NotFound, RoomArchived, RoomFull, StaleVersion]
    sending = [NotFound, RoomArchived, StaleVersion, StaleVersion]
    assert [type(join_refusal(each)) for each in cases] == joining
    assert [type(send_refusal(each)) for each in cases] == sending


def test_why_a_thread_refuses() -> None:
    resolved = thread(status=AssistStatus.RESOLVED)
    cases = (None, resolved, thread(member_count=500), thread())
    refusals = [NotFound, ThreadResolved, RoomFull, StaleVersion]
    assert [type(thread_refusal(each)) for each in cases] == refusals
    expect_open(thread())
    with pytest.raises(ThreadResolved):
        expect_open(resolved)


def test_only_a_listed_thread_tells_strangers_that_it_exists() -> None:
    mine = AssistMember(
        created_at=day(1),
        updated_at=day(1),
        thread_id=strawberry.ID("t"),
        user_id=strawberry.ID("ada"),
        role=AssistRole.HELPER,
    )
    assert expect_participant(thread(), mine) == (thread(), mine)
    with pytest.raises(NotAMember):
        expect_participant(thread(), None)
    for hidden in (None, thread(is_public=False), thread(status=AssistStatus.RESOLVED)):
        with pytest.raises(NotFound):
            expect_participant(hidden, None)


def test_a_thread_without_its_opener_is_resolved_and_says_nothing() -> None:
    left = without_opener(thread(user_id="ada", description="Mine"), day(20))
    assert left == thread(
        title="Deleted", status=AssistStatus.RESOLVED, resolved_at=day(20), user_id=None
    )
    assert without_opener(thread(resolved_at=day(3)), day(20)).resolved_at == day(3)


def test_only_its_sender_edits_a_message_for_a_while() -> None:
    expect_sender(message(), "ada", "edit")
    with pytest.raises(Forbidden):
        expect_sender(message(), "bob", "edit")
    expect_editable(message(), NOON + timedelta(minutes=15))
    with pytest.raises(EditTooLate):
        expect_editable(message(), NOON + timedelta(minutes=16))
    expect_edits_left(message(edit_count=19))
    with pytest.raises(LimitExceeded):
        expect_edits_left(message(edit_count=20))


def test_an_edit_keeps_the_text_and_since_when_the_message_had_it() -> None:
    first = edit_fields(message(), day(11))
    assert first == {
        "created_at": instant(NOON),
        "updated_at": day(11),
        "message_id": "m",
        "user_id": "ada",
        "number": 0,
        "text": "Hello",
    }
    second = edit_fields(message(edited_at=day(11), edit_count=1), day(12))
    assert (second["created_at"], second["number"]) == (day(11), 1)


def test_an_open_offer_is_public_until_it_expires() -> None:
    later, now = instant(NOON + timedelta(milliseconds=1)), instant(NOON)
    assert is_public(offer(), NOON)
    assert is_public(offer(expires_at=later), NOON)
    assert not is_public(offer(expires_at=now), NOON)
    assert not is_public(offer(status=OfferStatus.DRAFT), NOON)
    assert not is_public(offer(status=OfferStatus.CLOSED, expires_at=later), NOON)
    expect_future_expiry(offer(expires_at=later), NOON)
    with pytest.raises(BadInput):
        expect_future_expiry(offer(expires_at=now), NOON)


def test_only_an_open_offer_is_found_by_its_tags() -> None:
    assert public_tags(offer()) == ["food"]
    assert public_tags(offer(status=OfferStatus.DRAFT)) == public_tags(None) == []


def colleague(name: str, joined: int) -> CompanyMember:
    return CompanyMember(
        created_at=day(joined),
        updated_at=day(joined),
        company_id=strawberry.ID("c"),
        user_id=strawberry.ID(name),
        role=CompanyRole.MEMBER,
    )


def test_the_next_admin_of_a_company() -> None:
    early, late = colleague("b", 2), colleague("a", 3)
    assert next_admin([colleague("admin", 1), late, early], "admin") is early
    assert next_admin([colleague("admin", 1)], "admin") is None


def test_why_a_company_takes_no_goal() -> None:
    assert isinstance(goal_refusal(None), Forbidden)
    assert isinstance(goal_refusal(colleague("a", 1)), LimitExceeded)
