"""The status of each job, from its lease."""

import asyncio

import strawberry

from app.core.clock import instant
from app.core.scalars import AWSDateTime
from app.jobs.job import Job
from app.jobs.keys import lease_of_job
from app.jobs.runner import JOBS
from app.jobs.types import Lease
from app.resources import Resources


@strawberry.type(
    description="A background job. Several workers share the jobs; a job runs on one at a time."
)
class JobStatus:
    name: str = strawberry.field(description="The job's name.")
    every_seconds: int = strawberry.field(description="The pause between two runs.")
    last_run: AWSDateTime | None = strawberry.field(
        description="When its last run ended; null: it has not run yet."
    )
    next_run: AWSDateTime | None = strawberry.field(
        description="The earliest time of its next run; null: now."
    )
    last_error: str | None = strawberry.field(
        description="The error of the last run, or what it left undone, why and how often; the "
        "next run does it again. null: all that was due is done."
    )
    running: bool = strawberry.field(description="Whether a worker is running it now.")


async def job_statuses(resources: Resources) -> list[JobStatus]:
    leases = await asyncio.gather(*(resources.table.load(lease_of_job(job.name)) for job in JOBS))
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
