"""A day's plan: what it may contain, what is carried over, and what to warn of."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from app.core.clock import parse_instant
from app.core.errors import BadInput
from app.domains.plans.errors import ActionTwice, BlocksOverlap, NotInTodos
from app.domains.plans.types.days import Block, DayPlan, Todo

POMODORO, BUFFER = "POMODORO", "BUFFER"
LONGEST_BLOCK = timedelta(hours=24)
NO_PLAN = DayPlan()


def check_day(day: DayPlan, on: date, base: DayPlan = NO_PLAN) -> None:
    """All but whether the actions are live: only the values tree can tell. `base`: the plan before
    this commit."""
    _check_todos(day.todos)
    for index, block in enumerate(day.blocks):
        _check_block(block, f"input.blocks.{index}", on)
        if block.block_type == POMODORO:
            _check_pomodoro(day, block, f"input.blocks.{index}")
        elif block.action_id or block.pomodoro_index:
            raise BadInput(
                "Only a POMODORO has an actionId and a pomodoroIndex.",
                field=f"input.blocks.{index}",
            )
    _check_ids(day.blocks)
    _check_indexes(day.blocks, base.blocks)
    _check_overlaps(day.blocks)


def _check_todos(todos: Sequence[Todo]) -> None:
    seen: set[str] = set()
    for index, todo in enumerate(todos):
        if todo.action_id in seen:
            raise ActionTwice(todo.action_id, f"input.todos.{index}.actionId")
        seen.add(todo.action_id)


def _check_block(block: Block, field: str, on: date) -> None:
    start, end = parse_instant(block.start), parse_instant(block.end)
    if start >= end:
        raise BadInput("A block must end after it starts.", field=f"{field}.endTimeIso")
    if end - start > LONGEST_BLOCK:
        raise BadInput("A block lasts 24 hours at most.", field=f"{field}.endTimeIso")
    midnight = datetime.combine(on, time(), UTC)
    if not midnight - timedelta(hours=14) <= start < midnight + timedelta(hours=42):
        raise BadInput(
            f"This block does not start on {on} in any time zone.", field=f"{field}.startTimeIso"
        )


def _check_pomodoro(day: DayPlan, block: Block, field: str) -> None:
    if block.action_id is None or block.pomodoro_index is None:
        raise BadInput("A POMODORO needs an actionId and a pomodoroIndex.", field=field)
    todo = day.todo(block.action_id)
    if todo is None:
        raise NotInTodos(block.action_id, f"{field}.actionId")
    if not 1 <= block.pomodoro_index <= todo.estimated_pomodoros:
        raise BadInput(
            f"pomodoroIndex must be 1 to {todo.estimated_pomodoros}, the todo's estimate.",
            field=f"{field}.pomodoroIndex",
        )


def _check_ids(blocks: Sequence[Block]) -> None:
    if len({block.id for block in blocks}) < len(blocks):
        raise BadInput("Two blocks have the same id.", field="input.blocks")


def _check_indexes(blocks: Sequence[Block], before: Sequence[Block]) -> None:
    """Plans of earlier releases may have one twice; it stays until it is mended."""
    allowed = Counter(pomodoro for block in before if (pomodoro := block.pomodoro))
    seen: Counter[tuple[str, int]] = Counter()
    for index, block in enumerate(blocks):
        if block.pomodoro is None:
            continue
        seen[block.pomodoro] += 1
        if seen[block.pomodoro] > max(1, allowed[block.pomodoro]):
            raise BadInput(
                f"Pomodoro {block.pomodoro_index} of {block.action_id} is planned already. "
                "Send another pomodoroIndex.",
                field=f"input.blocks.{index}.pomodoroIndex",
            )


def _check_overlaps(blocks: Sequence[Block]) -> None:
    solid = sorted((each for each in blocks if each.block_type != BUFFER), key=lambda b: b.start)
    for first, second in pairwise(solid):
        if second.start < first.end:
            raise BlocksOverlap(first.id, second.id)


@dataclass(frozen=True, slots=True)
class DayBounds:
    """From the start of a user's day to the start of the next: 23, 24 or 25 hours."""

    begin: datetime
    end: datetime
    zone: str


def day_bounds(on: date, zone: str, day_start_hour: int) -> DayBounds:
    start = time(day_start_hour)
    tomorrow = on + timedelta(days=1)
    return DayBounds(local_instant(on, start, zone), local_instant(tomorrow, start, zone), zone)


def warnings(
    day: DayPlan, within: DayBounds, live: Collection[str], done: Collection[str]
) -> list[str]:
    """What is allowed but perhaps not meant. Each begins with a stable word."""
    found = []
    for todo in day.todos:
        if todo.action_id not in live:
            found.append(f"ACTION_ARCHIVED: {todo.action_id} is not a live action any more.")
        elif todo.action_id in done and todo.completed_at is None:
            found.append(f"ACTION_DONE: {todo.action_id} was completed outside of this plan.")
        elif todo.completed_at and todo.action_id not in done:
            found.append(f"ACTION_REOPENED: {todo.action_id} is open again in your values.")
    for block in day.blocks:
        if not within.begin <= parse_instant(block.start) < within.end:
            found.append(f"OUTSIDE_DAY: block {block.id} starts on another day in {within.zone}.")
        elif parse_instant(block.end) > within.end:
            found.append(f"PAST_MIDNIGHT: block {block.id} goes on into the next day.")
    return found


def local_instant(on: date, at: time, zone: str) -> datetime:
    return datetime.combine(on, at, ZoneInfo(zone)).astimezone(UTC)


def with_unfinished(
    source: DayPlan, target: DayPlan, open_actions: Collection[str], skip: Collection[str]
) -> DayPlan:
    """The target and, after its own todos, those of the source whose actions are open."""
    have = {todo.action_id for todo in target.todos}
    left = [
        replace(todo, completed_at=None, version=0)
        for todo in source.todos
        if todo.action_id in open_actions
        and todo.action_id not in have
        and todo.action_id not in skip
    ]
    return replace(target, todos=(*target.todos, *left)) if left else target


def with_done(day: DayPlan, action_id: str, at: str) -> DayPlan:
    """The action done on that day, at the time that the values say. An action that was not planned
    is added as done."""
    if day.todo(action_id) is None:
        return replace(day, todos=(*day.todos, Todo(action_id=action_id, completed_at=at)))
    return _with_completed_at(day, action_id, at)


def with_open(day: DayPlan, action_id: str) -> DayPlan:
    """The action open again, if it is planned for that day."""
    return _with_completed_at(day, action_id, None)


def _with_completed_at(day: DayPlan, action_id: str, at: str | None) -> DayPlan:
    todos = tuple(
        replace(each, completed_at=at) if each.action_id == action_id else each
        for each in day.todos
    )
    return replace(day, todos=todos)
