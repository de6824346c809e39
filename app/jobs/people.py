"""Background work about people."""

from datetime import timedelta

from app.core.caller import acting_for
from app.domains.people.service.accounts import unfinished_deletions
from app.jobs.job import Job
from app.resources import Resources
from app.services import Services


async def finish_account_deletions(resources: Resources) -> None:
    """A deletion that was broken off by a crash goes on here."""
    for user in await unfinished_deletions(resources):
        await Services(resources, acting_for(user.id)).accounts.erase(user)


JOBS = [
    Job(name="finish-account-deletions", every=timedelta(minutes=1), run=finish_account_deletions)
]
