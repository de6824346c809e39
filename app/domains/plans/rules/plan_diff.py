"""What differs between two revisions of a day's plan."""

from collections.abc import Mapping
from dataclasses import dataclass

import strawberry

from app.domains.plans.types import BlockChange, DailyPlan, DayPlan, PlanDiff, TodoChange


@dataclass(frozen=True, slots=True)
class DayDiff:
    """Ids of the actions and blocks that are new, gone or changed."""

    todos: list[str]
    blocks: list[str]
    reordered: bool


def diff_days(old: DayPlan, new: DayPlan) -> DayDiff:
    before = {each.action_id: each for each in old.todos}
    after = {each.action_id: each for each in new.todos}
    shared = [each for each in before if each in after]
    return DayDiff(
        _changed(before, after),
        _changed({each.id: each for each in old.blocks}, {each.id: each for each in new.blocks}),
        reordered=shared != [each for each in after if each in before],
    )


def _changed(old: Mapping[str, object], new: Mapping[str, object]) -> list[str]:
    return [each for each in dict.fromkeys([*old, *new]) if old.get(each) != new.get(each)]


def plan_diff(old: DailyPlan, new: DailyPlan) -> PlanDiff:
    """The differences with the todos and blocks concerned."""
    found = diff_days(old.to_day(), new.to_day())
    return PlanDiff(
        from_=old.revision,
        to=new.revision,
        todos=[_todo_change(old, new, strawberry.ID(each)) for each in found.todos],
        blocks=[_block_change(old, new, strawberry.ID(each)) for each in found.blocks],
        reordered=found.reordered,
    )


def _todo_change(old: DailyPlan, new: DailyPlan, action_id: strawberry.ID) -> TodoChange:
    before, after = (
        next((each for each in plan.todos if each.action_id == action_id), None)
        for plan in (old, new)
    )
    return TodoChange(action_id=action_id, before=before, after=after)


def _block_change(old: DailyPlan, new: DailyPlan, block_id: strawberry.ID) -> BlockChange:
    before, after = (
        next((each for each in plan.blocks if each.id == block_id), None) for plan in (old, new)
    )
    return BlockChange(block_id=block_id, before=before, after=after)
