"""Many logs at once, from and to files. Ids come from what is written, so that a file that was
broken off, or is read twice, adds what is missing and nothing else."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import strawberry

from app.core.caller import Caller
from app.core.clock import day as day_text
from app.core.clock import local_day, moment_of
from app.core.errors import BadInput
from app.domains.people.service import Profiles
from app.domains.people.types import User
from app.domains.service import Decision
from app.domains.tracking.inputs import CreateHabitInput, CreateMetricInput
from app.domains.tracking.rules import habits as rules
from app.domains.tracking.service.csv_files import HabitRow, MetricRow
from app.domains.tracking.service.habits import LONGEST_AGO, Habits, restated
from app.domains.tracking.service.metric_logs import EARLIEST, Change, MetricLogs
from app.domains.tracking.service.metrics import Metrics
from app.domains.tracking.service.tracker import TURNS, Tracker
from app.domains.tracking.types import Habit, HabitLog, LogKind, Metric, MetricLog
from app.resources import Resources
from app.table.writes import Put, replace

# With the metric, its milestones, their payments and the wallet, a transaction holds 100.
AT_ONCE = 60

Advance = Callable[[int], None]
T = TypeVar("T")


@dataclass(slots=True)
class Imported:
    added: int = 0
    there: int = 0


class Imports(Tracker):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        metrics: Metrics,
        habits: Habits,
        metric_logs: MetricLogs,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.metrics = metrics
        self.habits = habits
        self.metric_logs = metric_logs

    async def add_metric_logs(self, rows: Sequence[MetricRow], advance: Advance) -> Imported:
        """Metrics are found by id or name; a name that is new becomes a new metric."""
        now = self.resources.clock.now()
        if any(not EARLIEST <= moment_of(row.logged_at) <= now for row in rows):
            raise BadInput("loggedAt must be between 1970 and now, in every line.")
        known = await self.repository.every_metric_of_user(self.caller.user_id)
        by_name = {metric.name: metric for metric in reversed(known)}
        by_name |= {metric.id: metric for metric in known}
        result = Imported()
        for name, some in _grouped(rows, lambda row: row.metric).items():
            metric = by_name.get(name) or await self.metrics.create(CreateMetricInput(name=name))
            await self._add_to_metric(metric, some, result, advance)
        return result

    async def _add_to_metric(
        self, metric: Metric, rows: Sequence[MetricRow], result: Imported, advance: Advance
    ) -> None:
        me = await self.profiles.me()
        stored = {log.id for log in await self.repository.every_log_of_metric(metric.id)}
        logs = [log for log in self._metric_logs(metric, rows, me) if log.id not in stored]
        result.there += len(rows) - len(logs)
        advance(len(rows) - len(logs))
        for start in range(0, len(logs), AT_ONCE):
            some = logs[start : start + AT_ONCE]
            async with TURNS.of(metric.id):
                await self.commit(partial(self._adding, metric.id, some))
            result.added += len(some)
            advance(len(some))
        if logs and metric.goal_ids:
            await self.metrics.when_changed(metric.goal_ids)

    async def _adding(self, metric_id: str, logs: Sequence[MetricLog]) -> Decision[None]:
        metric = await self.metric_logs.open_metric(metric_id)
        writes = await self.metric_logs.changing(metric, Change(added=logs))
        return Decision(None, [*writes, *(Put(log) for log in logs)])

    def _metric_logs(self, metric: Metric, rows: Iterable[MetricRow], me: User) -> list[MetricLog]:
        seen: Counter[str] = Counter()
        logs = []
        for row in sorted(rows, key=lambda row: row.logged_at):
            facts = f"{metric.id}\n{row.logged_at}\n{row.value}\n{row.notes}"
            seen[facts] += 1
            log_id = row.id or _derived(f"{facts}\n{seen[facts]}")
            logs.append(self._metric_log(metric, row, log_id, me))
        return list({log.id: log for log in logs}.values())

    def _metric_log(self, metric: Metric, row: MetricRow, log_id: str, me: User) -> MetricLog:
        day = local_day(
            moment_of(row.logged_at),
            time_zone=me.time_zone or "UTC",
            day_start_hour=me.day_start_hour or 0,
        )
        return MetricLog(
            id=strawberry.ID(log_id),
            created_at=self.now,
            updated_at=self.now,
            user_id=self.caller.user_id,
            metric_id=metric.id,
            value=row.value,
            notes=row.notes,
            logged_at=row.logged_at,
            date=day_text(day),
        )

    async def add_habit_logs(self, rows: Sequence[HabitRow], advance: Advance) -> Imported:
        """Habits are found by id or name; a name that is new becomes a new, daily habit."""
        today = await self.today()
        if any(not today - LONGEST_AGO <= row.date <= today for row in rows):
            raise BadInput("date must be in the last ten years, up to today, in every line.")
        known = await self.habits.every_habit()
        by_name = {habit.name: habit for habit in reversed(known)}
        by_name |= {habit.id: habit for habit in known}
        result = Imported()
        for name, some in _grouped(rows, lambda row: row.habit).items():
            habit = by_name.get(name) or await self._new_habit(name, some)
            await self._add_to_habit(habit, some, result, advance)
        return result

    async def _new_habit(self, name: str, rows: Iterable[HabitRow]) -> Habit:
        start = day_text(min(row.date for row in rows))
        return await self.habits.create(CreateHabitInput(name=name, start_date=start))

    async def _add_to_habit(
        self, habit: Habit, rows: Sequence[HabitRow], result: Imported, advance: Advance
    ) -> None:
        """A day that has a log keeps it: what was lived counts more than what was imported."""
        stored = await self.habits.every_log(habit)
        fresh = {row.date: row for row in rows if row.date not in stored}
        result.there += len(rows) - len(fresh)
        advance(len(rows) - len(fresh))
        days = sorted(fresh)
        for start in range(0, len(days), AT_ONCE):
            some = [fresh[day] for day in days[start : start + AT_ONCE]]
            async with TURNS.of(habit.id):
                await self.commit(partial(self._living, habit.id, some))
            result.added += len(some)
            advance(len(some))
        if fresh and habit.goal_ids:
            await self.habits.when_changed(habit.goal_ids)

    async def _living(self, habit_id: str, rows: Sequence[HabitRow]) -> Decision[None]:
        today = await self.today()
        old = await self.habits.known(habit_id)
        logs = await self.habits.every_log(old) | {row.date: row.kind for row in rows}
        new = restated(old.evolve(self.now), rules.state_of(old.schedule, logs, today), today)
        puts = [Put(self._habit_log(old, row)) for row in rows]
        return Decision(None, [replace(new, old, "habit"), *puts])

    def _habit_log(self, habit: Habit, row: HabitRow) -> HabitLog:
        return HabitLog(
            created_at=self.now,
            updated_at=self.now,
            user_id=self.caller.user_id,
            habit_id=habit.id,
            date=day_text(row.date),
            kind=row.kind,
            completed=row.kind is LogKind.DONE,
            notes=row.notes,
        )

    async def every_metric_log(self) -> AsyncIterator[tuple[Metric, MetricLog]]:
        for metric in await self.repository.every_metric_of_user(self.caller.user_id):
            for log in await self.repository.every_log_of_metric(metric.id):
                yield metric, log

    async def every_habit_log(self) -> AsyncIterator[tuple[Habit, HabitLog]]:
        for habit in await self.habits.every_habit():
            for log in await self.repository.every_log_of_habit(habit.id):
                yield habit, log


def _grouped(rows: Iterable[T], name_of: Callable[[T], str]) -> dict[str, list[T]]:
    groups: dict[str, list[T]] = defaultdict(list)
    for row in rows:
        groups[name_of(row)].append(row)
    return groups


def _derived(facts: str) -> str:
    return hashlib.sha256(facts.encode()).hexdigest()[:32]
