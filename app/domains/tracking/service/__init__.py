"""What one can do with metrics, habits and the logbook."""

from app.domains.tracking.service.habits import Habits
from app.domains.tracking.service.metrics import Metrics

__all__ = ["Habits", "Metrics"]
