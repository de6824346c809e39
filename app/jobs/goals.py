"""Jobs of goals, tasks and projects."""

from datetime import timedelta

from app.core.caller import acting_for
from app.domains.goals.service import unfinished_removals
from app.domains.goals.types import Removal
from app.jobs.job import Job, for_each
from app.resources import Resources
from app.services import Services


async def finish_removals(resources: Resources) -> None:
    """Finishes deletions that were interrupted."""

    async def finish(removal: Removal) -> None:
        await Services(resources, acting_for(removal.user_id)).removals.finish(removal)

    await for_each(await unfinished_removals(resources), finish)


JOBS = [Job(name="finish-removals", every=timedelta(minutes=1), run=finish_removals)]
