"""The next occurrence of a recurring task: made by its completion, removed when that is taken
back. Both are part of the transaction that changes the task."""

from dataclasses import replace

from app.core.errors import IdTaken
from app.domains.goals import keys
from app.domains.goals.errors import NextOccurrenceChanged
from app.domains.goals.rules.occurrences import (
    has_next_occurrence,
    is_untouched,
    next_occurrence,
    next_occurrence_day,
)
from app.domains.goals.service.base import GoalsService, delete_or_retry
from app.domains.goals.service.task_effects import TaskEffects
from app.domains.goals.types import Removal, Task
from app.table.writes import Put, Write, put_if_absent


class Occurrences(GoalsService):
    async def apply_change(
        self, old: Task | None, new: Task, effects: TaskEffects
    ) -> tuple[Task, list[Write]]:
        """The changed task, linked to its next occurrence or to none, and the writes of that."""
        if new.is_done and not has_next_occurrence(old, new):
            return await self._create_next(new, effects)
        if old is not None and old.is_done and not new.is_done and old.next_task_id is not None:
            return await self._remove_next(new, effects)
        return new, []

    async def _create_next(self, task: Task, effects: TaskEffects) -> tuple[Task, list[Write]]:
        calendar = await self.calendar()
        day = next_occurrence_day(task, calendar.day_of(self.resources.clock.now()))
        if day is None:
            return task, []
        following = next_occurrence(task, day, calendar, id=self.new_id(), now=self.now)
        effects.add(None, following)
        put = put_if_absent(following, otherwise=IdTaken("task"))
        return replace(task, next_task_id=following.id), [put]

    async def _remove_next(self, task: Task, effects: TaskEffects) -> tuple[Task, list[Write]]:
        assert task.next_task_id is not None, "a task with a next occurrence"
        alone = replace(task, next_task_id=None)
        following = await self.table.load(keys.task(self.caller.user_id, task.next_task_id))
        if following is None:
            return alone, []
        if not is_untouched(following):
            raise NextOccurrenceChanged(following)
        effects.add(following, None)
        removal = Removal(**self.stamp(), kind="TASK", id=following.id)
        return alone, [delete_or_retry(following, "task"), Put(removal)]
