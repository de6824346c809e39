"""What can be done with values and plans."""

from app.domains.plans.service.completion import Completion
from app.domains.plans.service.plans import DailyPlans
from app.domains.plans.service.snapshots import sweep_drafts, users_with_drafts
from app.domains.plans.service.task_links import TaskLinks
from app.domains.plans.service.values import Values

__all__ = ["Completion", "DailyPlans", "TaskLinks", "Values", "sweep_drafts", "users_with_drafts"]
