"""Background jobs."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

import structlog

from app.core.errors import AppError
from app.resources import Resources

T = TypeVar("T")
log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """`run` must be safe to repeat: a worker may die at any point of it."""

    name: str
    every: timedelta
    run: Callable[[Resources], Awaitable[None]]


class SomeFailed(Exception):
    """Some items of a run failed; the next run processes them again."""

    def __init__(self, failures: Sequence[Exception]) -> None:
        counts = Counter(map(repr, failures)).most_common()
        errors = ", ".join(f"{error} ({count})" for error, count in counts)
        super().__init__(f"{len(failures)} failed, to be repeated in the next run: {errors}")


class MoreIsDue(Exception):
    """A run has processed as many items as it may."""

    def __init__(self, what: str) -> None:
        super().__init__(f"more {what} are due than one run processes")


async def for_each(
    things: Iterable[T], work: Callable[[T], Awaitable[None]], *, at_once: int = 1
) -> None:
    """A failure does not stop the others; at the end it is raised, for `jobs` to show."""
    raise_if_failed(await failures_of(things, work, at_once=at_once))


def raise_if_failed(failures: Sequence[Exception]) -> None:
    if failures:
        raise SomeFailed(failures)


async def failures_of(
    things: Iterable[T], work: Callable[[T], Awaitable[None]], *, at_once: int = 1
) -> list[Exception]:
    """Processes all; each failure is logged and returned."""
    semaphore = asyncio.Semaphore(at_once)
    failures: list[Exception] = []

    async def process(thing: T) -> None:
        async with semaphore:
            try:
                await work(thing)
            except Exception as failure:
                # The message of an expected failure says all.
                trace = not isinstance(failure, AppError)
                log.error("failed, left for the next run", error=repr(failure), exc_info=trace)
                failures.append(failure)

    await asyncio.gather(*(process(thing) for thing in things))
    return failures
