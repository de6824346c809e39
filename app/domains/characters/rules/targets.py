"""What a goal can have as its target: skills, levels and experience, scores and ranks."""

from bisect import bisect_right
from itertools import accumulate

from app.core.errors import BadInput
from app.domains.characters.types import TargetType

HIGHEST_LEVEL = 126
LEVEL_SHOWN_IN_HISCORES = 99
MOST_EXPERIENCE = 200_000_000
# GraphQL's Int ends here; only the sum of all skills can be more.
LARGEST = 2_147_483_647
OVERALL = "Overall"

SKILLS = (
    *(OVERALL, "Attack", "Defence", "Strength", "Hitpoints", "Constitution", "Ranged", "Prayer"),
    *("Magic", "Cooking", "Woodcutting", "Fletching", "Fishing", "Firemaking", "Crafting"),
    *("Smithing", "Mining", "Herblore", "Agility", "Thieving", "Slayer", "Farming"),
    *("Runecraft", "Runecrafting", "Hunter", "Construction", "Sailing", "Summoning"),
    *("Dungeoneering", "Divination", "Invention", "Archaeology", "Necromancy"),
)
_SKILLS = {skill.casefold(): skill for skill in SKILLS}


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


def skill_named(text: str) -> str | None:
    """As the game spells it."""
    return _SKILLS.get(text.strip().casefold())


def to_attribute(text: str, target: TargetType) -> str:
    skill = skill_named(text)
    if target in (TargetType.xp, TargetType.level) and skill is None:
        raise BadInput(
            "targetAttribute must be a skill, e.g. Woodcutting.", field="input.targetAttribute"
        )
    return skill or " ".join(text.split())


def check_value(value: int, attribute: str, target: TargetType, *, field: str) -> None:
    least, most = limits(attribute, target)
    if not least <= value <= most:
        raise BadInput(f"For {target.value} it must be {least} to {most}.", field=field)


def limits(attribute: str, target: TargetType) -> tuple[int, int]:
    if attribute == OVERALL and target in (TargetType.xp, TargetType.level):
        return (0, LARGEST) if target is TargetType.xp else (1, HIGHEST_LEVEL * len(SKILLS))
    return {
        TargetType.xp: (0, MOST_EXPERIENCE),
        TargetType.level: (1, HIGHEST_LEVEL),
        TargetType.score: (0, LARGEST),
        TargetType.rank: (1, LARGEST),
    }[target]


def target_experience(attribute: str, target: TargetType, value: int) -> int | None:
    if target is TargetType.xp:
        return value
    is_one_skill = target is TargetType.level and attribute != OVERALL
    return experience_of(value) if is_one_skill else None


def is_reached(value: int, target_value: int, target: TargetType) -> bool:
    return value <= target_value if target is TargetType.rank else value >= target_value


def is_drop(
    value: int, *, before: int | None, target: TargetType, after: int | None = None
) -> bool:
    """Whether it is impossible between its neighbours: all values but ranks only grow."""
    if target is TargetType.rank:
        return False
    return (before is not None and value < before) or (after is not None and value > after)
