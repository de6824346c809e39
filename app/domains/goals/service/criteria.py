"""Success criteria: a list inside the goal. Each change goes by the criterion's id and is decided
on the list as it is, so that two clients never lose each other's changes."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from app.core.caller import Caller
from app.core.errors import BadInput, Conflict, NotFound
from app.domains.goals.inputs import (
    AddCriterionInput,
    CompleteCriterionInput,
    RemoveCriterionInput,
    ReopenCriterionInput,
    ReorderCriteriaInput,
    SuccessCriterionInput,
    UpdateCriterionInput,
)
from app.domains.goals.service.base import GoalsService, present_only, swap
from app.domains.goals.service.measures import measuring
from app.domains.goals.service.progress import GoalKeeper, Happened
from app.domains.goals.service.ripples import completed
from app.domains.goals.types import ActivityType, Goal, SuccessCriterion
from app.domains.people.service import Profiles
from app.domains.service import Decision
from app.resources import Resources
from app.table.writes import Write

MOST_CRITERIA = 50
MOST_TOLD = 5
Listed = list[SuccessCriterion]


class Criteria(GoalsService):
    def __init__(
        self, resources: Resources, caller: Caller, profiles: Profiles, keeper: GoalKeeper
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.keeper = keeper

    async def first(
        self, goal: Goal, wishes: Sequence[SuccessCriterionInput]
    ) -> tuple[Goal, list[Write]]:
        """A new goal with the criteria it begins with."""
        listed = [self._new(wish) for wish in wishes]
        if len({each.id for each in listed}) != len(listed):
            raise Conflict("Two criteria have the same id.")
        goal = replace(goal, success_criteria=_placed(listed))
        return await self._linked(goal, [])

    async def add(self, request: AddCriterionInput) -> Goal:
        async def decide() -> Decision[Goal]:
            goal = await self.own_goal(request.goal_id)
            new = self._new(request)
            if len(goal.success_criteria) >= MOST_CRITERIA:
                raise BadInput(f"A goal has at most {MOST_CRITERIA} criteria.", field="input")
            if any(each.id == new.id for each in goal.success_criteria):
                raise Conflict("There is a criterion with this id already.")
            listed = list(goal.success_criteria)
            place = request.order if isinstance(request.order, int) else len(listed) + 1
            listed.insert(place - 1, new)
            return await self._decided(goal, listed, [_told(ActivityType.criterion_added, new)])

        return await self.once(request, Goal, decide)

    async def update(self, request: UpdateCriterionInput) -> Goal:
        changes = request.changes(("text", "order"))
        place = changes.pop("order", None)
        changes.pop("goal_id")

        async def change(listed: Listed, old: SuccessCriterion) -> tuple[Listed, list[Happened]]:
            new = replace(old, **changes)
            rest = [new if each.id == old.id else each for each in listed]
            if place is not None:
                rest.remove(new)
                rest.insert(place - 1, new)
            return rest, [_told(ActivityType.criterion_updated, new)]

        return await self._changing(request.goal_id, request.id, change)

    async def complete(self, request: CompleteCriterionInput) -> Goal:
        return await self._setting(request.goal_id, request.id, is_completed=True)

    async def reopen(self, request: ReopenCriterionInput) -> Goal:
        return await self._setting(request.goal_id, request.id, is_completed=False)

    async def _setting(self, goal_id: str, id: str, *, is_completed: bool) -> Goal:
        async def change(listed: Listed, old: SuccessCriterion) -> tuple[Listed, list[Happened]]:
            new, story = completed(old, is_completed, self.now)
            return [new if each.id == old.id else each for each in listed], story

        return await self._changing(goal_id, id, change)

    async def remove(self, request: RemoveCriterionInput) -> Goal:
        async def change(listed: Listed, old: SuccessCriterion) -> tuple[Listed, list[Happened]]:
            rest = [each for each in listed if each.id != old.id]
            return rest, [_told(ActivityType.criterion_removed, old)]

        return await self._changing(request.goal_id, request.id, change)

    async def reorder(self, request: ReorderCriteriaInput) -> Goal:
        async def decide() -> Decision[Goal]:
            goal = await self.own_goal(request.goal_id)
            by_id = {each.id: each for each in goal.success_criteria}
            if unknown := [each for each in request.ids if each not in by_id]:
                raise NotFound(f"criterion {unknown[0][:64]}")
            order = list(dict.fromkeys([*request.ids, *by_id]))
            return await self._decided(goal, [by_id[each] for each in order], [])

        return await self.commit(decide)

    async def _changing(
        self,
        goal_id: str,
        id: str,
        change: Callable[[Listed, SuccessCriterion], Awaitable[tuple[Listed, list[Happened]]]],
    ) -> Goal:
        async def decide() -> Decision[Goal]:
            goal = await self.own_goal(goal_id)
            listed = list(goal.success_criteria)
            old = next((each for each in listed if each.id == id), None)
            if old is None:
                raise NotFound("criterion")
            return await self._decided(goal, *await change(listed, old))

        return await self.commit(decide)

    async def _decided(
        self, old: Goal, listed: Listed, happened: Sequence[Happened]
    ) -> Decision[Goal]:
        new = replace(old, success_criteria=_placed(listed))
        if new == old:
            return Decision(old)
        new, links = await self._linked(new.evolve(self.now), old.success_criteria)
        new, writes = await self.keeper.change(old, new, happened)
        return Decision(new, [*writes, *links])

    def _new(self, wish: SuccessCriterionInput | AddCriterionInput) -> SuccessCriterion:
        given = {name: value for name, value in wish.given().items() if value is not None}
        done = bool(given.get("is_completed"))
        return SuccessCriterion(
            id=self.new_id(given.get("id")),
            text=wish.text,
            is_completed=done,
            completed_at=self.now if done else None,
            linked_metric_id=given.get("linked_metric_id"),
            linked_task_id=given.get("linked_task_id"),
            target_date=given.get("target_date"),
        )

    # A criterion that hangs on a task or metric: the goal learns its state now, and the task or
    # metric learns whom to tell later.

    async def _linked(self, goal: Goal, before: Listed) -> tuple[Goal, list[Write]]:
        goal, task_writes = await self._to_tasks(goal, before)
        goal, metric_writes = await self._to_metrics(goal, before)
        return goal, [*task_writes, *metric_writes]

    async def _to_tasks(self, goal: Goal, before: Listed) -> tuple[Goal, list[Write]]:
        was, now = _ids(before, "linked_task_id"), _ids(goal.success_criteria, "linked_task_id")
        if len([each for each in goal.success_criteria if each.linked_task_id]) > len(now):
            raise BadInput("A task serves one criterion of a goal at most.", field="input")
        writes: list[Write] = []
        news: dict[str, bool] = {}
        for task_id in sorted(now - was):
            task = await self.own_task(task_id)
            news[task.id] = task.is_done
            told = [*task.criterion_goal_ids, goal.id]
            if len(told) > MOST_TOLD:
                raise BadInput(
                    f"A task serves criteria of {MOST_TOLD} goals at most.", field="input"
                )
            writes.append(swap(task.evolve(self.now, criterion_goal_ids=told), task, "task"))
        for task in present_only(await self.repository.tasks_by_ids(sorted(was - now))):
            told = [each for each in task.criterion_goal_ids if each != goal.id]
            writes.append(swap(task.evolve(self.now, criterion_goal_ids=told), task, "task"))
        return _following(goal, "linked_task_id", news, self.now), writes

    async def _to_metrics(self, goal: Goal, before: Listed) -> tuple[Goal, list[Write]]:
        was = _ids(before, "linked_metric_id")
        now = _ids(goal.success_criteria, "linked_metric_id")
        writes: list[Write] = []
        for metric_id in sorted(now - was):
            if metric_id not in goal.metric_ids:
                goal, links = await measuring(self.keeper, goal, metric_id)
                writes += links
        found = await self.keeper.metrics.progress_of(now - was) if now - was else {}
        news = {each: each in found and found[each].reached for each in now - was}
        return _following(goal, "linked_metric_id", news, self.now), writes


def _ids(listed: Listed, name: str) -> set[str]:
    return {getattr(each, name) for each in listed} - {None}


def _following(goal: Goal, name: str, news: dict[str, bool], now: str) -> Goal:
    criteria = [
        completed(each, news[getattr(each, name)], now)[0]  # type: ignore[arg-type]
        if getattr(each, name) in news
        else each
        for each in goal.success_criteria
    ]
    return replace(goal, success_criteria=criteria)


def _placed(listed: Listed) -> Listed:
    return [replace(each, order=place) for place, each in enumerate(listed, start=1)]


def _told(kind: ActivityType, criterion: SuccessCriterion) -> Happened:
    return Happened(type=kind, title=criterion.text, entity="Criterion", id=criterion.id)
