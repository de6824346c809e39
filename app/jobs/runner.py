"""Runs the jobs that are due, one after another, until it is stopped."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from uuid import uuid4

import structlog
from prometheus_client import Counter

from app.core.clock import instant
from app.jobs import people, quests
from app.jobs.job import Job
from app.jobs.lease import give_back, take
from app.resources import Resources

JOBS: list[Job] = [*people.JOBS, *quests.JOBS]
LOOK_EVERY = 5.0
RUNS = Counter("guildhall_job_runs_total", "Runs of background jobs", ["job", "outcome"])
log = structlog.get_logger()


async def run_due(resources: Resources, holder: str, jobs: Sequence[Job] = ()) -> None:
    for job in jobs or JOBS:
        held = await take(resources, job.name, holder=holder, hold=job.hold)
        if held is None:
            continue
        error = await _run(job, resources)
        next_run = instant(resources.clock.now() + job.every)
        await give_back(resources, held, next_run=next_run, error=error)


async def _run(job: Job, resources: Resources) -> str | None:
    """What went wrong, if anything: one job's failure must not stop the others."""
    try:
        async with asyncio.timeout(job.hold.total_seconds() * 0.9):
            await job.run(resources)
    except Exception as error:
        RUNS.labels(job.name, "failed").inc()
        log.exception("job failed", job=job.name)
        return repr(error)[:500]
    RUNS.labels(job.name, "done").inc()
    return None


async def work(resources: Resources, stop: asyncio.Event) -> None:
    holder = uuid4().hex
    while not stop.is_set():
        try:
            await run_due(resources, holder)
        except Exception:
            log.exception("the jobs wait")
        try:
            async with asyncio.timeout(LOOK_EVERY):
                await stop.wait()
        except TimeoutError:
            continue


@asynccontextmanager
async def running_jobs(resources: Resources) -> AsyncIterator[None]:
    """The worker inside the server, if it is wanted there; a job under way is let finish."""
    if not resources.settings.worker:
        yield
        return
    stop = asyncio.Event()
    worker = asyncio.create_task(work(resources, stop))
    try:
        yield
    finally:
        stop.set()
        await worker
