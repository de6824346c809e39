"""How each job is doing, read off its lease."""

import asyncio

import strawberry

from app.core.clock import instant
from app.core.scalars import AWSDateTime
from app.jobs.job import Job
from app.jobs.lease import Lease, lease
from app.jobs.runner import JOBS
from app.resources import Resources


@strawberry.type(description="A background job. Several workers share them; one runs at a time.")
class JobStatus:
    name: str
    every_seconds: int = strawberry.field(description="The pause between two runs.")
    last_run: AWSDateTime | None = strawberry.field(
        description="When it ended last; null: it has not run yet."
    )
    next_run: AWSDateTime | None = strawberry.field(
        description="From when it runs again; null: at once."
    )
    last_error: str | None = strawberry.field(
        description="What went wrong in the last run, or was left for the next; null: nothing."
    )
    running: bool = strawberry.field(description="Whether a worker holds it now.")


async def job_statuses(resources: Resources) -> list[JobStatus]:
    leases = await asyncio.gather(*(resources.table.load(lease(job.name)) for job in JOBS))
    now = instant(resources.clock.now())
    return [_status(job, held, now) for job, held in zip(JOBS, leases, strict=True)]


def _status(job: Job, held: Lease | None, now: str) -> JobStatus:
    return JobStatus(
        name=job.name,
        every_seconds=int(job.every.total_seconds()),
        last_run=held.last_run if held else None,
        next_run=held.next_run if held else None,
        last_error=held.last_error if held else None,
        running=held is not None and held.held_until > now,
    )
