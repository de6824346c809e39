"""Tasks: made, changed, completed and paid, each in one transaction with all that hangs on it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

import strawberry

from app.core.caller import Caller
from app.core.clock import day, instant
from app.core.errors import BadInput
from app.core.scalars import AWSDateTime
from app.core.shards import every_shard, shard_of
from app.domains.goals.errors import IdTaken
from app.domains.goals.inputs import (
    CreateTaskInput,
    QuickAddTaskInput,
    RecurrenceRuleInput,
    SkipOccurrenceInput,
    TaskChange,
    ToggleTaskInput,
    UpdateTaskInput,
)
from app.domains.goals.repository import WantedTasks, tasks_due_on
from app.domains.goals.rules.days import Days
from app.domains.goals.rules.quick_add import QuickTask, read_quick_task
from app.domains.goals.service.base import GoalsService, all_there, present_only, swap, there
from app.domains.goals.service.dependencies import dependency_writes, linked_back
from app.domains.goals.service.progress import GoalKeeper
from app.domains.goals.service.project_health import ProjectKeeper
from app.domains.goals.service.ripples import Ripples
from app.domains.goals.service.task_changes import (
    NEVER_NULL,
    dated,
    following,
    next_occurrence_day,
    on_day,
    ruled,
    settled,
    waiting,
)
from app.domains.goals.types import Goal, Project, Task, TaskStatus
from app.domains.people.service import Profiles
from app.domains.rewards.service import Wallets
from app.domains.service import Decision, Repeatable, expect_version
from app.graph.paging import Fetch
from app.resources import Resources
from app.table.entity import WHOLE, Fields
from app.table.gateway import Position, Rows
from app.table.writes import Write, create

MOST_LOOKED_AT = 1_000
MOST_GOALS = 10

# Told of a task that was completed or reopened, before and after; its writes join in.
Hook = Callable[[Task, Task], Awaitable[Sequence[Write]]]


class Tasks(GoalsService):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        wallets: Wallets,
        goals: GoalKeeper,
        projects: ProjectKeeper,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.wallets = wallets
        self.goals = goals
        self.projects = projects
        self.when_turned: list[Hook] = []

    # Reading.

    async def task(self, task_id: str, *, without: Fields = WHOLE) -> Task | None:
        return await self.repository.task(task_id, without)

    async def tasks_by_ids(self, ids: Sequence[str]) -> list[Task]:
        return present_only(await self.repository.tasks_by_ids(ids))

    async def wanted(
        self, *, due_after: str | None, due_before: str | None, **filters: Any
    ) -> WantedTasks:
        if not (due_after or due_before):
            return WantedTasks(**filters)
        days = await self.days()
        try:
            first = days.start(date.fromisoformat(due_after)) if due_after else None
            last = days.end(date.fromisoformat(due_before)) if due_before else None
            filters |= {"first_day": due_after, "last_day": due_before}
            wanted = WantedTasks(due_from=first, due_to=last, **filters)
            wanted.query(self.caller.user_id)
        except OverflowError:
            raise BadInput("This day is out of range.", field="dueBefore") from None
        return wanted

    async def urgent(self, limit: int | None) -> list[Task]:
        """Of the open tasks; 1,000 at most."""
        found = await self.repository.open_tasks(most=MOST_LOOKED_AT)
        now = self.resources.clock.now()
        ranked = sorted(found, key=lambda each: (-each.urgency_at(now), each.id))
        return ranked[: min(max(limit or 20, 1), 100)]

    async def tasks(self, wanted: WantedTasks, *, limit: int, start: Position | None) -> Rows[Task]:
        listing = self.repository.tasks(wanted)
        return await self.repository.page(listing, limit=limit, start=start)

    async def tasks_by_due(
        self, wanted: WantedTasks, *, limit: int, start: Position | None
    ) -> Rows[Task]:
        """Those with a due date by it, then those without."""
        runs = (True,) if wanted.by_due else (True, False)
        listings = [self.repository.tasks(replace(wanted, dated=each)) for each in runs]
        return await self.repository.page_of_all(listings, limit=limit, start=start)

    def of_goal(self, goal: Goal) -> Fetch[Task]:
        return partial(self.repository.page_of_all, self.repository.tasks_of_goal_by_due(goal))

    def of_project(self, project: Project) -> Fetch[Task]:
        listings = self.repository.tasks_of_project_by_due(project)
        return partial(self.repository.page_of_all, listings)

    async def _once(
        self, request: Repeatable, decide: Callable[[], Awaitable[Decision[Task]]]
    ) -> Task:
        task = await self.once(request, Task, decide)
        await self.goals.catch_up()
        return task

    # Making.

    async def create(self, request: CreateTaskInput) -> Task:
        return await self._once(request, partial(self._create, request))

    async def _create(self, request: CreateTaskInput) -> Decision[Task]:
        return Decision(*await self.create_writes(request))

    async def create_writes(
        self, request: CreateTaskInput, *, action_id: str | None = None
    ) -> tuple[Task, list[Write]]:
        """A new task, to be written with what another domain does at the same time."""
        task, wish = await self._new_task(request)
        if action_id is not None:
            task = replace(task, action_id=strawberry.ID(action_id))
        if wish is not None:
            today = (await self.days()).of(self.resources.clock.now())
            task = ruled(task, wish, today)
        blockers = await all_there(self.repository.tasks_by_ids, task.depends_on_ids, "task")
        task = replace(task, waiting_for=[each.id for each in blockers if not each.is_done])
        task, writes = await self._turned(
            None, settled(None, task, self.now), beside=1 + 3 * len(blockers)
        )
        linked = linked_back(blockers, task, self.now)
        if isinstance(request.id, str):
            writes.append(self.not_being_removed("TASK", request.id, "task"))
        return task, [*writes, *linked, *dependency_writes(task, blockers, self.stamp)]

    async def writes_for_goal(
        self, goal_id: str, title: str, description: str, due_at: AWSDateTime | None
    ) -> tuple[Task, list[Write]]:
        """As create_writes, for a domain that has a task for one of the caller's goals."""
        request = CreateTaskInput(
            goal_id=strawberry.ID(goal_id), title=title, description=description, due_at=due_at
        )
        return await self.create_writes(request.checked())

    async def _new_task(self, request: CreateTaskInput) -> tuple[Task, RecurrenceRuleInput | None]:
        given = {name: value for name, value in request.given().items() if value is not None}
        wish = given.pop("recurrence_rule", None)
        if given.pop("is_recurring", wish is not None) and wish is None:
            raise BadInput("A recurring task needs a recurrenceRule.", field="input.recurrenceRule")
        goal_ids = [*given.pop("goal_ids", []), given.pop("goal_id", None)]
        given["goal_ids"] = list(dict.fromkeys(each for each in goal_ids if each))
        if len(given["goal_ids"]) > MOST_GOALS:
            raise BadInput(f"A task serves at most {MOST_GOALS} goals.", field="input.goalIds")
        given.pop("idempotency_key", None)
        id = self.new_id(given.pop("id", None))
        shard = shard_of(id, self.resources.settings.shards)
        fields = dated(given, await self.days())
        return Task(**self.stamp(), id=id, shard=shard, **fields), wish  # type: ignore[arg-type]

    async def quick_add(self, request: QuickAddTaskInput) -> Task:
        return await self._once(request, partial(self._quick_add, request))

    async def _quick_add(self, request: QuickAddTaskInput) -> Decision[Task]:
        days = await self.days()
        found = read_quick_task(request.text, today=days.of(self.resources.clock.now()))
        return Decision(*await self.create_writes(self._as_input(found, days)))

    def _as_input(self, found: QuickTask, days: Days) -> CreateTaskInput:
        fields: dict[str, Any] = {
            "priority": found.priority,
            "area": found.area,
            "size": found.size,
            "due_date": day(found.due) if found.due else None,
            "due_at": instant(days.at(found.due, found.at)) if found.due and found.at else None,
            "recurrence_rule": RecurrenceRuleInput(rrule=found.rule) if found.rule else None,
        }
        given = {name: value for name, value in fields.items() if value is not None}
        return CreateTaskInput(title=found.title, tags=found.tags, **given).checked()

    # Changing.

    async def update(self, request: UpdateTaskInput) -> Task:
        return await self._once(request, partial(self._update, request))

    async def _update(self, request: UpdateTaskInput) -> Decision[Task]:
        old = await self.own_task(request.id)
        expect_version(request, old, "task")
        return await self.changed(old, request.changes(NEVER_NULL))

    async def complete(self, request: TaskChange) -> Task:
        return await self._once(request, partial(self._set, request, TaskStatus.Done))

    async def reopen(self, request: TaskChange) -> Task:
        return await self._once(request, partial(self._set, request, TaskStatus.NotStarted))

    async def toggle(self, request: ToggleTaskInput) -> Task:
        return await (self.complete if request.done else self.reopen)(request)

    async def _set(self, request: TaskChange, status: TaskStatus) -> Decision[Task]:
        old = await self.own_task(request.id)
        expect_version(request, old, "task")
        if old.is_done == (status is TaskStatus.Done):
            return Decision(old)
        return await self.changed(old, {"status": status})

    async def complete_writes(self, task_id: str) -> tuple[Task, list[Write]]:
        """The task as done, and what that takes, for another domain's transaction; no writes if
        it was done already."""
        old = await self.own_task(task_id)
        if old.is_done:
            return old, []
        decision = await self.changed(old, {"status": TaskStatus.Done})
        return decision.answer, list(decision.writes)

    async def changed(
        self, old: Task, changes: dict[str, Any], *, why: str | None = None
    ) -> Decision[Task]:
        """`why` is told in the activity of its goals, if it was not its owner who did it."""
        days = await self.days()
        rule = changes.pop("recurrence_rule", strawberry.UNSET)
        new = old.evolve(self.now, **dated(changes, days))
        if rule is not strawberry.UNSET:
            new = ruled(new, rule, days.of(self.resources.clock.now()))
        elif new.is_recurring and new.recurrence_rule is None:
            raise BadInput("A recurring task needs a recurrenceRule.", field="input.recurrenceRule")
        return Decision(*await self._turned(old, settled(old, new, self.now), why))

    async def _turned(
        self, old: Task | None, new: Task, why: str | None = None, *, beside: int = 0
    ) -> tuple[Task, list[Write]]:
        """The task with all that its change means for others, as one list of writes; the
        transaction has as many `beside`."""
        ripples = Ripples(self.goals, self.projects, self.stamp, why)
        writes: list[Write] = []
        was_followed = old is not None and old.is_done and old.is_recurring
        if new.is_done and new.next_task_id is None and not was_followed:
            new, following_writes = await self._followed(new, ripples)
            writes += following_writes
        if (old is not None and old.is_done) != new.is_done:
            writes += self._payment(old, new)
            writes += await self._dependents(new)
            for hook in self.when_turned:
                writes += await hook(old or new, new)
        ripples.task(old, new)
        first = swap(new, old, "task") if old else create(new, otherwise=IdTaken("task"))
        return new, [first, *writes, *await ripples.settle(beside=beside + len(writes) + 2)]

    async def _followed(self, new: Task, ripples: Ripples) -> tuple[Task, list[Write]]:
        """A recurring task that is done makes way for its next occurrence."""
        days = await self.days()
        when = next_occurrence_day(new, days.of(self.resources.clock.now()))
        if when is None:
            return new, []
        coming = following(new, when, days, id=self.new_id(), now=self.now)
        ripples.task(None, coming)
        return replace(new, next_task_id=coming.id), [create(coming, otherwise=IdTaken("task"))]

    def _payment(self, old: Task | None, new: Task) -> list[Write]:
        user_id = self.caller.user_id
        if new.is_done:
            return self.wallets.earn(
                user_id, new.points_paid, reason=f"Done: {new.title}", task_id=new.id
            )
        paid = old.points_paid if old else 0
        return self.wallets.take_back(
            user_id, paid, reason=f"Reopened: {new.title}", task_id=new.id
        )

    async def _dependents(self, new: Task) -> list[Write]:
        """Whoever waits for this task goes on, or waits again."""
        writes: list[Write] = []
        for each in present_only(await self.repository.tasks_by_ids(new.blocks_ids)):
            others = [id for id in each.waiting_for if id != new.id]
            still = others if new.is_done else [*others, new.id]
            if still != each.waiting_for:
                writes.append(swap(waiting(each, still).evolve(self.now), each, "task"))
        return writes

    async def skip_occurrence(self, request: SkipOccurrenceInput) -> Task:
        return await self._once(request, partial(self._skip, request))

    async def _skip(self, request: SkipOccurrenceInput) -> Decision[Task]:
        old = there(await self.repository.task(request.id), "task")
        expect_version(request, old, "task")
        if not old.is_recurring or not old.is_open:
            raise BadInput("Only an open, recurring task has an occurrence to skip.", field="id")
        days = await self.days()
        when = next_occurrence_day(old, days.of(self.resources.clock.now()))
        if when is None:
            return await self.changed(old, {"status": TaskStatus.Cancelled})
        new = on_day(old, when, days).evolve(self.now)
        return Decision(*await self._turned(old, settled(old, new, self.now)))


async def tasks_due(resources: Resources, since: datetime, until: datetime) -> AsyncIterator[Task]:
    """Everyone's open tasks that are due between two moments, for background work."""
    for number in range((until.date() - since.date()).days + 1):
        due_day = (since.date() + timedelta(days=number)).strftime("%Y%m%d")
        for shard in every_shard(resources.settings.shards):
            run = tasks_due_on(resources.table, due_day, instant(since), instant(until), shard)
            async for task in run:
                yield task
