"""Experience, forecasts, names and readings: exact values, no I/O."""

import json
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.clock import to_day
from app.core.errors import BadInput
from app.core.scalars import AWSDate, AWSDateTime, WholeNumber
from app.domains.characters.rules.attributes import distinct, known_attributes, to_attribute
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
from app.domains.characters.rules.stats import skill_level, to_stats
from app.domains.characters.rules.targets import (
    EXPERIENCE,
    check_progress_value,
    check_target_value,
    experience_of,
    is_drop,
    is_reached,
    level_of,
    target_experience,
)
from app.domains.characters.types import (
    Forecast,
    ForecastParts,
    TargetAttributeKind,
    TargetType,
)
from tests.remote_servers import hiscores

START = datetime(2025, 1, 1, tzinfo=UTC)


def at(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


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
    assert forecast(EXAMPLE, first, last, START + timedelta(days=1)) == Forecast(
        absolute=0.9590,
        since_start=0.4834,
        remaining=WholeNumber(534_431),
        needed_per_day=WholeNumber(9_215),
        pace=500_000,
        estimated_date=AWSDate("2025-01-03"),
        on_track=True,
        parts=ForecastParts(
            first_value=WholeNumber(12_000_000),
            first_at=AWSDateTime("2025-01-01T00:00:00.000Z"),
            latest_value=WholeNumber(12_500_000),
            latest_at=AWSDateTime("2025-01-02T00:00:00.000Z"),
            target_value=WholeNumber(13_034_431),
            gained=WholeNumber(500_000),
            days=1.0,
            days_to_target=1.07,
            days_left=58,
        ),
    )


def test_one_record_has_no_pace() -> None:
    first = Sample(12_000_000, START)
    found = forecast(EXAMPLE, first, first, START + timedelta(hours=23))
    assert (found.pace, found.estimated_date, found.on_track) == (None, None, None)
    assert found.since_start == 0.0
    assert found.needed_per_day == 17_533


def test_standing_still_is_behind() -> None:
    last = Sample(12_000_000, START + timedelta(days=3))
    found = forecast(EXAMPLE, Sample(12_000_000, START), last, last.at)
    assert (found.pace, found.estimated_date, found.on_track) == (0, None, False)


def test_too_slow_is_behind() -> None:
    last = Sample(12_010_000, START + timedelta(days=10))
    found = forecast(EXAMPLE, Sample(12_000_000, START), last, last.at)
    assert found.pace == 1_000
    assert found.on_track is False


def test_after_the_date_nothing_is_needed_any_more_and_it_is_late() -> None:
    last = Sample(12_500_000, START + timedelta(days=1))
    found = forecast(EXAMPLE, Sample(12_000_000, START), last, at(2025, 3, 2))
    assert (found.needed_per_day, found.on_track) == (None, False)


def test_on_the_last_day_all_of_it_is_needed() -> None:
    last = Sample(12_500_000, START + timedelta(days=1))
    found = forecast(EXAMPLE, Sample(12_000_000, START), last, at(2025, 3, 1))
    assert found.needed_per_day == 534_431


def test_without_a_date_on_track_is_unknown() -> None:
    target = Target(TargetType.xp, 13_034_431, None)
    last = Sample(12_500_000, START + timedelta(days=1))
    found = forecast(target, Sample(12_000_000, START), last, last.at)
    assert (found.needed_per_day, found.on_track) == (None, None)


def test_beyond_the_target_everything_is_done() -> None:
    last = Sample(14_000_000, START + timedelta(days=1))
    found = forecast(EXAMPLE, Sample(12_000_000, START), last, last.at)
    assert (found.absolute, found.since_start, found.remaining) == (1.0, 1.0, 0)
    assert (found.needed_per_day, found.on_track) == (0, True)


def test_a_rank_is_better_when_it_is_lower() -> None:
    target = Target(TargetType.rank, 1_000, date(2025, 2, 1))
    last = Sample(3_000, START + timedelta(days=2))
    found = forecast(target, Sample(5_000, START), last, last.at)
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
    later=st.integers(0, 5_000),
)
def test_any_forecast_is_sound(
    target: TargetType, goal: int, values: tuple[int, int], days: int, later: int
) -> None:
    first, last = values
    day = START.date() + timedelta(days=30)
    found = forecast(
        Target(target, goal, day),
        Sample(first, START),
        Sample(last, START + timedelta(days=days)),
        START + timedelta(days=days + later),
    )
    reached = is_reached(last, goal, target)
    assert 0 <= found.absolute <= 1
    assert 0 <= found.since_start <= 1
    assert (found.absolute == 1) is reached
    assert (found.since_start == 1) is reached
    assert (found.remaining == 0) is reached
    assert found.remaining >= 0
    today = to_day((START + timedelta(days=days + later)).date())
    assert found.estimated_date is None or found.estimated_date >= today
    assert found.on_track is not True or reached or (found.pace or 0) > 0
    assert (found.parts.days_to_target is None) is (reached or (found.pace or 0) <= 0)


