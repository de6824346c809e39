"""What happened with a habit, day by day; and the freezes that save its streak."""

from collections.abc import Mapping
from dataclasses import replace as changed
from datetime import date
from functools import partial

import strawberry

from app.core.caller import Caller
from app.core.clock import day as day_text
from app.core.errors import BadInput, NotFound, StaleVersion
from app.domains.people.service import Profiles
from app.domains.rewards.errors import NoFreeze, NotActive
from app.domains.rewards.rules import MOST_FREEZES
from app.domains.rewards.service import Wallets
from app.domains.service import Decision, expect_version
from app.domains.tracking.inputs import DeleteHabitLogInput, LogHabitInput
from app.domains.tracking.rules import habits as rules
from app.domains.tracking.service.habits import LONGEST_AGO, Habits, restated, state_of
from app.domains.tracking.service.tracker import TURNS, Tracker
from app.domains.tracking.types import Habit, HabitLog, HabitState, HabitStatus, LogKind, Standing
from app.resources import Resources
from app.table.writes import Write, create, remove, replace


class HabitLogs(Tracker):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        habits: Habits,
        wallets: Wallets,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.habits = habits
        self.wallets = wallets

    async def log(self, request: LogHabitInput) -> HabitLog:
        async with TURNS.of(request.habit_id):
            await self.frozen(await self._open_habit(request.habit_id))
            log = await self.commit(partial(self._logging, request))
        await self._tell(request.habit_id)
        return log

    async def _open_habit(self, habit_id: str) -> Habit:
        habit = await self.habits.known(habit_id)
        if habit.status is HabitStatus.Archived:
            raise NotActive("habit")
        return habit

    async def _logging(self, request: LogHabitInput) -> Decision[HabitLog]:
        habit = await self._open_habit(request.habit_id)
        today = await self.today()
        day = self._day(request, today)
        kind = _kind(request)
        old = await self.repository.log_of_habit(habit.id, day_text(day))
        given = {"notes": request.notes} if request.notes is not strawberry.UNSET else {}
        log = self._new_log(habit, day, kind, old, given)
        used = kind is LogKind.FREEZE and (old is None or old.kind is not kind)
        writes = [
            *await self._changing(habit, {day: kind}, today),
            replace(log, old, "habit") if old else create(log, otherwise=_late()),
            *self.wallets.use_freezes(self.caller.user_id, int(used)),
        ]
        return Decision(log, writes)

    def _day(self, request: LogHabitInput, today: date) -> date:
        day = date.fromisoformat(request.date) if request.date else today
        if not today - LONGEST_AGO <= day <= today:
            raise BadInput(
                f"date must be in the last ten years, and not after your today, {today}.",
                field="input.date",
            )
        return day

    def _new_log(
        self,
        habit: Habit,
        day: date,
        kind: LogKind,
        old: HabitLog | None,
        given: Mapping[str, str | None],
    ) -> HabitLog:
        done = kind is LogKind.DONE
        if old is not None:
            return old.evolve(self.now, kind=kind, completed=done, **given)
        return HabitLog(
            created_at=self.now,
            updated_at=self.now,
            user_id=self.caller.user_id,
            habit_id=habit.id,
            date=day_text(day),
            kind=kind,
            completed=done,
            notes=given.get("notes"),
        )

    async def delete(self, request: DeleteHabitLogInput) -> HabitLog:
        async with TURNS.of(request.habit_id):
            log = await self.commit(partial(self._deleting, request))
        await self._tell(request.habit_id)
        return log

    async def _deleting(self, request: DeleteHabitLogInput) -> Decision[HabitLog]:
        habit = await self.habits.known(request.habit_id)
        log = await self.repository.log_of_habit(habit.id, request.date)
        if log is None:
            raise NotFound("log")
        expect_version(request, log, "log")
        change = {date.fromisoformat(log.date): None}
        writes = await self._changing(habit, change, await self.today())
        return Decision(log, [*writes, remove(log, "log")])

    async def _tell(self, habit_id: str) -> None:
        habit = await self.habits.habit(habit_id)
        if habit and habit.goal_ids:
            await self.habits.when_changed(habit.goal_ids)

    async def _changing(
        self, habit: Habit, change: Mapping[date, LogKind | None], today: date
    ) -> list[Write]:
        """The habit with what its logs come to now; None takes a log away."""
        state = await self._state_after(habit, change, today)
        new = restated(habit.evolve(self.now), state, today)
        return [replace(new, habit, "habit")]

    async def _state_after(
        self, habit: Habit, change: Mapping[date, LogKind | None], today: date
    ) -> HabitState:
        state = state_of(habit)
        if min(change) > date.fromisoformat(state.through):
            recent = {day.isoformat(): kind.value for day, kind in _with(state.logs, change)}
            known = changed(state, recent=recent)
            return rules.forgetting(rules.brought_up(habit.schedule, known, today))
        logs = await self.habits.every_log(habit)
        return rules.state_of(habit.schedule, dict(_with(logs, change)), today)

    # Freezes.

    async def standing(self, habit: Habit) -> Standing:
        """How it stands today, once the freezes it needs have been used."""
        habit = await self.frozen(habit)
        return rules.standing(habit.schedule, state_of(habit), await self.today())

    async def foreseen(self, habit: Habit) -> Standing:
        """The same for whom it is shared with: only who has the freezes uses them."""
        today = await self.today()
        if rules.days_to_freeze(habit.schedule, state_of(habit), today, MOST_FREEZES):
            habit = (await self._freezing(habit.id, today)).answer
        return rules.standing(habit.schedule, state_of(habit), today)

    async def frozen(self, habit: Habit) -> Habit:
        """With freezes on the days that would break its streak, if enough are held."""
        today = await self.today()
        if not rules.days_to_freeze(habit.schedule, state_of(habit), today, MOST_FREEZES):
            return habit
        try:
            after = await self.commit(partial(self._freezing, habit.id, today))
        except (NoFreeze, StaleVersion):
            return await self.habits.known(habit.id)
        if after.version != habit.version and after.goal_ids:
            await self.habits.when_changed(after.goal_ids)
        return after

    async def _freezing(self, habit_id: str, today: date) -> Decision[Habit]:
        habit = await self.habits.known(habit_id)
        held = (await self.wallets.wallet()).freezes
        days = rules.days_to_freeze(habit.schedule, state_of(habit), today, held)
        if not days:
            return Decision(habit)
        change = dict.fromkeys(days, LogKind.FREEZE)
        state = await self._state_after(habit, change, today)
        new = restated(habit.evolve(self.now), state, today)
        logs = [self._new_log(habit, day, LogKind.FREEZE, None, {}) for day in days]
        return Decision(
            new,
            [
                replace(new, habit, "habit"),
                *(create(log, otherwise=_late()) for log in logs),
                *self.wallets.use_freezes(self.caller.user_id, len(days)),
            ],
        )


def _late() -> StaleVersion:
    return StaleVersion("habit", None)


def _kind(request: LogHabitInput) -> LogKind:
    told = request.completed if isinstance(request.completed, bool) else None
    by_word = None if told is None else (LogKind.DONE if told else LogKind.MISSED)
    kind = request.kind or None
    if kind and by_word and kind is not by_word:
        raise BadInput("kind and completed contradict each other.", field="input.completed")
    return kind or by_word or LogKind.DONE


def _with(
    logs: Mapping[date, LogKind], change: Mapping[date, LogKind | None]
) -> list[tuple[date, LogKind]]:
    after = {**logs, **change}
    return [(day, kind) for day, kind in after.items() if kind is not None]
