"""Runs the jobs that are due, each in a task of its own, until it is stopped.

Recurring things need no job: the transaction that ends one occurrence creates the next.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from uuid import uuid4

import structlog
from prometheus_client import Counter, Gauge, Histogram

from app.core.clock import instant
from app.jobs import (
    characters,
    community,
    goals,
    notifications,
    people,
    plans,
    quests,
    tracking,
)
from app.jobs.job import Job, SomeFailed
from app.jobs.lease import release_lease, take_lease
from app.resources import Resources

JOBS: list[Job] = [
    *goals.JOBS,
    *people.JOBS,
    *community.JOBS,
    *quests.JOBS,
    *plans.JOBS,
    *characters.JOBS,
    *notifications.JOBS,
    *tracking.JOBS,
]
POLL_SECONDS = 5.0
BUCKETS = (0.01, 0.1, 1, 10, 60, 300)
RUNS = Counter("guildhall_job_runs_total", "Runs of background jobs", ["job", "outcome"])
SECONDS = Histogram(
    "guildhall_job_seconds", "How long runs of background jobs take", ["job"], buckets=BUCKETS
)
LAST_RUN = Gauge(
    "guildhall_job_last_run_timestamp_seconds",
    "When a run of a job last ended well in this process",
    ["job"],
    multiprocess_mode="max",
)
log = structlog.get_logger()


async def run_due(resources: Resources, holder: str, jobs: Sequence[Job] = ()) -> None:
    """Runs every job that is due and that no other worker runs."""
    await asyncio.gather(*(run_if_due(resources, holder, job) for job in jobs or JOBS))


async def run_if_due(resources: Resources, holder: str, job: Job) -> None:
    held = await take_lease(resources, job.name, holder=holder)
    if held is None:
        return
    with SECONDS.labels(job.name).time():
        error = await _run(job, resources)
    next_run = instant(resources.clock.now() + job.every)
    await release_lease(resources, held, next_run=next_run, error=error)


async def _run(job: Job, resources: Resources) -> str | None:
    """The error of a failed run. One job's failure does not stop the others."""
    seconds = resources.settings.lease_seconds * 0.9
    try:
        async with asyncio.timeout(seconds) as limit:
            await job.run(resources)
    except Exception as error:
        RUNS.labels(job.name, "failed").inc()
        _log_failure(job, error)
        if limit.expired():
            return f"Stopped after {seconds:g} seconds; the rest is left for the next run."
        return repr(error)[:500]
    RUNS.labels(job.name, "done").inc()
    LAST_RUN.labels(job.name).set(resources.clock.now().timestamp())
    return None


def _log_failure(job: Job, error: Exception) -> None:
    """The failures of single items are in the log already: here they are only counted."""
    if isinstance(error, SomeFailed):
        log.error("job failed in part", job=job.name, error=str(error))
    else:
        log.error("job failed", job=job.name, exc_info=error)


async def work(
    resources: Resources,
    stop: asyncio.Event,
    jobs: Sequence[Job] = (),
    poll_seconds: float = POLL_SECONDS,
) -> None:
    """Until `stop` is set; running jobs are then finished. A long job does not delay the others."""
    holder = uuid4().hex
    running: dict[str, asyncio.Task[None]] = {}
    while not stop.is_set():
        for job in jobs or JOBS:
            if job.name not in running or running[job.name].done():
                running[job.name] = asyncio.create_task(_try_to_run(resources, holder, job))
        with suppress(TimeoutError):
            async with asyncio.timeout(poll_seconds):
                await stop.wait()
    await asyncio.gather(*running.values())


async def _try_to_run(resources: Resources, holder: str, job: Job) -> None:
    """If the table cannot be reached, the job is tried again at the next poll."""
    try:
        await run_if_due(resources, holder, job)
    except Exception:
        log.exception("job not started, trying again later", job=job.name)


@asynccontextmanager
async def running_jobs(resources: Resources) -> AsyncIterator[None]:
    """The worker inside the server, if the setting WORKER is on; a running job is finished."""
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
