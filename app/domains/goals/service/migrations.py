"""Migrations of stored records of this domain."""

from dataclasses import replace
from typing import Any, TypeVar

from app.core.errors import Conflict
from app.domains.goals import keys
from app.domains.goals.rules.task_effects import link_due
from app.domains.goals.types import Goal, Project
from app.resources import Resources
from app.table.conditions import attr, present
from app.table.entity import RangeQuery
from app.table.writes import Put

T = TypeVar("T", Goal, Project)


async def add_due_to_task_links(resources: Resources, record: T) -> T:
    """Every link to a task of the goal or project gets its place by due moment."""
    table = resources.table
    links_of = keys.tasks_of_goal if isinstance(record, Goal) else keys.tasks_of_project
    query: RangeQuery[Any] = links_of(record.id)
    async for link in table.query_all(query):
        if link.due is None:
            task = await table.load(keys.task(record.user_id, link.task_id))
            placed = replace(link, due=link_due(task))
            has_no_due = present() & attr("due").absent()
            try:
                await table.write(Put(placed, when=has_no_due, otherwise=Conflict("It has moved.")))
            except Conflict:
                continue  # The task was changed or unlinked meanwhile, which wrote the link.
    return replace(record, tasks_in_order=True)
