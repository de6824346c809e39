"""Which of a user's goals a list shows."""

from dataclasses import dataclass

from app.domains.characters.rules.attributes import folded
from app.domains.characters.rules.names import normal_name
from app.domains.characters.types import CharacterGoal, TargetType


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterGoalFilter:
    """None: any."""

    character_name: str | None = None
    target_attribute: str | None = None
    target_type: TargetType | None = None
    achieved: bool | None = None


def matches_filter(filter: CharacterGoalFilter, goal: CharacterGoal) -> bool:
    name, attribute = filter.character_name, filter.target_attribute
    return (
        (name is None or normal_name(name.strip()) == normal_name(goal.character_name))
        and (attribute is None or folded(attribute) == folded(goal.target_attribute))
        and filter.target_type in (None, goal.target_type)
        and filter.achieved in (None, goal.achieved_at is not None)
    )
