"""Upgrades: attributes of old records that are computed, where a default is not enough."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from app.core.caller import acting_for
from app.core.record import Record
from app.domains.goals.service.migrations import (
    add_due_to_task_links,
    separate_criterion_metrics,
)
from app.domains.goals.types import Goal, Project
from app.domains.people.service.nicknames import lock_skeletons
from app.domains.people.types import User
from app.domains.quests.rules.submissions import needs_submissions
from app.domains.quests.service.upgrades import bind_attestations, date_tag, place_seat
from app.domains.quests.types import Quest, QuestSeat, QuestTag
from app.domains.tracking.rules.days import has_day_values
from app.domains.tracking.rules.habit_records import needs_limit
from app.domains.tracking.types import Habit, Metric
from app.resources import Resources
from app.services import Services

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Upgrade:
    """`apply` must be safe to repeat on the same record. `name` is part of the stored progress: a
    release with other upgrades starts its migration from the beginning."""

    name: str
    cls: type[Record]
    is_needed: Callable[[Any], bool]
    apply: Callable[[Resources, Any], Awaitable[Any]]


async def check_milestones(resources: Resources, metric: Metric) -> Metric:
    return await Services(resources, acting_for(metric.user_id)).metric_repairs.repair(metric)


async def honour_limit(resources: Resources, habit: Habit) -> Habit:
    return await Services(resources, acting_for(habit.user_id)).habits.with_limit(habit)


UPGRADES = (
    Upgrade(
        "tasks of goals in order",
        Goal,
        lambda goal: not goal.tasks_in_order,
        add_due_to_task_links,
    ),
    Upgrade(
        "tasks of projects in order",
        Project,
        lambda project: not project.tasks_in_order,
        add_due_to_task_links,
    ),
    Upgrade(
        "metrics of criteria",
        Goal,
        lambda goal: (
            not goal.criteria_apart and any(each.linked_metric_id for each in goal.success_criteria)
        ),
        separate_criterion_metrics,
    ),
    Upgrade("tags of quests by age", QuestTag, lambda tag: not tag.dated, date_tag),
    Upgrade("seats of teams by change", QuestSeat, lambda seat: not seat.placed, place_seat),
    Upgrade("skeletons of nicknames", User, lambda user: not user.skeleton_locked, lock_skeletons),
    Upgrade("attestations by submission", Quest, needs_submissions, bind_attestations),
    Upgrade("habits to reduce by their limit", Habit, needs_limit, honour_limit),
    Upgrade(
        "milestones by the value of a day",
        Metric,
        lambda metric: has_day_values(metric.aggregation) and not metric.milestones_by_day,
        check_milestones,
    ),
)


def needed_upgrades(record: Record, upgrades: tuple[Upgrade, ...] = UPGRADES) -> list[Upgrade]:
    return [each for each in upgrades if isinstance(record, each.cls) and each.is_needed(record)]


async def upgrade(resources: Resources, record: R, upgrades: tuple[Upgrade, ...] = UPGRADES) -> R:
    """The record with its needed upgrades. Its version rises: a server that has read the record
    before must not write the old value back."""
    new = record
    for each in needed_upgrades(record, upgrades):
        new = await each.apply(resources, new)
    return new if new == record else replace(new, version=record.version + 1)
