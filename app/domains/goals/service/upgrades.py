"""What records from before have to catch up with."""

from dataclasses import replace
from typing import Any, TypeVar

from app.core.errors import Conflict
from app.domains.goals import keys
from app.domains.goals.repository import GoalsRepository
from app.domains.goals.service.ripples import place_of
from app.domains.goals.types import Goal, Project
from app.resources import Resources
from app.table.conditions import attr, present
from app.table.entity import Query
from app.table.writes import Put

T = TypeVar("T", Goal, Project)


async def order_tasks(resources: Resources, record: T) -> T:
    """Every link to one of its tasks gets its place among them."""
    table, tasks = resources.table, GoalsRepository(resources.table, record.user_id)
    of = keys.tasks_of_goal if isinstance(record, Goal) else keys.tasks_of_project
    run: Query[Any] = of(record.id)
    async for link in table.query_all(run):
        if link.due is None:
            placed = replace(link, due=place_of(await tasks.task(link.task_id)))
            unplaced = present() & attr("due").absent()
            try:
                await table.write(Put(placed, when=unplaced, otherwise=Conflict("It has moved.")))
            except Conflict:
                continue  # its task was moved or unlinked meanwhile, which placed it
    return replace(record, tasks_in_order=True)
