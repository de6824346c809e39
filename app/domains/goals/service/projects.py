"""Projects."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from app.core.errors import IdTaken
from app.domains.goals import keys
from app.domains.goals.inputs import CreateProjectInput, UpdateProjectInput
from app.domains.goals.rules.activities import project_activity
from app.domains.goals.rules.filters import ProjectListFilter
from app.domains.goals.rules.goal_changes import (
    check_project_dates,
    project_completion_changes,
    with_project_completed_date,
)
from app.domains.goals.rules.orders import project_value
from app.domains.goals.rules.sorting import SortOrder
from app.domains.goals.service.base import GoalsService, put_or_retry
from app.domains.goals.service.goal_writer import GoalWriter
from app.domains.goals.service.project_writer import ProjectWriter
from app.domains.goals.types import ActivityType, Goal, GoalProject, Project, ProjectOrder
from app.domains.service import Decision, expect_version, required, uses
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Put, Write, put_if_absent

NEVER_NULL = ("name", "priority", "status", "goal_ids")


class Projects(GoalsService):
    goal_writer = uses(GoalWriter)
    project_writer = uses(ProjectWriter)

    async def project(self, project_id: str) -> Project | None:
        return await self.table.load(keys.project(self.caller.user_id, project_id))

    async def projects_by_ids(self, ids: Sequence[str]) -> list[Project]:
        return await self.load_existing(keys.project, ids)

    async def projects(
        self,
        filter: ProjectListFilter,
        *,
        order: ProjectOrder = ProjectOrder.CREATED,
        is_descending: bool = False,
        limit: int,
        start: Position | None,
    ) -> Rows[Project]:
        if order is ProjectOrder.CREATED:
            newest_first = is_descending or filter.newest_first
            listings = self.repository.projects(replace(filter, newest_first=newest_first))
            return await self.repository.page_across(listings, limit=limit, start=start)
        sorting = SortOrder(project_value(order), is_descending)
        listings = self.repository.projects(filter)
        return await self.repository.sorted_page(listings, sorting, limit=limit, start=start)

    async def count(self, filter: ProjectListFilter) -> int | None:
        return await self.repository.count(self.repository.projects(filter))

    async def of_goal(self, goal: Goal) -> list[Project]:
        return await self.repository.read_all(self.repository.projects_of_goal(goal.id))

    async def create(self, request: CreateProjectInput) -> Project:
        return await self.once(request, Project, partial(self._create, request))

    async def _create(self, request: CreateProjectInput) -> Decision[Project]:
        values = request.values()
        id = self.new_id(values.pop("id", None))
        project = Project(**self.stamp(), id=id, tasks_in_order=True, **values)
        project = await self._with_derived_fields(None, project)
        writes = await self._goal_link_writes(None, project)
        if isinstance(request.id, str):
            writes.append(self.check_id_is_free("PROJECT", project.id, "project"))
        return Decision(project, [put_if_absent(project, otherwise=IdTaken("project")), *writes])

    async def update(self, request: UpdateProjectInput) -> Project:
        return await self.once(request, Project, partial(self._update, request))

    async def _update(self, request: UpdateProjectInput) -> Decision[Project]:
        old = await self.own_project(request.id)
        expect_version(request, old, "project")
        return await self.apply_change(old, request.changes(NEVER_NULL))

    async def apply_change(self, old: Project, changes: dict[str, Any]) -> Decision[Project]:
        new = await self._with_derived_fields(old, old.evolve(self.now, **changes))
        writes = await self._goal_link_writes(old, new)
        return Decision(new, [put_or_retry(new, old, "project"), *writes])

    async def _with_derived_fields(self, old: Project | None, new: Project) -> Project:
        check_project_dates(new)
        if project_completion_changes(old, new):
            new = with_project_completed_date(new, await self.today())
        return await self.project_writer.with_current_health(new)

    async def _goal_link_writes(self, old: Project | None, new: Project) -> list[Write]:
        before, after = set(old.goal_ids if old else []), set(new.goal_ids)
        ids = sorted(before ^ after)
        writes: list[Write] = []
        for goal_id, goal in zip(ids, await self.load_each(keys.goal, ids), strict=True):
            if goal_id in after:
                required(goal, "goal")
                link = GoalProject(**self.stamp(), goal_id=goal_id, project_id=new.id)
                writes.append(Put(link))
                writes += await self._activity_writes(goal, new, ActivityType.project_linked)
            else:
                writes.append(Delete(keys.goal_project(goal_id, new.id)))
                writes += await self._activity_writes(goal, new, ActivityType.project_unlinked)
        return writes

    async def _activity_writes(
        self, goal: Goal | None, project: Project, type: ActivityType
    ) -> list[Write]:
        if goal is None:
            return []
        activity = project_activity(type, project.id, project.name)
        _, writes = await self.goal_writer.apply_change(goal, goal.evolve(self.now), [activity])
        return writes
