"""What one can do with goals, tasks and projects."""

from app.domains.goals.service.bulk import Bulk
from app.domains.goals.service.criteria import Criteria
from app.domains.goals.service.dashboards import Dashboards
from app.domains.goals.service.dependencies import Dependencies
from app.domains.goals.service.goals import Goals
from app.domains.goals.service.links import Links
from app.domains.goals.service.milestones import Milestones
from app.domains.goals.service.progress import GoalKeeper
from app.domains.goals.service.project_health import ProjectKeeper
from app.domains.goals.service.projects import Projects
from app.domains.goals.service.removals import Removals, removals_to_finish
from app.domains.goals.service.tasks import Tasks, tasks_due

__all__ = [
    "Bulk",
    "Criteria",
    "Dashboards",
    "Dependencies",
    "GoalKeeper",
    "Goals",
    "Links",
    "Milestones",
    "ProjectKeeper",
    "Projects",
    "Removals",
    "Tasks",
    "removals_to_finish",
    "tasks_due",
]
