"""Progress of a goal: the weighted mean of its parts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from app.domains.goals.types import Goal, GoalProgress, ProgressPart


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedPart:
    """`value` is 0 to 1. A part without members (`total` 0) does not count."""

    name: str
    weight: int
    value: Fraction
    count: int
    total: int


def part_of_counts(name: str, weight: int, count: int, total: int) -> WeightedPart:
    value = Fraction(count, total) if total else Fraction(0)
    return WeightedPart(name=name, weight=weight, value=value, count=count, total=total)


def part_of_values(name: str, weight: int, values: Sequence[Fraction]) -> WeightedPart:
    """The mean; `count` is the number of values that are 1."""
    value = sum(values, Fraction(0)) / len(values) if values else Fraction(0)
    reached = sum(each >= 1 for each in values)
    return WeightedPart(name=name, weight=weight, value=value, count=reached, total=len(values))


def own_parts(goal: Goal) -> list[WeightedPart]:
    """The parts that the goal itself knows: criteria and tasks."""
    config, criteria = goal.progress_config, goal.success_criteria
    completed = sum(each.is_completed for each in criteria)
    return [
        part_of_counts("criteria", config.criteria_weight, completed, len(criteria)),
        part_of_counts("tasks", config.tasks_weight, goal.tasks_done, goal.tasks_total),
    ]


def measured_share(value: float, *, reached: bool) -> Fraction:
    """A metric's value as a share of its target: 1 only if the target is reached."""
    if reached:
        return Fraction(1)
    return min(max(Fraction(str(value)), Fraction(0)), Fraction(999, 1000))


def percent(parts: Iterable[WeightedPart], manual_override: int | None = None) -> int:
    """The weighted mean of the parts that have members; 0 if none has."""
    if manual_override is not None:
        return manual_override
    counting = [part for part in parts if part.total]
    weights = sum(part.weight for part in counting)
    if not weights:
        return 0
    return to_percent(sum(part.weight * part.value for part in counting) / Fraction(weights))


def goal_progress(parts: Sequence[WeightedPart], manual_override: int | None) -> GoalProgress:
    return GoalProgress(
        percent=percent(parts, manual_override),
        is_manual=manual_override is not None,
        parts=[_progress_part(part) for part in parts],
    )


def _progress_part(part: WeightedPart) -> ProgressPart:
    return ProgressPart(
        name=part.name,
        weight=part.weight,
        value=round(float(part.value * 100), 2),
        count=part.count,
        total=part.total,
    )


def to_percent(value: Fraction) -> int:
    """A whole percentage, a half rounded up; never 100 for a value below 1."""
    return min(floor(value * 100 + Fraction(1, 2)), 100 if value >= 1 else 99)
