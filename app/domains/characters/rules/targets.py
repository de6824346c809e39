"""What a goal can have as its target: skills, levels and experience, scores and ranks."""

from bisect import bisect_right
from itertools import accumulate

from app.core.errors import BadInput
from app.core.scalars import WholeNumber
from app.domains.characters.rules.attributes import OVERALL, SKILLS
from app.domains.characters.types import TargetType

HIGHEST_LEVEL = 126
LEVEL_SHOWN_IN_HISCORES = 99
MOST_EXPERIENCE = 200_000_000
# The largest whole number that is exact in JSON. Overall experience reaches 4.6 billion.
LARGEST = 2**53 - 1


def _points(level: int) -> int:
    return int(level + 300 * 2 ** (level / 7))


# EXPERIENCE[0] is level 1.
EXPERIENCE = tuple(
    total // 4 for total in accumulate(map(_points, range(1, HIGHEST_LEVEL)), initial=0)
)


def experience_of(level: int) -> int:
    """The least experience of a level: 2 → 83, 99 → 13,034,431."""
    return EXPERIENCE[level - 1]


def level_of(experience: int) -> int:
    return bisect_right(EXPERIENCE, experience)


def check_target_value(value: int, attribute: str, target: TargetType) -> None:
    _check_range(value, 1, most_of(attribute, target), target, field="input.targetValue")


def check_progress_value(value: int, attribute: str, target: TargetType) -> None:
    """Experience and scores begin at 0, levels and ranks at 1."""
    least = 0 if target in (TargetType.xp, TargetType.score) else 1
    most = most_of(attribute, target)
    _check_range(value, least, most, target, field="input.progressValue")


def _check_range(value: int, least: int, most: int, target: TargetType, *, field: str) -> None:
    if not least <= value <= most:
        raise BadInput(f"{value} is no {target.value}: it must be {least} to {most}.", field=field)


def most_of(attribute: str, target: TargetType) -> int:
    if target is TargetType.xp:
        return LARGEST if attribute == OVERALL else MOST_EXPERIENCE
    if target is TargetType.level:
        return HIGHEST_LEVEL * (len(SKILLS) if attribute == OVERALL else 1)
    return LARGEST


def target_experience(attribute: str, target: TargetType, value: int) -> WholeNumber | None:
    if target is TargetType.xp:
        return WholeNumber(value)
    is_one_skill = target is TargetType.level and attribute != OVERALL
    return WholeNumber(experience_of(value)) if is_one_skill else None


def is_reached(value: int, target_value: int, target: TargetType) -> bool:
    return value <= target_value if target is TargetType.rank else value >= target_value


def is_drop(value: int, *, before: int | None, target: TargetType) -> bool:
    """Whether it is below the value measured before: all values but ranks only grow."""
    return target is not TargetType.rank and before is not None and value < before
