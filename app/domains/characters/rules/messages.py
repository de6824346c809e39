"""What a player is told about a goal."""

from collections.abc import Sequence
from typing import Protocol

from app.domains.characters.rules.forecasts import Outlook
from app.domains.characters.rules.targets import TargetType

UNITS = {
    TargetType.xp: "XP",
    TargetType.level: "level",
    TargetType.score: "score",
    TargetType.rank: "rank",
}


class Goal(Protocol):
    character_name: str
    target_attribute: str
    target_type: TargetType
    target_value: int


def aim(goal: Goal) -> str:
    unit = UNITS[goal.target_type]
    return f"{goal.character_name}: {goal.target_attribute} {unit} {goal.target_value:,}"


def line(goal: Goal, outlook: Outlook | None) -> str:
    """Zezima: Woodcutting XP 13,034,431: 95.9 %, 534,431 to go, in time."""
    if outlook is None:
        return f"{aim(goal)}: nothing recorded yet."
    parts = [f"{outlook.absolute:.1%}".replace("%", " %"), f"{outlook.remaining:,} to go"]
    if outlook.needed_per_day is not None:
        parts.append(f"{outlook.needed_per_day:,} a day needed")
    if outlook.on_track is not None:
        parts.append("in time" if outlook.on_track else "behind")
    return f"{aim(goal)}: {', '.join(parts)}."


def digest(goals: Sequence[Goal], lines: Sequence[str]) -> tuple[str, str]:
    """Title and body of one message about one or several goals."""
    names = list(dict.fromkeys(goal.character_name for goal in goals))
    many = len(goals) > 1
    title = f"{len(goals)} goals of {', '.join(names)}" if many else f"Goal of {names[0]}"
    return title, "\n".join(lines)


def last_words(goal: Goal) -> tuple[str, str]:
    return f"{goal.character_name} has reached a goal", f"{aim(goal)}: reached. Well done!"
