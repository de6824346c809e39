"""Deleting. First the record itself goes and a Removal says what is left to do; then everything
that pointed there is unlinked, in steps that may be repeated; at last the Removal goes too."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from app.core.caller import Caller
from app.core.record import Node, Record
from app.domains.goals import keys
from app.domains.goals.inputs import DeleteGoalInput, DeleteProjectInput, DeleteTaskInput
from app.domains.goals.repository import unfinished_removals
from app.domains.goals.service.base import GoalsService, swap
from app.domains.goals.service.dependencies import released
from app.domains.goals.service.hierarchy import Hierarchy
from app.domains.goals.service.progress import GoalKeeper, Happened
from app.domains.goals.service.project_health import ProjectKeeper
from app.domains.goals.service.ripples import Ripples
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
from app.domains.people.service import Profiles
from app.domains.service import Decision, expect_version
from app.domains.tracking.service import Logbook
from app.resources import Resources
from app.table.entity import Query
from app.table.writes import Delete, Put, Write, remove

L = TypeVar("L", bound=Record)
BATCH = 25
OWNER = "OWNER"
# Told the kind and the id, as often as a deletion is begun again.
WhenGone = Callable[[str, str], Awaitable[None]]


async def nobody_listens(kind: str, id: str) -> None:
    """Where nothing above hangs on what is deleted."""


class Removals(GoalsService):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        goals: GoalKeeper,
        projects: ProjectKeeper,
        when_gone: WhenGone = nobody_listens,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.goals = goals
        self.projects = projects
        self.when_gone = when_gone
        self.hierarchy = Hierarchy(resources, caller, profiles, goals)
        self.logbook = Logbook(resources, caller, profiles)

    async def delete_task(self, request: DeleteTaskInput) -> Task:
        async def decide() -> Decision[Task]:
            task = await self.own_task(request.id)
            expect_version(request, task, "task")
            ripples = Ripples(self.goals, self.projects, self.stamp)
            ripples.task(task, None)
            removal = self._removal("TASK", task.id)
            gone = [*_gone(task, removal), *await self._closed_up(task)]
            return Decision(task, [*gone, *await ripples.settle()])

        task = await self.once(request, Task, decide)
        await self._finish("TASK", task.id)
        return task

    async def delete_project(self, request: DeleteProjectInput) -> Project:
        async def decide() -> Decision[Project]:
            project = await self.own_project(request.id)
            expect_version(request, project, "project")
            removal = self._removal("PROJECT", project.id, goal_ids=project.goal_ids)
            return Decision(project, _gone(project, removal))

        project = await self.commit(decide)
        await self._finish("PROJECT", project.id)
        return project

    async def delete_goal(self, request: DeleteGoalInput) -> Goal:
        async def decide() -> Decision[Goal]:
            goal = await self.own_goal(request.id)
            expect_version(request, goal, "goal")
            _, leaving = await self.hierarchy.moving(goal, None)
            removal = self._goal_removal(goal)
            return Decision(goal, [*_gone(goal, removal), *leaving])

        goal = await self.commit(decide)
        await self._finish("GOAL", goal.id)
        return goal

    def _removal(self, kind: str, id: str, **more: object) -> Removal:
        return Removal(**self.stamp(), kind=kind, id=id, **more)  # type: ignore[arg-type]

    def _goal_removal(self, goal: Goal) -> Removal:
        tasks = [each.linked_task_id for each in goal.success_criteria if each.linked_task_id]
        return self._removal("GOAL", goal.id, parent_goal_id=goal.parent_goal_id, task_ids=tasks)

    async def _finish(self, kind: str, id: str) -> None:
        """If it is still to be done: a repeated request may come when the id is another's."""
        removal = await self.table.get(keys.removal(self.caller.user_id, kind, id))
        if removal is not None:
            await self.finish(removal)

    async def finish(self, removal: Removal) -> None:
        """Whatever is left to do; safe to begin again."""
        if removal.kind == "TASK":
            await self._after_task(removal)
        elif removal.kind == "PROJECT":
            await self._after_project(removal)
        else:
            await self._after_goal(removal)
        await self.when_gone(removal.kind, removal.id)
        await self.logbook.forget(removal.kind, removal.id)
        await self._empty(f"{removal.kind}#{removal.id}")
        await self.table.write(Delete(keys.removal(removal.user_id, removal.kind, removal.id)))

    async def _empty(self, partition: str) -> None:
        found = [
            (item["PK"]["S"], item["SK"]["S"]) async for item in self.table.partition(partition)
        ]
        # The owner's claim goes with the record: if it is here, it is a new one's.
        await self.table.delete_many(each for each in found if each[1] != OWNER)

    # A task: those that wait for it, and those that it waits for.

    async def _after_task(self, removal: Removal) -> None:
        await self._each(keys.blocked_by_task(removal.id), self._free_waiting)
        await self._each(keys.dependencies_of_task(removal.id), self._free_blocker)

    async def _closed_up(self, task: Task) -> list[Write]:
        """The occurrences before and after a deleted one become neighbours."""
        before, after = [
            await self.repository.task(id) if id else None
            for id in (task.previous_task_id, task.next_task_id)
        ]
        writes: list[Write] = []
        if before is not None and before.next_task_id == task.id:
            following = after.id if after else None
            writes.append(swap(before.evolve(self.now, next_task_id=following), before, "task"))
        if after is not None:
            previous = before.id if before else None
            writes.append(swap(after.evolve(self.now, previous_task_id=previous), after, "task"))
        return writes

    async def _free_waiting(self, links: Sequence[TaskBlocks]) -> list[Write]:
        pairs = [(link.task_id, link.blocked_task_id) for link in links]
        writes: list[Write] = []
        waiting = await self.repository.tasks_by_ids([waits for _, waits in pairs])
        for (blocker, waits), task in zip(pairs, waiting, strict=True):
            if task is not None:
                writes.append(swap(released(task, blocker).evolve(self.now), task, "task"))
            writes.append(Delete(keys.dependency(waits, blocker)))
            writes.append(Delete(keys.blocks(blocker, waits)))
        return writes

    async def _free_blocker(self, links: Sequence[TaskDependency]) -> list[Write]:
        pairs = [(link.task_id, link.depends_on_task_id) for link in links]
        writes: list[Write] = []
        blockers = await self.repository.tasks_by_ids([blocker for _, blocker in pairs])
        for (waits, blocker), task in zip(pairs, blockers, strict=True):
            if task is not None:
                kept = [each for each in task.blocks_ids if each != waits]
                writes.append(swap(task.evolve(self.now, blocks_ids=kept), task, "task"))
            writes.append(Delete(keys.blocks(blocker, waits)))
            writes.append(Delete(keys.dependency(waits, blocker)))
        return writes

    # A project: its tasks, and the goals it served.

    async def _after_project(self, removal: Removal) -> None:
        await self._each(keys.tasks_of_project(removal.id), self._free_project_tasks)
        for goal_id in removal.goal_ids:
            await self.commit(partial(self._forget, goal_id, removal.id))

    async def _free_project_tasks(self, links: Sequence[ProjectTask]) -> list[Write]:
        pairs = [(link.project_id, link.task_id) for link in links]
        tasks = await self.repository.tasks_by_ids([task_id for _, task_id in pairs])
        writes: list[Write] = [Delete(keys.project_task(*pair)) for pair in pairs]
        for (project_id, _), task in zip(pairs, tasks, strict=True):
            if task is not None:
                kept = [each for each in task.project_ids if each != project_id]
                writes.append(swap(task.evolve(self.now, project_ids=kept), task, "task"))
        return writes

    async def _forget(self, goal_id: str, project_id: str) -> Decision[None]:
        gone = Delete(keys.goal_project(goal_id, project_id))
        goal = await self.repository.goal(goal_id)
        if goal is None or await self.table.get(keys.goal_project(goal_id, project_id)) is None:
            return Decision(None, [gone])
        story = Happened(
            type=ActivityType.project_unlinked, title="", entity="Project", id=project_id
        )
        _, writes = await self.goals.change(goal, goal.evolve(self.now), [story])
        return Decision(None, [gone, *writes])

    # A goal: tasks, projects, metrics, habits, children, milestones.

    async def _after_goal(self, removal: Removal) -> None:
        id = removal.id
        await self._each(keys.tasks_of_goal(id), self._free_goal_tasks)
        await self._each(keys.projects_of_goal(id), self._free_goal_projects)
        await self._each(keys.metrics_of_goal(id), self._free_metrics, at_once=1)
        await self._each(keys.habits_of_goal(id), self._free_habits, at_once=1)
        for task_id in removal.task_ids:
            await self.commit(partial(self._free_criterion_task, id, task_id))
        await self._each(
            keys.children_of_goal(id), partial(self._adopt, removal.parent_goal_id), at_once=1
        )
        found = await self.repository.milestones_of_goal(id)
        doomed = [keys.milestone(removal.user_id, id, each.id) for each in found]
        await self.table.delete_many((key.pk, key.sk) for key in doomed)

    async def _free_criterion_task(self, goal_id: str, task_id: str) -> Decision[None]:
        task = await self.repository.task(task_id)
        if task is None or goal_id not in task.criterion_goal_ids:
            return Decision(None)
        freed = _without_goal(task, goal_id).evolve(self.now)
        return Decision(None, [swap(freed, task, "task")])

    async def _adopt(self, parent_id: str | None, links: Sequence[GoalChild]) -> list[Write]:
        """A child of a deleted goal goes up to the next one above, if there is one."""
        (link,) = links
        child = await self.repository.goal(link.child_id)
        if child is None or child.parent_goal_id != link.goal_id:
            return [Delete(keys.goal_child(link.goal_id, link.child_id))]
        above = await self.repository.goal(parent_id) if parent_id else None
        moved, writes = await self.hierarchy.moving(child, above.id if above else None)
        return [*writes, swap(moved.evolve(self.now), child, "goal")]

    async def _free_goal_tasks(self, links: Sequence[GoalTask]) -> list[Write]:
        pairs = [(link.goal_id, link.task_id) for link in links]
        tasks = await self.repository.tasks_by_ids([task_id for _, task_id in pairs])
        writes: list[Write] = [Delete(keys.goal_task(*pair)) for pair in pairs]
        for (goal_id, _), task in zip(pairs, tasks, strict=True):
            if task is not None:
                writes.append(swap(_without_goal(task, goal_id).evolve(self.now), task, "task"))
        return writes

    async def _free_goal_projects(self, links: Sequence[GoalProject]) -> list[Write]:
        pairs = [(link.goal_id, link.project_id) for link in links]
        projects = await self.repository.projects_by_ids([each for _, each in pairs])
        writes: list[Write] = [Delete(keys.goal_project(*pair)) for pair in pairs]
        for (goal_id, _), project in zip(pairs, projects, strict=True):
            if project is not None:
                kept = [each for each in project.goal_ids if each != goal_id]
                writes.append(swap(project.evolve(self.now, goal_ids=kept), project, "project"))
        return writes

    async def _free_metrics(self, links: Sequence[GoalMetric]) -> list[Write]:
        (link,) = links
        goal_id, metric_id = link.goal_id, link.metric_id
        theirs = await self.goals.metrics.unlink_goal(metric_id, goal_id)
        return [*theirs, Delete(keys.goal_metric(goal_id, metric_id))]

    async def _free_habits(self, links: Sequence[GoalHabit]) -> list[Write]:
        (link,) = links
        goal_id, habit_id = link.goal_id, link.habit_id
        theirs = await self.goals.habits.unlink_goal(habit_id, goal_id)
        return [*theirs, Delete(keys.goal_habit(goal_id, habit_id))]

    async def _each(
        self,
        links: Query[L],
        free: Callable[[Sequence[L]], Awaitable[list[Write]]],
        *,
        at_once: int = BATCH,
    ) -> None:
        """Takes links away, some at a time, until there are none."""

        async def decide() -> Decision[int]:
            rows = await self.table.query(links, limit=at_once)
            return Decision(len(rows.items), await free(rows.items) if rows.items else [])

        while await self.commit(decide):
            pass


def _gone(record: Node, removal: Removal) -> list[Write]:
    return [remove(record, removal.kind.lower()), Put(removal)]


def _without_goal(task: Task, goal_id: str) -> Task:
    return replace(
        task,
        goal_ids=[each for each in task.goal_ids if each != goal_id],
        criterion_goal_ids=[each for each in task.criterion_goal_ids if each != goal_id],
    )


async def removals_to_finish(resources: Resources) -> list[Removal]:
    return await unfinished_removals(resources.table, most=25)
