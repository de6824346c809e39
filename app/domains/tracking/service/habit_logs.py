"""Logs of habits, and the freezes that save a streak."""

from dataclasses import replace
from datetime import date
from functools import partial

import strawberry

from app.core.batches import BatchError, run_batch
from app.core.clock import to_day
from app.core.errors import StaleVersion
from app.domains.rewards.errors import NoFreeze, NotActive
from app.domains.rewards.rules import MOST_FREEZES
from app.domains.rewards.service import Wallets
from app.domains.service import Decision, expect_version, required, uses
from app.domains.tracking import keys
from app.domains.tracking.inputs import DeleteHabitLogInput, LogHabitInput, LogHabitsInput
from app.domains.tracking.rules import habit_records as rules
from app.domains.tracking.rules.habit_records import DayChanges
from app.domains.tracking.rules.habits import HabitSummary
from app.domains.tracking.service.base import LOCKS, TrackingService
from app.domains.tracking.service.habits import Habits
from app.domains.tracking.types import Habit, HabitLog, HabitLogResult, HabitStatus, LogKind
from app.table.writes import Write, delete_if_unchanged, put_if_absent, put_if_unchanged


class HabitLogs(TrackingService):
    habits = uses(Habits)
    wallets = uses(Wallets)

    async def log(self, request: LogHabitInput) -> HabitLog:
        async with LOCKS.hold(request.habit_id):
            await self.apply_freezes(await self._require_loggable(request.habit_id))
            log = await self.once(request, HabitLog, partial(self._log, request))
        await self._refresh_goals(request.habit_id)
        return log

    async def log_many(self, request: LogHabitsInput) -> list[HabitLogResult]:
        results = await run_batch(request.logs, self.log, field="input.logs")
        return [
            HabitLogResult(error=each) if isinstance(each, BatchError) else HabitLogResult(log=each)
            for each in results
        ]

    async def _require_loggable(self, habit_id: str) -> Habit:
        habit = await self.habits.require(habit_id)
        if habit.status is HabitStatus.Archived:
            raise NotActive("habit")
        return habit

    async def _log(self, request: LogHabitInput) -> Decision[HabitLog]:
        habit = await self._require_loggable(request.habit_id)
        today = await self.today()
        day = rules.log_day(request.date or None, today)
        completed = request.completed if isinstance(request.completed, bool) else None
        kind = rules.log_kind(habit, request.kind or None, completed)
        old = await self.table.get(keys.log_of_habit(habit.id, to_day(day)))
        log = self._changed_log(old, kind) if old else self._new_log(habit, day, kind)
        if request.notes is not strawberry.UNSET:
            log = replace(log, notes=request.notes)
        uses_freeze = kind is LogKind.FREEZE and (old is None or old.kind is not kind)
        writes = [
            *await self._habit_writes(habit, {day: kind}, today),
            put_if_unchanged(log, old, "habit") if old else _put_new(log),
            *self.wallets.use_freezes(self.caller.user_id, int(uses_freeze)),
        ]
        return Decision(log, writes)

    def _changed_log(self, old: HabitLog, kind: LogKind) -> HabitLog:
        return old.evolve(self.now, kind=kind, completed=kind is LogKind.DONE)

    def _new_log(self, habit: Habit, day: date, kind: LogKind) -> HabitLog:
        return HabitLog(
            **self.stamp(),
            habit_id=habit.id,
            date=to_day(day),
            kind=kind,
            completed=kind is LogKind.DONE,
        )

    async def delete(self, request: DeleteHabitLogInput) -> HabitLog:
        async with LOCKS.hold(request.habit_id):
            log = await self.once(request, HabitLog, partial(self._delete, request))
        await self._refresh_goals(request.habit_id)
        return log

    async def _delete(self, request: DeleteHabitLogInput) -> Decision[HabitLog]:
        habit = await self.habits.require(request.habit_id)
        log = required(await self.table.get(keys.log_of_habit(habit.id, request.date)), "log")
        expect_version(request, log, "log")
        changes = {date.fromisoformat(log.date): None}
        writes = await self._habit_writes(habit, changes, await self.today())
        return Decision(log, [*writes, delete_if_unchanged(log, "log")])

    async def _refresh_goals(self, habit_id: str) -> None:
        habit = await self.habits.find(habit_id)
        if habit and habit.goal_ids:
            await self.habits.linked_goals.refresh(habit.goal_ids)

    async def _habit_writes(self, habit: Habit, changes: DayChanges, today: date) -> list[Write]:
        new = await self._with_changes(habit, changes, today)
        return [put_if_unchanged(new, habit, "habit")]

    async def _with_changes(self, habit: Habit, changes: DayChanges, today: date) -> Habit:
        """The habit with its state after these changes."""
        new = habit.evolve(self.now)
        if rules.is_in_recent_days(habit, changes):
            state = rules.state_after_recent(habit, changes, today)
            return rules.with_state(new, state, today)
        logs = rules.logs_after(await self.habits.log_kinds(habit), changes)
        return rules.with_state_from_logs(new, logs, today)

    # Freezes.

    async def summary(self, habit: Habit) -> HabitSummary:
        """Uses the freezes that save the streak, if enough are held."""
        return rules.summary_of(await self.apply_freezes(habit), await self.today())

    async def summary_for_others(self, habit: Habit) -> HabitSummary:
        """The same numbers for a user with whom the habit is shared; no freeze is used, because
        only the owner's requests use them."""
        today = await self.today()
        if rules.missed_days(habit, today, MOST_FREEZES):
            habit = (await self._apply_freezes(habit.id, today)).answer
        return rules.summary_of(habit, today)

    async def apply_freezes(self, habit: Habit) -> Habit:
        """The habit with freezes on the days that would break its streak, if enough are held."""
        today = await self.today()
        if not rules.missed_days(habit, today, MOST_FREEZES):
            return habit
        try:
            after = await self.commit(partial(self._apply_freezes, habit.id, today))
        except (NoFreeze, StaleVersion):
            return await self.habits.require(habit.id)
        if after.version != habit.version and after.goal_ids:
            await self.habits.linked_goals.refresh(after.goal_ids)
        return after

    async def _apply_freezes(self, habit_id: str, today: date) -> Decision[Habit]:
        habit = await self.habits.require(habit_id)
        held = (await self.wallets.wallet()).freezes
        days = rules.missed_days(habit, today, held)
        if not days:
            return Decision(habit)
        new = await self._with_changes(habit, dict.fromkeys(days, LogKind.FREEZE), today)
        logs = [self._new_log(habit, day, LogKind.FREEZE) for day in days]
        return Decision(
            new,
            [
                put_if_unchanged(new, habit, "habit"),
                *map(_put_new, logs),
                *self.wallets.use_freezes(self.caller.user_id, len(days)),
            ],
        )


def _put_new(log: HabitLog) -> Write:
    return put_if_absent(log, otherwise=StaleVersion("habit", None))
