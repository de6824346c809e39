"""What someone tracks: metrics, habits, the logbook."""

from app.domains.tracking.rules.habits import (
    Frequency,
    HabitState,
    HabitType,
    LogKind,
    Standing,
    Weekday,
)
from app.domains.tracking.rules.metrics import (
    Aggregation,
    AlertKind,
    Direction,
    MetricState,
    MilestoneType,
    Trend,
)
from app.domains.tracking.types.habits import (
    Habit,
    HabitCompletion,
    HabitLog,
    HabitStatus,
    Pause,
)
from app.domains.tracking.types.logbook import LogbookEntry, Mood
from app.domains.tracking.types.metrics import (
    InsightType,
    Metric,
    MetricAlert,
    MetricInsight,
    MetricLog,
    MetricMilestone,
    MetricProgress,
    MetricSource,
    MetricStatus,
)

__all__ = [
    "Aggregation",
    "AlertKind",
    "Direction",
    "Frequency",
    "Habit",
    "HabitCompletion",
    "HabitLog",
    "HabitState",
    "HabitStatus",
    "HabitType",
    "InsightType",
    "LogKind",
    "LogbookEntry",
    "Metric",
    "MetricAlert",
    "MetricInsight",
    "MetricLog",
    "MetricMilestone",
    "MetricProgress",
    "MetricSource",
    "MetricState",
    "MetricStatus",
    "MilestoneType",
    "Mood",
    "Pause",
    "Standing",
    "Trend",
    "Weekday",
]
