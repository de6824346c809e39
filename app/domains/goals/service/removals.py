"""Deleting goals, tasks and projects. The record is deleted together with a Removal that names the
remaining work: unlinking other records, in steps that can be repeated. The Removal goes last."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar

from app.core.record import Record
from app.domains.goals import keys
from app.domains.goals.inputs import DeleteGoalInput, DeleteProjectInput, DeleteTaskInput
from app.domains.goals.rules.activities import project_activity
from app.domains.goals.rules.criteria import linked_ids
from app.domains.goals.rules.dependencies import without_blocked_task, without_dependency
from app.domains.goals.rules.links import remove_link, without_goal
from app.domains.goals.service.base import GoalsService, put_or_retry
from app.domains.goals.service.goal_writer import GoalWriter
from app.domains.goals.service.hierarchy import Hierarchy
from app.domains.goals.service.project_writer import ProjectWriter
from app.domains.goals.service.task_effects import TaskEffects
from app.domains.goals.service.tracking_links import TrackingLinks
from app.domains.goals.types import (
    ActivityType,
    Goal,
    GoalChild,
    GoalHabit,
    GoalMetric,
    GoalProject,
    GoalTask,
    Project,
    ProjectTask,
    Removal,
    Task,
    TaskBlocks,
    TaskDependency,
)
from app.domains.service import Decision, expect_version, uses
from app.domains.tracking.service import Logbook
from app.domains.tracking.service.ports import SharedRecords
from app.resources import Resources
from app.table.entity import RangeQuery
from app.table.transaction import room_for
from app.table.writes import Delete, Put, Write, delete_if_unchanged

L = TypeVar("L", bound=Record)
# Unlinking takes up to three writes: the other record, and the link from either side.
LINKS_AT_ONCE = room_for(3)
REMOVALS_AT_ONCE = 25
OWNER = "OWNER"


class Removals(GoalsService):
    goal_writer = uses(GoalWriter)
    project_writer = uses(ProjectWriter)
    hierarchy = uses(Hierarchy)
    tracking_links = uses(TrackingLinks)
    logbook = uses(Logbook)
    shared_records = uses(SharedRecords)

    async def delete_task(self, request: DeleteTaskInput) -> Task:
        async def decide() -> Decision[Task]:
            task = await self.own_task(request.id)
            expect_version(request, task, "task")
            effects = TaskEffects(self.goal_writer, self.project_writer)
            effects.add(task, None)
            writes = [
                delete_if_unchanged(task, "task"),
                Put(Removal(**self.stamp(), kind="TASK", id=task.id)),
                *await self._join_neighbours(task),
                *await effects.to_writes(),
            ]
            return Decision(task, writes)

        task = await self.once(request, Task, decide)
        await self._finish_if_pending("TASK", task.id)
        return task

    async def delete_project(self, request: DeleteProjectInput) -> Project:
        async def decide() -> Decision[Project]:
            project = await self.own_project(request.id)
            expect_version(request, project, "project")
            goal_ids: list[str] = [*project.goal_ids]
            removal = Removal(**self.stamp(), kind="PROJECT", id=project.id, goal_ids=goal_ids)
            return Decision(project, [delete_if_unchanged(project, "project"), Put(removal)])

        project = await self.once(request, Project, decide)
        await self._finish_if_pending("PROJECT", project.id)
        return project

    async def delete_goal(self, request: DeleteGoalInput) -> Goal:
        async def decide() -> Decision[Goal]:
            goal = await self.own_goal(request.id)
            expect_version(request, goal, "goal")
            _, parent_writes = await self.hierarchy.change_parent(goal, None)
            criteria = goal.success_criteria
            removal = Removal(
                **self.stamp(),
                kind="GOAL",
                id=goal.id,
                parent_goal_id=goal.parent_goal_id,
                task_ids=sorted(linked_ids(criteria, "linked_task_id")),
                metric_ids=sorted(linked_ids(criteria, "linked_metric_id")),
            )
            return Decision(goal, [delete_if_unchanged(goal, "goal"), Put(removal), *parent_writes])

        goal = await self.once(request, Goal, decide)
        await self._finish_if_pending("GOAL", goal.id)
        return goal

    async def _finish_if_pending(self, kind: str, id: str) -> None:
        """A repeated request may come after its removal has ended and the id is in use again."""
        removal = await self.table.get(keys.removal(self.caller.user_id, kind, id))
        if removal is not None:
            await self.finish(removal)

    async def finish(self, removal: Removal) -> None:
        """All remaining work. It may be interrupted and repeated."""
        if removal.kind == "TASK":
            await self._unlink_task(removal)
        elif removal.kind == "PROJECT":
            await self._unlink_project(removal)
        else:
            await self._unlink_goal(removal)
        await self.shared_records.forget(removal.kind, removal.id)
        await self.logbook.remove_links(removal.kind, removal.id)
        await self._empty_partition(f"{removal.kind}#{removal.id}")
        await self.table.write(Delete(keys.removal(removal.user_id, removal.kind, removal.id)))

    async def _empty_partition(self, partition: str) -> None:
        found = [
            (item["PK"]["S"], item["SK"]["S"]) async for item in self.table.partition(partition)
        ]
        # The owner item was deleted with the record: one that is here belongs to a new record.
        await self.table.delete_many(each for each in found if each[1] != OWNER)

    # A deleted task: its occurrences and its dependencies.

    async def _join_neighbours(self, task: Task) -> list[Write]:
        """The occurrences before and after a deleted one become neighbours."""
        before, after = [
            await self.table.load(keys.task(self.caller.user_id, id)) if id else None
            for id in (task.previous_task_id, task.next_task_id)
        ]
        writes: list[Write] = []
        if before is not None and before.next_task_id == task.id:
            next_id = after.id if after else None
            writes.append(
                put_or_retry(before.evolve(self.now, next_task_id=next_id), before, "task")
            )
        if after is not None:
            previous_id = before.id if before else None
            writes.append(
                put_or_retry(after.evolve(self.now, previous_task_id=previous_id), after, "task")
            )
        return writes

    async def _unlink_task(self, removal: Removal) -> None:
        await self._delete_links(keys.blocked_by_task(removal.id), self._unblock_tasks)
        await self._delete_links(keys.dependencies_of_task(removal.id), self._forget_blocked)

    async def _unblock_tasks(self, links: Sequence[TaskBlocks]) -> list[Write]:
        writes: list[Write] = []
        tasks = await self.load_each(keys.task, [link.blocked_task_id for link in links])
        for link, task in zip(links, tasks, strict=True):
            if task is not None:
                new = without_dependency(task, link.task_id).evolve(self.now)
                writes.append(put_or_retry(new, task, "task"))
            writes += _delete_dependency(link.blocked_task_id, link.task_id)
        return writes

    async def _forget_blocked(self, links: Sequence[TaskDependency]) -> list[Write]:
        writes: list[Write] = []
        blockers = await self.load_each(keys.task, [link.depends_on_task_id for link in links])
        for link, blocker in zip(links, blockers, strict=True):
            if blocker is not None:
                new = without_blocked_task(blocker, link.task_id, self.now)
                writes.append(put_or_retry(new, blocker, "task"))
            writes += _delete_dependency(link.task_id, link.depends_on_task_id)
        return writes

    # A deleted project: its tasks and its goals.

    async def _unlink_project(self, removal: Removal) -> None:
        await self._delete_links(keys.tasks_of_project(removal.id), self._unlink_project_tasks)
        for goal_id in removal.goal_ids:
            await self.commit(partial(self._unlink_project_goal, goal_id, removal.id))

    async def _unlink_project_tasks(self, links: Sequence[ProjectTask]) -> list[Write]:
        writes: list[Write] = []
        tasks = await self.load_each(keys.task, [link.task_id for link in links])
        for link, task in zip(links, tasks, strict=True):
            writes.append(Delete(keys.project_task(link.project_id, link.task_id)))
            if task is not None:
                ids = remove_link(task.project_ids, link.project_id)
                new = task.evolve(self.now, project_ids=ids)
                writes.append(put_or_retry(new, task, "task"))
        return writes

    async def _unlink_project_goal(self, goal_id: str, project_id: str) -> Decision[None]:
        unlink = Delete(keys.goal_project(goal_id, project_id))
        goal = await self.table.load(keys.goal(self.caller.user_id, goal_id))
        if goal is None or await self.table.get(keys.goal_project(goal_id, project_id)) is None:
            return Decision(None, [unlink])
        activity = project_activity(ActivityType.project_unlinked, project_id, "")
        _, writes = await self.goal_writer.apply_change(goal, goal.evolve(self.now), [activity])
        return Decision(None, [unlink, *writes])

    # A deleted goal: its tasks, projects, metrics, habits, children and milestones.

    async def _unlink_goal(self, removal: Removal) -> None:
        id, delete_links = removal.id, self._delete_links
        await delete_links(keys.tasks_of_goal(id), self._unlink_goal_tasks)
        await delete_links(keys.projects_of_goal(id), self._unlink_goal_projects)
        await delete_links(keys.metrics_of_goal(id), self._unlink_metric, at_once=1)
        await delete_links(keys.habits_of_goal(id), self._unlink_habit, at_once=1)
        for task_id in removal.task_ids:
            await self.commit(partial(self._unlink_criterion_task, id, task_id))
        user_id = removal.user_id
        followed = [keys.criterion_metric(user_id, each, id) for each in removal.metric_ids]
        await self.table.delete_many((key.pk, key.sk) for key in followed)
        move_child = partial(self._move_child, removal.parent_goal_id)
        await delete_links(keys.children_of_goal(id), move_child, at_once=1)
        milestones = await self.read_all(keys.milestones_of_goal(removal.user_id, id))
        doomed = [keys.milestone(removal.user_id, id, each.id) for each in milestones]
        await self.table.delete_many((key.pk, key.sk) for key in doomed)

    async def _unlink_goal_tasks(self, links: Sequence[GoalTask]) -> list[Write]:
        writes: list[Write] = []
        tasks = await self.load_each(keys.task, [link.task_id for link in links])
        for link, task in zip(links, tasks, strict=True):
            writes.append(Delete(keys.goal_task(link.goal_id, link.task_id)))
            if task is not None:
                new = without_goal(task, link.goal_id).evolve(self.now)
                writes.append(put_or_retry(new, task, "task"))
        return writes

    async def _unlink_goal_projects(self, links: Sequence[GoalProject]) -> list[Write]:
        writes: list[Write] = []
        projects = await self.load_each(keys.project, [link.project_id for link in links])
        for link, project in zip(links, projects, strict=True):
            writes.append(Delete(keys.goal_project(link.goal_id, link.project_id)))
            if project is not None:
                ids = remove_link(project.goal_ids, link.goal_id)
                new = project.evolve(self.now, goal_ids=ids)
                writes.append(put_or_retry(new, project, "project"))
        return writes

    async def _unlink_metric(self, links: Sequence[GoalMetric]) -> list[Write]:
        (link,) = links
        return await self.tracking_links.metric_unlink_writes(link.goal_id, link.metric_id)

    async def _unlink_habit(self, links: Sequence[GoalHabit]) -> list[Write]:
        (link,) = links
        return await self.tracking_links.habit_unlink_writes(link.goal_id, link.habit_id)

    async def _unlink_criterion_task(self, goal_id: str, task_id: str) -> Decision[None]:
        task = await self.table.load(keys.task(self.caller.user_id, task_id))
        if task is None or goal_id not in task.criterion_goal_ids:
            return Decision(None)
        new = without_goal(task, goal_id).evolve(self.now)
        return Decision(None, [put_or_retry(new, task, "task")])

    async def _move_child(self, parent_id: str | None, links: Sequence[GoalChild]) -> list[Write]:
        """A child of a deleted goal moves to the parent of that goal, if it still exists."""
        (link,) = links
        child = await self.table.load(keys.goal(self.caller.user_id, link.child_id))
        if child is None or child.parent_goal_id != link.goal_id:
            return [Delete(keys.goal_child(link.goal_id, link.child_id))]
        key = keys.goal(self.caller.user_id, parent_id) if parent_id else None
        parent = await self.table.load(key) if key else None
        moved, writes = await self.hierarchy.change_parent(child, parent.id if parent else None)
        return [*writes, put_or_retry(moved.evolve(self.now), child, "goal")]

    async def _delete_links(
        self,
        links: RangeQuery[L],
        unlink: Callable[[Sequence[L]], Awaitable[list[Write]]],
        *,
        at_once: int = LINKS_AT_ONCE,
    ) -> None:
        """Reads and deletes links, `at_once` per transaction, until there are none."""

        async def decide() -> Decision[int]:
            rows = await self.table.query(links, limit=at_once)
            return Decision(len(rows.items), await unlink(rows.items) if rows.items else [])

        while await self.commit(decide):
            pass


def _delete_dependency(task_id: str, blocker_id: str) -> list[Write]:
    return [
        Delete(keys.dependency(task_id, blocker_id)),
        Delete(keys.blocks(blocker_id, task_id)),
    ]


async def unfinished_removals(resources: Resources) -> list[Removal]:
    query = keys.unfinished_removals()
    return (await resources.table.query(query, limit=REMOVALS_AT_ONCE)).items
