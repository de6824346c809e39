"""Services of goals, tasks and projects."""

from app.domains.goals.service.bulk import Bulk
from app.domains.goals.service.criteria import Criteria
from app.domains.goals.service.dashboards import Dashboards
from app.domains.goals.service.dependencies import Dependencies
from app.domains.goals.service.goal_writer import GoalWriter
from app.domains.goals.service.goals import Goals
from app.domains.goals.service.links import Links
from app.domains.goals.service.milestones import Milestones
from app.domains.goals.service.name_counts import NameCounts
from app.domains.goals.service.project_writer import ProjectWriter
from app.domains.goals.service.projects import Projects
from app.domains.goals.service.removals import Removals, unfinished_removals
from app.domains.goals.service.tasks import Tasks, tasks_due

__all__ = [
    "Bulk",
    "Criteria",
    "Dashboards",
    "Dependencies",
    "GoalWriter",
    "Goals",
    "Links",
    "Milestones",
    "NameCounts",
    "ProjectWriter",
    "Projects",
    "Removals",
    "Tasks",
    "tasks_due",
    "unfinished_removals",
]
