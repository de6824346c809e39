"""The jobs in the graph, for admins."""

import strawberry

from app.graph.context import Info
from app.graph.fields import admins, query
from app.jobs.status import JobStatus, job_statuses


@strawberry.type
class JobsQuery:
    @query(admins, description="How the background jobs are doing. For admins.")
    async def jobs(self, info: Info) -> list[JobStatus]:
        return await job_statuses(info.context.resources)
