"""Background work about people."""

from datetime import timedelta

from app.core.caller import acting_for
from app.domains.people.service.accounts import departures_to_sweep, unfinished_deletions
from app.domains.people.types import Departure, User
from app.jobs.job import Job, failures_of, raise_if_left
from app.resources import Resources
from app.services import Services


async def finish_account_deletions(resources: Resources) -> None:
    """A deletion that was broken off by a crash goes on here."""

    async def erase(user: User) -> None:
        await Services(resources, acting_for(user.id)).accounts.erase(user.id)

    async def sweep_again(departure: Departure) -> None:
        await Services(resources, acting_for(departure.user_id)).accounts.sweep_again(departure)

    failures = await failures_of(await unfinished_deletions(resources), erase)
    failures += await failures_of(await departures_to_sweep(resources), sweep_again)
    raise_if_left(failures)


JOBS = [
    Job(name="finish-account-deletions", every=timedelta(minutes=1), run=finish_account_deletions)
]
