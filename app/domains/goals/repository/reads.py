"""The reads about goals, tasks and projects."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from app.core.record import Node
from app.domains.goals import keys
from app.domains.goals.keys import GOAL, PROJECT, TASK
from app.domains.goals.repository.wanted import WantedGoals, WantedProjects, WantedTasks
from app.domains.goals.rules.states import OPEN_TASKS
from app.domains.goals.types import (
    Goal,
    GoalActivity,
    GoalStatus,
    Milestone,
    Project,
    ProjectStatus,
    Removal,
    Structure,
    Task,
    TaskStatus,
)
from app.table.entity import WHOLE, Fields, Key, Query
from app.table.gateway import Gateway, Position, Rows

N = TypeVar("N", bound=Node)
REST = "rest"


@dataclass(frozen=True, slots=True)
class Listing(Generic[N]):
    """A list: the rows to read, the record behind each (None: not this row), and which of those to
    keep.

    A row of an index or a link may be behind the times: the record itself decides.
    """

    rows: Query[Any]
    key: Callable[[Any], Key[N] | None]
    keeps: Callable[[N], bool]
    without: Fields = WHOLE


class GoalsRepository:
    def __init__(self, table: Gateway, user_id: str) -> None:
        self.table = table
        self.user_id = user_id

    # One record, or several by their ids: null for those that are not there.

    async def goal(self, goal_id: str, without: Fields = WHOLE) -> Goal | None:
        return await self.table.load(keys.goal(self.user_id, goal_id).without(without))

    async def task(self, task_id: str, without: Fields = WHOLE) -> Task | None:
        return await self.table.load(keys.task(self.user_id, task_id).without(without))

    async def project(self, project_id: str, without: Fields = WHOLE) -> Project | None:
        return await self.table.load(keys.project(self.user_id, project_id).without(without))

    async def milestone(self, goal_id: str, milestone_id: str) -> Milestone | None:
        return await self.table.load(keys.milestone(self.user_id, goal_id, milestone_id))

    async def goals_by_ids(self, ids: Iterable[str]) -> list[Goal | None]:
        return await self.table.load_many(keys.goal(self.user_id, each) for each in ids)

    async def tasks_by_ids(self, ids: Iterable[str]) -> list[Task | None]:
        return await self.table.load_many(keys.task(self.user_id, each) for each in ids)

    async def projects_by_ids(self, ids: Iterable[str]) -> list[Project | None]:
        return await self.table.load_many(keys.project(self.user_id, each) for each in ids)

    async def structure(self, kind: str) -> Structure | None:
        return await self.table.get(keys.structure(self.user_id, kind))

    # Lists.

    async def page(self, listing: Listing[N], *, limit: int, start: Position | None) -> Rows[N]:
        async def follow(rows: list[Any]) -> Sequence[N | None]:
            wanted = [listing.key(row) for row in rows]
            asked = [key.without(listing.without) for key in wanted if key]
            found = iter(await self.table.load_many(asked))
            behind = [next(found) if key else None for key in wanted]
            return [each if each is not None and listing.keeps(each) else None for each in behind]

        async def choose(rows: list[N]) -> Sequence[N | None]:
            return [each if listing.keeps(each) else None for each in rows]

        rows = listing.rows
        if rows.entity not in (GOAL, TASK, PROJECT):
            return await self.table.query_through(rows, follow, limit=limit, start=start)
        if rows.index is not None:
            rows = rows.keys_only()
            return await self.table.query_through(rows, follow, limit=limit, start=start)
        rows = rows.without(listing.without)
        return await self.table.query_through(rows, choose, limit=limit, start=start)

    async def page_of_all(
        self, listings: Sequence[Listing[N]], *, limit: int, start: Position | None
    ) -> Rows[N]:
        """One list after another, as one."""
        first, *others = listings
        if not others:
            return await self.page(first, limit=limit, start=start)
        found: list[N] = []
        if start is None or REST not in start:
            rows = await self.page(first, limit=limit, start=start)
            found, start = rows.items, {REST: None}
            if rows.next or len(found) == limit:
                return Rows(found, rows.next or start)
        rest = await self.page_of_all(others, limit=limit - len(found), start=start[REST])
        return Rows([*found, *rest.items], {REST: rest.next} if rest.next else None)

    def tasks(self, wanted: WantedTasks) -> Listing[Task]:
        rows = wanted.query(self.user_id)
        return Listing(rows, self._task_behind, wanted.keeps, wanted.without)

    def goals(self, wanted: WantedGoals) -> Listing[Goal]:
        rows = wanted.query(self.user_id)
        return Listing(rows, self._goal_behind, wanted.keeps, wanted.without)

    def projects(self, wanted: WantedProjects) -> Listing[Project]:
        rows = wanted.query(self.user_id)
        return Listing(rows, self._project_behind, wanted.keeps, wanted.without)

    def tasks_of_goal(self, goal_id: str) -> Listing[Task]:
        return Listing(
            keys.tasks_of_goal(goal_id), self._task_behind, lambda task: goal_id in task.goal_ids
        )

    def tasks_of_project(self, project_id: str) -> Listing[Task]:
        return Listing(
            keys.tasks_of_project(project_id),
            self._task_behind,
            lambda task: project_id in task.project_ids,
        )

    def tasks_of_goal_by_due(self, goal: Goal) -> list[Listing[Task]]:
        whole = self.tasks_of_goal(goal.id)
        return self._by_due(whole, keys.tasks_of_goal_by_due(goal.id), goal.tasks_in_order)

    def tasks_of_project_by_due(self, project: Project) -> list[Listing[Task]]:
        whole = self.tasks_of_project(project.id)
        return self._by_due(whole, keys.tasks_of_project_by_due(project.id), project.tasks_in_order)

    def _by_due(
        self, whole: Listing[Task], in_order: Query[Any], has_only_such: bool
    ) -> list[Listing[Task]]:
        """Those with a place in the order, then the links that are older than it."""

        def older(link: Any) -> Key[Task] | None:
            return self._task_behind(link) if link.due is None else None

        ordered = replace(whole, rows=in_order)
        return [ordered] if has_only_such else [ordered, replace(whole, key=older)]

    def children_of_goal(self, goal_id: str) -> Listing[Goal]:
        return Listing(
            keys.children_of_goal(goal_id),
            lambda link: keys.goal(self.user_id, link.child_id),
            lambda goal: goal.parent_goal_id == goal_id,
        )

    def projects_of_goal(self, goal_id: str) -> Listing[Project]:
        return Listing(
            keys.projects_of_goal(goal_id),
            self._project_behind,
            lambda project: goal_id in project.goal_ids,
        )

    def _task_behind(self, row: Any) -> Key[Task]:
        return keys.task(self.user_id, row.id if isinstance(row, Task) else row.task_id)

    def _goal_behind(self, row: Any) -> Key[Goal]:
        return keys.goal(self.user_id, row.id if isinstance(row, Goal) else row.goal_id)

    def _project_behind(self, row: Any) -> Key[Project]:
        return keys.project(self.user_id, row.id if isinstance(row, Project) else row.project_id)

    async def all_of(self, listing: Listing[N]) -> list[N]:
        found: list[N] = []
        start: Position | None = None
        while True:
            rows = await self.page(listing, limit=100, start=start)
            found += rows.items
            start = rows.next
            if start is None:
                return found

    async def all_goals(self) -> list[Goal]:
        return [each async for each in self.table.query_all(keys.goals_of_user(self.user_id))]

    async def activity_of_goal(
        self, goal: Goal, *, limit: int, start: Position | None
    ) -> Rows[GoalActivity]:
        """For its owner alone, also if it is shared: it names tasks and projects."""
        if goal.user_id != self.user_id:
            return Rows([])
        return await self.table.query(keys.activity_of_goal(goal.id), limit=limit, start=start)

    async def milestones_of_goal(self, goal_id: str) -> list[Milestone]:
        query = keys.milestones_of_goal(self.user_id, goal_id)
        return [each async for each in self.table.query_all(query)]

    async def all_milestones(self) -> list[Milestone]:
        return [each async for each in self.table.query_all(keys.milestones_of_user(self.user_id))]

    async def things_of_area(self, area: str, *, limit: int, start: Position | None) -> Rows[Node]:
        query = keys.things_of_area(self.user_id, area)
        return await self.table.query(query, limit=limit, start=start)

    async def agenda(
        self, since: str | None, until: str, *, most: int, newest_first: bool = False
    ) -> list[Task]:
        query = keys.agenda(self.user_id, since, until, newest_first)
        return (await self.table.query(query, limit=most)).items

    async def done_between(self, since: str, until: str, *, most: int) -> list[Task]:
        query = keys.done_between(self.user_id, since, until)
        return (await self.table.query(query, limit=most)).items

    async def tasks_of_status(self, status: TaskStatus, *, most: int) -> list[Task]:
        query = keys.tasks_by_status(self.user_id, status.value)
        return (await self.table.query(query, limit=most)).items

    async def open_tasks(self, *, most: int) -> list[Task]:
        found: list[Task] = []
        for status in OPEN_TASKS:
            found += await self.tasks_of_status(status, most=most - len(found))
            if len(found) >= most:
                break
        return found

    async def goals_of_status(self, status: GoalStatus, *, most: int) -> list[Goal]:
        query = keys.goals_by_status(self.user_id, status.value)
        return (await self.table.query(query, limit=most)).items

    async def projects_of_status(self, status: ProjectStatus, *, most: int) -> list[Project]:
        query = keys.projects_by_status(self.user_id, status.value)
        return (await self.table.query(query, limit=most)).items


async def tasks_due_on(
    table: Gateway, due_day: str, since: str, until: str, shard: str | None
) -> AsyncIterator[Task]:
    """Of everyone, for background work; the day also holds what other domains have due."""
    async for each in table.query_all(keys.due_on(due_day, since, until, shard)):
        if isinstance(each, Task):
            yield each


async def unfinished_removals(table: Gateway, *, most: int) -> list[Removal]:
    return (await table.query(keys.unfinished_removals(), limit=most)).items
