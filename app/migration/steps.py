"""What a new attribute of old records is, where no default will do: it is worked out."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from app.core.record import Record
from app.domains.goals.service.upgrades import order_tasks
from app.domains.goals.types import Goal, Project
from app.domains.quests.service.upgrades import date_tag, place_seat
from app.domains.quests.types import QuestSeat, QuestTag
from app.resources import Resources

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Step:
    """`fill` may be asked again for a record that it has been asked for. Its name stands in the
    progress: a migration that knows other steps begins anew."""

    name: str
    cls: type[Record]
    lacks: Callable[[Any], bool]
    fill: Callable[[Resources, Any], Awaitable[Any]]


STEPS = (
    Step("tasks of goals in order", Goal, lambda goal: not goal.tasks_in_order, order_tasks),
    Step("tasks of projects in order", Project, lambda each: not each.tasks_in_order, order_tasks),
    Step("tags of quests by age", QuestTag, lambda tag: not tag.dated, date_tag),
    Step("seats of teams by change", QuestSeat, lambda seat: not seat.placed, place_seat),
)


def missing(record: Record, steps: tuple[Step, ...] = STEPS) -> list[Step]:
    return [step for step in steps if isinstance(record, step.cls) and step.lacks(record)]


async def upgraded(resources: Resources, record: R, steps: tuple[Step, ...] = STEPS) -> R:
    """A new version: who has read the record before and changes it now shall notice."""
    new = record
    for step in missing(record, steps):
        new = await step.fill(resources, new)
    return new if new == record else replace(new, version=record.version + 1)
