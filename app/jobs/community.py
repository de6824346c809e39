"""Background work about companies."""

from datetime import timedelta

from app.core.caller import Access, Caller
from app.domains.community.service import companies_to_finish
from app.jobs.job import Job, for_each
from app.resources import Resources
from app.services import Services


async def finish_company_deletions(resources: Resources) -> None:
    """Continues interrupted deletions, and completes the others after a delay."""
    deletion = Services(resources, Caller(access=Access.SYSTEM)).company_deletion
    await for_each(await companies_to_finish(resources), deletion.finish)


JOBS = [
    Job(name="finish-company-deletions", every=timedelta(minutes=1), run=finish_company_deletions)
]
