"""Index 4 holds what the clock has to do, by day. A sweep goes on from the first unfinished day."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import TypeVar

from app.core.clock import instant, moment_of
from app.jobs.job import failures_of, for_each, raise_if_left
from app.jobs.lease import Sweep, sweep
from app.resources import Resources
from app.table.writes import Put

T = TypeVar("T")
LOOK_BACK = timedelta(days=30)
# Clocks of two machines differ: the day before is looked at again.
OVERLAP = timedelta(days=1)
# What has its moment is of no use a day later. An index may lag, and clocks differ, by minutes.
LATEST = timedelta(days=1)
LAG = timedelta(minutes=2)


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
    failures: list[Exception] = []
    for day in _days(min(first, now.date() - OVERLAP), now.date()):
        found = await fetch(day.strftime("%Y%m%d"), instant(now))
        failures += await failures_of(found, work, at_once=at_once)
        if found and unfinished is None:
            unfinished = day
    await _remember(resources, job, min(unfinished or now.date(), now.date() - OVERLAP))
    raise_if_left(failures)


async def do_since(
    resources: Resources,
    job: str,
    fetch: Callable[[datetime, datetime], Awaitable[Sequence[T]]],
    work: Callable[[T], Awaitable[None]],
    *,
    at_once: int = 1,
) -> None:
    """`fetch` gives what falls between two moments, `work` does it, and does nothing if it is done.
    The next time goes on from the end of this one, if everything could be done."""
    now = resources.clock.now()
    known = await resources.table.get(sweep(job))
    since = now - LATEST
    if known and known.moment:
        since = max(since, moment_of(known.moment) - LAG)
    await for_each(await fetch(since, now), work, at_once=at_once)
    await _remember(resources, job, now.date(), instant(now))


async def _remember(resources: Resources, job: str, day: date, moment: str | None = None) -> None:
    """Not under a condition: at worst another worker's sweep begins a little earlier."""
    now = instant(resources.clock.now())
    record = Sweep(created_at=now, updated_at=now, job=job, day=day.isoformat(), moment=moment)
    await resources.table.write(Put(record))


def _days(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)
