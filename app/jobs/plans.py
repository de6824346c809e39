"""Background work about values and plans."""

from datetime import timedelta

from app.domains.plans.service import sweep_drafts, users_with_drafts
from app.domains.plans.types import DraftsOfDay
from app.jobs.job import Job, for_each
from app.resources import Resources


async def sweep_orphan_snapshots(resources: Resources) -> None:
    """Removes the snapshots of interrupted commits after an hour."""

    async def sweep(entry: DraftsOfDay) -> None:
        await sweep_drafts(resources, entry)

    await for_each(await users_with_drafts(resources), sweep)


JOBS = [Job(name="sweep-orphan-snapshots", every=timedelta(hours=1), run=sweep_orphan_snapshots)]
