"""Background work about notifications: sending what waits, and reminding of what is due."""

from collections.abc import Sequence
from datetime import date, timedelta

from app.core.caller import acting_for
from app.domains.goals.types import Task
from app.domains.notifications.service import reminders_due, send_due
from app.domains.notifications.types import NotificationSettings
from app.domains.tracking.types import Habit, HabitType
from app.jobs.due import do_due
from app.jobs.job import Job
from app.resources import Resources
from app.services import Services

SEND, REMIND = "send-notifications", "remind-daily"
MOST_ROUNDS, FULL = 50, 100


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
]
