"""A job runs on the worker that holds its lease; the lease of a dead worker expires."""

from datetime import timedelta

from app.core.clock import instant
from app.core.errors import Conflict
from app.core.scalars import AWSDateTime
from app.jobs.keys import lease_of_job
from app.jobs.types import Lease
from app.resources import Resources
from app.table.conditions import absent, attr
from app.table.writes import Put, Update

HELD = Conflict("Another worker holds the lease.")


async def take_lease(resources: Resources, job: str, *, holder: str) -> Lease | None:
    """The lease, if the job is due and no other worker holds it."""
    now = resources.clock.now()
    hold = timedelta(seconds=resources.settings.lease_seconds)
    known = await resources.table.get(lease_of_job(job))
    mine = Lease(
        created_at=known.created_at if known else instant(now),
        updated_at=instant(now),
        version=known.version + 1 if known else 1,
        job=job,
        holder=holder,
        held_until=instant(now + hold),
        next_run=known.next_run if known else instant(now),
        last_run=known.last_run if known else None,
        last_error=known.last_error if known else None,
    )
    free = attr("heldUntil").at_most(instant(now)) & attr("nextRun").at_most(instant(now))
    try:
        await resources.table.write(Put(mine, when=absent() | free, otherwise=HELD))
    except Conflict:
        return None
    return mine


async def release_lease(
    resources: Resources, held: Lease, *, next_run: AWSDateTime, error: str | None
) -> None:
    """Only if it is still ours: another worker may hold an expired lease by now."""
    now = instant(resources.clock.now())
    changes = {"heldUntil": now, "nextRun": next_run, "lastRun": now, "updatedAt": now}
    try:
        await resources.table.write(
            Update(
                lease_of_job(held.job),
                put=changes | ({"lastError": error} if error else {}),
                remove=() if error else ("lastError",),
                when=attr("holder").equals(held.holder) & attr("heldUntil").equals(held.held_until),
                otherwise=HELD,
            )
        )
    except Conflict:
        return
