"""Projects in the graph, and the views over everything."""

from functools import partial

import strawberry

from app.core.record import Node
from app.core.scalars import AWSDate
from app.core.text import normal_words
from app.domains.goals.inputs import (
    CreateProjectInput,
    DeleteProjectInput,
    LinkToProjectInput,
    UnlinkFromProjectInput,
    UpdateProjectInput,
)
from app.domains.goals.schema.arguments import Area, SubCategory, Text
from app.domains.goals.types import Dashboard, Project, ProjectStatus
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page
from app.graph.selection import unneeded


@strawberry.type
class ProjectsQuery:
    @query(description="One of your projects; null if there is none with this id.")
    async def project(self, info: Info, id: strawberry.ID) -> Project | None:
        return await info.context.projects.project(id, without=unneeded(info, Project))

    @query(description="Your projects, in the order they were made.")
    async def projects(
        self,
        info: Info,
        status: ProjectStatus | None = None,
        area: Area = None,
        sub_category: SubCategory = None,
        text: Text = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Project]:
        wanted = info.context.projects.wanted(
            status=status,
            area=area and normal_words(area),
            sub_category=sub_category and normal_words(sub_category),
            text=text,
            without=unneeded(info, Project),
        )
        fetch = partial(info.context.projects.projects, wanted)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="A day at a glance; today in your time zone if none is given.")
    async def dashboard(self, info: Info, date: AWSDate | None = None) -> Dashboard:
        return await info.context.dashboards.of(date)

    @query(description="Whatever you have in one life area, by type, then by date.")
    async def area(
        self, info: Info, name: str, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Node]:
        fetch = partial(info.context.dashboards.area, normal_words(name))
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class ProjectsMutation:
    @mutation()
    async def create_project(self, info: Info, input: CreateProjectInput) -> Project:
        return await info.context.projects.create(input)

    @mutation()
    async def update_project(self, info: Info, input: UpdateProjectInput) -> Project:
        return await info.context.projects.update(input)

    @mutation(description="Its tasks stay, without it. Answers with the project as it was.")
    async def delete_project(self, info: Info, input: DeleteProjectInput) -> Project:
        return await info.context.removals.delete_project(input)

    @mutation(description="Puts a task into a project. Twice is once.")
    async def link_to_project(self, info: Info, input: LinkToProjectInput) -> Project:
        return await info.context.links.link_to_project(input)

    @mutation()
    async def unlink_from_project(self, info: Info, input: UnlinkFromProjectInput) -> Project:
        return await info.context.links.unlink_from_project(input)
