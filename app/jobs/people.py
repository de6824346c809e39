"""Background work about people."""

from datetime import timedelta

from app.core.caller import acting_for
from app.domains.people.service.accounts import tombstones_to_sweep, unfinished_deletions
from app.domains.people.types import AccountTombstone, User
from app.jobs.job import Job, failures_of, raise_if_failed
from app.resources import Resources
from app.services import Services


async def finish_account_deletions(resources: Resources) -> None:
    """Continues deletions that were interrupted, and erases what was written while they ran."""

    async def erase(user: User) -> None:
        await Services(resources, acting_for(user.id)).accounts.erase(user.id)

    async def erase_again(tombstone: AccountTombstone) -> None:
        await Services(resources, acting_for(tombstone.user_id)).accounts.erase_again(tombstone)

    failures = await failures_of(await unfinished_deletions(resources), erase)
    failures += await failures_of(await tombstones_to_sweep(resources), erase_again)
    raise_if_failed(failures)


JOBS = [
    Job(name="finish-account-deletions", every=timedelta(minutes=1), run=finish_account_deletions)
]
