"""Projects."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from app.core.caller import Caller
from app.core.clock import day
from app.core.errors import BadInput
from app.domains.goals import keys
from app.domains.goals.errors import IdTaken
from app.domains.goals.inputs import CreateProjectInput, UpdateProjectInput
from app.domains.goals.repository import WantedProjects
from app.domains.goals.service.base import GoalsService, present_only, swap, there
from app.domains.goals.service.progress import GoalKeeper, Happened
from app.domains.goals.service.project_health import ProjectKeeper
from app.domains.goals.types import (
    ActivityType,
    Goal,
    GoalProject,
    Project,
    ProjectHealth,
    ProjectStatus,
)
from app.domains.people.service import Profiles
from app.domains.service import Decision, expect_version
from app.resources import Resources
from app.table.entity import WHOLE, Fields
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Put, Write, create

NEVER_NULL = ("name", "priority", "status", "goal_ids")


class Projects(GoalsService):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        goals: GoalKeeper,
        keeper: ProjectKeeper,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.goals = goals
        self.keeper = keeper

    async def project(self, project_id: str, *, without: Fields = WHOLE) -> Project | None:
        return await self.repository.project(project_id, without)

    async def projects_by_ids(self, ids: Sequence[str]) -> list[Project]:
        return present_only(await self.repository.projects_by_ids(ids))

    def wanted(self, **filters: Any) -> WantedProjects:
        return WantedProjects(**filters)

    async def projects(
        self, wanted: WantedProjects, *, limit: int, start: Position | None
    ) -> Rows[Project]:
        listing = self.repository.projects(wanted)
        return await self.repository.page(listing, limit=limit, start=start)

    async def of_goal(self, goal: Goal) -> list[Project]:
        return await self.repository.all_of(self.repository.projects_of_goal(goal.id))

    async def health(self, project: Project) -> ProjectHealth:
        found = await self.keeper.standing(project)
        return ProjectHealth(
            health=found.health,
            progress=found.progress,
            expected=found.expected,
            overdue=found.overdue,
            reason=found.reason,
        )

    async def create(self, request: CreateProjectInput) -> Project:
        return await self.once(request, Project, partial(self._create, request))

    async def _create(self, request: CreateProjectInput) -> Decision[Project]:
        given = {name: value for name, value in request.given().items() if value is not None}
        given.pop("idempotency_key", None)
        id = self.new_id(given.pop("id", None))
        project = Project(**self.stamp(), id=id, tasks_in_order=True, **given)  # type: ignore[arg-type]
        project = await self._whole(None, project)
        first = create(project, otherwise=IdTaken("project"))
        links = await self._goal_links(None, project)
        if isinstance(request.id, str):
            links.append(self.not_being_removed("PROJECT", project.id, "project"))
        return Decision(project, [first, *links])

    async def update(self, request: UpdateProjectInput) -> Project:
        return await self.once(request, Project, partial(self._update, request))

    async def _update(self, request: UpdateProjectInput) -> Decision[Project]:
        old = await self.own_project(request.id)
        expect_version(request, old, "project")
        return await self.changed(old, request.changes(NEVER_NULL))

    async def changed(self, old: Project, changes: dict[str, Any]) -> Decision[Project]:
        new = await self._whole(old, old.evolve(self.now, **changes))
        writes = await self._goal_links(old, new)
        return Decision(new, [swap(new, old, "project"), *writes])

    async def _whole(self, old: Project | None, new: Project) -> Project:
        """With what follows from its status and dates."""
        if new.start_date and new.end_date and new.end_date < new.start_date:
            raise BadInput("endDate lies before startDate.", field="input.endDate")
        was = old is not None and old.status is ProjectStatus.Completed
        is_completed = new.status is ProjectStatus.Completed
        if was != is_completed:
            today = (await self.days()).of(self.resources.clock.now())
            new = replace(new, completed_date=day(today) if is_completed else None)
        return await self.keeper.counted(new)

    async def _goal_links(self, old: Project | None, new: Project) -> list[Write]:
        before, after = set(old.goal_ids if old else []), set(new.goal_ids)
        changed = sorted(before ^ after)
        writes: list[Write] = []
        for goal_id, goal in zip(changed, await self.repository.goals_by_ids(changed), strict=True):
            if goal_id in after:
                there(goal, "goal")
                link = GoalProject(**self.stamp(), goal_id=goal_id, project_id=new.id)  # type: ignore[arg-type]
                writes.append(Put(link))
                writes += await self._told(goal, new, ActivityType.project_linked)
            else:
                writes.append(Delete(keys.goal_project(goal_id, new.id)))
                writes += await self._told(goal, new, ActivityType.project_unlinked)
        return writes

    async def _told(self, goal: Goal | None, project: Project, kind: ActivityType) -> list[Write]:
        if goal is None:
            return []
        story = Happened(type=kind, title=project.name, entity="Project", id=project.id)
        return (await self.goals.change(goal, goal.evolve(self.now), [story]))[1]
