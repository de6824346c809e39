"""Decisions about single records: alerts, pauses, stored states, logbook entries, imports."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from strawberry import ID

from app.core.errors import BadInput
from app.core.scalars import AWSDate, AWSDateTime
from app.domains.tracking.errors import EntryDiffers
from app.domains.tracking.rules import (
    alerts,
    charts,
    days,
    habit_records,
    imports,
    insights,
    logbook,
    metrics,
    milestones,
)
from app.domains.tracking.rules.csv_files import MetricRow
from app.domains.tracking.rules.insights import Finding
from app.domains.tracking.types import (
    AlertKind,
    Frequency,
    HabitStatus,
    HabitType,
    InsightType,
    LogKind,
    MetricProgress,
    MetricStatus,
    MilestoneType,
    Pause,
)
from tests.tracking.records import entry, habit, habit_log, metric, metric_log

TODAY = date(2026, 1, 31)
MIDNIGHT = datetime(2026, 1, 31, tzinfo=UTC)


def pause(since: str, until: str | None = None) -> Pause:
    return Pause(since=AWSDate(since), until=AWSDate(until) if until else None)


def test_only_the_latest_log_can_raise_an_alert() -> None:
    first = metric_log(Decimal(70), "2026-01-30")
    weight = metric(
        threshold_high=Decimal(80),
        state=metrics.state_from_logs([first.logged_value]),
    )
    assert alerts.with_alert(weight, metric_log(Decimal(81))).alert is AlertKind.High
    assert alerts.with_alert(weight, metric_log(Decimal(80))).alert is None
    assert alerts.with_alert(weight, metric_log(Decimal(81), "2026-01-29")).alert is None


def test_a_new_alert_leaves_the_log_that_was_given_unchanged() -> None:
    log = metric_log(Decimal(81))
    alerts.with_alert(metric(threshold_high=Decimal(80)), log)
    assert log.alert is None


@pytest.mark.parametrize(("value", "kept"), [(90, AlertKind.High), (80, None), (10, None)])
def test_a_corrected_value_clears_its_alert(value: int, kept: AlertKind | None) -> None:
    weight = metric(threshold_high=Decimal(80), threshold_low=Decimal(20))
    log = metric_log(Decimal(value), alert=AlertKind.High)
    assert alerts.with_alert_checked(weight, log).alert is kept


def test_the_text_of_an_alert() -> None:
    title, body = alerts.alert_text(
        "Weight", "kg", AlertKind.High, Decimal("81.50"), Decimal("80.0")
    )
    assert title == "Weight is above 80"
    assert body == "Weight: 81.5 kg was logged. Your threshold is 80 kg."


def test_milestones_that_were_won_are_not_won_again() -> None:
    log = metric_log(Decimal(5))
    state = metrics.state_from_logs([log.logged_value])
    assert state is not None
    steps = metric(target_value=Decimal(5))
    (won,) = milestones.newly_reached(steps, state, state.days, TODAY)
    assert (won.type, won.id) == (MilestoneType.target_reached, "target_reached-5")
    assert milestones.milestone_reason(steps, won) == "Weight: target 5 reached"
    again = metric(target_value=Decimal(5), milestone_ids=[won.id])
    assert milestones.newly_reached(again, state, state.days, TODAY) == []


def test_one_change_wins_at_most_nine_milestones() -> None:
    assert milestones.MOST_MILESTONES == 9


def test_progress_needs_a_target() -> None:
    state = metrics.state_from_logs([metric_log(Decimal(5)).logged_value])
    assert metrics.progress_of(metric(state=state), TODAY) is None
    wanted = metric(target_value=Decimal(5))
    assert metrics.progress_of(wanted, TODAY) == MetricProgress(0.0, False)
    reached = metric(target_value=Decimal(5), state=state)
    assert metrics.progress_of(reached, TODAY) == MetricProgress(1.0, True)


def test_a_log_in_the_past_needs_all_logs() -> None:
    new = metric_log(Decimal(1))
    state = metrics.state_with(None, [new])
    assert state == metrics.state_from_logs([new.logged_value])
    assert metrics.state_with(state, [metric_log(Decimal(1), "2026-01-30")]) is None


def test_logs_after_a_change() -> None:
    old, other, new = (metric_log(Decimal(n), f"2026-01-2{n}") for n in (1, 2, 3))
    change = metrics.LogChange(added=[new], removed=[old])
    assert metrics.logs_after([old, other], change) == [other, new]


def test_the_days_of_logs_are_in_the_order_of_time() -> None:
    later = metric_log(Decimal(3), logged_at=AWSDateTime("2026-01-31T11:00:00.000Z"))
    found = days.logged_days(
        log.logged_value
        for log in (later, metric_log(Decimal(2)), metric_log(Decimal(1), "2026-01-30"))
    )
    assert [(day.date, day.logs, day.last) for day in found] == [
        ("2026-01-30", 1, Decimal(1)),
        ("2026-01-31", 2, Decimal(3)),
    ]


@pytest.mark.parametrize("fields", [{"threshold_low": 2, "threshold_high": 1}, {"target_band": 0}])
def test_a_metric_that_contradicts_itself(fields: dict[str, int]) -> None:
    with pytest.raises(BadInput):
        metrics.check_metric(metric(**{name: Decimal(value) for name, value in fields.items()}))


def test_a_log_may_be_five_minutes_ahead() -> None:
    metrics.check_log_time(MIDNIGHT + timedelta(minutes=5), MIDNIGHT)
    for wrong in (MIDNIGHT + timedelta(minutes=6), datetime(1969, 12, 31, tzinfo=UTC)):
        with pytest.raises(BadInput):
            metrics.check_log_time(wrong, MIDNIGHT)


def test_a_pause_ends_the_day_before_the_habit_is_active_again() -> None:
    active = habit()
    (begun,) = habit_records.pauses_after(active, HabitStatus.Paused, TODAY)
    assert (begun.since, begun.until) == ("2026-01-31", None)
    paused = habit(status=HabitStatus.Paused, pauses=[pause("2026-01-20")])
    assert habit_records.pauses_after(paused, HabitStatus.Archived, TODAY) == paused.pauses
    (ended,) = habit_records.pauses_after(paused, HabitStatus.Active, TODAY)
    assert (ended.since, ended.until) == ("2026-01-20", "2026-01-30")


def test_a_pause_that_ends_on_its_first_day_is_forgotten() -> None:
    paused = habit(
        status=HabitStatus.Paused, pauses=[pause("2026-01-02", "2026-01-03"), pause("2026-01-31")]
    )
    assert habit_records.pauses_after(paused, HabitStatus.Active, TODAY) == paused.pauses[:1]


def test_recent_changes_equal_all_logs() -> None:
    days = {date(2026, 1, number): LogKind.DONE for number in range(1, 31)}
    read = habit_records.with_state_from_logs(habit(), days, TODAY)
    changes = {TODAY: LogKind.DONE}
    assert habit_records.is_in_recent_days(read, changes)
    recent = habit_records.state_after_recent(read, changes, TODAY)
    every = habit_records.with_state_from_logs(habit(), {**days, **changes}, TODAY)
    assert recent == every.state
    assert (read.cached_streak, every.cached_streak) == (30, 31)
    assert not habit_records.is_in_recent_days(read, {date(2026, 1, 30): None})


def test_a_day_without_a_kind_is_removed() -> None:
    logs = {TODAY: LogKind.DONE}
    assert habit_records.logs_after(logs, {TODAY: None}) == {}


@pytest.mark.parametrize(
    ("kind", "completed", "expected"),
    [
        (None, None, LogKind.DONE),
        (None, True, LogKind.DONE),
        (None, False, LogKind.MISSED),
        (LogKind.SKIP, None, LogKind.SKIP),
        (LogKind.MISSED, False, LogKind.MISSED),
    ],
)
def test_kind_or_completed(kind: LogKind | None, completed: bool | None, expected: LogKind) -> None:
    assert habit_records.log_kind(habit(), kind, completed) is expected


def test_kind_against_completed() -> None:
    with pytest.raises(BadInput, match="contradict"):
        habit_records.log_kind(habit(), LogKind.SKIP, True)


@pytest.mark.parametrize(
    "fields",
    [
        {"start_date": "2026-02-01"},
        {"start_date": "2015-01-01"},
        {"frequency": Frequency.Custom},
        {"frequency": Frequency.Weekly, "target_per_period": 8},
        {"interval_days": 3, "target_per_period": 4},
    ],
)
def test_a_habit_that_cannot_be_kept(fields: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        habit_records.check_habit(habit(**fields), TODAY)


def test_search_finds_all_words_in_any_case() -> None:
    found = entry(title="Long RUN", notes="Along the river")
    assert logbook.has_all_words(found, logbook.search_words("river long"))
    assert not logbook.has_all_words(found, logbook.search_words("river bike"))
    with pytest.raises(BadInput):
        logbook.search_words("x" * 101)


def test_a_second_entry_adds_and_never_overwrites() -> None:
    old = entry(title="Rain", linked_goal_ids=[ID("g1")])
    sent = {"title": "Rain", "notes": "Read", "linked_goal_ids": ["g2", "g1"]}
    assert logbook.merged_fields(old, sent) == {"notes": "Read", "linked_goal_ids": ["g1", "g2"]}
    with pytest.raises(EntryDiffers) as refused:
        logbook.merged_fields(old, {"title": "Sun"})
    assert refused.value.info == {"field": "input.title", "currentVersion": 1}


def test_only_new_links_are_checked() -> None:
    old = entry(linked_goal_ids=[ID("g1")])
    sent = {"linked_goal_ids": ["g1", "g2"], "linked_task_ids": ["t1"]}
    assert list(logbook.new_links(sent, old)) == [("Task", "t1"), ("Goal", "g2")]


def row(value: int, log_id: str | None = None, hour: int = 8) -> MetricRow:
    at = AWSDateTime(f"2026-01-31T{hour:02}:00:00.000Z")
    return MetricRow("Weight", at, Decimal(value), None, log_id)


def test_equal_rows_get_ids_of_their_own_and_the_same_ids_again() -> None:
    rows = [row(1, hour=9), row(1), row(1), row(2, log_id="mine")]
    found = imports.rows_by_log_id("weight", rows)
    assert len(found) == 4
    assert "mine" in found
    assert list(found) == list(imports.rows_by_log_id("weight", rows))
    assert [each.logged_at for each in found.values()] == sorted(each.logged_at for each in rows)
    assert not set(found) & set(imports.rows_by_log_id("other", rows)) - {"mine"}


def test_an_id_wins_over_a_name() -> None:
    first, second, third = (metric(id=ID(each), name="b") for each in ("a", "b", "c"))
    found = imports.by_id_or_name([first, second, third])
    assert (found["a"], found["b"], found["c"]) == (first, second, third)
    assert imports.by_id_or_name([first, third])["b"] is first


@pytest.mark.parametrize(
    ("confidence", "stored"), [(0.12345, "0.1235"), (2.0, "1"), (-1.0, "0"), (float("nan"), "0")]
)
def test_confidence_is_stored_from_0_to_1(confidence: float, stored: str) -> None:
    found = Finding(InsightType.pattern, "", confidence)
    assert insights.stored_confidence(found) == Decimal(stored)


def test_numbers_that_dynamodb_cannot_store() -> None:
    content = {"a": [1.0, 0.5, float("inf")], "b": 1e-200, "c": 1e300, "d": "text"}
    assert insights.to_storable(content) == {
        "a": [1, Decimal("0.5"), None],
        "b": 0,
        "c": Decimal("1e+300"),
        "d": "text",
    }


def test_the_basis_changes_with_the_logs_of_every_metric() -> None:
    weight, steps = metric(), metric(id=ID("steps"))
    basis = insights.basis_of(weight, [steps])
    assert basis == insights.basis_of(metric(), [metric(id=ID("steps"))])
    assert basis != insights.basis_of(metric(logs_version=1), [steps])
    assert basis != insights.basis_of(weight, [metric(id=ID("steps"), logs_version=1)])
    assert basis != insights.basis_of(weight, [])


def test_correlations_are_looked_for_with_twenty_active_metrics() -> None:
    weight = metric()
    paused = metric(id=ID("paused"), status=MetricStatus.Paused)
    others = [metric(id=ID(f"m{number}")) for number in range(25)]
    found = insights.comparable_metrics(weight, [weight, paused, *others])
    assert found == others[:20]


def test_the_days_of_a_heat_map() -> None:
    logs = [habit_log("2026-01-28"), habit_log("2026-01-29", LogKind.SKIP)]
    days = charts.heat_map_of(habit(), logs, TODAY).days
    assert len(days) == 365
    seen = [days[date(2026, 1, number)] for number in (28, 29, 30, 31)]
    assert seen == ["done", "neutral", "missed", "empty"]
    assert days[date(2025, 12, 31)] == "empty"


def test_the_days_of_a_habit_to_quit() -> None:
    quitting = habit(habit_type=HabitType.Quit)
    days = charts.heat_map_of(quitting, [habit_log("2026-01-28")], TODAY).days
    seen = [days[date(2026, 1, number)] for number in (27, 28, 31)]
    assert seen == ["done", "missed", "empty"]


def test_a_slip_within_the_limit_is_not_missed() -> None:
    weekly = {"habit_type": HabitType.Reduce, "frequency": Frequency.Weekly}
    slips = [habit_log("2026-01-27"), habit_log("2026-01-29")]
    days = charts.heat_map_of(habit(**weekly), slips, TODAY).days
    assert [days[date(2026, 1, number)] for number in (27, 29)] == ["neutral", "missed"]


def test_a_state_without_the_limit_is_folded_again() -> None:
    """As release 0.1 wrote it."""
    weekly = habit(habit_type=HabitType.Reduce, frequency=Frequency.Weekly)
    logs = {date(2026, 1, 27): LogKind.DONE}
    new = habit_records.with_state_from_logs(weekly, logs, TODAY)
    assert new.state is not None
    assert not habit_records.needs_limit(new)
    old = replace(new, state=replace(new.state, honours_limit=False))
    assert habit_records.needs_limit(old)
    assert not habit_records.needs_limit(replace(old, frequency=Frequency.Daily))
    assert not habit_records.needs_limit(replace(old, habit_type=HabitType.Quit))
    assert not habit_records.needs_limit(weekly)
