"""Queries and mutations of projects; the dashboard and life areas."""

from functools import partial

import strawberry

from app.core.record import Node
from app.core.scalars import AWSDate
from app.core.text import normalize_text
from app.domains.goals.inputs import (
    CreateProjectInput,
    DeleteProjectInput,
    LinkToProjectInput,
    ProjectFilter,
    UnlinkFromProjectInput,
    UpdateProjectInput,
)
from app.domains.goals.schema.arguments import AreaArgument, SubCategoryArgument, TextArgument
from app.domains.goals.schema.list_filters import project_filter
from app.domains.goals.types import (
    AreaCount,
    Dashboard,
    Project,
    ProjectOrder,
    ProjectStatus,
    TagCount,
)
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.ordering import DirectionArgument, OrderDirection
from app.graph.paging import Limit, NextToken, Page, page


@strawberry.type
class ProjectsQuery:
    @query(description="One of your projects. Null if you have none with this id.")
    async def project(self, info: Info, id: strawberry.ID) -> Project | None:
        return await info.context.projects.project(id)

    @query(
        description="Your projects. A status, an area or a goal is looked up; for other conditions "
        "at most 5,000 projects are read at once, and a page may then be short though there is a "
        "nextToken."
    )
    async def projects(
        self,
        info: Info,
        status: ProjectStatus | None = None,
        area: AreaArgument = None,
        sub_category: SubCategoryArgument = None,
        text: TextArgument = None,
        filter: ProjectFilter | None = None,
        order_by: ProjectOrder = ProjectOrder.CREATED,
        direction: DirectionArgument = OrderDirection.ASC,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Project]:
        projects = info.context.projects
        found = project_filter(
            filter, status=status, area=area, sub_category=sub_category, text=text
        )
        is_descending = direction is OrderDirection.DESC
        fetch = partial(projects.projects, found, order=order_by, is_descending=is_descending)
        count = partial(projects.count, found)
        return await page(info, fetch, limit=limit, next_token=next_token, count=count)

    @query(description="The dashboard of a day. Without a date: of today, in your time zone.")
    async def dashboard(self, info: Info, date: AWSDate | None = None) -> Dashboard:
        return await info.context.dashboards.dashboard(date)

    @query(
        description="Your records in a life area, by type, then by creation time. The letter case "
        "of its name does not count."
    )
    async def area(
        self, info: Info, name: str, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Node]:
        fetch = partial(info.context.dashboards.records_of_area, normalize_text(name))
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(
        description="Your life areas with their subcategories, by name, to choose from. Beyond "
        "5,000 goals, tasks or projects LIMIT_EXCEEDED."
    )
    async def areas(self, info: Info) -> list[AreaCount]:
        return await info.context.name_counts.areas()

    @query(
        description="Your tags of goals and tasks, by name, to choose from. Beyond 5,000 goals or "
        "tasks LIMIT_EXCEEDED."
    )
    async def tags(self, info: Info) -> list[TagCount]:
        return await info.context.name_counts.tags()


@strawberry.type
class ProjectsMutation:
    @mutation(description="Creates a project.")
    async def create_project(self, info: Info, input: CreateProjectInput) -> Project:
        return await info.context.projects.create(input)

    @mutation(description="Changes the fields that are sent; null clears one.")
    async def update_project(self, info: Info, input: UpdateProjectInput) -> Project:
        return await info.context.projects.update(input)

    @mutation(description="Its tasks are kept and unlinked. Returns the project as it was.")
    async def delete_project(self, info: Info, input: DeleteProjectInput) -> Project:
        return await info.context.removals.delete_project(input)

    @mutation(description="Links a task. No effect if it is linked already.")
    async def link_to_project(self, info: Info, input: LinkToProjectInput) -> Project:
        return await info.context.links.link_to_project(input)

    @mutation(description="Takes a task out of a project; both stay.")
    async def unlink_from_project(self, info: Info, input: UnlinkFromProjectInput) -> Project:
        return await info.context.links.unlink_from_project(input)
