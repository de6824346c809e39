"""Revision ids: time-ordered, reachable by themselves, never before their parents."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.clock import SystemClock
from app.core.ids import Ids, ulid_milliseconds
from app.domains.plans.rules.revisions import (
    instant_at,
    milliseconds,
    next_millisecond,
    revision_id,
    revision_time,
)
from app.domains.plans.types.revisions import branch_of

NOW = datetime(2026, 1, 10, 10, tzinfo=UTC)
moments = st.integers(0, 253_402_300_799_999)


@given(moments)
def test_an_id_contains_its_time(at: int) -> None:
    ulid = Ids(SystemClock()).at(at)
    assert ulid_milliseconds(ulid) == at
    assert revision_time(ulid) == instant_at(at)
    named = revision_id(ulid, "what-if")
    assert (revision_time(named), branch_of(named)) == (instant_at(at), "what-if")
    assert branch_of(ulid) is None


@given(moments, moments)
def test_later_ids_sort_later(one: int, other: int) -> None:
    ids = Ids(SystemClock())
    if one != other:
        assert (ids.at(one) < ids.at(other)) == (one < other)


def test_a_revision_is_later_than_its_parents() -> None:
    ids = Ids(SystemClock())
    now = milliseconds(NOW)
    assert next_millisecond(NOW) == now
    assert next_millisecond(NOW, None) == now
    assert next_millisecond(NOW, ids.at(now)) == now + 1
    ahead = revision_id(ids.at(now + 5_000), "b")
    assert next_millisecond(NOW, ids.at(now - 1), ahead) == now + 5_001
    assert instant_at(milliseconds(NOW + timedelta(milliseconds=1))) == "2026-01-10T10:00:00.001Z"


@pytest.mark.parametrize(
    "text", ["", "x", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "ZZZZZZZZZZZZZZZZZZZZZZZZZZ", "é" * 26, "a#b"]
)
def test_other_texts_are_no_revision_ids(text: str) -> None:
    assert revision_time(text) is None
    assert branch_of(f"{text}#") is None
