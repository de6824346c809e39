"""Index 4 lists due work by day. A sweep continues from the first unfinished day."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import TypeVar

from app.core.clock import instant, parse_instant
from app.jobs.job import failures_of, for_each, raise_if_failed
from app.jobs.keys import sweep_of_job
from app.jobs.types import Sweep
from app.resources import Resources
from app.table.writes import Put

T = TypeVar("T")
LOOK_BACK = timedelta(days=30)
# The clocks of two machines differ: the day before is read again.
OVERLAP = timedelta(days=1)
# Work for one instant is useless a day later. Indexes lag and clocks differ by minutes.
LATEST = timedelta(days=1)
LAG = timedelta(minutes=2)


async def process_due(
    resources: Resources,
    job: str,
    fetch: Callable[[str, str], Awaitable[Sequence[T]]],
    work: Callable[[T], Awaitable[None]],
    *,
    at_once: int = 1,
) -> None:
    """`fetch` returns what is due on a day up to now; `work` processes one, which is then no longer
    due. A day with a failure stays unfinished."""
    now = resources.clock.now()
    known = await resources.table.get(sweep_of_job(job))
    first = date.fromisoformat(known.day) if known else now.date() - LOOK_BACK
    unfinished: date | None = None
    failures: list[Exception] = []
    for day in _days(min(first, now.date() - OVERLAP), now.date()):
        found = await fetch(day.strftime("%Y%m%d"), instant(now))
        failures += await failures_of(found, work, at_once=at_once)
        if found and unfinished is None:
            unfinished = day
    await _save_sweep(resources, job, min(unfinished or now.date(), now.date() - OVERLAP))
    raise_if_failed(failures)


async def process_since(
    resources: Resources,
    job: str,
    fetch: Callable[[datetime, datetime], Awaitable[Sequence[T]]],
    work: Callable[[T], Awaitable[None]],
    *,
    at_once: int = 1,
) -> None:
    """`fetch` returns what is due between two instants; `work` processes one, or does nothing if it
    is processed already. The next run continues where this one ended, if nothing failed."""
    now = resources.clock.now()
    known = await resources.table.get(sweep_of_job(job))
    since = now - LATEST
    if known and known.moment:
        since = max(since, parse_instant(known.moment) - LAG)
    await for_each(await fetch(since, now), work, at_once=at_once)
    await _save_sweep(resources, job, now.date(), instant(now))


async def _save_sweep(resources: Resources, job: str, day: date, moment: str | None = None) -> None:
    """Without a condition: at worst another worker's sweep begins a little earlier."""
    now = instant(resources.clock.now())
    record = Sweep(created_at=now, updated_at=now, job=job, day=day.isoformat(), moment=moment)
    await resources.table.write(Put(record))


def _days(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)
