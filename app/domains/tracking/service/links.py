"""What the goals domain, which knows this one, hangs on to metrics and habits.

Read, on `services.metrics` and `services.habits`:
  `await metrics.progress_of(metric_ids)`   -> {id: MetricProgress}
  `await habits.completion_of(habit_ids)`   -> {id: HabitCompletion}
  One batch read each. Ids that are absent, foreign or (metrics) without a target are not in it.

Write, to be put into the goals' own transaction (a StaleVersion means: decide again):
  `await metrics.link_goal(metric_id, goal_id)`, `await metrics.unlink_goal(metric_id, goal_id)`
  `await habits.link_goal(habit_id, goal_id)`, `await habits.unlink_goal(habit_id, goal_id)`
  -> list[Write]; NotFound for an id that is not the caller's; nothing to write if it is so already.
  Unlinking from something that is gone writes nothing.

Hear, injected in app/services.py:
  `when_changed(goal_ids)` is awaited after a change that may move the progress of these goals.
  `link_rows(id, goal_ids)` gives the writes that remove the goals' own link rows; they become part
  of the transaction that deletes the metric or habit.
  `when_gone(id)` is awaited before and after a habit is deleted: before, so that a deletion that is
  broken off can be begun again; after, for what was hung on to it meanwhile.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import strawberry

from app.core.errors import LimitExceeded
from app.domains.tracking.types import Habit, Metric
from app.table.writes import Write

WhenChanged = Callable[[Sequence[str]], Awaitable[None]]
LinkRows = Callable[[str, Sequence[str]], list[Write]]
WhenGone = Callable[[str], Awaitable[None]]
MOST_GOALS = 50

T = TypeVar("T", Metric, Habit)


async def nobody_listens(goal_ids: Sequence[str]) -> None:
    """Until the goals are there."""


async def nobody_misses_it(thing_id: str) -> None:
    """Where nothing above hangs on it."""


def no_link_rows(thing_id: str, goal_ids: Sequence[str]) -> list[Write]:
    """Until the goals are there."""
    return []


def with_goal(thing: T, goal_id: str) -> list[strawberry.ID]:
    if len(thing.goal_ids) >= MOST_GOALS:
        raise LimitExceeded(f"This is linked to {MOST_GOALS} goals already.")
    return [*thing.goal_ids, strawberry.ID(goal_id)]


def without_goal(thing: T, goal_id: str) -> list[strawberry.ID]:
    return [each for each in thing.goal_ids if each != goal_id]
