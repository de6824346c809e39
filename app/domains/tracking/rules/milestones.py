"""Milestones of a metric and their points."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from app.domains.tracking.rules.metrics import comparable, is_reached, streak
from app.domains.tracking.types import Aggregation, Direction, Metric, MetricState, MilestoneType

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
    """In per cent of the first log; 0 if that was 0 (or, for Target, was the target)."""
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
    state: MetricState | None,
    today: date,
    *,
    direction: Direction,
    target: Decimal | None,
    aggregation: Aggregation,
) -> list[ReachedMilestone]:
    """All milestones that these logs reach, including those that were won before."""
    if state is None:
        return []
    value = state.last_day.value(aggregation)
    better = improvement(direction, first=state.first_value, value=value, target=target)
    found = [
        *_steps_reached(MilestoneType.streak, streak(state, today), STREAK_POINTS),
        *_steps_reached(MilestoneType.improvement, better, IMPROVEMENT_POINTS),
        *_steps_reached(MilestoneType.consistency, state.distinct_days, CONSISTENCY_POINTS),
    ]
    if target is not None and is_reached(direction, value, target):
        found.insert(0, ReachedMilestone(MilestoneType.target_reached, target, TARGET_POINTS))
    return found


def _steps_reached(
    kind: MilestoneType, value: Fraction | int, table: dict[int, int]
) -> list[ReachedMilestone]:
    return [
        ReachedMilestone(kind, Decimal(step), points)
        for step, points in table.items()
        if value >= step
    ]


def newly_reached(metric: Metric, state: MetricState | None, today: date) -> list[ReachedMilestone]:
    """The milestones that the metric wins by changing to this state."""
    found = reached_milestones(
        state,
        today,
        direction=metric.direction,
        target=metric.target_value,
        aggregation=metric.aggregation,
    )
    return [each for each in found if each.id not in metric.milestone_ids]


def milestone_reason(metric: Metric, milestone: ReachedMilestone) -> str:
    """The reason of the wallet transaction: Weight: target 80 reached."""
    value = f"{milestone.value.normalize():f}"
    return REASONS[milestone.type].format(name=metric.name[:100], value=value)
