"""The jobs in GraphQL, for admins."""

import strawberry

from app.graph.context import Info
from app.graph.fields import query
from app.graph.guards import admins
from app.jobs.status import JobStatus, job_statuses


@strawberry.type
class JobsQuery:
    @query(admins, description="The status of the background jobs. For admins.")
    async def jobs(self, info: Info) -> list[JobStatus]:
        return await job_statuses(info.context.resources)
