"""A job runs on the one worker that holds its lease; a dead worker's lease runs out."""

from datetime import timedelta

import strawberry

from app.core.clock import instant
from app.core.errors import Conflict
from app.core.record import Record
from app.core.scalars import AWSDateTime
from app.resources import Resources
from app.table.conditions import absent, attr
from app.table.entity import Entity, Key
from app.table.writes import Put, Update


@strawberry.type
class Lease(Record):
    job: str
    holder: str
    held_until: AWSDateTime
    next_run: AWSDateTime
    last_run: AWSDateTime | None = None
    last_error: str | None = None


@strawberry.type
class Sweep(Record):
    """Up to which day, or moment, a job has done everything that was due."""

    job: str
    day: str
    moment: str | None = None


LEASE = Entity(Lease, pk="LEASE#{job}", sk="LEASE")
SWEEP = Entity(Sweep, pk="LEASE#{job}", sk="SWEEP")


def lease(job: str) -> Key[Lease]:
    """Who runs this job, when it ran and will run"""
    return LEASE.key(job=job)


def sweep(job: str) -> Key[Sweep]:
    """From which day on there may be something due for this job"""
    return SWEEP.key(job=job)


async def take(resources: Resources, job: str, *, holder: str) -> Lease | None:
    """The lease, if the job is due and nobody holds it."""
    now = resources.clock.now()
    hold = timedelta(seconds=resources.settings.lease_seconds)
    known = await resources.table.get(lease(job))
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
        await resources.table.write(Put(mine, when=absent() | free, otherwise=Conflict("held")))
    except Conflict:
        return None
    return mine


async def give_back(
    resources: Resources, held: Lease, *, next_run: AWSDateTime, error: str | None
) -> None:
    """Only if it is still ours: a lease that ran out may be another's by now."""
    now = instant(resources.clock.now())
    changes = {"heldUntil": now, "nextRun": next_run, "lastRun": now, "updatedAt": now}
    try:
        await resources.table.write(
            Update(
                lease(held.job),
                put=changes | ({"lastError": error} if error else {}),
                remove=() if error else ("lastError",),
                when=attr("holder").equals(held.holder) & attr("heldUntil").equals(held.held_until),
                otherwise=Conflict("another worker has taken over"),
            )
        )
    except Conflict:
        return
