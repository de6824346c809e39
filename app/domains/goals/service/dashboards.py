"""A day at a glance, by as many reads however many tasks there are."""

import asyncio
from collections.abc import Iterable
from datetime import date, timedelta

from app.core.caller import Caller
from app.core.clock import day, instant
from app.core.errors import BadInput
from app.core.record import Node
from app.core.scalars import AWSDate
from app.domains.goals.service.base import GoalsService
from app.domains.goals.types import Dashboard, Goal, GoalStatus, ProjectStatus, Task, TaskStatus
from app.domains.people.service import Profiles
from app.domains.rewards.service import Wallets
from app.domains.tracking.service import Habits
from app.domains.tracking.types import Habit, HabitStatus
from app.resources import Resources
from app.table.gateway import Position, Rows

MOST = 50
AT_WORK = (GoalStatus.Active, GoalStatus.OnTrack, GoalStatus.AtRisk)


class Dashboards(GoalsService):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        wallets: Wallets,
        habits: Habits,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.wallets = wallets
        self.habits = habits

    async def of(self, wanted: AWSDate | None) -> Dashboard:
        days = await self.days()
        when = date.fromisoformat(wanted) if wanted else days.of(self.resources.clock.now())
        try:
            begins, ends = instant(days.start(when)), instant(days.end(when))
            before = instant(days.start(when) - timedelta(milliseconds=1))
        except OverflowError:
            raise BadInput("This day is out of range.", field="date") from None
        reads = self.repository
        today, earlier, busy, done = await asyncio.gather(
            reads.agenda(begins, ends, most=MOST),
            reads.agenda(None, before, most=MOST, newest_first=True),
            reads.tasks_of_status(TaskStatus.InProgress, most=MOST),
            reads.done_between(begins, ends, most=MOST),
        )
        goals, projects, habits, wallet = await asyncio.gather(
            self._goals(),
            reads.projects_of_status(ProjectStatus.Active, most=MOST),
            self._habits(day(when)),
            self.wallets.wallet(),
        )
        asking = [*reversed(earlier), *today]
        return Dashboard(
            date=day(when),
            due=_by_due(each for each in asking if each.due_date == day(when)),
            overdue=_by_due(each for each in asking if _is_before(each.due_date, when)),
            scheduled=[each for each in asking if each.scheduled_date == day(when)],
            in_progress=busy,
            completed=done,
            goals=goals,
            projects=projects,
            habits=habits,
            wallet=wallet,
            points_earned=sum(each.points_paid for each in done),
        )

    async def area(self, name: str, *, limit: int, start: Position | None) -> Rows[Node]:
        return await self.repository.things_of_area(name, limit=limit, start=start)

    async def _goals(self) -> list[Goal]:
        found = await asyncio.gather(
            *(self.repository.goals_of_status(each, most=MOST) for each in AT_WORK)
        )
        return [goal for goals in found for goal in goals][:MOST]

    async def _habits(self, when: AWSDate) -> list[Habit]:
        rows = await self.habits.habits(HabitStatus.Active, None, when, limit=MOST, start=None)
        return rows.items


def _is_before(due: str | None, when: date) -> bool:
    return due is not None and due < when.isoformat()


def _by_due(tasks: Iterable[Task]) -> list[Task]:
    return sorted(tasks, key=lambda each: (each.due_at or "", each.id))
