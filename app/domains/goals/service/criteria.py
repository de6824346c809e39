"""Success criteria: a list inside the goal. Every change names a criterion by id and is decided on
the stored list, so that concurrent clients do not overwrite each other's changes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import strawberry

from app.core.inputs import IdempotentInput
from app.domains.goals import keys
from app.domains.goals.inputs import (
    AddCriterionInput,
    CompleteCriterionInput,
    RemoveCriterionInput,
    ReopenCriterionInput,
    ReorderCriteriaInput,
    SuccessCriterionInput,
    UpdateCriterionInput,
)
from app.domains.goals.rules.activities import ActivityDraft, criterion_activity
from app.domains.goals.rules.criteria import (
    CriterionList,
    add_criterion_goal,
    check_one_criterion_per_task,
    check_unique_ids,
    criterion_with_id,
    follow_links,
    insert_criterion,
    linked_ids,
    reorder_criteria,
    replace_criterion,
    set_completed,
    with_orders,
)
from app.domains.goals.service.base import GoalsService, put_or_retry
from app.domains.goals.service.goal_writer import GoalWriter
from app.domains.goals.service.tracking_links import TrackingLinks
from app.domains.goals.types import ActivityType, Goal, SuccessCriterion
from app.domains.service import Decision, uses
from app.domains.tracking.service import Metrics
from app.table.writes import Write

CriteriaChange = Callable[
    [CriterionList, SuccessCriterion], tuple[CriterionList, list[ActivityDraft]]
]


class CriterionRequest(IdempotentInput, Protocol):
    goal_id: strawberry.ID
    id: strawberry.ID


class Criteria(GoalsService):
    goal_writer = uses(GoalWriter)
    metrics = uses(Metrics)
    tracking_links = uses(TrackingLinks)

    async def set_first(
        self, goal: Goal, inputs: Sequence[SuccessCriterionInput]
    ) -> tuple[Goal, list[Write]]:
        """A new goal with its first criteria."""
        criteria = [self._new_criterion(each) for each in inputs]
        check_unique_ids(criteria)
        return await self._link(replace(goal, success_criteria=with_orders(criteria)), [])

    async def add(self, request: AddCriterionInput) -> Goal:
        async def decide() -> Decision[Goal]:
            goal = await self.own_goal(request.goal_id)
            new = self._new_criterion(request)
            order = request.order if isinstance(request.order, int) else None
            criteria = insert_criterion(goal.success_criteria, new, order)
            added = criterion_activity(ActivityType.criterion_added, new)
            return await self._set_criteria(goal, criteria, [added])

        return await self.once(request, Goal, decide)

    async def update(self, request: UpdateCriterionInput) -> Goal:
        changes = request.changes(("text", "order"))
        order = changes.pop("order", None)
        changes.pop("goal_id")

        def change(
            criteria: CriterionList, old: SuccessCriterion
        ) -> tuple[CriterionList, list[ActivityDraft]]:
            new = replace(old, **changes)
            updated = criterion_activity(ActivityType.criterion_updated, new)
            return replace_criterion(criteria, new, order), [updated]

        return await self._change(request, change)

    async def complete(self, request: CompleteCriterionInput) -> Goal:
        return await self._set_completed(request, is_completed=True)

    async def reopen(self, request: ReopenCriterionInput) -> Goal:
        return await self._set_completed(request, is_completed=False)

    async def _set_completed(self, request: CriterionRequest, *, is_completed: bool) -> Goal:
        def change(
            criteria: CriterionList, old: SuccessCriterion
        ) -> tuple[CriterionList, list[ActivityDraft]]:
            new, activities = set_completed(old, is_completed, self.now)
            return replace_criterion(criteria, new), activities

        return await self._change(request, change)

    async def remove(self, request: RemoveCriterionInput) -> Goal:
        def change(
            criteria: CriterionList, old: SuccessCriterion
        ) -> tuple[CriterionList, list[ActivityDraft]]:
            removed = criterion_activity(ActivityType.criterion_removed, old)
            return [each for each in criteria if each.id != old.id], [removed]

        return await self._change(request, change)

    async def reorder(self, request: ReorderCriteriaInput) -> Goal:
        async def decide() -> Decision[Goal]:
            goal = await self.own_goal(request.goal_id)
            criteria = reorder_criteria(goal.success_criteria, request.ids)
            return await self._set_criteria(goal, criteria, [])

        return await self.once(request, Goal, decide)

    async def _change(self, request: CriterionRequest, change: CriteriaChange) -> Goal:
        async def decide() -> Decision[Goal]:
            goal = await self.own_goal(request.goal_id)
            old = criterion_with_id(goal.success_criteria, request.id)
            return await self._set_criteria(goal, *change(goal.success_criteria, old))

        return await self.once(request, Goal, decide)

    async def _set_criteria(
        self, old: Goal, criteria: CriterionList, activities: Sequence[ActivityDraft]
    ) -> Decision[Goal]:
        new = replace(old, success_criteria=with_orders(criteria))
        if new == old:
            return Decision(old)
        new, link_writes = await self._link(new.evolve(self.now), old.success_criteria)
        new, writes = await self.goal_writer.apply_change(old, new, activities)
        return Decision(new, [*writes, *link_writes])

    def _new_criterion(
        self, request: SuccessCriterionInput | AddCriterionInput
    ) -> SuccessCriterion:
        values = request.values()
        is_completed = bool(values.get("is_completed"))
        return SuccessCriterion(
            id=self.new_id(values.get("id")),
            text=request.text,
            is_completed=is_completed,
            completed_at=self.now if is_completed else None,
            linked_metric_id=values.get("linked_metric_id"),
            linked_task_id=values.get("linked_task_id"),
            target_date=values.get("target_date"),
        )

    # Links to tasks and metrics. The criterion takes the present state. The task keeps the goal's
    # id, the metric has an item with it, so that later changes reach the criterion. This does not
    # make them tasks and metrics of the goal.

    async def _link(self, goal: Goal, before: CriterionList) -> tuple[Goal, list[Write]]:
        goal, task_writes = await self._link_tasks(goal, before)
        goal, metric_writes = await self._link_metrics(goal, before)
        return goal, [*task_writes, *metric_writes]

    async def _link_tasks(self, goal: Goal, before: CriterionList) -> tuple[Goal, list[Write]]:
        criteria = goal.success_criteria
        old_ids, new_ids = (linked_ids(each, "linked_task_id") for each in (before, criteria))
        check_one_criterion_per_task(criteria)
        writes: list[Write] = []
        is_done: dict[str, bool] = {}
        for task_id in sorted(new_ids - old_ids):
            task = await self.own_task(task_id)
            is_done[task.id] = task.is_done
            new = task.evolve(self.now, criterion_goal_ids=add_criterion_goal(task, goal.id))
            writes.append(put_or_retry(new, task, "task"))
        for task in await self.load_existing(keys.task, sorted(old_ids - new_ids)):
            goal_ids = [each for each in task.criterion_goal_ids if each != goal.id]
            new = task.evolve(self.now, criterion_goal_ids=goal_ids)
            writes.append(put_or_retry(new, task, "task"))
        criteria, _ = follow_links(criteria, "linked_task_id", is_done, self.now)
        return replace(goal, success_criteria=criteria), writes

    async def _link_metrics(self, goal: Goal, before: CriterionList) -> tuple[Goal, list[Write]]:
        old_ids = linked_ids(before, "linked_metric_id")
        new_ids = linked_ids(goal.success_criteria, "linked_metric_id")
        added = new_ids - old_ids
        writes: list[Write] = []
        for metric_id in sorted(added):
            writes += await self.tracking_links.follow_metric(goal.id, metric_id)
        for metric_id in sorted(old_ids - new_ids):
            writes.append(self.tracking_links.stop_following(goal.id, metric_id))
        found = await self.metrics.progress_of(added) if added else {}
        reached = {id: id in found and found[id].reached for id in added}
        criteria, _ = follow_links(goal.success_criteria, "linked_metric_id", reached, self.now)
        return replace(goal, success_criteria=criteria), writes
