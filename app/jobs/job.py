"""Background jobs."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

import structlog

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
        super().__init__(
            f"{len(failures)} failed, to be repeated in the next run. First error: {failures[0]!r}"
        )


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
                log.exception("failed, left for the next run", work=work.__qualname__)
                failures.append(failure)

    await asyncio.gather(*(process(thing) for thing in things))
    return failures
