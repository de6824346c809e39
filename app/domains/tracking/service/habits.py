"""Habits, and what the goals want to know of them."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from functools import partial
from typing import Any

from app.core.caller import Caller
from app.core.clock import day as day_text
from app.core.errors import BadInput, NotFound
from app.domains.people.service import Profiles
from app.domains.service import Decision, expect_version
from app.domains.tracking import keys
from app.domains.tracking.errors import IdTaken
from app.domains.tracking.inputs import CreateHabitInput, DeleteHabitInput, UpdateHabitInput
from app.domains.tracking.rules import habits as rules
from app.domains.tracking.rules.periods import ONE_DAY
from app.domains.tracking.service.links import (
    LinkRows,
    WhenChanged,
    WhenGone,
    no_link_rows,
    nobody_listens,
    nobody_misses_it,
    with_goal,
    without_goal,
)
from app.domains.tracking.service.logbook import Logbook
from app.domains.tracking.service.tracker import TURNS, Tracker
from app.domains.tracking.types import (
    Frequency,
    Habit,
    HabitCompletion,
    HabitLog,
    HabitState,
    HabitStatus,
    Pause,
)
from app.resources import Resources
from app.table.gateway import Position, Rows
from app.table.writes import Write, create, remove, replace

NEVER_NULL = ("name", "habit_type", "frequency", "weekdays", "target_per_period", "start_date")
LONGEST_AGO = timedelta(days=3660)


class Habits(Tracker):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        when_changed: WhenChanged = nobody_listens,
        link_rows: LinkRows = no_link_rows,
        when_gone: WhenGone = nobody_misses_it,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.when_changed = when_changed
        self.link_rows = link_rows
        self.when_gone = when_gone
        self.logbook = Logbook(resources, caller, profiles)

    async def habit(self, habit_id: str) -> Habit | None:
        return await self.repository.habit(self.caller.user_id, habit_id)

    async def known(self, habit_id: str) -> Habit:
        found = await self.habit(habit_id)
        if found is None:
            raise NotFound("habit")
        return found

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

        def fits(habit: Habit) -> bool:
            wanted = status in (None, habit.status) and area in (None, habit.area)
            wanted &= day is None or _is_due(habit, day)
            return wanted and (keep is None or keep(habit))

        return await self.repository.habits_of_user(
            self.caller.user_id, limit=limit, start=start, keep=fits
        )

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
        """For its owner alone, also if it is shared: there are notes in it."""
        if habit.user_id != self.caller.user_id:
            return Rows([])
        return await self.repository.logs_of_habit(
            habit.id, since, until, newest_first=newest_first, limit=limit, start=start
        )

    async def create(self, request: CreateHabitInput) -> Habit:
        return await self.once(request, Habit, partial(self._creating, request))

    async def _creating(self, request: CreateHabitInput) -> Decision[Habit]:
        given = {name: value for name, value in request.given().items() if value is not None}
        given.pop("idempotency_key", None)
        today = await self.today()
        given.setdefault("start_date", day_text(today))
        habit = Habit(
            id=given.pop("id", None) or self.resources.ids.new(),
            user_id=self.caller.user_id,
            created_at=self.now,
            updated_at=self.now,
            **given,
        )
        if habit.status is not HabitStatus.Active:
            habit.pauses = [Pause(since=day_text(today))]
        _check(habit, today)
        return Decision(habit, [create(habit, otherwise=IdTaken("habit"))])

    async def update(self, request: UpdateHabitInput) -> Habit:
        async def decide() -> Decision[Habit]:
            old = await self.known(request.id)
            expect_version(request, old, "habit")
            new = await self._changed(old, request.changes((*NEVER_NULL, "status")))
            return Decision(new, [replace(new, old, "habit")])

        async with TURNS.of(request.id):
            habit = await self.commit(decide)
        await self.when_changed(habit.goal_ids)
        return habit

    async def _changed(self, old: Habit, changes: dict[str, Any]) -> Habit:
        """Under another schedule the same logs may come to something else."""
        today = await self.today()
        new = old.evolve(self.now, **changes)
        new.pauses = _pauses(old, new, today)
        _check(new, today)
        logs = await self.every_log(new)
        return restated(new, rules.state_of(new.schedule, logs, today), today)

    async def every_habit(self) -> list[Habit]:
        return await self.repository.every_habit_of_user(self.caller.user_id)

    async def every_log(self, habit: Habit) -> dict[date, rules.LogKind]:
        found = await self.repository.every_log_of_habit(habit.id)
        return {date.fromisoformat(log.date): log.kind for log in found}

    async def delete(self, request: DeleteHabitInput) -> Habit:
        """Its logs first, itself last: broken off, it can be begun again. Who comes too late is
        told before any of it."""

        async def decide() -> Decision[Habit]:
            habit = await self.known(request.id)
            await self._delete_logs(habit)
            await self.logbook.forget("habit", habit.id)
            await self.when_gone(habit.id)
            links = self.link_rows(habit.id, habit.goal_ids)
            return Decision(habit, [remove(habit, "habit"), *links])

        async with TURNS.of(request.id):
            expect_version(request, await self.known(request.id), "habit")
            habit = await self.commit(decide)
            await self.when_gone(habit.id)
        await self.when_changed(habit.goal_ids)
        return habit

    async def _delete_logs(self, habit: Habit) -> None:
        logs = await self.repository.every_log_of_habit(habit.id)
        doomed = [keys.log_of_habit(habit.id, log.date) for log in logs]
        await self.table.delete_many((key.pk, key.sk) for key in doomed)

    # For the goals: see links.py.

    async def completion_of(self, habit_ids: Iterable[str]) -> dict[str, HabitCompletion]:
        found = await self.repository.habits(self.caller.user_id, dict.fromkeys(habit_ids))
        today = await self.today()
        return {habit.id: completion_of(habit, today) for habit in found}

    async def link_goal(self, habit_id: str, goal_id: str) -> list[Write]:
        old = await self.known(habit_id)
        if goal_id in old.goal_ids:
            return []
        return [replace(old.evolve(self.now, goal_ids=with_goal(old, goal_id)), old, "habit")]

    async def unlink_goal(self, habit_id: str, goal_id: str) -> list[Write]:
        old = await self.habit(habit_id)
        if old is None or goal_id not in old.goal_ids:
            return []
        return [replace(old.evolve(self.now, goal_ids=without_goal(old, goal_id)), old, "habit")]


def state_of(habit: Habit) -> HabitState:
    """As stored; of a habit without logs, the day before it began."""
    if habit.state is not None:
        return habit.state
    before = date.fromisoformat(habit.start_date) - ONE_DAY
    return HabitState(through=before.isoformat())


def restated(habit: Habit, state: HabitState, today: date) -> Habit:
    """With the state, and what it comes to today."""
    shown = rules.standing(habit.schedule, state, today)
    habit.state = state
    habit.cached_streak, habit.cached_longest_streak = shown.streak, shown.longest
    return habit


def completion_of(habit: Habit, today: date) -> HabitCompletion:
    done, expected = rules.completion(habit.schedule, state_of(habit), today)
    return HabitCompletion(done, expected)


def _is_due(habit: Habit, day: date) -> bool:
    active = habit.status is HabitStatus.Active
    return active and rules.is_due(habit.schedule, state_of(habit).logs, day)


def _pauses(old: Habit, new: Habit, today: date) -> list[Pause]:
    """It rests from the day it stops being Active until the day before it is again."""
    rested = old.status is not HabitStatus.Active
    rests = new.status is not HabitStatus.Active
    if rested == rests:
        return old.pauses
    if rests:
        return [*old.pauses, Pause(since=day_text(today))]
    *earlier, last = old.pauses
    until = day_text(today - ONE_DAY)
    return [*earlier, Pause(since=last.since, until=until)] if last.since <= until else earlier


def _check(habit: Habit, today: date) -> None:
    start = date.fromisoformat(habit.start_date)
    if not today - LONGEST_AGO <= start <= today:
        raise BadInput(
            "startDate must be in the last ten years, up to today.", field="input.startDate"
        )
    if habit.frequency is Frequency.Custom and not (habit.weekdays or habit.interval_days):
        raise BadInput("Custom needs weekdays or intervalDays.", field="input.frequency")
    if habit.frequency is Frequency.Weekly and habit.target_per_period > 7:
        raise BadInput(
            "A week has 7 days: targetPerPeriod must be 1 to 7.", field="input.targetPerPeriod"
        )
    if habit.interval_days is not None and habit.target_per_period > habit.interval_days:
        raise BadInput(
            "targetPerPeriod is more than the days there are.", field="input.targetPerPeriod"
        )