def test_the_parts_of_a_forecast_give_its_numbers() -> None:
    last = Sample(12_400_000, START + timedelta(days=2))
    found = forecast(EXAMPLE, Sample(12_000_000, START), last, at(2025, 3, 3))
    parts = found.parts
    assert (parts.gained, parts.days, found.pace) == (400_000, 61.0, round(400_000 / 61, 2))
    assert (parts.days_to_target, parts.days_left) == (96.75, -2)


def test_a_pace_falls_while_nothing_new_is_recorded() -> None:
    first, last = Sample(12_000_000, START), Sample(12_500_000, START + timedelta(days=1))
    paces = [forecast(EXAMPLE, first, last, START + timedelta(days=n)).pace for n in (1, 2, 10)]
    assert paces == [500_000, 250_000, 50_000]


def test_an_estimate_counts_from_now() -> None:
    first, last = Sample(12_000_000, START), Sample(12_500_000, START + timedelta(days=1))
    found = forecast(EXAMPLE, first, last, at(2025, 2, 20))
    assert (found.pace, found.estimated_date, found.on_track) == (10_000, "2025-04-14", False)


def test_one_record_is_a_standstill_after_a_day() -> None:
    first = Sample(12_000_000, START)
    found = forecast(EXAMPLE, first, first, START + timedelta(days=1))
    assert (found.pace, found.estimated_date, found.on_track) == (0, None, False)


def test_a_goal_that_is_reached_is_not_estimated_any_more() -> None:
    last = Sample(14_000_000, START + timedelta(days=1))
    found = forecast(EXAMPLE, Sample(12_000_000, START), last, at(2025, 6, 1))
    assert (found.estimated_date, found.on_track) == (None, True)


@pytest.mark.parametrize(
    ("zone", "day"), [("Pacific/Kiritimati", "2025-01-06"), ("Pacific/Pago_Pago", "2025-01-04")]
)
def test_the_estimated_day_is_that_of_the_users_zone(zone: str, day: str) -> None:
    first, last = Sample(0, START), Sample(300, START + timedelta(days=3))
    now = last.at.replace(hour=10, minute=30).astimezone(ZoneInfo(zone))
    found = forecast(Target(TargetType.xp, 387, None), first, last, now)
    assert (found.pace, found.estimated_date) == (87.27, day)


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
        check_progress_value(value, attribute, target)
    else:
        with pytest.raises(BadInput):
            check_progress_value(value, attribute, target)


@pytest.mark.parametrize("target", TargetType)
@pytest.mark.parametrize("attribute", ["Overall", "Mining"])
def test_targets_begin_at_one(attribute: str, target: TargetType) -> None:
    check_target_value(1, attribute, target)
    for value in (0, -1):
        with pytest.raises(BadInput) as refused:
            check_target_value(value, attribute, target)
        assert refused.value.info["field"] == "input.targetValue"


@pytest.mark.parametrize(
    ("text", "target", "name"),
    [
        (" woodCUTTING ", TargetType.xp, "Woodcutting"),
        ("overall", TargetType.rank, "Overall"),
        ("theatre  of BLOOD", TargetType.score, "Theatre of Blood"),
        ("vorkath", TargetType.rank, "Vorkath"),
        ("Nexus", TargetType.score, "Nexus"),
        ("Basket  weaving", TargetType.score, "Basket weaving"),
    ],
)
def test_attributes_are_spelled_as_the_game_does(text: str, target: TargetType, name: str) -> None:
    assert to_attribute(text, target, {"nexus"}) == name


@pytest.mark.parametrize(
    ("text", "target", "suggestions"),
    [
        ("Woodcuting", TargetType.xp, ["Woodcutting"]),
        ("Runecraftin", TargetType.level, ["Runecrafting", "Runecraft", "Crafting"]),
        ("Zulra", TargetType.score, ["Zulrah"]),
        ("vorkaht", TargetType.rank, ["Vorkath"]),
        ("Basket weaving", TargetType.level, []),
        ("Nexus", TargetType.score, ["Nex"]),
        ("Mininig", TargetType.rank, ["Mining"]),
    ],
)
def test_a_misspelt_attribute_is_refused_with_suggestions(
    text: str, target: TargetType, suggestions: list[str]
) -> None:
    with pytest.raises(BadInput) as refused:
        to_attribute(text, target)
    assert refused.value.info["field"] == "input.targetAttribute"
    assert refused.value.info["suggestions"] == suggestions
    assert all(each in refused.value.message for each in (*suggestions, "targetAttributes"))


@pytest.mark.parametrize(
    ("name", "target", "words"),
    [
        ("Zulrah", TargetType.xp, "an activity: it has no xp"),
        ("Mining", TargetType.score, "a skill: it has no score"),
    ],
)
def test_a_type_that_it_does_not_have_is_refused(name: str, target: TargetType, words: str) -> None:
    with pytest.raises(BadInput, match=words) as refused:
        to_attribute(name, target)
    assert refused.value.info["field"] == "input.targetType"


