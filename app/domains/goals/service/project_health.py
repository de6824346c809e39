"""How a project is doing: counted anew with every change of its tasks."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from app.domains.goals.rules.health import Facts, Standing, project_progress, standing
from app.domains.goals.service.base import GoalsService, swap
from app.domains.goals.types import Project, Task
from app.table.writes import Write


class ProjectKeeper(GoalsService):
    """Writes projects: the only place where progress and health are worked out."""

    async def count(
        self, old: Project, *, total: int, done: int, tasks: Mapping[str, Task | None]
    ) -> list[Write]:
        """The project with `total` more tasks, `done` more of them done; `tasks` have changed."""
        new = old.evolve(
            self.now, tasks_total=old.tasks_total + total, tasks_done=old.tasks_done + done
        )
        return [swap(await self.counted(new, tasks), old, "project")]

    async def counted(
        self, project: Project, tasks: Mapping[str, Task | None] | None = None
    ) -> Project:
        found = await self.standing(project, tasks)
        progress = project_progress(project.tasks_done, project.tasks_total)
        return replace(project, cached_health=found.health, cached_progress=progress)

    async def standing(
        self, project: Project, tasks: Mapping[str, Task | None] | None = None
    ) -> Standing:
        today = (await self.days()).of(self.resources.clock.now())
        planned = project.start_date is not None and project.end_date is not None
        return standing(
            Facts(
                status=project.status,
                done=project.tasks_done,
                total=project.tasks_total,
                start=_day(project.start_date),
                end=_day(project.end_date),
                today=today,
                overdue=0 if planned else await self._overdue(project, tasks or {}, today),
            )
        )

    async def _overdue(
        self, project: Project, changed: Mapping[str, Task | None], today: date
    ) -> int:
        if project.tasks_total == project.tasks_done:
            return 0
        listing = self.repository.tasks_of_project(project.id)
        tasks: dict[str, Task | None] = {
            task.id: task for task in await self.repository.all_of(listing)
        }
        tasks |= changed
        return sum(
            each.is_overdue(now=self.now, today=today.isoformat())
            for each in tasks.values()
            if each is not None
        )


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
