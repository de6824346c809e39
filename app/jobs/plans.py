"""Background work about values and plans."""

from datetime import timedelta

from app.domains.plans.service import sweep_orphans
from app.jobs.job import Job
from app.resources import Resources


async def sweep_orphan_snapshots(resources: Resources) -> None:
    """Removes the snapshots of interrupted commits after an hour."""
    await sweep_orphans(resources)


JOBS = [Job(name="sweep-orphan-snapshots", every=timedelta(hours=1), run=sweep_orphan_snapshots)]
