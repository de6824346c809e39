"""Index 4 holds what the clock has to do, by day. A sweep goes on from the first unfinished day."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import date, timedelta
from typing import TypeVar

from app.core.clock import instant
from app.jobs.job import for_each
from app.jobs.lease import Sweep, sweep
from app.resources import Resources
from app.table.writes import Put

T = TypeVar("T")
LOOK_BACK = timedelta(days=30)
# Clocks of two machines differ: the day before is looked at again.
OVERLAP = timedelta(days=1)


async def do_due(
    resources: Resources,
    job: str,
    fetch: Callable[[str, str], Awaitable[Sequence[T]]],
    work: Callable[[T], Awaitable[None]],
    *,
    at_once: int = 1,
) -> None:
    """`fetch` gives what is due on a day up to now, `work` does it, so that it is not due any
    more. What cannot be done keeps its day from being finished."""
    now = resources.clock.now()
    known = await resources.table.get(sweep(job))
    first = date.fromisoformat(known.day) if known else now.date() - LOOK_BACK
    unfinished: date | None = None
    for day in _days(min(first, now.date() - OVERLAP), now.date()):
        found = await fetch(day.strftime("%Y%m%d"), instant(now))
        await for_each(found, work, at_once=at_once)
        if found and unfinished is None:
            unfinished = day
    await _remember(resources, job, min(unfinished or now.date(), now.date() - OVERLAP))


async def _remember(resources: Resources, job: str, day: date) -> None:
    """Not under a condition: at worst another worker's sweep begins a little earlier."""
    now = instant(resources.clock.now())
    record = Sweep(created_at=now, updated_at=now, job=job, day=day.isoformat())
    await resources.table.write(Put(record))


def _days(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)
