"""Tasks. A change is one transaction with the payment, the next occurrence, the dependent tasks,
and the goals and projects that it affects."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import strawberry

from app.core.clock import instant
from app.core.errors import BadInput, IdTaken
from app.core.inputs import IdempotentInput
from app.core.scalars import AWSDateTime
from app.core.shards import every_shard, shard_of
from app.core.shield import run_to_end
from app.domains.goals import keys
from app.domains.goals.inputs import (
    CreateTaskInput,
    QuickAddTaskInput,
    RecurrenceRuleInput,
    SkipOccurrenceInput,
    TaskChange,
    ToggleTaskInput,
    UpdateTaskInput,
)
from app.domains.goals.repository import tasks_due_on
from app.domains.goals.rules.dependencies import after_blocker_change
from app.domains.goals.rules.links import merge_goal_ids
from app.domains.goals.rules.occurrences import (
    day_after_skipping,
    move_to_day,
)
from app.domains.goals.rules.quick_add import QuickTask, read_quick_task
from app.domains.goals.rules.quick_add.values import (
    preview,
    rule_values,
    task_values,
    users_now,
    with_quick_task,
)
from app.domains.goals.rules.task_changes import (
    NEVER_NULL,
    check_has_rule,
    with_current_due,
    with_dates,
    with_derived_fields,
    with_recurrence,
)
from app.domains.goals.service.base import put_or_retry
from app.domains.goals.service.dependencies import Dependencies
from app.domains.goals.service.goal_writer import GoalWriter
from app.domains.goals.service.occurrences import Occurrences
from app.domains.goals.service.ports import TaskObserver
from app.domains.goals.service.project_writer import ProjectWriter
from app.domains.goals.service.task_effects import TaskEffects
from app.domains.goals.service.task_lists import TaskLists
from app.domains.goals.types import QuickAddPreview, Task, TaskStatus
from app.domains.rewards.service import Wallets
from app.domains.rewards.types import Earning
from app.domains.service import Decision, expect_version, required, uses
from app.resources import Resources
from app.table.writes import Write, put_if_absent

# Of a new task: the check that its id is free, and three writes per blocker.
WRITES_OF_ID, WRITES_PER_BLOCKER = 1, 3
# Of every task: its own item and the owner item of its partition.
OWN_WRITES = 2


class Tasks(TaskLists):
    wallets = uses(Wallets)
    goal_writer = uses(GoalWriter)
    project_writer = uses(ProjectWriter)
    dependencies = uses(Dependencies)
    occurrences = uses(Occurrences)
    observer = uses(TaskObserver)

    # Creating.

    async def create(self, request: CreateTaskInput) -> Task:
        return await self._once(request, partial(self._create, request))

    async def _create(self, request: CreateTaskInput) -> Decision[Task]:
        return Decision(*await self._create_writes(request))

    async def _create_writes(
        self, request: CreateTaskInput, *, quick_task: QuickTask | None = None
    ) -> tuple[Task, list[Write]]:
        task = await self._new_task(request)
        if quick_task is not None:
            task = with_quick_task(task, quick_task, await self.calendar())
        blockers = [
            required(each, "task") for each in await self.load_each(keys.task, task.depends_on_ids)
        ]
        task = replace(task, waiting_for=[each.id for each in blockers if not each.is_done])
        task, writes = await self._change_writes(
            None,
            with_derived_fields(None, task, self.now),
            reserved_writes=WRITES_OF_ID + WRITES_PER_BLOCKER * len(blockers),
        )
        if isinstance(request.id, str):
            writes.append(self.check_id_is_free("TASK", request.id, "task"))
        return task, [*writes, *self.dependencies.dependency_writes(task, blockers)]

    async def _new_task(self, request: CreateTaskInput) -> Task:
        values = request.values()
        rule = values.pop("recurrence_rule", None)
        values["goal_ids"] = merge_goal_ids(values.pop("goal_ids", []), values.pop("goal_id", None))
        id = self.new_id(values.pop("id", None))
        task = Task(
            **self.stamp(),
            id=id,
            shard=shard_of(id, self.resources.settings.shards),
            **with_dates(values, await self.calendar()),
        )
        if rule is None:
            check_has_rule(task)
            return task
        return with_recurrence(
            task, rule.sent_fields(), await self.today(), is_recurring=values.get("is_recurring")
        )

    async def create_writes_for_goal(
        self, goal_id: str, title: str, description: str, due_at: AWSDateTime | None
    ) -> tuple[Task, list[Write]]:
        """A new task of one of the caller's goals, as part of a transaction of another domain."""
        request = CreateTaskInput(
            goal_id=strawberry.ID(goal_id), title=title, description=description, due_at=due_at
        )
        return await self._create_writes(request.validate())

    async def quick_add(self, request: QuickAddTaskInput) -> Task:
        return await self._once(request, partial(self._quick_add, request))

    async def _quick_add(self, request: QuickAddTaskInput) -> Decision[Task]:
        parsed = await self._read_quick_task(request.text)
        rule = rule_values(parsed)
        create = CreateTaskInput(
            **task_values(parsed, await self.calendar()),
            recurrence_rule=RecurrenceRuleInput(**rule) if rule else None,
        )
        return Decision(*await self._create_writes(create.validate(), quick_task=parsed))

    async def preview_quick_add(self, request: QuickAddTaskInput) -> QuickAddPreview:
        return preview(await self._read_quick_task(request.text))

    async def _read_quick_task(self, text: str) -> QuickTask:
        me = await self.profiles.me()
        now = users_now(self.resources.clock.now(), await self.calendar())
        return read_quick_task(text, now=now, language=me.language or "en")

    # Changing.

    async def _once(
        self, request: IdempotentInput, decide: Callable[[], Awaitable[Decision[Task]]]
    ) -> Task:
        # A linked action writes a snapshot ahead of the transaction: interrupted, it would stay.
        task = await run_to_end(self.once(request, Task, decide))
        await self.goal_writer.finish_pending_milestones()
        return task

    async def update(self, request: UpdateTaskInput) -> Task:
        return await self._once(request, partial(self._update, request))

    async def _update(self, request: UpdateTaskInput) -> Decision[Task]:
        old = await self.own_task(request.id)
        expect_version(request, old, "task")
        return await self.apply_change(old, request.changes(NEVER_NULL))

    async def complete(self, request: TaskChange) -> Task:
        return await self._once(request, partial(self._set_status, request, TaskStatus.Done))

    async def reopen(self, request: TaskChange) -> Task:
        return await self._once(request, partial(self._set_status, request, TaskStatus.NotStarted))

    async def toggle(self, request: ToggleTaskInput) -> Task:
        return await (self.complete if request.done else self.reopen)(request)

    async def _set_status(self, request: TaskChange, status: TaskStatus) -> Decision[Task]:
        old = await self.own_task(request.id)
        expect_version(request, old, "task")
        if old.is_done == (status is TaskStatus.Done):
            return Decision(with_current_due(old, await self.calendar()))
        return await self.apply_change(old, {"status": status})

    async def apply_change(
        self, old: Task, changes: dict[str, Any], *, reason: str | None = None
    ) -> Decision[Task]:
        """`reason`: why another user's action changes it; shown in the history of its goals."""
        calendar = await self.calendar()
        rule = changes.pop("recurrence_rule", strawberry.UNSET)
        current = with_current_due(old, calendar)
        new = current.evolve(self.now, **with_dates(changes, calendar))
        if rule is not strawberry.UNSET:
            today = calendar.day_of(self.resources.clock.now())
            new = with_recurrence(
                new,
                rule.sent_fields() if rule else None,
                today,
                is_recurring=changes.get("is_recurring"),
            )
        check_has_rule(new)
        new = with_derived_fields(old, new, self.now)
        return Decision(*await self._change_writes(old, new, reason))

    async def skip_occurrence(self, request: SkipOccurrenceInput) -> Task:
        return await self._once(request, partial(self._skip_occurrence, request))

    async def _skip_occurrence(self, request: SkipOccurrenceInput) -> Decision[Task]:
        old = await self.own_task(request.id)
        expect_version(request, old, "task")
        if not old.is_recurring or not old.is_open:
            raise BadInput("Only an open, recurring task has an occurrence to skip.", field="id")
        calendar = await self.calendar()
        day = day_after_skipping(old, calendar.day_of(self.resources.clock.now()))
        if day is None:
            return await self.apply_change(old, {"status": TaskStatus.Cancelled})
        new = move_to_day(old, day, calendar).evolve(self.now)
        new = with_derived_fields(old, new, self.now)
        return Decision(*await self._change_writes(old, new))

    # Writing.

    async def _change_writes(
        self, old: Task | None, new: Task, reason: str | None = None, *, reserved_writes: int = 0
    ) -> tuple[Task, list[Write]]:
        """The task and all writes of its change. `reserved_writes`: what else the transaction
        contains."""
        effects = TaskEffects(self.goal_writer, self.project_writer, reason)
        new, writes = await self.occurrences.apply_change(old, new, effects)
        if (old is not None and old.is_done) != new.is_done:
            writes += self._payment_writes(old, new)
            writes += await self._dependent_writes(new)
            writes += await self.observer.on_done_changed(new)
        effects.add(old, new)
        first = (
            put_or_retry(new, old, "task") if old else put_if_absent(new, otherwise=IdTaken("task"))
        )
        reserved_writes += len(writes) + OWN_WRITES
        return new, [first, *writes, *await effects.to_writes(reserved_writes=reserved_writes)]

    def _payment_writes(self, old: Task | None, new: Task) -> list[Write]:
        earning = Earning(
            user_id=self.caller.user_id,
            points=new.points_paid,
            reason=f"Done: {new.title}",
            task_id=new.id,
        )
        if new.is_done:
            return self.wallets.earn(earning)
        paid = old.points_paid if old else 0
        return self.wallets.take_back(
            replace(earning, points=paid, reason=f"Reopened: {new.title}")
        )

    async def _dependent_writes(self, blocker: Task) -> list[Write]:
        """Tasks that wait for a completed task resume; after it is reopened they wait again."""
        writes: list[Write] = []
        for old in await self.load_existing(keys.task, blocker.blocks_ids):
            new = after_blocker_change(old, blocker)
            if new != old:
                writes.append(put_or_retry(new.evolve(self.now), old, "task"))
        return writes


async def tasks_due(resources: Resources, since: datetime, until: datetime) -> AsyncIterator[Task]:
    """Open tasks of all users that are due between two moments."""
    for number in range((until.date() - since.date()).days + 1):
        due_day = (since.date() + timedelta(days=number)).strftime("%Y%m%d")
        for shard in every_shard(resources.settings.shards):
            run = tasks_due_on(resources.table, due_day, instant(since), instant(until), shard)
            async for task in run:
                yield task
