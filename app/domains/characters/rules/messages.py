"""The messages about a goal."""

from collections.abc import Sequence

from app.domains.characters.types import CharacterGoal, Forecast, TargetType

UNITS = {
    TargetType.xp: "XP",
    TargetType.level: "level",
    TargetType.score: "score",
    TargetType.rank: "rank",
}


def goal_title(goal: CharacterGoal) -> str:
    unit = UNITS[goal.target_type]
    return f"{goal.character_name}: {goal.target_attribute} {unit} {goal.target_value:,}"


def progress_line(goal: CharacterGoal, forecast: Forecast | None) -> str:
    """Zezima: Woodcutting XP 13,034,431: 95.9 %, 534,431 to go, in time."""
    if forecast is None:
        return f"{goal_title(goal)}: nothing recorded yet."
    parts = [f"{forecast.absolute:.1%}".replace("%", " %"), f"{forecast.remaining:,} to go"]
    if forecast.needed_per_day is not None:
        parts.append(f"{forecast.needed_per_day:,} a day needed")
    if forecast.on_track is not None:
        parts.append("in time" if forecast.on_track else "behind")
    return f"{goal_title(goal)}: {', '.join(parts)}."


def is_same_message(goal: CharacterGoal, first: CharacterGoal) -> bool:
    """Whether one message tells of both. A goal that was reached has a message of its own."""
    if goal is first:
        return True
    both_running = goal.achieved_at is None and first.achieved_at is None
    return both_running and goal.notification_channel_type is first.notification_channel_type


def digest(goals: Sequence[CharacterGoal], lines: Sequence[str]) -> tuple[str, str]:
    """Title and body of one message about one or several goals."""
    names = list(dict.fromkeys(goal.character_name for goal in goals))
    many = len(goals) > 1
    title = f"{len(goals)} goals of {', '.join(names)}" if many else f"Goal of {names[0]}"
    return title, "\n".join(lines)


def reached_message(goal: CharacterGoal) -> tuple[str, str]:
    """Title and body of the last message about a goal."""
    return f"{goal.character_name} has reached a goal", f"{goal_title(goal)}: reached. Well done!"
