"""Instants sort as text; a day is the user's own, also when the clocks change."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.clock import SystemClock, epoch_seconds, instant, local_day, parse_instant, to_day
from app.core.text import ZONES

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
MOMENTS = st.timedeltas(timedelta(), timedelta(days=50_000)).map(lambda since: BEGINNING + since)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}+00:00")


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (utc("2026-01-10T10:00:00"), "2026-01-10T10:00:00.000Z"),
        (utc("2026-01-10T10:00:00.999999"), "2026-01-10T10:00:00.999Z"),
        (utc("0001-01-01T00:00:00"), "0001-01-01T00:00:00.000Z"),
        (utc("9999-12-31T23:59:59.999"), "9999-12-31T23:59:59.999Z"),
        (
            datetime(2026, 1, 10, 1, tzinfo=timezone(timedelta(hours=13))),
            "2026-01-09T12:00:00.000Z",
        ),
    ],
)
def test_an_instant_is_utc_in_milliseconds(moment: datetime, text: str) -> None:
    assert instant(moment) == text


@given(MOMENTS, MOMENTS)
def test_instants_have_one_width_and_sort_by_time(one: datetime, two: datetime) -> None:
    assert len(instant(one)) == 24
    assert (
        parse_instant(instant(one)) <= one < parse_instant(instant(one)) + timedelta(milliseconds=1)
    )
    if one < two:
        assert instant(one) <= instant(two)
    if two - one >= timedelta(milliseconds=1):
        assert instant(one) < instant(two)


@given(MOMENTS)
def test_epoch_counts_whole_seconds(moment: datetime) -> None:
    assert datetime.fromtimestamp(epoch_seconds(moment), UTC) == moment.replace(microsecond=0)


def test_the_systems_clock_is_in_utc() -> None:
    assert SystemClock().now().tzinfo is UTC


def test_a_day_is_written_as_such() -> None:
    assert to_day(date(2026, 1, 10)) == "2026-01-10"


# Los Angeles 2026: 8 March 02:00 PST -> 03:00 PDT (10:00 UTC); 1 November 02:00 PDT -> 01:00 PST
# (09:00 UTC). Auckland 2026: 5 April 03:00 NZDT -> 02:00 NZST (4 April 14:00 UTC);
# 27 September 02:00 NZST -> 03:00 NZDT (26 September 14:00 UTC).
@pytest.mark.parametrize(
    ("moment", "zone", "hour", "expected"),
    [
        ("2026-01-10T07:59:59", "America/Los_Angeles", 0, "2026-01-09"),
        ("2026-01-10T08:00:00", "America/Los_Angeles", 0, "2026-01-10"),
        ("2026-07-10T06:59:59", "America/Los_Angeles", 0, "2026-07-09"),
        ("2026-07-10T07:00:00", "America/Los_Angeles", 0, "2026-07-10"),
        ("2026-03-08T07:59:59", "America/Los_Angeles", 0, "2026-03-07"),
        ("2026-03-08T08:00:00", "America/Los_Angeles", 0, "2026-03-08"),
        ("2026-03-09T06:59:59", "America/Los_Angeles", 0, "2026-03-08"),
        ("2026-03-09T07:00:00", "America/Los_Angeles", 0, "2026-03-09"),
        ("2026-03-08T09:59:59", "America/Los_Angeles", 2, "2026-03-07"),
        ("2026-03-08T10:00:00", "America/Los_Angeles", 2, "2026-03-08"),
        ("2026-03-08T09:59:59", "America/Los_Angeles", 3, "2026-03-07"),
        ("2026-03-08T10:00:00", "America/Los_Angeles", 3, "2026-03-08"),
        ("2026-03-08T10:59:59", "America/Los_Angeles", 4, "2026-03-07"),
        ("2026-03-08T11:00:00", "America/Los_Angeles", 4, "2026-03-08"),
        ("2026-11-01T06:59:59", "America/Los_Angeles", 0, "2026-10-31"),
        ("2026-11-01T07:00:00", "America/Los_Angeles", 0, "2026-11-01"),
        ("2026-11-02T07:59:59", "America/Los_Angeles", 0, "2026-11-01"),
        ("2026-11-02T08:00:00", "America/Los_Angeles", 0, "2026-11-02"),
        ("2026-11-01T07:59:59", "America/Los_Angeles", 1, "2026-10-31"),
        ("2026-11-01T08:00:00", "America/Los_Angeles", 1, "2026-11-01"),
        ("2026-11-01T09:00:00", "America/Los_Angeles", 1, "2026-11-01"),
        ("2026-11-01T09:59:59", "America/Los_Angeles", 2, "2026-10-31"),
        ("2026-11-01T10:00:00", "America/Los_Angeles", 2, "2026-11-01"),
        ("2026-01-09T10:59:59", "Pacific/Auckland", 0, "2026-01-09"),
        ("2026-01-09T11:00:00", "Pacific/Auckland", 0, "2026-01-10"),
        ("2026-07-09T11:59:59", "Pacific/Auckland", 0, "2026-07-09"),
        ("2026-07-09T12:00:00", "Pacific/Auckland", 0, "2026-07-10"),
        ("2026-04-04T10:59:59", "Pacific/Auckland", 0, "2026-04-04"),
        ("2026-04-04T11:00:00", "Pacific/Auckland", 0, "2026-04-05"),
        ("2026-04-05T11:59:59", "Pacific/Auckland", 0, "2026-04-05"),
        ("2026-04-05T12:00:00", "Pacific/Auckland", 0, "2026-04-06"),
        ("2026-04-04T12:59:59", "Pacific/Auckland", 2, "2026-04-04"),
        ("2026-04-04T13:00:00", "Pacific/Auckland", 2, "2026-04-05"),
        ("2026-04-04T14:00:00", "Pacific/Auckland", 2, "2026-04-05"),
        ("2026-04-04T14:59:59", "Pacific/Auckland", 3, "2026-04-04"),
        ("2026-04-04T15:00:00", "Pacific/Auckland", 3, "2026-04-05"),
        ("2026-09-26T11:59:59", "Pacific/Auckland", 0, "2026-09-26"),
        ("2026-09-26T12:00:00", "Pacific/Auckland", 0, "2026-09-27"),
        ("2026-09-27T10:59:59", "Pacific/Auckland", 0, "2026-09-27"),
        ("2026-09-27T11:00:00", "Pacific/Auckland", 0, "2026-09-28"),
        ("2026-09-26T13:59:59", "Pacific/Auckland", 3, "2026-09-26"),
        ("2026-09-26T14:00:00", "Pacific/Auckland", 3, "2026-09-27"),
        ("2026-01-10T05:59:59", "UTC", 6, "2026-01-09"),
        ("2026-01-10T06:00:00", "UTC", 6, "2026-01-10"),
        ("2026-01-01T00:00:00", "UTC", 1, "2025-12-31"),
        ("2024-03-01T00:30:00", "UTC", 1, "2024-02-29"),
    ],
)
def test_whose_day_it_is(moment: str, zone: str, hour: int, expected: str) -> None:
    found = local_day(utc(moment), time_zone=zone, day_start_hour=hour)
    assert found.isoformat() == expected


@given(MOMENTS, st.sampled_from(sorted(ZONES)), st.integers(0, 6))
def test_a_day_begins_at_its_hour_on_the_wall(moment: datetime, zone: str, hour: int) -> None:
    local = moment.astimezone(ZoneInfo(zone))
    today = local.date() if local.hour >= hour else local.date() - timedelta(days=1)
    assert local_day(moment, time_zone=zone, day_start_hour=hour) == today


@given(
    MOMENTS,
    st.sampled_from(["Pacific/Auckland", "America/Los_Angeles", "Australia/Lord_Howe", "UTC"]),
    st.integers(0, 6),
    st.integers(0, 48 * 60),
)
def test_days_never_run_backwards(moment: datetime, zone: str, hour: int, minutes: int) -> None:
    first = local_day(moment, time_zone=zone, day_start_hour=hour)
    later = moment + timedelta(minutes=minutes)
    assert local_day(later, time_zone=zone, day_start_hour=hour) >= first
