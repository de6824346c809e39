"""What a user can choose from: life areas, subcategories and tags, with counts. Reads at most 5,000
goals, tasks and projects each."""

import asyncio

from app.domains.goals.repository import MOST_SORTED
from app.domains.goals.rules.filters import GoalListFilter, ProjectListFilter, TaskListFilter
from app.domains.goals.rules.name_counts import count_areas, count_tags
from app.domains.goals.service.base import GoalsService
from app.domains.goals.types import AreaCount, Goal, Project, TagCount, Task
from app.domains.service import uses
from app.domains.tracking.service import Habits, Metrics


class NameCounts(GoalsService):
    metrics = uses(Metrics)
    habits = uses(Habits)

    async def areas(self) -> list[AreaCount]:
        goals, tasks, projects, metrics, habits = await asyncio.gather(
            self._goals(),
            self._tasks(),
            self._projects(),
            self.metrics.metrics(None, None, limit=MOST_SORTED, start=None),
            self.habits.habits(None, None, None, limit=MOST_SORTED, start=None),
        )
        return count_areas(
            {
                "goals": goals,
                "tasks": tasks,
                "projects": projects,
                "metrics": metrics.items,
                "habits": habits.items,
            }
        )

    async def tags(self) -> list[TagCount]:
        return count_tags(*await asyncio.gather(self._goals(), self._tasks()))

    async def _goals(self) -> list[Goal]:
        return await self.repository.read_bounded(self.repository.goals(GoalListFilter()))

    async def _tasks(self) -> list[Task]:
        return await self.repository.read_bounded(self.repository.tasks(TaskListFilter()))

    async def _projects(self) -> list[Project]:
        return await self.repository.read_bounded(self.repository.projects(ProjectListFilter()))
