"""What the hiscores said of a character, for people to read."""

from collections.abc import Iterable

from app.core.scalars import AWSDateTime, WholeNumber
from app.domains.characters.rules.attributes import ACTIVITIES, OVERALL, SKILLS
from app.domains.characters.rules.readings import Reading, Readings
from app.domains.characters.rules.targets import EXPERIENCE, HIGHEST_LEVEL, level_of, most_of
from app.domains.characters.types import ActivityStat, CharacterStats, SkillStat, TargetType
from app.domains.people.rules import to_level_progress
from app.domains.people.types import LevelProgress


def to_stats(readings: Readings, read_at: AWSDateTime) -> CharacterStats:
    known = {each.casefold() for each in (*SKILLS, *ACTIVITIES)}
    others = sorted(readings.keys() - known)
    skills = [_skill(name, row) for name, row in _rows(readings, SKILLS)]
    activities = [_activity(name, row) for name, row in _rows(readings, (*ACTIVITIES, *others))]
    return CharacterStats(
        read_at=read_at,
        skills=[each for each in skills if each],
        activities=[each for each in activities if each],
    )


def _rows(readings: Readings, names: Iterable[str]) -> list[tuple[str, Reading]]:
    return [(name, readings[name.casefold()]) for name in names if name.casefold() in readings]


def _skill(name: str, row: Reading) -> SkillStat | None:
    if row.rank is None or row.xp is None:
        return None
    is_level = row.level is not None and row.level <= most_of(name, TargetType.level)
    return SkillStat(
        name=name,
        rank=WholeNumber(row.rank),
        level=row.level if is_level else None,
        xp=WholeNumber(row.xp),
        level_progress=None if name == OVERALL else skill_level(row.xp),
    )


def _activity(name: str, row: Reading) -> ActivityStat | None:
    if row.rank is None or row.score is None:
        return None
    return ActivityStat(name=name, rank=WholeNumber(row.rank), score=WholeNumber(row.score))


def skill_level(experience: int) -> LevelProgress:
    level = level_of(experience)
    least_of_next = None if level == HIGHEST_LEVEL else EXPERIENCE[level]
    return to_level_progress(experience, level, EXPERIENCE[level - 1], least_of_next)
