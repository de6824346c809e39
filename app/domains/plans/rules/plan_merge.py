"""Three-way merge of a day's plan, field by field, from the plan that the client has seen.

`ours` is what the caller wants to commit, `theirs` what is at the head. Whether a todo is done is
no part of it: the plan at the head follows the values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import strawberry

from app.domains.plans.errors import Clash
from app.domains.plans.rules.plan_commits import Planned
from app.domains.plans.rules.three_way import EXISTS, Choices, Decisions, merge_orders
from app.domains.plans.types import Block, DayPlan, MergeSide, PlanConflict, Todo

TODO, BLOCK, WHOLE_DAY = "todo#", "block#", ""
Fields = Mapping[str, tuple[str, ...]]
TODO_FIELDS: Fields = {
    "classification": ("classification",),
    "estimatedPomodoros": ("estimated_pomodoros",),
    "notes": ("notes",),
}
BLOCK_FIELDS: Fields = {
    "blockType": ("block_type",),
    "time": ("start", "end"),
    "title": ("title",),
    "pomodoro": ("action_id", "pomodoro_index"),
}


def merge_days(
    base: DayPlan, ours: DayPlan, theirs: DayPlan, choices: Choices
) -> tuple[DayPlan, list[Clash]]:
    """The merged day, unchecked, and what could not be decided."""
    decisions = Decisions(choices)
    days = (base, ours, theirs)
    by_action = [{each.action_id: each for each in day.todos} for day in days]
    by_id = [{each.id: each for each in day.blocks} for day in days]
    todos = _merge_all(decisions, TODO, by_action, TODO_FIELDS)
    blocks = _merge_all(decisions, BLOCK, by_id, BLOCK_FIELDS)
    order = merge_orders(decisions, WHOLE_DAY, [[*each] for each in by_action], todos)
    merged = DayPlan(tuple(todos[each] for each in order), tuple(blocks.values()))
    return merged, decisions.clashes


def _merge_all(
    decisions: Decisions, kind: str, sides: Sequence[Mapping[str, Planned]], fields: Fields
) -> dict[str, Planned]:
    base, ours, theirs = sides
    found = {
        id: _merge_one(decisions, kind + id, (base.get(id), ours.get(id), theirs.get(id)), fields)
        for id in {**theirs, **ours}
    }
    return {id: each for id, each in found.items() if each is not None}


def _merge_one(
    decisions: Decisions,
    thing: str,
    sides: tuple[Planned | None, Planned | None, Planned | None],
    fields: Fields,
) -> Planned | None:
    _, ours, theirs = sides
    if ours is None or theirs is None:
        return _one_sided(decisions, thing, sides)
    changes: dict[str, object] = {}
    for field, attributes in fields.items():
        values = [_values(each, attributes) for each in sides]
        if decisions.choose(thing, field, *values) is MergeSide.OURS:
            changes |= {each: getattr(ours, each) for each in attributes}
    return replace(theirs, **changes)  # type: ignore[arg-type]


def _one_sided(
    decisions: Decisions,
    thing: str,
    sides: tuple[Planned | None, Planned | None, Planned | None],
) -> Planned | None:
    """One side has no such thing: it is new on the other, or this side removed it."""
    base, ours, theirs = sides
    present = ours or theirs
    if base is None:
        return present
    if present == base:
        return None
    side = decisions.ask(thing, EXISTS, True, ours is not None, theirs is not None)
    return ours if side is MergeSide.OURS else theirs


def _values(thing: Todo | Block | None, attributes: Sequence[str]) -> object:
    if thing is None:
        return None
    values = tuple(getattr(thing, each) for each in attributes)
    return values[0] if len(values) == 1 else values


def plan_conflict(clash: Clash) -> PlanConflict:
    """A clash as the client sees it."""
    kind, _, id = clash.node.partition("#")
    return PlanConflict(
        action_id=strawberry.ID(id) if kind == "todo" else None,
        block_id=strawberry.ID(id) if kind == "block" else None,
        field=clash.field,
        base=clash.base,
        ours=clash.ours,
        theirs=clash.theirs,
    )
