"""The value of a day: which days count, and when. Exact tables over directions and aggregations."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from app.domains.tracking.rules import days
from app.domains.tracking.rules.alerts import alert_at_close, alert_during_day
from app.domains.tracking.rules.insights import series_of
from app.domains.tracking.rules.metrics import progress_of, state_from_logs, trend_of
from app.domains.tracking.rules.milestones import newly_reached
from app.domains.tracking.types import (
    Aggregation,
    AlertKind,
    Direction,
    LoggedDay,
    LoggedValue,
    Metric,
    OpenDay,
    Trend,
)
from tests.tracking.records import metric, metric_log

YESTERDAY, TODAY = date(2026, 1, 30), date(2026, 1, 31)
HIGHER, LOWER, TARGET = Direction.Higher, Direction.Lower, Direction.Target
LAST, SUM, MIN, MAX, MEAN = (Aggregation[name] for name in ("last", "sum", "min", "max", "mean"))


def values_on(day: date, *values: float) -> list[LoggedValue]:
    return [
        LoggedValue(f"{day}T{hour:02}:00:00.000Z", day.isoformat(), Decimal(str(value)))
        for hour, value in enumerate(values)
    ]


def day_of(*values: float, day: date = TODAY) -> LoggedDay:
    (found,) = days.logged_days(values_on(day, *values))
    return found


def logged(logs: Sequence[LoggedValue], **fields: object) -> Metric:
    return metric(state=state_from_logs(logs), **fields)


@pytest.mark.parametrize(
    ("direction", "aggregation", "values", "expected"),
    [
        (HIGHER, SUM, (3, 0), True),
        (HIGHER, SUM, (3, -1), False),
        (HIGHER, MAX, (3, -1), True),
        (HIGHER, MIN, (3,), False),
        (HIGHER, MEAN, (3,), False),
        (LOWER, SUM, (3,), False),
        (LOWER, SUM, (-3,), False),
        (LOWER, MIN, (3,), True),
        (LOWER, MAX, (3,), False),
        (LOWER, MEAN, (3,), False),
        (TARGET, SUM, (3,), False),
        (TARGET, MIN, (3,), False),
        (TARGET, MAX, (3,), False),
        (TARGET, MEAN, (3,), False),
    ],
)
def test_what_can_only_get_better_during_a_day(
    direction: Direction, aggregation: Aggregation, values: tuple[float, ...], expected: bool
) -> None:
    assert days.can_only_improve(direction, aggregation, day_of(*values)) is expected
    wanted = metric(direction=direction, aggregation=aggregation)
    assert days.counts_now(wanted, day_of(*values), TODAY) is expected
    assert days.counts_now(wanted, day_of(*values, day=YESTERDAY), TODAY) is True


@pytest.mark.parametrize("direction", Direction)
def test_with_last_every_log_counts_at_once(direction: Direction) -> None:
    assert days.counts_now(metric(direction=direction), day_of(1), TODAY)


@pytest.mark.parametrize(
    ("aggregation", "on_the_day", "afterwards"),
    [(LAST, 2, 2), (SUM, None, 6), (MIN, None, 2), (MAX, None, 4), (MEAN, None, 3)],
)
def test_the_base_is_the_first_day_once_it_is_over(
    aggregation: Aggregation, on_the_day: int | None, afterwards: int
) -> None:
    state = state_from_logs([*values_on(YESTERDAY, 2, 4), *values_on(TODAY, 9)])
    assert state is not None
    assert days.base_value(aggregation, state, YESTERDAY) == on_the_day
    assert days.base_value(aggregation, state, TODAY) == afterwards
    short_of_0_1 = replace(state, first_day=None)
    assert days.base_value(aggregation, short_of_0_1, TODAY) == afterwards
    long_of_0_1 = replace(short_of_0_1, distinct_days=40)
    assert days.base_value(aggregation, long_of_0_1, TODAY) == 2


@pytest.mark.parametrize(
    ("direction", "aggregation", "first", "today", "target", "during", "after"),
    [
        (HIGHER, SUM, (2, 2), (3, 3), 8, (0.5, False), (0.5, False)),
        (HIGHER, SUM, (2, 2), (4, 4), 8, (1.0, True), (1.0, True)),
        (HIGHER, SUM, (2, 2), (9, -3), 8, (0.0, False), (0.5, False)),
        (HIGHER, MAX, (2, 4), (6, 1), 8, (0.5, False), (0.5, False)),
        (HIGHER, MIN, (2, 4), (5, 9), 8, (0.0, False), (0.5, False)),
        (HIGHER, MEAN, (2, 2), (4, 6), 8, (0.0, False), (0.5, False)),
        (LOWER, SUM, (1200, 1300), (500, 0), 2000, (0.0, False), (1.0, True)),
        (LOWER, SUM, (1200, 1300), (2000, 250), 2000, (0.0, False), (0.5, False)),
        (LOWER, MIN, (10, 8), (6, 9), 4, (0.5, False), (0.5, False)),
        (LOWER, MAX, (10, 8), (7, 1), 4, (0.0, False), (0.5, False)),
        (LOWER, MEAN, (10, 10), (6, 8), 4, (0.0, False), (0.5, False)),
        (TARGET, SUM, (50, 50), (70, 80), 200, (0.5, False), (0.75, False)),
        (TARGET, SUM, (50, 50), (70, 130), 200, (0.5, False), (1.0, True)),
        (TARGET, MEAN, (100, 100), (150, 150), 200, (0.5, False), (0.75, False)),
        (HIGHER, LAST, (2, 2), (9, 5), 8, (0.5, False), (0.5, False)),
        (LOWER, LAST, (2500,), (500,), 2000, (1.0, True), (1.0, True)),
    ],
)
def test_progress_of_a_day_and_after_it(
    direction: Direction,
    aggregation: Aggregation,
    first: tuple[float, ...],
    today: tuple[float, ...],
    target: int,
    during: tuple[float, bool],
    after: tuple[float, bool],
) -> None:
    kept = logged(
        [*values_on(YESTERDAY, *first), *values_on(TODAY, *today)],
        direction=direction,
        aggregation=aggregation,
        target_value=Decimal(target),
    )
    shown = [progress_of(kept, day) for day in (TODAY, date(2026, 2, 1))]
    assert [(each.value, each.reached) for each in shown if each] == [during, after]


def test_on_its_first_day_a_metric_is_where_it_begins() -> None:
    water = logged(values_on(TODAY, 2, 2), aggregation=SUM, target_value=Decimal(8))
    shown = progress_of(water, TODAY)
    assert shown is not None
    assert (shown.value, shown.reached) == (0.0, False)


def test_the_last_closed_day_counts_however_long_ago() -> None:
    logs = [*values_on(date(2025, 11, 1), 1500), *values_on(TODAY, 3000)]
    food = logged(logs, direction=LOWER, aggregation=SUM, target_value=Decimal(2000))
    shown = progress_of(food, TODAY)
    assert shown is not None
    assert shown.reached


def test_two_equal_logs_on_the_first_day_are_no_improvement() -> None:
    for aggregation in Aggregation:
        water = logged(values_on(TODAY, 2, 2), aggregation=aggregation)
        assert water.state is not None
        for today in (TODAY, date(2026, 2, 1)):
            assert newly_reached(water, water.state, water.state.days, today) == []


@pytest.mark.parametrize("aggregation", [SUM, MIN, MAX, MEAN])
def test_a_day_that_is_not_over_is_no_part_of_trend_and_insights(aggregation: Aggregation) -> None:
    logs = [value for number in range(14) for value in values_on(date(2026, 1, 18 + number), 4, 4)]
    morning = [*logs[:-2], *values_on(TODAY, -400)]
    steady = logged(morning, aggregation=aggregation)
    assert trend_of(steady, TODAY) is Trend.Stable
    assert trend_of(steady, date(2026, 2, 1)) is Trend.Declining
    assert trend_of(replace(steady, aggregation=LAST), TODAY) is Trend.Declining
    found = [metric_log(Decimal(1), "2026-01-30"), metric_log(Decimal(1))]
    assert series_of(steady, found, TODAY).days == [YESTERDAY]
    assert series_of(steady, found, date(2026, 2, 1)).days == [YESTERDAY, TODAY]


@pytest.mark.parametrize(
    ("aggregation", "values", "during", "at_close"),
    [
        (SUM, (15, 15), AlertKind.High, None),
        (SUM, (2,), None, AlertKind.Low),
        (SUM, (15,), None, None),
        (MAX, (15, 21), AlertKind.High, None),
        (MAX, (4,), None, AlertKind.Low),
        (MIN, (15, 4), AlertKind.Low, None),
        (MIN, (21, 30), None, AlertKind.High),
        (MEAN, (30, 30), None, AlertKind.High),
        (MEAN, (2, 4), None, AlertKind.Low),
        (MEAN, (2, 30), None, None),
    ],
)
def test_alerts_of_a_day(
    aggregation: Aggregation,
    values: tuple[int, ...],
    during: AlertKind | None,
    at_close: AlertKind | None,
) -> None:
    bounds = {"threshold_low": Decimal(5), "threshold_high": Decimal(20)}
    wanted = metric(aggregation=aggregation, **bounds)
    day = OpenDay(day_of(*values))
    assert alert_during_day(wanted, day) is during
    raised = replace(day, alerts=[during] if during else [])
    assert alert_during_day(wanted, raised) is None
    assert alert_at_close(wanted, raised) is at_close
    late = replace(day, late=True)
    assert (alert_during_day(wanted, late), alert_at_close(wanted, late)) == (None, None)


def open_dates(decision: days.DayDecision) -> list[str]:
    return sorted(each.day.date for each in decision.open_days)


def test_a_log_closes_the_days_that_are_over_but_not_its_own() -> None:
    water = replace(
        logged(values_on(YESTERDAY, 2), aggregation=SUM),
        open_days=[OpenDay(day_of(2, day=YESTERDAY))],
    )
    today = days.days_after_logs(
        water, {"2026-01-31": day_of(3)}, ["2026-01-31"], TODAY, in_order=True
    )
    assert open_dates(today) == ["2026-01-31"]
    assert [each.date for each in today.counted] == ["2026-01-30", "2026-01-31"]
    own = day_of(2, 5, day=YESTERDAY)
    late = days.days_after_logs(water, {own.date: own}, [own.date], TODAY, in_order=True)
    assert (open_dates(late), late.closed) == (["2026-01-30"], [])
    assert [each.late for each in late.open_days] == [False]


def test_of_many_logs_each_closes_the_days_before_its_own() -> None:
    names = ["2026-01-10", "2026-01-11", "2026-01-12"]
    values = {name: day_of(1, day=date.fromisoformat(name)) for name in names}
    plain = metric(aggregation=MEAN)
    added = days.days_after_logs(plain, values, names, TODAY, in_order=True)
    assert open_dates(added) == ["2026-01-12"]
    assert [each.date for each in added.counted] == names[:2]
    edited = days.days_after_logs(plain, values, names[:2], TODAY, in_order=False)
    assert open_dates(edited) == names[:2]
    assert all(each.late for each in edited.open_days)


def test_a_day_without_logs_is_gone() -> None:
    water = replace(logged(values_on(TODAY, 2), aggregation=SUM), open_days=[OpenDay(day_of(2))])
    assert days.days_after_logs(water, {}, ["2026-01-31"], TODAY, in_order=False) == (
        days.DayDecision([], [], [])
    )


def test_the_open_day_of_release_0_1_is_the_last_one() -> None:
    old = logged(values_on(YESTERDAY, 2), aggregation=SUM)
    assert old.state is not None
    old = replace(old, state=replace(old.state, first_day=None))
    assert [each.late for each in days.open_days_of(old, TODAY)] == [True]
    assert [each.late for each in days.open_days_of(old, YESTERDAY)] == [False]


def test_an_aggregation_opens_the_present_day() -> None:
    old = logged([*values_on(YESTERDAY, 1), *values_on(TODAY, 2)])
    new = replace(old, aggregation=SUM)
    assert days.open_days_after_update(old, new, TODAY) == [OpenDay(day_of(2))]
    assert days.open_days_after_update(new, old, TODAY) == []
    assert days.open_days_after_update(metric(), metric(aggregation=SUM), TODAY) == []


@pytest.mark.parametrize(
    ("zone", "hour", "day", "expected"),
    [
        ("UTC", 0, TODAY, "2026-02-01T00:00:00.000Z"),
        ("UTC", 4, TODAY, "2026-02-01T04:00:00.000Z"),
        ("Pacific/Auckland", 0, TODAY, "2026-01-31T11:00:00.000Z"),
        ("America/Los_Angeles", 2, TODAY, "2026-02-01T10:00:00.000Z"),
        ("UTC", 0, YESTERDAY, "2026-01-31T09:10:00.000Z"),
    ],
)
def test_when_the_job_closes_a_day(zone: str, hour: int, day: date, expected: str) -> None:
    now = datetime(2026, 1, 31, 9, tzinfo=UTC)
    open_days = [OpenDay(day_of(1, day=day))]
    assert days.closing_time(open_days, now, TODAY, time_zone=zone, day_start_hour=hour) == expected
    assert days.closing_time([], now, TODAY, time_zone=zone, day_start_hour=hour) is None
