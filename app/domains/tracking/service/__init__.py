"""The operations on metrics, habits and the logbook."""

from app.domains.tracking.service.charts import Charts, ChartUrls
from app.domains.tracking.service.habit_calendars import HabitCalendars
from app.domains.tracking.service.habit_logs import HabitLogs
from app.domains.tracking.service.habits import Habits
from app.domains.tracking.service.imports import Imports
from app.domains.tracking.service.insights import Insights
from app.domains.tracking.service.logbook import Logbook
from app.domains.tracking.service.metric_days import MetricDays, metrics_to_close
from app.domains.tracking.service.metric_logs import MetricLogs
from app.domains.tracking.service.metric_repairs import MetricRepairs
from app.domains.tracking.service.metrics import Metrics

__all__ = [
    "ChartUrls",
    "Charts",
    "HabitCalendars",
    "HabitLogs",
    "Habits",
    "Imports",
    "Insights",
    "Logbook",
    "MetricDays",
    "MetricLogs",
    "MetricRepairs",
    "Metrics",
    "metrics_to_close",
]
