"""What a new value means for a goal: exact values, no I/O."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import strawberry

from app.core.clock import instant
from app.core.errors import BadInput
from app.core.scalars import AWSDate, AWSDateTime, WholeNumber
from app.domains.characters.rules.messages import digest, progress_line, reached_message
from app.domains.characters.rules.progress import (
    as_achieved,
    as_open,
    check_target_date,
    expires_at,
    is_worth_recording,
    measured_at,
    range_bound,
)
from app.domains.characters.types import (
    CharacterGoal,
    Forecast,
    ForecastParts,
    LatestProgress,
    TargetType,
)

NOW = datetime(2026, 1, 23, 9, tzinfo=UTC)


def goal(**fields: Any) -> CharacterGoal:
    given: dict[str, Any] = {"poll_at": instant(NOW), "target_value": 1_000} | fields
    return CharacterGoal(
        id=strawberry.ID("g"),
        user_id="ada",
        created_at=instant(NOW),
        updated_at=instant(NOW),
        character_key="zezima",
        character_name="Zezima",
        target_attribute="Mining",
        target_type=TargetType.xp,
        **given,
    )


def latest(value: int, at: str = "2026-01-23T08:00:00.000Z") -> LatestProgress:
    return LatestProgress(
        created_at=instant(NOW),
        updated_at=instant(NOW),
        user_id="ada",
        character_key="zezima",
        goal_id="g",
        timestamp=at,
        progress_value=WholeNumber(value),
    )


def test_the_time_is_from_2001_to_a_minute_ahead() -> None:
    assert measured_at(None, NOW) == instant(NOW)
    for allowed in (AWSDateTime("2001-01-01T00:00:00.000Z"), instant(NOW + timedelta(minutes=1))):
        assert measured_at(allowed, NOW) == allowed
    for refused in (
        AWSDateTime("2000-12-31T23:59:59.999Z"),
        instant(NOW + timedelta(seconds=61)),
    ):
        with pytest.raises(BadInput):
            measured_at(refused, NOW)


@pytest.mark.parametrize(
    ("value", "at", "worth"),
    [
        (501, "2026-01-23T09:00:00.000Z", True),
        (500, "2026-01-23T09:00:00.000Z", False),
        (500, "2026-01-24T00:00:00.000Z", True),
        (501, "2026-01-23T08:00:00.000Z", False),
        (501, "2026-01-22T08:00:00.000Z", False),
    ],
)
def test_a_new_value_or_the_first_of_a_day_is_recorded(value: int, at: str, worth: bool) -> None:
    assert is_worth_recording(value, at, latest(500)) is worth
    assert is_worth_recording(value, at, None)


def test_records_expire_after_the_retention() -> None:
    assert expires_at(goal(), instant(NOW)) is None
    assert expires_at(goal(retention_days=7), instant(NOW)) == int(
        (NOW + timedelta(days=7)).timestamp()
    )


def test_an_achieved_goal_is_no_longer_polled_and_sends_its_last_message() -> None:
    old = goal()
    new = as_achieved(old, "2026-01-23T08:00:00.000Z", instant(NOW))
    assert (new.achieved_at, new.poll_at) == ("2026-01-23T08:00:00.000Z", None)
    assert new.send_at == instant(NOW)
    assert old.achieved_at is None


def test_a_goal_that_is_open_again_is_polled() -> None:
    achieved = goal(achieved_at=instant(NOW), poll_at=None)
    opened = as_open(achieved, instant(NOW))
    assert (opened.achieved_at, opened.poll_at) == (None, instant(NOW))


def test_the_target_date_is_today_or_later() -> None:
    check_target_date(goal(target_date=AWSDate("2026-01-23")), date(2026, 1, 23))
    with pytest.raises(BadInput):
        check_target_date(goal(target_date=AWSDate("2026-01-22")), date(2026, 1, 23))


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        (None, None),
        ("2026-01-23", "2026-01-23"),
        ("2026-01-23T10:00:00+01:00", "2026-01-23T09:00:00.000Z"),
    ],
)
def test_a_range_is_bounded_by_days_or_instants(text: str | None, bound: str | None) -> None:
    assert range_bound(text, "from") == bound


@pytest.mark.parametrize("text", ["", "2026-02-30", "2026-01-23T10:00:00", "yesterday"])
def test_other_bounds_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="from must be a day"):
        range_bound(text, "from")


PARTS = ForecastParts(
    first_value=WholeNumber(12_000_000),
    first_at=instant(NOW),
    latest_value=WholeNumber(12_500_000),
    latest_at=instant(NOW),
    target_value=WholeNumber(13_034_431),
    gained=WholeNumber(500_000),
    days=1.0,
    days_to_target=1.07,
    days_left=None,
)


def forecast(**fields: Any) -> Forecast:
    given: dict[str, Any] = {"needed_per_day": None, "on_track": None} | fields
    return Forecast(
        absolute=0.9590,
        since_start=0.4834,
        remaining=WholeNumber(534_431),
        pace=500_000,
        estimated_date=None,
        parts=PARTS,
        **given,
    )


def test_messages() -> None:
    title = "Zezima: Mining XP 1,000"
    assert progress_line(goal(), None) == f"{title}: nothing recorded yet."
    assert progress_line(goal(), forecast()) == f"{title}: 95.9 %, 534,431 to go."
    full = forecast(needed_per_day=9_215, on_track=False)
    assert (
        progress_line(goal(), full)
        == f"{title}: 95.9 %, 534,431 to go, 9,215 a day needed, behind."
    )
    assert digest([goal()], ["one"]) == ("Goal of Zezima", "one")
    assert digest([goal(), goal()], ["one", "two"]) == ("2 goals of Zezima", "one\ntwo")
    assert reached_message(goal()) == (
        "Zezima has reached a goal",
        f"{title}: reached. Well done!",
    )
