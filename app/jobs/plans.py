"""Background work about values and plans."""

from datetime import timedelta

from app.domains.plans.service import sweep_orphans
from app.jobs.job import Job
from app.resources import Resources


async def sweep_orphan_snapshots(resources: Resources) -> None:
    """Snapshots of commits that a crash cut off go an hour later."""
    await sweep_orphans(resources)


JOBS = [Job(name="sweep-orphan-snapshots", every=timedelta(hours=1), run=sweep_orphan_snapshots)]
