"""Milestones of a metric and their points."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from app.domains.tracking.rules.days import base_value
from app.domains.tracking.rules.metrics import comparable, is_reached, streak
from app.domains.tracking.types import Direction, LoggedDay, Metric, MetricState, MilestoneType

TARGET_POINTS = 200
STREAK_POINTS = {7: 350, 30: 1500, 100: 5000}
IMPROVEMENT_POINTS = {10: 200, 25: 500, 50: 1000}
CONSISTENCY_POINTS = {7: 175, 30: 750}
# The target and every step: all that one change can win.
MOST_MILESTONES = 1 + len(STREAK_POINTS) + len(IMPROVEMENT_POINTS) + len(CONSISTENCY_POINTS)
REASONS = {
    MilestoneType.target_reached: "{name}: target {value} reached",
    MilestoneType.streak: "{name}: {value} days in a row",
    MilestoneType.improvement: "{name}: {value} % better than at first",
    MilestoneType.consistency: "{name}: logged on {value} days",
}


def improvement(
    direction: Direction, *, first: Decimal, value: Decimal, target: Decimal | None
) -> Fraction:
    """In per cent of the first value; 0 if that was 0 (or, for Target, was the target)."""
    start = comparable(first, direction, target)
    if start == 0 or (direction is Direction.Target and target is None):
        return Fraction()
    return 100 * (comparable(value, direction, target) - start) / abs(start)


@dataclass(frozen=True, slots=True)
class ReachedMilestone:
    type: MilestoneType
    value: Decimal
    points: int

    @property
    def id(self) -> str:
        return f"{self.type.value}-{self.value.normalize():f}"


def reached_milestones(
    metric: Metric, state: MetricState, counted: Sequence[LoggedDay], today: date
) -> list[ReachedMilestone]:
    """All milestones that these logs reach, including those that were won before. `counted`: the
    days whose values are looked at."""
    values = [day.value(metric.aggregation) for day in counted]
    better = best_improvement(metric, state, values, today)
    found = [
        *_steps_reached(MilestoneType.streak, streak(state, today), STREAK_POINTS),
        *_steps_reached(MilestoneType.improvement, better, IMPROVEMENT_POINTS),
        *_steps_reached(MilestoneType.consistency, state.distinct_days, CONSISTENCY_POINTS),
    ]
    target = metric.target_value
    if target is not None and any(is_reached(metric.direction, each, target) for each in values):
        found.insert(0, ReachedMilestone(MilestoneType.target_reached, target, TARGET_POINTS))
    return found


def best_improvement(
    metric: Metric, state: MetricState, values: Iterable[Decimal], today: date
) -> Fraction:
    """In per cent; 0 as long as there is nothing to compare with."""
    base = base_value(metric.aggregation, state, today)
    if base is None:
        return Fraction()
    gains = (
        improvement(metric.direction, first=base, value=each, target=metric.target_value)
        for each in values
    )
    return max(gains, default=Fraction())


def _steps_reached(
    kind: MilestoneType, value: Fraction | int, table: dict[int, int]
) -> list[ReachedMilestone]:
    return [
        ReachedMilestone(kind, Decimal(step), points)
        for step, points in table.items()
        if value >= step
    ]


def newly_reached(
    metric: Metric, state: MetricState | None, counted: Sequence[LoggedDay], today: date
) -> list[ReachedMilestone]:
    """The milestones that the metric wins by changing to this state."""
    found = reached_milestones(metric, state, counted, today) if state else []
    return [each for each in found if each.id not in metric.milestone_ids]


def milestone_reason(metric: Metric, milestone: ReachedMilestone) -> str:
    """The reason of the wallet transaction: Weight: target 80 reached."""
    value = f"{milestone.value.normalize():f}"
    return REASONS[milestone.type].format(name=metric.name[:100], value=value)
