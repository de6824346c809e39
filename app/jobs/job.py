"""What a background job is."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
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


async def for_each(
    things: Iterable[T], work: Callable[[T], Awaitable[None]], *, at_once: int = 1
) -> None:
    """One that cannot be done must not stop the others: it is logged, and met again next time."""
    places = asyncio.Semaphore(at_once)

    async def do(thing: T) -> None:
        async with places:
            try:
                await work(thing)
            except Exception:
                log.exception("left for the next run", work=work.__qualname__)

    await asyncio.gather(*(do(thing) for thing in things))