def test_known_attributes_are_distinct_and_can_be_set() -> None:
    every = known_attributes(None)
    names = [each.name for each in every]
    assert distinct(names) == names
    for each in every:
        for target in each.target_types:
            assert to_attribute(each.name, target) == each.name
    skills = known_attributes(TargetAttributeKind.SKILL)
    activities = known_attributes(TargetAttributeKind.ACTIVITY)
    assert [*skills, *activities] == every


def test_a_level_is_also_experience() -> None:
    assert target_experience("Mining", TargetType.level, 99) == 13_034_431
    assert target_experience("Mining", TargetType.xp, 5) == 5
    assert target_experience("Overall", TargetType.level, 99) is None
    assert target_experience("Mining", TargetType.rank, 99) is None


@pytest.mark.parametrize(("before", "drop"), [(None, False), (5, False), (6, True)])
def test_only_ranks_may_fall(before: int | None, drop: bool) -> None:
    assert is_drop(5, before=before, target=TargetType.xp) is drop
    assert not is_drop(5, before=before, target=TargetType.rank)


# -1 as rank or xp: the row says nothing, though it shows level 1.
UNRANKED_SKILLS = ("Cooking", "Fishing", "Slayer", "Sailing")
PAGE = hiscores(
    {
        "Overall": (9, 2_376, 4_800_000_000),
        "Mining": (7, 99, 188_884_740),
        "Sailing": (-1, -1, -1),
        "Cooking": (-1, 1, -1),
        "Fishing": (-1, 1, 0),
        "Slayer": (12, 1, -1),
    },
    {"Zulrah": (-1, -1), "Bounty": (3, 0), "Nex": (-1, 4)},
)


@pytest.mark.parametrize(
    ("attribute", "target", "wanted", "value"),
    [
        ("Mining", TargetType.xp, 1, 188_884_740),
        ("mining", TargetType.rank, 1, 7),
        ("Mining", TargetType.level, 99, 99),
        ("Mining", TargetType.level, 120, 126),
        ("Overall", TargetType.rank, 1, 9),
        ("Overall", TargetType.xp, 1, 4_800_000_000),
        ("Overall", TargetType.level, 1, 2_376),
        *((name, target, 1, None) for name in UNRANKED_SKILLS for target in TargetType),
        *((name, TargetType.level, 120, None) for name in UNRANKED_SKILLS),
        ("Nex", TargetType.score, 1, None),
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


KNOWN = st.integers(1, 2**53 - 1)
READINGS = (
    st.just(Reading())
    | st.builds(Reading, rank=KNOWN, level=KNOWN, xp=KNOWN)
    | st.builds(Reading, rank=KNOWN, score=KNOWN)
)


@given(st.dictionaries(st.text(), READINGS))
def test_stored_readings_are_read_back(readings: dict[str, Reading]) -> None:
    assert decode_readings(encode_readings(readings)) == readings


def test_an_unranked_level_stored_by_an_earlier_release_says_nothing() -> None:
    stored = '{"cooking": [null, 1, null, null], "mining": [7, 70, 800000, null]}'
    assert decode_readings(stored) == {"cooking": Reading(), "mining": Reading(7, 70, 800_000)}


@pytest.mark.parametrize(
    ("experience", "level", "begins", "following", "remaining", "share"),
    [
        (0, 1, 0, 83, 83, 0.0),
        (82, 1, 0, 83, 1, 0.9879),
        (83, 2, 83, 174, 91, 0.0),
        (13_034_431, 99, 13_034_431, 14_391_160, 1_356_729, 0.0),
        (200_000_000, 126, 188_884_740, None, None, 1.0),
    ],
)
def test_a_level_explains_itself(
    experience: int,
    level: int,
    begins: int,
    following: int | None,
    remaining: int | None,
    share: float,
) -> None:
    found = skill_level(experience)
    assert (found.level, found.experience, found.experience_of_level) == (level, experience, begins)
    assert (found.experience_of_next_level, found.remaining) == (following, remaining)
    assert found.share == share


def test_stats_are_spelled_and_ordered_as_the_game_does() -> None:
    stats = to_stats(parse_hiscores(PAGE), AWSDateTime("2026-01-01T00:00:00.000Z"))
    assert [(each.name, each.level) for each in stats.skills] == [
        ("Overall", 2_376),
        ("Mining", 99),
    ]
    overall, mining = stats.skills
    assert overall.level_progress is None
    assert mining.level_progress is not None
    assert (mining.level_progress.level, mining.xp, mining.rank) == (126, 188_884_740, 7)
    assert [(each.name, each.rank, each.score) for each in stats.activities] == [("bounty", 3, 0)]
