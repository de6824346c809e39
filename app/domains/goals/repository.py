"""Lists of goals, tasks and projects."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from app.core.errors import LimitExceeded
from app.core.record import Node
from app.domains.goals import keys
from app.domains.goals.keys import GOAL, PROJECT, TASK
from app.domains.goals.rules.filters import (
    GoalListFilter,
    ProjectListFilter,
    TaskListFilter,
    due_search_range,
)
from app.domains.goals.rules.sorting import SortOrder
from app.domains.goals.types import OPEN_TASK_STATUSES, Goal, GoalChild, Project, Task, TaskStatus
from app.table.entity import Key, R, RangeQuery
from app.table.gateway import Gateway, PageReader, Position, Rows

N = TypeVar("N", bound=Node)
# A cursor into all lists but the first: see `read_across`.
REST = "rest"
# Records that are read to sort or count them.
MOST_SORTED = 5_000


@dataclass(frozen=True, slots=True)
class Listing(Generic[N]):
    """`rows`: items of an index, links, or the records themselves. `record_key`: the record of a
    row, None to skip the row. `matches`: whether the record belongs to the list.

    A row of an index or a link may be outdated: the record itself is read and decides.
    """

    rows: RangeQuery[Any]
    record_key: Callable[[Any], Key[N] | None]
    matches: Callable[[N], bool]


class GoalsRepository:
    def __init__(self, table: Gateway, user_id: str) -> None:
        self.table = table
        self.user_id = user_id

    # Reading a listing.

    async def page(self, listing: Listing[N], *, limit: int, start: Position | None) -> Rows[N]:
        rows, records = self._rows_to_read(listing), partial(self._records, listing)
        return await self.table.query_through(rows, records, limit=limit, start=start)

    def _rows_to_read(self, listing: Listing[N]) -> RangeQuery[Any]:
        rows = listing.rows
        is_of_records = rows.entity in (GOAL, TASK, PROJECT)
        return rows.keys_only() if is_of_records and rows.index is not None else rows

    async def _records(self, listing: Listing[N], rows: Sequence[Any]) -> list[N | None]:
        """The record of each row, if it belongs to the list."""
        records: list[N | None] = [*rows]
        if listing.rows.entity not in (GOAL, TASK, PROJECT) or listing.rows.index is not None:
            keys_of_rows = [listing.record_key(row) for row in rows]
            found = iter(await self.table.load_many(key for key in keys_of_rows if key))
            records = [next(found) if key else None for key in keys_of_rows]
        return [each if each and listing.matches(each) else None for each in records]

    async def page_across(
        self, listings: Sequence[Listing[N]], *, limit: int, start: Position | None
    ) -> Rows[N]:
        """Several listings, one after another, as one list."""
        readers = [partial(self.page, each) for each in listings]
        return await read_across(readers, limit=limit, start=start)

    async def sorted_page(
        self,
        listings: Sequence[Listing[N]],
        order: SortOrder[N],
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[N]:
        """For an order that no index has: reads the whole list for each page."""
        items, cursor = order.page(await self.read_bounded(listings), limit=limit, start=start)
        return Rows(items, cursor)

    async def read_bounded(self, listings: Sequence[Listing[N]]) -> list[N]:
        found = await self._read_up_to(listings, MOST_SORTED)
        if found is None:
            raise LimitExceeded(
                f"This needs a list of at most {MOST_SORTED:,} records. Narrow it by status, area, "
                "goal, project or dates, or ask for the order CREATED."
            )
        return found

    async def count(self, listings: Sequence[Listing[N]]) -> int | None:
        found = await self._read_up_to(listings, MOST_SORTED)
        return None if found is None else len(found)

    async def _read_up_to(self, listings: Sequence[Listing[N]], most: int) -> list[N] | None:
        """All matches; None if more than `most` rows would have to be read for them."""
        found: list[N] = []
        for listing in listings:
            rows = await self.table.query(self._rows_to_read(listing), limit=most)
            most -= len(rows.items)
            if rows.next or most < 0:
                return None
            records = await self._records(listing, rows.items)
            found += [each for each in records if each is not None]
        return found

    async def read_all(self, listing: Listing[N]) -> list[N]:
        found: list[N] = []
        start: Position | None = None
        while True:
            rows = await self.page(listing, limit=100, start=start)
            found += rows.items
            start = rows.next
            if start is None:
                return found

    # Listings.

    def tasks(self, filter: TaskListFilter) -> list[Listing[Task]]:
        found = replace(self._task_rows(filter), newest_first=filter.newest_first)
        rows = self._in_both_releases(found, filter.area)
        return [Listing(each, self._task_key, filter.matches) for each in rows]

    def tasks_in_any_order(self, filter: TaskListFilter) -> list[Listing[Task]]:
        """To sort or count them: of some statuses, only those are read."""
        rows, statuses = self._task_rows(filter), filter.possible_statuses
        is_narrowed = rows != keys.tasks_of_user(self.user_id)
        if is_narrowed or len(statuses) == len(TaskStatus):
            return self.tasks(filter)
        return [
            listing for each in statuses for listing in self.tasks(replace(filter, status=each))
        ]

    def goals(self, filter: GoalListFilter) -> list[Listing[Goal]]:
        found = replace(self._goal_rows(filter), newest_first=filter.newest_first)
        rows = self._in_both_releases(found, filter.area)
        return [Listing(each, self._goal_key, filter.matches) for each in rows]

    def projects(self, filter: ProjectListFilter) -> list[Listing[Project]]:
        found = replace(self._project_rows(filter), newest_first=filter.newest_first)
        rows = self._in_both_releases(found, filter.area)
        return [Listing(each, self._project_key, filter.matches) for each in rows]

    def records_of_area(self, area: str) -> list[PageReader[Node]]:
        """All kinds of records, as the index has them."""
        rows = self._in_both_releases(keys.records_of_area(self.user_id, area), area)
        return [partial(self.table.query, each) for each in rows]

    def _in_both_releases(self, rows: RangeQuery[R], area: str | None) -> list[RangeQuery[R]]:
        """Rows of a life area, and those that a server of release 0.1 has written: until they are
        migrated, they are in a partition of their own unless the name has small letters only."""
        if area is None or rows.pk != keys.records_of_area(self.user_id, area).pk:
            return [rows]
        earlier = replace(rows, pk=keys.area_as_spelt(self.user_id, area))
        return [rows] if earlier == rows else [rows, earlier]

    def tasks_of_goal(self, goal_id: str) -> Listing[Task]:
        return Listing(
            keys.tasks_of_goal(goal_id), self._task_key, lambda task: goal_id in task.goal_ids
        )

    def tasks_of_project(self, project_id: str) -> Listing[Task]:
        return Listing(
            keys.tasks_of_project(project_id),
            self._task_key,
            lambda task: project_id in task.project_ids,
        )

    def tasks_of_goal_by_due(self, goal: Goal) -> list[Listing[Task]]:
        all_tasks = self.tasks_of_goal(goal.id)
        return self._by_due(all_tasks, keys.tasks_of_goal_by_due(goal.id), goal.tasks_in_order)

    def tasks_of_project_by_due(self, project: Project) -> list[Listing[Task]]:
        all_tasks = self.tasks_of_project(project.id)
        in_order = keys.tasks_of_project_by_due(project.id)
        return self._by_due(all_tasks, in_order, project.tasks_in_order)

    def _by_due(
        self, all_tasks: Listing[Task], in_order: RangeQuery[Any], all_have_due: bool
    ) -> list[Listing[Task]]:
        """Links with `due` in its order, then the links that were written before it existed."""

        def key_without_due(link: Any) -> Key[Task] | None:
            return self._task_key(link) if link.due is None else None

        ordered = replace(all_tasks, rows=in_order)
        if all_have_due:
            return [ordered]
        return [ordered, replace(all_tasks, record_key=key_without_due)]

    def children_of_goal(self, goal_id: str) -> Listing[Goal]:
        return Listing(
            keys.children_of_goal(goal_id),
            self._goal_key,
            lambda goal: goal.parent_goal_id == goal_id,
        )

    def projects_of_goal(self, goal_id: str) -> Listing[Project]:
        return Listing(
            keys.projects_of_goal(goal_id),
            self._project_key,
            lambda project: goal_id in project.goal_ids,
        )

    # The key that leaves the fewest rows to be filtered out.

    def _task_rows(self, filter: TaskListFilter) -> RangeQuery[Any]:
        if filter.goal_id is not None:
            return keys.tasks_of_goal(filter.goal_id)
        if filter.project_id is not None:
            return keys.tasks_of_project(filter.project_id)
        if filter.tag is not None and not filter.has_due:
            return keys.tasks_by_tag(self.user_id, filter.tag)
        if filter.is_by_due:
            return keys.tasks_by_due(self.user_id, *due_search_range(filter))
        if len(statuses := filter.possible_statuses) == 1:
            return keys.tasks_by_status(self.user_id, statuses[0].value)
        if filter.area is not None:
            return keys.tasks_by_area(self.user_id, filter.area)
        return keys.tasks_of_user(self.user_id)

    def _goal_rows(self, filter: GoalListFilter) -> RangeQuery[Any]:
        if filter.parent_goal_id is not None:
            return keys.children_of_goal(filter.parent_goal_id)
        if filter.tag is not None:
            return keys.goals_by_tag(self.user_id, filter.tag)
        if filter.status is not None:
            return keys.goals_by_status(self.user_id, filter.status.value)
        if filter.area is not None:
            return keys.goals_by_area(self.user_id, filter.area)
        if filter.time_horizon is not None:
            return keys.goals_by_horizon(self.user_id, filter.time_horizon.value)
        return keys.goals_of_user(self.user_id)

    def _project_rows(self, filter: ProjectListFilter) -> RangeQuery[Any]:
        if filter.goal_id is not None:
            return keys.projects_of_goal(filter.goal_id)
        if filter.status is not None:
            return keys.projects_by_status(self.user_id, filter.status.value)
        if filter.area is not None:
            return keys.projects_by_area(self.user_id, filter.area)
        return keys.projects_of_user(self.user_id)

    # The record of a row: the row itself, or the end of a link.

    def _task_key(self, row: Any) -> Key[Task]:
        return keys.task(self.user_id, row.id if isinstance(row, Task) else row.task_id)

    def _goal_key(self, row: Any) -> Key[Goal]:
        if isinstance(row, GoalChild):
            return keys.goal(self.user_id, row.child_id)
        return keys.goal(self.user_id, row.id if isinstance(row, Goal) else row.goal_id)

    def _project_key(self, row: Any) -> Key[Project]:
        return keys.project(self.user_id, row.id if isinstance(row, Project) else row.project_id)

    async def open_tasks(self, *, most: int) -> list[Task]:
        found: list[Task] = []
        for status in OPEN_TASK_STATUSES:
            query = keys.tasks_by_status(self.user_id, status.value)
            found += (await self.table.query(query, limit=most - len(found))).items
            if len(found) >= most:
                break
        return found


async def read_across(
    readers: Sequence[PageReader[R]], *, limit: int, start: Position | None
) -> Rows[R]:
    """Several lists, one after another, as one list."""
    first, *others = readers
    if not others:
        return await first(limit=limit, start=start)
    found: list[R] = []
    if start is None or REST not in start:
        rows = await first(limit=limit, start=start)
        found, start = rows.items, {REST: None}
        if rows.next or len(found) == limit:
            return Rows(found, rows.next or start)
    rest = await read_across(others, limit=limit - len(found), start=start[REST])
    return Rows([*found, *rest.items], {REST: rest.next} if rest.next else None)


async def tasks_due_on(
    table: Gateway, due_day: str, since: str, until: str, shard: str | None
) -> AsyncIterator[Task]:
    """Tasks of all users. The index also holds due records of other domains."""
    async for each in table.query_all(keys.records_due_on(due_day, since, until, shard)):
        if isinstance(each, Task):
            yield each
