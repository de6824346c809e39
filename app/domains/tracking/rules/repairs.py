"""Milestones that release 0.1 paid wrongly: with a day aggregation it compared the running total of
a day with the first single log, and took the morning of a day for the whole day."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from app.core.clock import parse_instant
from app.domains.tracking.rules.days import counts_now
from app.domains.tracking.rules.metrics import is_reached
from app.domains.tracking.rules.milestones import (
    ReachedMilestone,
    best_improvement,
    milestone_reason,
)
from app.domains.tracking.types import (
    LoggedDay,
    Metric,
    MetricLog,
    MetricMilestone,
    MetricState,
    MilestoneType,
)

BY_VALUE = (MilestoneType.improvement, MilestoneType.target_reached)
# A milestone was written with the log that won it, at most one request's time apart.
SAME_REQUEST = timedelta(seconds=15)


@dataclass(frozen=True, slots=True)
class Correction:
    """What is taken back of a milestone's points; the rest is spent."""

    milestone: MetricMilestone
    taken: int

    @property
    def kept(self) -> int:
        return self.milestone.points_awarded - self.taken

    @property
    def corrected_milestone(self) -> MetricMilestone | None:
        """None: all points are taken back, so it can be won again. Otherwise it stays, with the
        points that were spent, and is never paid a second time."""
        if not self.kept:
            return None
        return replace(self.milestone, points_awarded=self.kept, corrected=True)


def wrong_milestones(
    metric: Metric,
    state: MetricState,
    days: Sequence[LoggedDay],
    logs: Sequence[MetricLog],
    won: Iterable[MetricMilestone],
    today: date,
) -> list[MetricMilestone]:
    """Those that no day of the metric reaches. One whose log has been deleted stays: nobody can
    tell any more what won it."""
    values = [day.value(metric.aggregation) for day in days if counts_now(metric, day, today)]
    better = best_improvement(metric, state, values, today)

    def is_reached_by_days(milestone: MetricMilestone) -> bool:
        if milestone.type is MilestoneType.improvement:
            return better >= milestone.value
        return any(is_reached(metric.direction, each, milestone.value) for each in values)

    return [
        each
        for each in won
        if each.type in BY_VALUE
        and not each.corrected
        and _has_its_log(each, logs)
        and not is_reached_by_days(each)
    ]


def _has_its_log(milestone: MetricMilestone, logs: Iterable[MetricLog]) -> bool:
    won_at = parse_instant(milestone.achieved_at)
    return any(
        abs(parse_instant(moment) - won_at) <= SAME_REQUEST
        for log in logs
        for moment in (log.created_at, log.updated_at)
    )


def corrections(wrong: Iterable[MetricMilestone], balance: int) -> list[Correction]:
    """As much as the balance has: it never falls below 0."""
    found = []
    for milestone in wrong:
        taken = min(milestone.points_awarded, balance)
        balance -= taken
        found.append(Correction(milestone, taken))
    return found


def correction_reason(metric: Metric, correction: Correction) -> str:
    """The reason of the wallet transaction."""
    milestone = correction.milestone
    reached = ReachedMilestone(milestone.type, Decimal(milestone.value), milestone.points_awarded)
    text = (
        f"Correction of “{milestone_reason(metric, reached)}”: "
        "no day as a whole has reached this; it was paid by mistake"
    )
    if not correction.kept:
        return f"{text}."
    kept = f"{correction.kept} of its {milestone.points_awarded} points"
    return f"{text}. {kept} are spent: you keep them."
