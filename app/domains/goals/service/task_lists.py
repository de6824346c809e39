"""Lists and counts of tasks."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from app.core.clock import instant, parse_instant
from app.core.errors import BadInput
from app.domains.goals import keys
from app.domains.goals.repository import Listing
from app.domains.goals.rules.filters import TaskListFilter, with_due_range
from app.domains.goals.rules.grouping import count_tasks
from app.domains.goals.rules.orders import task_value
from app.domains.goals.rules.sorting import SortOrder
from app.domains.goals.rules.task_changes import with_current_due
from app.domains.goals.rules.urgency import urgency
from app.domains.goals.service.base import GoalsService
from app.domains.goals.types import Goal, Project, Task, TaskCounts, TaskGrouping, TaskOrder
from app.table.gateway import PageReader, Position, Rows

MOST_RANKED = 1_000
# In a cursor: the moment for which urgency was computed, the same for all pages.
AT = "at"


class TaskLists(GoalsService):
    async def task(self, task_id: str) -> Task | None:
        # Both are sent in one BatchGetItem.
        found, calendar = await asyncio.gather(
            self.table.load(keys.task(self.caller.user_id, task_id)), self.calendar()
        )
        return with_current_due(found, calendar) if found else None

    async def tasks_by_ids(self, ids: Sequence[str]) -> list[Task]:
        found, calendar = await asyncio.gather(self.load_existing(keys.task, ids), self.calendar())
        return [with_current_due(each, calendar) for each in found]

    async def tasks(
        self,
        filter: TaskListFilter,
        *,
        order: TaskOrder = TaskOrder.CREATED,
        is_descending: bool = False,
        limit: int,
        start: Position | None,
    ) -> Rows[Task]:
        filter = await self._with_due_range(filter)
        if order is TaskOrder.CREATED:
            newest_first = is_descending or filter.newest_first
            listings = self.repository.tasks(replace(filter, newest_first=newest_first))
            return await self._page(listings, limit=limit, start=start)
        if order is TaskOrder.DUE and not (filter.goal_id or filter.project_id):
            listings = self._by_due(filter, latest_first=is_descending)
            return await self._page(listings, limit=limit, start=start)
        return await self._sorted_page(
            filter, order, is_descending=is_descending, limit=limit, start=start
        )

    def _by_due(self, filter: TaskListFilter, *, latest_first: bool) -> list[Listing[Task]]:
        """Tasks with a due date in its order, then those without one."""
        runs = (True,) if filter.is_by_due else (True, False)
        return [
            listing
            for has_due in runs
            for listing in self.repository.tasks(
                replace(filter, has_due=has_due, newest_first=latest_first and has_due)
            )
        ]

    async def _sorted_page(
        self,
        filter: TaskListFilter,
        order: TaskOrder,
        *,
        is_descending: bool,
        limit: int,
        start: Position | None,
    ) -> Rows[Task]:
        if order is TaskOrder.URGENCY:
            if filter.is_open is False:
                raise BadInput("The order URGENCY is for open tasks.", field="orderBy")
            filter = replace(filter, is_open=True)
        tasks = await self._read_bounded(filter)
        now = parse_instant(start[AT]) if start else self.resources.clock.now()
        sorting = SortOrder(task_value(order, now), is_descending)
        items, cursor = sorting.page(tasks, limit=limit, start=start)
        return Rows(items, cursor and {**cursor, AT: instant(now)})

    async def count(self, filter: TaskListFilter) -> int | None:
        """None if there are too many to count."""
        filter = await self._with_due_range(filter)
        return await self.repository.count(self.repository.tasks_in_any_order(filter))

    async def counts(self, filter: TaskListFilter, grouping: TaskGrouping) -> TaskCounts:
        tasks = await self._read_bounded(await self._with_due_range(filter))
        return count_tasks(tasks, grouping, await self.calendar())

    async def urgent_tasks(self, limit: int) -> list[Task]:
        """Ranks at most 1,000 open tasks."""
        found, calendar = await asyncio.gather(
            self.repository.open_tasks(most=MOST_RANKED), self.calendar()
        )
        now = self.resources.clock.now()
        current = [with_current_due(each, calendar) for each in found]
        return sorted(current, key=lambda each: (-urgency(each, now), each.id))[:limit]

    def of_goal(self, goal: Goal) -> PageReader[Task]:
        return partial(self._page, self.repository.tasks_of_goal_by_due(goal))

    def of_project(self, project: Project) -> PageReader[Task]:
        listings = self.repository.tasks_of_project_by_due(project)
        return partial(self._page, listings)

    async def _with_due_range(self, filter: TaskListFilter) -> TaskListFilter:
        if not (filter.due_after or filter.due_before):
            return filter
        return with_due_range(filter, await self.calendar())

    async def _page(
        self, listings: Sequence[Listing[Task]], *, limit: int, start: Position | None
    ) -> Rows[Task]:
        # At the same time, so that all lists of a request read the calendar once.
        rows, calendar = await asyncio.gather(
            self.repository.page_across(listings, limit=limit, start=start), self.calendar()
        )
        return Rows([with_current_due(each, calendar) for each in rows.items], rows.next)

    async def _read_bounded(self, filter: TaskListFilter) -> list[Task]:
        listings = self.repository.tasks_in_any_order(filter)
        found, calendar = await asyncio.gather(
            self.repository.read_bounded(listings), self.calendar()
        )
        return [with_current_due(each, calendar) for each in found]
