"""Writes that follow from changed tasks: links, tags, and the goals and projects that they belong
to. A transaction may write each goal once, however many tasks it changes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from app.domains.goals import keys
from app.domains.goals.rules.task_effects import (
    CountDelta,
    affected_goal_ids,
    affected_project_ids,
    apply_to_goal,
    either,
    goal_delta,
    link_due,
    linked_to_goal,
    linked_to_project,
    needs_link_write,
    project_delta,
)
from app.domains.goals.service.goal_writer import GoalWriter
from app.domains.goals.service.project_writer import ProjectWriter
from app.domains.goals.types import Goal, GoalTask, Project, ProjectTask, Task, TaskTag
from app.domains.service import required
from app.table.transaction import room_for
from app.table.writes import Delete, Put, Write

N = TypeVar("N", Goal, Project)


@dataclass(slots=True)
class TaskEffects:
    """Collects the effects of several tasks. `reason` is the description of the activities."""

    goal_writer: GoalWriter
    project_writer: ProjectWriter
    reason: str | None = None
    goal_deltas: dict[str, CountDelta] = field(default_factory=dict)
    project_deltas: dict[str, CountDelta] = field(default_factory=dict)
    writes: list[Write] = field(default_factory=list)

    def add(self, old: Task | None, new: Task | None) -> None:
        """A task was created (no `old`), changed, or deleted (no `new`)."""
        self._add_tags(old, new)
        for goal_id in affected_goal_ids(old, new):
            self._add_goal_link(goal_id, old, new)
            if delta := goal_delta(goal_id, old, new, self.reason):
                self.goal_deltas[goal_id] = self.goal_deltas.get(goal_id, CountDelta()) + delta
        for project_id in affected_project_ids(old, new):
            if delta := project_delta(project_id, old, new):
                self._add_project_link(project_id, old, new)
                sum_before = self.project_deltas.get(project_id, CountDelta())
                self.project_deltas[project_id] = sum_before + delta

    async def to_writes(self, *, reserved_writes: int = 0) -> list[Write]:
        """All writes, on the goals and projects as they are stored now. `reserved_writes`: what
        else the transaction contains."""
        most_milestones = self._room_for_milestones(reserved_writes)
        goals = await self.goal_writer.load_each(keys.goal, self.goal_deltas)
        for goal, delta in _existing(goals, self.goal_deltas, "goal"):
            new, activities = apply_to_goal(goal, delta, self.goal_writer.now)
            _, writes = await self.goal_writer.apply_change(
                goal, new, activities, most_milestones=most_milestones
            )
            self.writes += writes
        projects = await self.project_writer.load_each(keys.project, self.project_deltas)
        for project, delta in _existing(projects, self.project_deltas, "project"):
            self.writes.append(await self.project_writer.apply_delta(project, delta))
        return self.writes

    def _room_for_milestones(self, reserved_writes: int) -> int:
        """How many milestones each goal may achieve in this transaction. A milestone takes two
        writes; each goal takes its own item and three activities."""
        goals = len(self.goal_deltas)
        if not goals:
            return 0
        besides = reserved_writes + len(self.writes) + len(self.project_deltas) + 4 * goals
        return room_for(2 * goals, besides=besides)

    def _add_tags(self, old: Task | None, new: Task | None) -> None:
        before, after = set(old.tags if old else []), set(new.tags if new else [])
        task_id, stamp = either(old, new).id, self.goal_writer.stamp
        for tag in sorted(after - before):
            self.writes.append(Put(TaskTag(**stamp(), task_id=task_id, tag=tag)))
        self.writes += [Delete(keys.task_tag(task_id, tag)) for tag in sorted(before - after)]

    def _add_goal_link(self, goal_id: str, old: Task | None, new: Task | None) -> None:
        before, after = linked_to_goal(old, goal_id), linked_to_goal(new, goal_id)
        if after and needs_link_write(before, after):
            stamp, due = self.goal_writer.stamp, link_due(after)
            link = GoalTask(**stamp(), goal_id=goal_id, task_id=after.id, due=due)
            self.writes.append(Put(link))
        elif before and not after:
            self.writes.append(Delete(keys.goal_task(goal_id, before.id)))

    def _add_project_link(self, project_id: str, old: Task | None, new: Task | None) -> None:
        before, after = linked_to_project(old, project_id), linked_to_project(new, project_id)
        if after and needs_link_write(before, after):
            stamp, due = self.goal_writer.stamp, link_due(after)
            link = ProjectTask(**stamp(), project_id=project_id, task_id=after.id, due=due)
            self.writes.append(Put(link))
        elif before and not after:
            self.writes.append(Delete(keys.project_task(project_id, before.id)))


def _existing(
    records: Sequence[N | None], deltas: Mapping[str, CountDelta], what: str
) -> Iterator[tuple[N, CountDelta]]:
    """A record to which a task was just linked must exist; others may be gone."""
    for record, delta in zip(records, deltas.values(), strict=True):
        if delta.is_new_link:
            required(record, what)
        if record is not None:
            yield record, delta
