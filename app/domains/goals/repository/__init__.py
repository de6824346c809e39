"""The reads about goals, tasks and projects."""

from app.domains.goals.repository.reads import (
    GoalsRepository,
    Listing,
    tasks_due_on,
    unfinished_removals,
)
from app.domains.goals.repository.wanted import WantedGoals, WantedProjects, WantedTasks

__all__ = [
    "GoalsRepository",
    "Listing",
    "WantedGoals",
    "WantedProjects",
    "WantedTasks",
    "tasks_due_on",
    "unfinished_removals",
]
