"""Writing projects: every change updates their health and progress."""

from collections.abc import Mapping

from app.domains.goals.rules.project_health import (
    count_overdue,
    has_both_dates,
    project_health,
    with_health,
)
from app.domains.goals.rules.task_effects import CountDelta, apply_to_project
from app.domains.goals.service.base import GoalsService, put_or_retry
from app.domains.goals.types import Project, ProjectHealth, Task
from app.table.writes import Write

ChangedTasks = Mapping[str, Task | None]


class ProjectWriter(GoalsService):
    """The only place where the health of a project is computed."""

    async def apply_delta(self, old: Project, delta: CountDelta) -> Write:
        new = apply_to_project(old, delta, self.now)
        return put_or_retry(await self.with_current_health(new, delta.tasks), old, "project")

    async def with_current_health(
        self, project: Project, changed_tasks: ChangedTasks | None = None
    ) -> Project:
        return with_health(project, await self.health(project, changed_tasks))

    async def health(
        self, project: Project, changed_tasks: ChangedTasks | None = None
    ) -> ProjectHealth:
        """`changed_tasks`: tasks whose change is not written yet; null for a deleted task."""
        today = await self.today()
        overdue = 0
        if not has_both_dates(project) and project.tasks_total != project.tasks_done:
            tasks = await self._tasks(project, changed_tasks or {})
            overdue = count_overdue(tasks, now=self.now, today=today.isoformat())
        return project_health(project, overdue=overdue, today=today)

    async def _tasks(self, project: Project, changed: ChangedTasks) -> list[Task]:
        stored = await self.repository.read_all(self.repository.tasks_of_project(project.id))
        tasks: dict[str, Task | None] = {each.id: each for each in stored}
        return [each for each in (tasks | dict(changed)).values() if each is not None]
