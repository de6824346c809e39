"""Background work about companies."""

from datetime import timedelta

from app.core.caller import Access, Caller
from app.domains.community.service import companies_to_finish
from app.jobs.job import Job, for_each
from app.resources import Resources
from app.services import Services


async def finish_company_deletions(resources: Resources) -> None:
    """What was broken off goes on here; what was done is looked at once more."""
    closing = Services(resources, Caller(access=Access.SYSTEM)).company_closing
    await for_each(await companies_to_finish(resources), closing.finish)


JOBS = [
    Job(name="finish-company-deletions", every=timedelta(minutes=1), run=finish_company_deletions)
]
