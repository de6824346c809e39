"""Background work about people."""

from datetime import timedelta

from app.core.caller import acting_for
from app.domains.people.service.accounts import unfinished_deletions
from app.domains.people.types import User
from app.jobs.job import Job, for_each
from app.resources import Resources
from app.services import Services


async def finish_account_deletions(resources: Resources) -> None:
    """A deletion that was broken off by a crash goes on here."""

    async def erase(user: User) -> None:
        await Services(resources, acting_for(user.id)).accounts.erase(user)

    await for_each(await unfinished_deletions(resources), erase)


JOBS = [
    Job(name="finish-account-deletions", every=timedelta(minutes=1), run=finish_account_deletions)
]
