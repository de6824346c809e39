"""Keys and access patterns of metrics, habits and the logbook."""

from app.domains.tracking.types import (
    Habit,
    HabitLog,
    LogbookEntry,
    Metric,
    MetricAlert,
    MetricInsight,
    MetricLog,
    MetricMilestone,
)
from app.table.entity import Entity, Key, RangeQuery

METRIC = Entity(
    "Metric",
    Metric,
    pk="USER#{user_id}",
    sk="METRIC#{id}",
    gsi1=("USER#{user_id}", "ENTITY#Metric#{created_at}"),
    gsi2=("USER#{user_id}#METRIC", "{status}#{created_at}"),
    gsi3=("USER#{user_id}#AREA#{area:folded}", "METRIC#{created_at}"),
    gsi4=("METRICS#CLOSING[#{shard}]", "{close_at}#{id}"),
    owns="METRIC#{id}",
)
METRIC_LOG = Entity("MetricLog", MetricLog, pk="METRIC#{metric_id}", sk="LOG#{logged_at}#{id}")
METRIC_MILESTONE = Entity(
    "MetricMilestone", MetricMilestone, pk="METRIC#{metric_id}", sk="MILESTONE#{id}"
)
METRIC_ALERT = Entity(
    "MetricAlert", MetricAlert, pk="METRIC#{metric_id}", sk="ALERT#{logged_at}#{id}"
)
METRIC_INSIGHT = Entity(
    "MetricInsight", MetricInsight, pk="METRIC#{metric_id}", sk="INSIGHT#{type}#{cached_at}#{id}"
)
HABIT = Entity(
    "Habit",
    Habit,
    pk="USER#{user_id}",
    sk="HABIT#{id}",
    gsi1=("USER#{user_id}", "ENTITY#Habit#{created_at}"),
    gsi2=("USER#{user_id}#HABIT", "{status}#{created_at}"),
    gsi3=("USER#{user_id}#AREA#{area:folded}", "HABIT#{created_at}"),
    owns="HABIT#{id}",
)
HABIT_LOG = Entity("HabitLog", HabitLog, pk="HABIT#{habit_id}", sk="LOG#{date}")
LOGBOOK_ENTRY = Entity(
    "LogbookEntry",
    LogbookEntry,
    pk="USER#{user_id}",
    sk="LOGBOOK#{date}",
    gsi1=("USER#{user_id}", "ENTITY#LogbookEntry#{created_at}"),
)


def metric(user_id: str, metric_id: str) -> Key[Metric]:
    """One of someone's metrics"""
    return METRIC.key(user_id=user_id, id=metric_id)


def metrics_of_user(user_id: str) -> RangeQuery[Metric]:
    """Someone's metrics"""
    return METRIC.within(user_id=user_id)


def metrics_to_close(until: str, shard: str | None = None) -> RangeQuery[Metric]:
    """The metrics of all users with a day to close by then, the oldest first"""
    return METRIC.span("GSI4", since="0", until=until, shard=shard)


def logs_of_metric(
    metric_id: str,
    since: str | None = None,
    until: str | None = None,
    newest_first: bool = False,
) -> RangeQuery[MetricLog]:
    """A metric's values, of all time or from one time to another"""
    return METRIC_LOG.span(metric_id=metric_id, since=since, until=until, newest_first=newest_first)


def milestones_of_metric(metric_id: str) -> RangeQuery[MetricMilestone]:
    """The milestones of a metric"""
    return METRIC_MILESTONE.within(metric_id=metric_id)


def alerts_of_metric(metric_id: str) -> RangeQuery[MetricAlert]:
    """The alerts of a metric, newest first"""
    return METRIC_ALERT.within(metric_id=metric_id, newest_first=True)


def insights_of_metric(
    metric_id: str, insight_type: str | None = None
) -> RangeQuery[MetricInsight]:
    """The insights of a metric, of all types or of one"""
    return METRIC_INSIGHT.within(metric_id=metric_id, type=insight_type)


def habit(user_id: str, habit_id: str) -> Key[Habit]:
    """One of someone's habits"""
    return HABIT.key(user_id=user_id, id=habit_id)


def habits_of_user(user_id: str) -> RangeQuery[Habit]:
    """Someone's habits"""
    return HABIT.within(user_id=user_id)


def log_of_habit(habit_id: str, date: str) -> Key[HabitLog]:
    """The log of a habit on a day"""
    return HABIT_LOG.key(habit_id=habit_id, date=date)


def logs_of_habit(
    habit_id: str,
    since: str | None = None,
    until: str | None = None,
    newest_first: bool = False,
) -> RangeQuery[HabitLog]:
    """A habit's logs, of all time or from one day to another"""
    return HABIT_LOG.span(habit_id=habit_id, since=since, until=until, newest_first=newest_first)


def logbook_entry(user_id: str, date: str) -> Key[LogbookEntry]:
    """Someone's entry of a day"""
    return LOGBOOK_ENTRY.key(user_id=user_id, date=date)


def logbook_of_user(
    user_id: str, since: str | None = None, until: str | None = None, newest_first: bool = False
) -> RangeQuery[LogbookEntry]:
    """Someone's entries, of all time or from one day to another"""
    return LOGBOOK_ENTRY.span(user_id=user_id, since=since, until=until, newest_first=newest_first)
