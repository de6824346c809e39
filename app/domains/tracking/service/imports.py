"""Many logs at once, from and to files. An import that was interrupted, or is repeated, adds only
the logs that are missing."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import strawberry

from app.core.clock import parse_instant, to_day
from app.domains.service import Decision, uses
from app.domains.tracking.inputs import CreateHabitInput, CreateMetricInput
from app.domains.tracking.rules import habit_records
from app.domains.tracking.rules import imports as rules
from app.domains.tracking.rules.csv_files import HabitRow, MetricRow, MetricSetup
from app.domains.tracking.rules.milestones import MOST_MILESTONES
from app.domains.tracking.service.base import LOCKS, TrackingService
from app.domains.tracking.service.habits import Habits
from app.domains.tracking.service.metric_logs import MetricLogs
from app.domains.tracking.service.metrics import Metrics
from app.domains.tracking.types import Habit, HabitLog, HabitType, LogKind, Metric, MetricLog
from app.table.transaction import room_for
from app.table.writes import Put, put_if_unchanged

# Besides the logs: the metric, the wallet, and each milestone with its wallet transaction.
LOGS_AT_ONCE = room_for(1, besides=2 + 2 * MOST_MILESTONES)

OnProgress = Callable[[int], None]
NOTHING_GIVEN = MetricSetup()


@dataclass(slots=True)
class ImportResult:
    added: int = 0
    existing: int = 0


class Imports(TrackingService):
    metrics = uses(Metrics)
    habits = uses(Habits)
    metric_logs = uses(MetricLogs)

    async def add_metric_logs(
        self,
        rows: Sequence[MetricRow],
        on_progress: OnProgress,
        setup: MetricSetup = NOTHING_GIVEN,
    ) -> ImportResult:
        """Metrics are found by id or name. An unknown name creates a metric, if the rows or `setup`
        say how; otherwise nothing at all is imported."""
        rules.check_metric_rows(rows, self.resources.clock.now())
        stored = await self.repository.every_metric_of_user(self.caller.user_id)
        metrics = rules.by_id_or_name(stored)
        groups = rules.group_rows(rows, lambda row: row.metric, metrics)
        fields = {
            name: rules.metric_setup(name, group, setup)
            for name, group in groups.items()
            if rules.find_record(metrics, name) is None
        }
        result = ImportResult()
        for name, group in groups.items():
            metric = rules.find_record(metrics, name)
            if metric is None:
                metric = await self.metrics.create(CreateMetricInput(name=name, **fields[name]))
                metrics |= rules.by_id_or_name([metric])
            await self._add_to_metric(metric, group, result, on_progress)
        return result

    async def _add_to_metric(
        self,
        metric: Metric,
        rows: Sequence[MetricRow],
        result: ImportResult,
        on_progress: OnProgress,
    ) -> None:
        stored = {log.id for log in await self.repository.every_log_of_metric(metric.id)}
        found = rules.rows_by_log_id(metric.id, rows)
        logs = [
            await self._metric_log(metric, row, log_id)
            for log_id, row in found.items()
            if log_id not in stored
        ]
        result.existing += len(rows) - len(logs)
        on_progress(len(rows) - len(logs))
        for start in range(0, len(logs), LOGS_AT_ONCE):
            chunk = logs[start : start + LOGS_AT_ONCE]
            async with LOCKS.hold(metric.id):
                await self.commit(partial(self._add_metric_chunk, metric.id, chunk))
            result.added += len(chunk)
            on_progress(len(chunk))
        if logs:
            await self.metrics.refresh_goals(metric.id)

    async def _add_metric_chunk(self, metric_id: str, chunk: Sequence[MetricLog]) -> Decision[None]:
        metric = await self.metric_logs.require_loggable(metric_id)
        logs, writes = await self.metric_logs.add_logs(metric, chunk)
        return Decision(None, [*writes, *(Put(log) for log in logs)])

    async def _metric_log(self, metric: Metric, row: MetricRow, log_id: str) -> MetricLog:
        return MetricLog(
            id=strawberry.ID(log_id),
            **self.stamp(),
            metric_id=metric.id,
            value=row.value,
            notes=row.notes,
            logged_at=row.logged_at,
            date=to_day(await self.day_of(parse_instant(row.logged_at))),
        )

    async def add_habit_logs(
        self, rows: Sequence[HabitRow], on_progress: OnProgress
    ) -> ImportResult:
        """Habits are found by id or name; an unknown name creates a daily habit."""
        rules.check_habit_rows(rows, await self.today())
        stored = await self.repository.every_habit_of_user(self.caller.user_id)
        habits = rules.by_id_or_name(stored)
        groups = rules.group_rows(rows, lambda row: row.habit, habits)
        types = rules.new_habit_types(groups, habits)
        result = ImportResult()
        for name, group in groups.items():
            habit = rules.find_record(habits, name)
            if habit is None:
                habit = await self._create_habit(name, types[name], group)
                habits |= rules.by_id_or_name([habit])
            await self._add_to_habit(habit, group, result, on_progress)
        return result

    async def _create_habit(
        self, name: str, habit_type: HabitType, rows: Iterable[HabitRow]
    ) -> Habit:
        start = to_day(min(row.date for row in rows))
        request = CreateHabitInput(name=name, habit_type=habit_type, start_date=start)
        return await self.habits.create(request)

    async def _add_to_habit(
        self,
        habit: Habit,
        rows: Sequence[HabitRow],
        result: ImportResult,
        on_progress: OnProgress,
    ) -> None:
        """A day that has a log keeps it."""
        stored = await self.habits.log_kinds(habit)
        missing = {row.date: row for row in rows if row.date not in stored}
        result.existing += len(rows) - len(missing)
        on_progress(len(rows) - len(missing))
        days = sorted(missing)
        for start in range(0, len(days), LOGS_AT_ONCE):
            chunk = [missing[day] for day in days[start : start + LOGS_AT_ONCE]]
            async with LOCKS.hold(habit.id):
                await self.commit(partial(self._add_habit_chunk, habit.id, chunk))
            result.added += len(chunk)
            on_progress(len(chunk))
        if missing and habit.goal_ids:
            await self.habits.linked_goals.refresh(habit.goal_ids)

    async def _add_habit_chunk(self, habit_id: str, rows: Sequence[HabitRow]) -> Decision[None]:
        old = await self.habits.require(habit_id)
        added = {row.date: rules.habit_kind(old, row) for row in rows}
        logs = await self.habits.log_kinds(old) | added
        new = habit_records.with_state_from_logs(old.evolve(self.now), logs, await self.today())
        puts = [Put(self._habit_log(old, row)) for row in rows]
        return Decision(None, [put_if_unchanged(new, old, "habit"), *puts])

    def _habit_log(self, habit: Habit, row: HabitRow) -> HabitLog:
        kind = rules.habit_kind(habit, row)
        return HabitLog(
            **self.stamp(),
            habit_id=habit.id,
            date=to_day(row.date),
            kind=kind,
            completed=kind is LogKind.DONE,
            notes=row.notes,
        )

    async def every_metric_log(self) -> AsyncIterator[tuple[Metric, MetricLog]]:
        for metric in await self.repository.every_metric_of_user(self.caller.user_id):
            for log in await self.repository.every_log_of_metric(metric.id):
                yield metric, log

    async def every_habit_log(self) -> AsyncIterator[tuple[Habit, HabitLog]]:
        for habit in await self.repository.every_habit_of_user(self.caller.user_id):
            for log in await self.repository.every_log_of_habit(habit.id):
                yield habit, log
