"""What a background job is."""

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
    """`run` must be safe to begin again: a worker may die in the middle of it."""

    name: str
    every: timedelta
    run: Callable[[Resources], Awaitable[None]]


class SomeLeft(Exception):
    """A run that did what it could; what it left is met again next time."""

    def __init__(self, failures: Sequence[Exception]) -> None:
        super().__init__(f"{len(failures)} left for the next run, the first by {failures[0]!r}")


async def for_each(
    things: Iterable[T], work: Callable[[T], Awaitable[None]], *, at_once: int = 1
) -> None:
    """One that cannot be done must not stop the others; at the end, the admins are told of it."""
    raise_if_left(await failures_of(things, work, at_once=at_once))


def raise_if_left(failures: Sequence[Exception]) -> None:
    if failures:
        raise SomeLeft(failures)


async def failures_of(
    things: Iterable[T], work: Callable[[T], Awaitable[None]], *, at_once: int = 1
) -> list[Exception]:
    """Does it with all of them; each failure is logged."""
    places = asyncio.Semaphore(at_once)
    failures: list[Exception] = []

    async def do(thing: T) -> None:
        async with places:
            try:
                await work(thing)
            except Exception as failure:
                log.exception("left for the next run", work=work.__qualname__)
                failures.append(failure)

    await asyncio.gather(*(do(thing) for thing in things))
    return failures
