"""What can be done with values and plans."""

from app.domains.plans.service.completion import Completion
from app.domains.plans.service.plans import Plans
from app.domains.plans.service.snapshots import sweep_orphans
from app.domains.plans.service.tasks import TaskLinks
from app.domains.plans.service.values import Values

__all__ = ["Completion", "Plans", "TaskLinks", "Values", "sweep_orphans"]
