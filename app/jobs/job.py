"""What a background job is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

from app.resources import Resources


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """`run` must be safe to begin again: a worker may die in the middle of it."""

    name: str
    every: timedelta
    run: Callable[[Resources], Awaitable[None]]
    hold: timedelta = timedelta(minutes=5)
