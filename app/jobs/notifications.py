"""Background work about notifications: sending what waits, and reminding of what is due."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from app.core.caller import acting_for
from app.core.clock import moment_of
from app.domains.goals.service import tasks_due
from app.domains.goals.types import Task
from app.domains.notifications.rules.times import LEADS
from app.domains.notifications.service import Due, reminders_due, send_due
from app.domains.notifications.types import NotificationSettings
from app.domains.tracking.types import Habit, HabitType
from app.jobs.due import do_due, do_since
from app.jobs.job import Job
from app.resources import Resources
from app.services import Services

SEND, REMIND, REMIND_DUE = "send-notifications", "remind-daily", "remind-due"
MOST_ROUNDS, FULL = 50, 100
AT_ONCE = 10


async def send_notifications(resources: Resources) -> None:
    for _ in range(MOST_ROUNDS):
        if await send_due(resources) < FULL:
            return


async def remind_daily(resources: Resources) -> None:
    """One message a day about the tasks and habits that are due, to those who want it."""

    async def fetch(day: str, now: str) -> Sequence[NotificationSettings]:
        return await reminders_due(resources, day, now)

    async def remind(settings: NotificationSettings) -> None:
        services = Services(resources, acting_for(settings.user_id))
        if await services.reminders.is_due():
            await services.reminders.remind(await things_due(services))

    await do_due(resources, REMIND, fetch, remind)


async def remind_due(resources: Resources) -> None:
    """Of tasks with a time of day, when that comes, or as long before as their owner wants."""

    async def fetch(since: datetime, now: datetime) -> Sequence[tuple[str, set[str]]]:
        found: dict[str, set[str]] = {}
        for lead in (timedelta(minutes=each) for each in LEADS):
            async for task in tasks_due(resources, since + lead, now + lead):
                if task.has_due_time:
                    found.setdefault(task.user_id, set()).add(task.id)
        return list(found.items())

    async def remind(theirs: tuple[str, set[str]]) -> None:
        user_id, task_ids = theirs
        services = Services(resources, acting_for(user_id))
        if not await services.reminders.wants_moments():
            return
        tasks = await services.tasks.tasks_by_ids(sorted(task_ids))
        await services.reminders.remind_of(
            [
                Due(each.id, each.title, moment_of(each.due_at))
                for each in tasks
                if each.is_open and each.has_due_time and each.due_at
            ]
        )

    await do_since(resources, REMIND_DUE, fetch, remind, at_once=AT_ONCE)


async def things_due(services: Services) -> list[tuple[str, str]]:
    """Each with its id: what a user's day asks for and is not done yet."""
    today = await services.dashboards.of(None)
    late = [(each.id, f"{each.title} (since {each.due_date})") for each in today.overdue]
    due = [(each.id, _task(each)) for each in today.due]
    day = date.fromisoformat(today.date)
    habits = [(each.id, each.name) for each in today.habits if _is_open(each, day)]
    return [(str(thing), words) for thing, words in (*late, *due, *habits)]


def _task(task: Task) -> str:
    return f"{task.title} ({task.priority.value})" if task.priority else task.title


def _is_open(habit: Habit, day: date) -> bool:
    """What one gives up needs no reminder; what is logged today neither."""
    if habit.habit_type in (HabitType.Reduce, HabitType.Quit):
        return False
    return habit.state is None or day not in habit.state.logs


JOBS = [
    Job(name=SEND, every=timedelta(seconds=5), run=send_notifications),
    Job(name=REMIND, every=timedelta(minutes=1), run=remind_daily),
    Job(name=REMIND_DUE, every=timedelta(seconds=20), run=remind_due),
]
