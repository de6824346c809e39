"""Trend, streak, milestones, progress of metrics: exact values."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domains.tracking.rules.alerts import crossed_threshold
from app.domains.tracking.rules.metrics import (
    is_latest,
    is_reached,
    progress,
    state_from_logs,
    streak,
    trend,
    with_log,
)
from app.domains.tracking.rules.milestones import improvement, reached_milestones
from app.domains.tracking.types import (
    Aggregation,
    AlertKind,
    Direction,
    LoggedValue,
    MetricState,
    Trend,
)
from tests.tracking.records import metric

TODAY = date(2026, 1, 31)
Values = Sequence[str | int]
HIGHER, LOWER, TARGET = Direction.Higher, Direction.Lower, Direction.Target


def logged(days_ago: int, value: str | int, hour: int = 12) -> LoggedValue:
    on = TODAY - timedelta(days=days_ago)
    return LoggedValue(f"{on}T{hour:02}:00:00.000Z", on.isoformat(), Decimal(value))


def daily(values: Values) -> MetricState | None:
    """One value a day, the last of them today."""
    last = len(values) - 1
    return state_from_logs(logged(last - n, value) for n, value in enumerate(values))


def trend_of(
    values: Values, direction: Direction = HIGHER, target: str | None = None
) -> Trend | None:
    wanted = None if target is None else Decimal(target)
    return trend(
        daily(values), TODAY, direction=direction, target=wanted, aggregation=Aggregation.last
    )


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([100] * 7 + [102] * 7, Trend.Improving),
        ([100] * 7 + ["101.99"] * 7, Trend.Stable),
        ([100] * 7 + [98] * 7, Trend.Declining),
        ([100] * 7 + ["98.01"] * 7, Trend.Stable),
        ([100] * 14, Trend.Stable),
        ([0] * 14, Trend.Stable),
        ([0] * 7 + [1] * 7, Trend.Improving),
        ([-100] * 7 + [-90] * 7, Trend.Improving),
        ([1, 9, 1, 9, 1, 9, 1, 2, 9, 2, 9, 2, 9, 2], Trend.Stable),
        ([5] * 13, Trend.Stable),
        ([5] * 9, None),
        ([5] * 10, Trend.Stable),
        ([5], None),
        ([], None),
    ],
)
def test_trend(values: Values, expected: Trend | None) -> None:
    assert trend_of(values) is expected


def test_trend_of_lower_and_target_metrics() -> None:
    falling = [100] * 7 + [90] * 7
    assert trend_of(falling, LOWER) is Trend.Improving
    assert trend_of(falling, TARGET, "90") is Trend.Improving
    assert trend_of(falling, TARGET, "100") is Trend.Declining
    assert trend_of(falling, TARGET, "95") is Trend.Stable
    assert trend_of([-3] * 7 + [1] * 7, TARGET, "0") is Trend.Improving
    assert trend_of(falling, TARGET, None) is None


def test_trend_looks_at_today_not_at_the_last_log() -> None:
    state = daily([100] * 7 + [110] * 7)

    def seen(later: int) -> Trend | None:
        today = TODAY + timedelta(days=later)
        return trend(state, today, direction=HIGHER, target=None, aggregation=Aggregation.last)

    assert [seen(0), seen(4), seen(5)] == [Trend.Improving, Trend.Improving, None]


@pytest.mark.parametrize(
    ("aggregation", "expected"),
    [("last", "4"), ("sum", "10"), ("min", "1"), ("max", "5"), ("mean", "3.333333333333333333")],
)
def test_a_day_of_several_logs(aggregation: str, expected: str) -> None:
    state = state_from_logs([logged(0, 5, 9), logged(0, 1, 10), logged(0, 4, 11)])
    assert state is not None
    value = state.last_day.value(Aggregation(aggregation))
    assert str(value).startswith(expected)


def test_sums_are_exact() -> None:
    state = state_from_logs([logged(0, "0.1"), logged(0, "0.2")])
    assert state is not None
    assert state.last_day.total == Decimal("0.3")


@pytest.mark.parametrize(
    ("days_ago", "expected"),
    [
        ([6, 5, 4, 3, 2, 1, 0], 7),
        ([3, 2, 1], 3),
        ([3, 2], 0),
        ([0], 1),
        ([], 0),
        ([5, 4, 2, 1, 0], 3),
        ([0, 1, 2, 2, 1, 0], 3),
    ],
)
def test_streak(days_ago: list[int], expected: int) -> None:
    assert streak(state_from_logs(logged(n, 1) for n in days_ago), TODAY) == expected


def won(values: Values, direction: Direction = HIGHER, target: str | None = None) -> str:
    state = daily(values)
    wanted = metric(direction=direction, target_value=None if target is None else Decimal(target))
    found = reached_milestones(wanted, state, [state.last_day], TODAY) if state else []
    return " ".join(f"{each.id}:{each.points}" for each in found)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], ""),
        ([1] * 6, ""),
        ([1] * 7, "streak-7:350 consistency-7:175"),
        ([1] * 30, "streak-7:350 streak-30:1500 consistency-7:175 consistency-30:750"),
        ([100, 110], "improvement-10:200"),
        ([100, "109.99"], ""),
        ([100, 125], "improvement-10:200 improvement-25:500"),
        ([100, 150], "improvement-10:200 improvement-25:500 improvement-50:1000"),
        ([0, 150], ""),
        ([-100, -90], "improvement-10:200"),
    ],
)
def test_milestones(values: Values, expected: str) -> None:
    assert won(values) == expected


def test_a_hundred_days_in_a_row() -> None:
    assert "streak-100:5000" in won([1] * 100)
    assert "streak-100" not in won([1] * 99)


def test_milestones_of_lower_and_target_metrics() -> None:
    assert won([100, 90], LOWER) == "improvement-10:200"
    assert won([100, 110], LOWER) == ""
    assert won([100, 110], TARGET, "120") == (
        "improvement-10:200 improvement-25:500 improvement-50:1000"
    )
    assert won([120, 110], TARGET, "120") == "" == won([100, 110], TARGET)


def test_the_target_is_won_with_its_value() -> None:
    assert won([79, "80.50"], HIGHER, "80.5") == "target_reached-80.5:200"
    assert won([79, "80.49"], HIGHER, "80.5") == ""
    assert won([100, 100], TARGET, "100.0") == "target_reached-100:200"
    assert won([0], TARGET, "0") == "target_reached-0:200"


@pytest.mark.parametrize(
    ("direction", "base", "value", "target", "expected"),
    [
        (HIGHER, 0, 50, 100, 0.5),
        (HIGHER, 50, 75, 100, 0.5),
        (HIGHER, 50, 40, 100, 0.0),
        (HIGHER, 0, 100, 100, 1.0),
        (HIGHER, 0, "99.99999", 100, 0.9999),
        (HIGHER, 120, 90, 100, 0.0),
        (HIGHER, 100, 90, 100, 0.0),
        (LOWER, 100, 90, 80, 0.5),
        (LOWER, 100, 110, 80, 0.0),
        (LOWER, 100, 80, 80, 1.0),
        (LOWER, 70, 90, 80, 0.0),
        (TARGET, 0, 75, 100, 0.75),
        (TARGET, 0, 125, 100, 0.75),
        (TARGET, 0, 250, 100, 0.0),
        (TARGET, 0, "0.5", 0, 0.5),
        (TARGET, 0, 0, 0, 1.0),
    ],
)
def test_progress(
    direction: Direction, base: int, value: int, target: int, expected: float
) -> None:
    shown = progress(
        direction, base=Decimal(base), value=Decimal(value), target=Decimal(target), band=None
    )
    assert shown == expected


def test_progress_inside_a_band() -> None:
    shown = progress(
        TARGET, base=Decimal(0), value=Decimal(98), target=Decimal(100), band=Decimal(8)
    )
    assert shown == 0.75


@given(st.sampled_from(Direction), *[st.decimals(-1000, 1000, places=2)] * 3)
def test_progress_is_whole_only_when_reached(
    direction: Direction, base: Decimal, value: Decimal, target: Decimal
) -> None:
    shown = progress(direction, base=base, value=value, target=target, band=None)
    assert 0 <= shown <= 1
    assert (shown == 1) == is_reached(direction, value, target)


def test_improvement_is_exact() -> None:
    third = improvement(HIGHER, first=Decimal(3), value=Decimal(4), target=None)
    assert third == Fraction(100, 3)


@pytest.mark.parametrize(
    ("previous", "value", "expected"),
    [
        (None, 11, AlertKind.High),
        (10, 11, AlertKind.High),
        (11, 12, None),
        (5, 10, None),
        (None, 1, AlertKind.Low),
        (2, 1, AlertKind.Low),
        (1, 0, None),
        (11, 1, AlertKind.Low),
        (1, 11, AlertKind.High),
    ],
)
def test_an_alert_needs_a_crossing(
    previous: int | None, value: int, expected: AlertKind | None
) -> None:
    before = None if previous is None else Decimal(previous)
    assert crossed_threshold(before, Decimal(value), low=Decimal(2), high=Decimal(10)) is expected


several = st.lists(
    st.builds(
        logged,
        st.integers(0, 40),
        st.integers(-5, 5),
        st.integers(0, 23),
    ),
    max_size=40,
)


@given(several)
def test_one_by_one_equals_all_at_once(logs: list[LoggedValue]) -> None:
    """Whatever order the logs come in."""
    state: MetricState | None = None
    seen: list[LoggedValue] = []
    for log in logs:
        seen.append(log)
        state = with_log(state, log) if is_latest(state, log) else state_from_logs(seen)
        assert state == state_from_logs(seen)
