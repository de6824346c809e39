"""The dashboard of a day, and the records of a life area. The number of reads does not depend on
the number of records."""

import asyncio
from collections.abc import Callable
from datetime import date

from app.core.clock import to_day
from app.core.record import Node
from app.core.scalars import AWSDate
from app.domains.goals import keys
from app.domains.goals.repository import read_across
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.rules.dashboard import DashboardDay
from app.domains.goals.rules.task_changes import with_current_due
from app.domains.goals.service.base import GoalsService, R
from app.domains.goals.types import Dashboard, Goal, GoalStatus, ProjectStatus, Task, TaskStatus
from app.domains.rewards.service import Wallets
from app.domains.service import uses
from app.domains.tracking.service import Habits
from app.domains.tracking.types import Habit, HabitStatus
from app.table.entity import RangeQuery
from app.table.gateway import Position, Rows

MOST_PER_LIST = 50
SHOWN_GOALS = (GoalStatus.Active, GoalStatus.OnTrack, GoalStatus.AtRisk)


class Dashboards(GoalsService):
    wallets = uses(Wallets)
    habits = uses(Habits)

    async def dashboard(self, date_or_today: AWSDate | None) -> Dashboard:
        calendar = await self.calendar()
        given = date.fromisoformat(date_or_today) if date_or_today else None
        day = DashboardDay(to_day(given or calendar.day_of(self.resources.clock.now())), calendar)
        (since, until), user_id = day.search_range, self.caller.user_id
        today, earlier, in_progress, done = await asyncio.gather(
            self._tasks(keys.agenda(user_id, since, until), calendar, day.is_today),
            self._tasks(
                keys.agenda(user_id, None, until, newest_first=True), calendar, day.is_earlier
            ),
            self._tasks(keys.tasks_by_status(user_id, TaskStatus.InProgress.value), calendar),
            self._tasks(keys.tasks_done_between(user_id, *day.bounds), calendar),
        )
        goals, projects, habits, wallet = await asyncio.gather(
            self._goals(),
            self._first(keys.projects_by_status(user_id, ProjectStatus.Active.value)),
            self._habits(day.day),
            self.wallets.wallet(),
        )
        agenda = [*reversed(earlier), *today]
        return Dashboard(
            date=day.day,
            due=day.due(agenda),
            overdue=day.overdue(agenda),
            scheduled=day.scheduled(agenda),
            in_progress=in_progress,
            completed=done,
            goals=goals,
            projects=projects,
            habits=habits,
            wallet=wallet,
            points_earned=sum(each.points_paid for each in done),
        )

    async def records_of_area(self, name: str, *, limit: int, start: Position | None) -> Rows[Node]:
        readers = self.repository.records_of_area(name)
        return await read_across(readers, limit=limit, start=start)

    async def _tasks(
        self,
        query: RangeQuery[Task],
        calendar: UserCalendar,
        keep: Callable[[Task], bool] | None = None,
    ) -> list[Task]:
        rows = await self.table.query(query, limit=MOST_PER_LIST, keep=keep)
        return [with_current_due(each, calendar) for each in rows.items]

    async def _first(self, query: RangeQuery[R]) -> list[R]:
        return (await self.table.query(query, limit=MOST_PER_LIST)).items

    async def _goals(self) -> list[Goal]:
        user_id = self.caller.user_id
        found = await asyncio.gather(
            *(self._first(keys.goals_by_status(user_id, each.value)) for each in SHOWN_GOALS)
        )
        return [goal for goals in found for goal in goals][:MOST_PER_LIST]

    async def _habits(self, day: AWSDate) -> list[Habit]:
        rows = await self.habits.habits(
            HabitStatus.Active, None, day, limit=MOST_PER_LIST, start=None
        )
        return rows.items
