"""Habits: create, change, list; their completion for the goals domain."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, ClassVar

from app.core.clock import to_day
from app.core.errors import IdTaken
from app.core.text import is_same_name
from app.domains.service import Decision, expect_version, uses
from app.domains.tracking import keys
from app.domains.tracking.inputs import CreateHabitInput, UpdateHabitInput
from app.domains.tracking.rules import habit_records as rules
from app.domains.tracking.service.base import LOCKS
from app.domains.tracking.service.linked import HabitDeletion, LinkedRecords
from app.domains.tracking.service.logbook import Logbook
from app.domains.tracking.service.ports import SharedRecords
from app.domains.tracking.types import Habit, HabitCompletion, HabitLog, HabitStatus, LogKind
from app.table.gateway import Position, Rows
from app.table.writes import Write, put_if_absent, put_if_unchanged

NEVER_NULL = (
    "name",
    "habit_type",
    "frequency",
    "weekdays",
    "target_per_period",
    "start_date",
    "status",
)


class Habits(LinkedRecords[Habit]):
    shared_records = uses(SharedRecords)
    logbook = uses(Logbook)
    what: ClassVar[str] = "habit"
    deletion_type = HabitDeletion

    async def find(self, record_id: str) -> Habit | None:
        return await self.table.load(keys.habit(self.caller.user_id, record_id))

    async def habits(
        self,
        status: HabitStatus | None,
        area: str | None,
        due_on: str | None,
        *,
        keep: Callable[[Habit], bool] | None = None,
        limit: int,
        start: Position | None,
    ) -> Rows[Habit]:
        day = date.fromisoformat(due_on) if due_on else None

        def matches(habit: Habit) -> bool:
            match = status in (None, habit.status)
            match &= area is None or is_same_name(area, habit.area)
            match &= day is None or rules.is_due_on(habit, day)
            return match and (keep is None or keep(habit))

        query = keys.habits_of_user(self.caller.user_id)
        return await self.table.query(query, limit=limit, start=start, keep=matches)

    async def logs(
        self,
        habit: Habit,
        since: str | None,
        until: str | None,
        *,
        newest_first: bool,
        limit: int,
        start: Position | None,
    ) -> Rows[HabitLog]:
        """Empty for everyone but the owner, also if the habit is shared: logs contain notes."""
        if habit.user_id != self.caller.user_id:
            return Rows([])
        query = keys.logs_of_habit(habit.id, since, until, newest_first=newest_first)
        return await self.table.query(query, limit=limit, start=start)

    async def create(self, request: CreateHabitInput) -> Habit:
        return await self.once(request, Habit, partial(self._create, request))

    async def _create(self, request: CreateHabitInput) -> Decision[Habit]:
        today = await self.today()
        values = {"start_date": to_day(today)} | request.values()
        values["pauses"] = rules.initial_pauses(values.get("status", HabitStatus.Active), today)
        habit = Habit(id=self.new_id(values.pop("id", None)), **self.stamp(), **values)
        rules.check_habit(habit, today)
        return Decision(habit, [put_if_absent(habit, otherwise=IdTaken("habit"))])

    async def update(self, request: UpdateHabitInput) -> Habit:
        async def decide() -> Decision[Habit]:
            old = await self.require(request.id)
            expect_version(request, old, "habit")
            new = await self._changed_habit(old, request.changes(NEVER_NULL))
            return Decision(new, [put_if_unchanged(new, old, "habit")])

        async with LOCKS.hold(request.id):
            habit = await self.once(request, Habit, decide)
        await self.linked_goals.refresh(habit.goal_ids)
        return habit

    async def _changed_habit(self, old: Habit, changes: dict[str, Any]) -> Habit:
        """Another schedule gives the same logs another state."""
        today = await self.today()
        changed = old.evolve(self.now, **changes)
        new = replace(changed, pauses=rules.pauses_after(old, changed.status, today))
        rules.check_habit(new, today)
        return rules.with_state_from_logs(new, await self.log_kinds(new), today)

    async def with_limit(self, habit: Habit) -> Habit:
        """Its state with the limit of slips, for the migration."""
        return rules.with_state_from_logs(habit, await self.log_kinds(habit), await self.today())

    async def log_kinds(self, habit: Habit) -> dict[date, LogKind]:
        """Of every log."""
        found = await self.repository.every_log_of_habit(habit.id)
        return {date.fromisoformat(log.date): log.kind for log in found}

    def goal_links(self, record: Habit, following: Sequence[str]) -> list[Write]:
        return self.linked_goals.habit_links(record.id, record.goal_ids)

    async def before_deletion(self, record: Habit) -> None:
        await self.logbook.remove_links("habit", record.id)
        await self.shared_records.forget("HABIT", record.id)

    async def after_deletion(self, record: Habit) -> None:
        await self.shared_records.forget("HABIT", record.id)

    async def completion_of(self, habit_ids: Iterable[str]) -> dict[str, HabitCompletion]:
        """In one batch read. Habits that are absent are left out."""
        found = await self.repository.habits(self.caller.user_id, dict.fromkeys(habit_ids))
        today = await self.today()
        return {habit.id: rules.completion_of(habit, today) for habit in found}
