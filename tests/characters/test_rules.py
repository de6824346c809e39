"""Experience, forecasts, names and readings: exact values, no I/O."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import BadInput
from app.core.scalars import AWSDate
from app.domains.characters.rules.forecasts import Sample, Target, forecast
from app.domains.characters.rules.names import is_name, normal_name
from app.domains.characters.rules.readings import (
    NotHiscores,
    Reading,
    decode_readings,
    encode_readings,
    parse_hiscores,
    value_for,
)
from app.domains.characters.rules.targets import (
    EXPERIENCE,
    check_value,
    experience_of,
    is_drop,
    is_reached,
    level_of,
    target_experience,
    to_attribute,
)
from app.domains.characters.types import Forecast, TargetType
from tests.remote_servers import hiscores

START = datetime(2025, 1, 1, tzinfo=UTC)
EXAMPLE = Target(TargetType.xp, 13_034_431, date(2025, 3, 1))


@pytest.mark.parametrize(
    ("level", "experience"),
    [
        (1, 0),
        (2, 83),
        (10, 1_154),
        (50, 101_333),
        (92, 6_517_253),
        (99, 13_034_431),
        (126, 188_884_740),
    ],
)
def test_experience_of_a_level(level: int, experience: int) -> None:
    assert experience_of(level) == experience
    assert level_of(experience) == level
    assert level_of(experience - 1) == level - 1


def test_experience_only_grows_and_the_table_ends_at_126() -> None:
    assert len(EXPERIENCE) == 126
    assert list(EXPERIENCE) == sorted(set(EXPERIENCE))
    assert level_of(200_000_000) == 126


def test_the_example_of_the_document() -> None:
    first = Sample(12_000_000, START)
    last = Sample(12_500_000, START + timedelta(days=1))
    assert forecast(EXAMPLE, first, last, date(2025, 1, 2)) == Forecast(
        absolute=0.9590,
        since_start=0.4834,
        remaining=534_431,
        needed_per_day=9_215,
        pace=500_000,
        estimated_date=AWSDate("2025-01-03"),
        on_track=True,
    )


def test_one_record_has_no_pace() -> None:
    first = Sample(12_000_000, START)
    found = forecast(EXAMPLE, first, first, date(2025, 1, 1))
    assert (found.pace, found.estimated_date, found.on_track) == (None, None, None)
    assert found.since_start == 0.0
    assert found.needed_per_day == 17_533


def test_standing_still_is_behind() -> None:
    last = Sample(12_000_000, START + timedelta(days=3))
    found = forecast(EXAMPLE, Sample(12_000_000, START), last, date(2025, 1, 4))
    assert (found.pace, found.estimated_date, found.on_track) == (0, None, False)


def test_too_slow_is_behind() -> None:
    last = Sample(12_010_000, START + timedelta(days=10))
    found = forecast(EXAMPLE, Sample(12_000_000, START), last, date(2025, 1, 11))
    assert found.pace == 1_000
    assert found.on_track is False


def test_after_the_date_nothing_is_needed_any_more_and_it_is_late() -> None:
    last = Sample(12_500_000, START + timedelta(days=1))
    found = forecast(EXAMPLE, Sample(12_000_000, START), last, date(2025, 3, 2))
    assert (found.needed_per_day, found.on_track) == (None, False)


def test_on_the_last_day_all_of_it_is_needed() -> None:
    last = Sample(12_500_000, START + timedelta(days=1))
    found = forecast(EXAMPLE, Sample(12_000_000, START), last, date(2025, 3, 1))
    assert found.needed_per_day == 534_431


def test_without_a_date_on_track_is_unknown() -> None:
    target = Target(TargetType.xp, 13_034_431, None)
    last = Sample(12_500_000, START + timedelta(days=1))
    found = forecast(target, Sample(12_000_000, START), last, date(2025, 1, 2))
    assert (found.needed_per_day, found.on_track) == (None, None)


def test_beyond_the_target_everything_is_done() -> None:
    last = Sample(14_000_000, START + timedelta(days=1))
    found = forecast(EXAMPLE, Sample(12_000_000, START), last, date(2025, 1, 2))
    assert (found.absolute, found.since_start, found.remaining) == (1.0, 1.0, 0)
    assert (found.needed_per_day, found.on_track) == (0, True)


def test_a_rank_is_better_when_it_is_lower() -> None:
    target = Target(TargetType.rank, 1_000, date(2025, 2, 1))
    last = Sample(3_000, START + timedelta(days=2))
    found = forecast(target, Sample(5_000, START), last, date(2025, 1, 3))
    assert (found.absolute, found.since_start) == (0.3333, 0.5)
    assert (found.remaining, found.pace, found.needed_per_day) == (2_000, 1_000, 69)
    assert found.estimated_date == "2025-01-05"
    assert is_reached(1_000, 1_000, TargetType.rank)
    assert not is_reached(1_001, 1_000, TargetType.rank)


@given(
    target=st.sampled_from(TargetType),
    goal=st.integers(1, 200_000_000),
    values=st.tuples(st.integers(1, 200_000_000), st.integers(1, 200_000_000)),
    days=st.integers(0, 5_000),
)
def test_any_forecast_is_sound(
    target: TargetType, goal: int, values: tuple[int, int], days: int
) -> None:
    first, last = values
    day = START.date() + timedelta(days=30)
    found = forecast(
        Target(target, goal, day),
        Sample(first, START),
        Sample(last, START + timedelta(days=days)),
        START.date(),
    )
    reached = is_reached(last, goal, target)
    assert 0 <= found.absolute <= 1
    assert 0 <= found.since_start <= 1
    assert (found.absolute == 1) is reached
    assert (found.since_start == 1) is reached
    assert (found.remaining == 0) is reached
    assert found.remaining >= 0


@pytest.mark.parametrize(
    ("name", "normal"),
    [
        ("Zezima", "zezima"),
        ("Ze_Zima", "ze zima"),
        ("ze-zima", "ze zima"),
        ("METADATA", "metadata"),
    ],
)
def test_normal_names(name: str, normal: str) -> None:
    assert normal_name(name) == normal


@pytest.mark.parametrize("name", ["a", "A1 b_c-d", "twelve chars"])
def test_names_by_the_rules(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "name", ["", " ", "thirteen char", "a#b", "a.b", "é", "a\nb", "---", "a\0"]
)
def test_names_against_the_rules(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize(
    ("attribute", "target", "value", "allowed"),
    [
        ("Woodcutting", TargetType.xp, 200_000_000, True),
        ("Woodcutting", TargetType.xp, 200_000_001, False),
        ("Overall", TargetType.xp, 200_000_001, True),
        ("Woodcutting", TargetType.level, 126, True),
        ("Woodcutting", TargetType.level, 127, False),
        ("Woodcutting", TargetType.level, 0, False),
        ("Overall", TargetType.level, 2_277, True),
        ("Zulrah", TargetType.score, 0, True),
        ("Zulrah", TargetType.rank, 0, False),
        ("Zulrah", TargetType.rank, 1, True),
    ],
)
def test_limits_of_values(attribute: str, target: TargetType, value: int, allowed: bool) -> None:
    if allowed:
        check_value(value, attribute, target, field="x")
    else:
        with pytest.raises(BadInput):
            check_value(value, attribute, target, field="x")


def test_attributes_are_spelled_as_the_game_does() -> None:
    assert to_attribute(" woodCUTTING ", TargetType.xp) == "Woodcutting"
    assert to_attribute("Theatre  of Blood", TargetType.score) == "Theatre of Blood"
    with pytest.raises(BadInput):
        to_attribute("Basket weaving", TargetType.level)


def test_a_level_is_also_experience() -> None:
    assert target_experience("Mining", TargetType.level, 99) == 13_034_431
    assert target_experience("Mining", TargetType.xp, 5) == 5
    assert target_experience("Overall", TargetType.level, 99) is None
    assert target_experience("Mining", TargetType.rank, 99) is None


@pytest.mark.parametrize(
    ("before", "after", "drop"),
    [(None, None, False), (5, None, False), (6, None, True), (None, 4, True), (5, 5, False)],
)
def test_only_ranks_may_fall(before: int | None, after: int | None, drop: bool) -> None:
    assert is_drop(5, before=before, after=after, target=TargetType.xp) is drop
    assert not is_drop(5, before=before, after=after, target=TargetType.rank)


PAGE = hiscores(
    {"Overall": (-1, 32, 4_800_000_000), "Mining": (7, 99, 188_884_740), "Sailing": (-1, -1, -1)},
    {"Zulrah": (-1, -1), "Bounty": (3, 0)},
)


@pytest.mark.parametrize(
    ("attribute", "target", "wanted", "value"),
    [
        ("Mining", TargetType.xp, 1, 188_884_740),
        ("mining", TargetType.rank, 1, 7),
        ("Mining", TargetType.level, 99, 99),
        ("Mining", TargetType.level, 120, 126),
        ("Overall", TargetType.rank, 1, None),
        ("Overall", TargetType.xp, 1, 2_147_483_647),
        ("Sailing", TargetType.xp, 1, None),
        ("Sailing", TargetType.level, 120, None),
        ("Zulrah", TargetType.score, 1, None),
        ("Bounty", TargetType.score, 1, 0),
        ("Mining", TargetType.score, 1, None),
        ("Never heard of", TargetType.score, 1, None),
    ],
)
def test_what_the_hiscores_say(
    attribute: str, target: TargetType, wanted: int, value: int | None
) -> None:
    assert value_for(parse_hiscores(PAGE), attribute, target, wanted) == value


def test_unknown_rows_are_left_out() -> None:
    page = json.loads(PAGE)
    page["skills"] += [{"name": 5}, "?", None, {"rank": 1}, {"name": "New", "xp": "many"}]
    page["pets"] = [1]
    assert parse_hiscores(json.dumps(page)) == parse_hiscores(PAGE)


@pytest.mark.parametrize("page", [b"", b"<html>", b"[]", b"{}", b'{"skills": 4}', b"null"])
def test_other_answers_are_not_hiscores(page: bytes) -> None:
    with pytest.raises(NotHiscores):
        parse_hiscores(page)


@given(st.dictionaries(st.text(), st.builds(Reading, xp=st.none() | st.integers(0, 10**9))))
def test_stored_readings_are_read_back(readings: dict[str, Reading]) -> None:
    assert decode_readings(encode_readings(readings)) == readings
