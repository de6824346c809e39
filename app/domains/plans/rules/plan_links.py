"""What a new tree means for the plans of the days on which actions were done."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.domains.plans.rules.day import with_done, with_open
from app.domains.plans.rules.tree import ACTION
from app.domains.plans.types import DayPlan, Tree, TreeItem


@dataclass(frozen=True, slots=True)
class CompletionChange:
    """An action that a day's plan is to show as done `at` that time, or as open again. If `day`
    was not stored, it is the day of `was_at`."""

    action_id: str
    day: str | None
    at: str | None = None
    was_at: str | None = None


def completion_changes(before: Tree, after: Tree) -> list[CompletionChange]:
    """For every action whose completion differs. One that is no longer in the tree stays in the
    plans as it was."""
    return [
        change
        for new in after.nodes.values()
        if new.node_type == ACTION and new is not (old := before.nodes.get(new.id))
        for change in _changes_of_action(old, new)
    ]


def _changes_of_action(old: TreeItem | None, new: TreeItem) -> Iterator[CompletionChange]:
    was_at = old.completed_at if old else None
    was_on = (old.completed_days if old else None) or ()
    days = (new.completed_days if new.completed_at else None) or ()
    if was_at and not was_on and not new.completed_at:
        yield CompletionChange(new.id, None, was_at=was_at)
    for day in was_on:
        if day not in days:
            yield CompletionChange(new.id, day, was_at=was_at)
    for day in days:
        if day not in was_on or was_at != new.completed_at:
            yield CompletionChange(new.id, day, at=new.completed_at)


def with_completions(day: DayPlan, changes: Sequence[CompletionChange]) -> DayPlan:
    for each in changes:
        day = with_done(day, each.action_id, each.at) if each.at else with_open(day, each.action_id)
    return day
