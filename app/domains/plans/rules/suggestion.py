"""Pomodoros for a day's open todos, around what is planned already."""

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.core.clock import instant, parse_instant
from app.domains.plans.rules.day import BUFFER, POMODORO
from app.domains.plans.types.days import Block, DayPlan

BREAK = "BREAK"
WORK = timedelta(minutes=25)
SHORT_BREAK = timedelta(minutes=5)
LONG_BREAK = timedelta(minutes=15)
POMODOROS_TO_A_LONG_BREAK = 4


@dataclass(frozen=True, slots=True)
class Suggestion:
    blocks: list[Block]
    warnings: list[str]


def suggest(day: DayPlan, closed: Collection[str], begin: datetime, end: datetime) -> Suggestion:
    """Work of 25 minutes with breaks of 5, and of 15 after every fourth, around what is planned.
    `closed`: actions that are done or archived in the values."""
    planned = {block.pomodoro for block in day.blocks}
    wanted = [
        (todo.action_id, index)
        for todo in day.todos
        if todo.completed_at is None and todo.action_id not in closed
        for index in range(1, todo.estimated_pomodoros + 1)
        if (todo.action_id, index) not in planned
    ]
    busy = _busy(day.blocks)
    placed: list[tuple[datetime, datetime]] = []
    at = begin
    for count in range(1, len(wanted) + 1):
        start = _next_gap(busy, at, WORK)
        if start + WORK > end:
            break
        placed.append((start, start + WORK))
        at = start + WORK + _pause_after(count)
    blocks = _with_new_ids(_to_blocks(wanted, placed, busy), day.blocks)
    return Suggestion(blocks, _overfull_warnings(len(wanted) - len(placed), len(wanted)))


def _busy(blocks: Sequence[Block]) -> list[tuple[datetime, datetime]]:
    solid = [each for each in blocks if each.block_type != BUFFER]
    return sorted((parse_instant(each.start), parse_instant(each.end)) for each in solid)


def _next_gap(
    busy: Sequence[tuple[datetime, datetime]], at: datetime, length: timedelta
) -> datetime:
    for start, end in busy:
        if end > at and start < at + length:
            at = end
    return at


def _pause_after(count: int) -> timedelta:
    return SHORT_BREAK if count % POMODOROS_TO_A_LONG_BREAK else LONG_BREAK


def _to_blocks(
    wanted: Sequence[tuple[str, int]],
    placed: Sequence[tuple[datetime, datetime]],
    busy: Sequence[tuple[datetime, datetime]],
) -> list[Block]:
    """A break is only between two pomodoros, and only if no planned block overlaps it."""
    blocks: list[Block] = []
    for count, (start, end) in enumerate(placed, 1):
        action_id, index = wanted[count - 1]
        blocks.append(
            _block(POMODORO, start, end, count, action_id=action_id, pomodoro_index=index)
        )
        rest = _pause_after(count)
        if count < len(placed) and _next_gap(busy, end, rest) == end:
            blocks.append(_block(BREAK, end, end + rest, count))
    return blocks


def _block(kind: str, start: datetime, end: datetime, count: int, **more: object) -> Block:
    return Block(
        id=f"{kind.lower()}-{count}",
        block_type=kind,
        start=instant(start),
        end=instant(end),
        **more,  # type: ignore[arg-type]
    )


def _with_new_ids(blocks: Sequence[Block], planned: Sequence[Block]) -> list[Block]:
    """An earlier suggestion may have been committed with the same ids."""
    taken = {each.id for each in planned}
    return [replace(each, id=_free_id(each.id, taken)) for each in blocks]


def _free_id(id: str, taken: Collection[str]) -> str:
    choices = (id if number == 1 else f"{id}-{number}" for number in itertools.count(1))
    return next(each for each in choices if each not in taken)


def _overfull_warnings(missing: int, wanted: int) -> list[str]:
    if not missing:
        return []
    return [f"DAY_TOO_FULL: {missing} of {wanted} pomodoros do not fit into the day."]
