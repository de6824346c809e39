"""Ids: our own rise with time, a client's may be anything plain."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from ulid import ULID

from app.core.ids import ClientId, Ids, is_plain_id
from app.table.entity import key_part
from tests.servers import TestClock

NOON = datetime(2026, 1, 10, 12, tzinfo=UTC)
CLIENT_ID: TypeAdapter[str] = TypeAdapter(ClientId)


def accepts(text: str) -> bool:
    try:
        return CLIENT_ID.validate_python(text) == text
    except ValidationError:
        return False


def test_ids_rise_inside_one_millisecond(clock: TestClock) -> None:
    clock.freeze(NOON)
    ids = Ids(clock)
    made = [ids.new() for _ in range(10_000)]
    assert made == sorted(set(made))


def test_ids_rise_with_time(clock: TestClock) -> None:
    ids, made = Ids(clock), []
    for milliseconds in range(1_000):
        clock.freeze(NOON + timedelta(milliseconds=milliseconds))
        made += [ids.new(), ids.new()]
    assert made == sorted(set(made))


def test_an_id_tells_when_it_was_made(clock: TestClock) -> None:
    clock.freeze(NOON + timedelta(milliseconds=123))
    assert ULID.from_str(Ids(clock).new()).datetime == clock.now()


def test_two_processes_never_make_the_same(clock: TestClock) -> None:
    clock.freeze(NOON)
    one, two = Ids(clock), Ids(clock)
    assert not {one.new() for _ in range(1_000)} & {two.new() for _ in range(1_000)}


def test_our_own_are_plain(clock: TestClock) -> None:
    made = Ids(clock).new()
    assert len(made) == 26
    assert is_plain_id(made)
    assert accepts(made)


@pytest.mark.parametrize(
    "text", ["a", "A-z_09", "x" * 64, "f2c5d4a4-1b2c-4d5e-8f90-1a2b3c4d5e6f", "-", "_"]
)
def test_plain_ids_are_accepted(text: str) -> None:
    assert is_plain_id(text)
    assert accepts(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "x" * 65, "a b", "a#b", "a\n", "\na", "a\0", "a/b", "a.b", "../x", "a,b", "a:b"),
        *("u1#WALLET", "auth0|1", "{id}", "é", "\N{FULLWIDTH DIGIT ONE}"),
    ],
)
def test_others_are_not(text: str) -> None:
    assert not is_plain_id(text)
    assert not accepts(text)


@given(st.text(max_size=70))
def test_both_checks_agree_and_what_they_accept_can_stand_in_a_key(text: str) -> None:
    assert is_plain_id(text) is accepts(text)
    if is_plain_id(text):
        assert key_part(text) == text
