"""Background work about notifications: sends due messages, reminds of due tasks and habits."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import partial

from app.core.caller import acting_for
from app.core.clock import parse_instant
from app.domains.goals.service import tasks_due
from app.domains.goals.types import Task
from app.domains.notifications.service import deliver, messages_due, users_to_remind
from app.domains.notifications.types import LEAD_MINUTES, DueTask, ReminderLine
from app.domains.tracking.types import Habit, HabitType
from app.jobs.due import process_due, process_since
from app.jobs.job import Job, MoreIsDue, failures_of, raise_if_failed
from app.resources import Resources
from app.services import Services

SEND, REMIND, REMIND_DUE = "send-notifications", "remind-daily", "remind-due"
MOST_ROUNDS, FULL = 50, 100
AT_ONCE = 10


async def send_notifications(resources: Resources) -> None:
    """Round after round while there are many; what fails stays due for the next run."""
    failures: list[Exception] = []
    for _ in range(MOST_ROUNDS):
        found = await messages_due(resources)
        failures += await failures_of(found, partial(deliver, resources), at_once=AT_ONCE)
        if len(found) < FULL or failures:
            break
    else:
        failures.append(MoreIsDue("messages"))
    raise_if_failed(failures)


async def remind_daily(resources: Resources) -> None:
    """One message a day about due tasks and habits, to users who have switched it on."""

    async def remind(user_id: str) -> None:
        services = Services(resources, acting_for(user_id))
        if await services.reminders.is_due():
            await services.reminders.send_daily(await reminder_lines(services))

    fetch = partial(users_to_remind, resources)
    await process_due(resources, REMIND, fetch, remind, at_once=AT_ONCE)


async def remind_due(resources: Resources) -> None:
    """Of tasks with a time of day: at that time, or as long before as their owner has set."""

    async def fetch(since: datetime, now: datetime) -> Sequence[tuple[str, set[str]]]:
        found: dict[str, set[str]] = {}
        for lead in (timedelta(minutes=each) for each in LEAD_MINUTES):
            async for task in tasks_due(resources, since + lead, now + lead):
                if task.has_due_time:
                    found.setdefault(task.user_id, set()).add(task.id)
        return list(found.items())

    async def remind(tasks_of_user: tuple[str, set[str]]) -> None:
        user_id, task_ids = tasks_of_user
        services = Services(resources, acting_for(user_id))
        if not await services.reminders.wants_due_reminders():
            return
        tasks = await services.tasks.tasks_by_ids(sorted(task_ids))
        await services.reminders.send_due(
            [
                DueTask(each.id, each.title, parse_instant(each.due_at))
                for each in tasks
                if each.is_open and each.has_due_time and each.due_at
            ]
        )

    await process_since(resources, REMIND_DUE, fetch, remind, at_once=AT_ONCE)


async def reminder_lines(services: Services) -> list[ReminderLine]:
    """The tasks and habits of a user's day that are not done yet."""
    today = await services.dashboards.dashboard(None)
    late = [ReminderLine(e.id, f"{e.title} (since {e.due_date})") for e in today.overdue]
    due = [ReminderLine(each.id, _task_text(each)) for each in today.due]
    day = date.fromisoformat(today.date)
    habits = [ReminderLine(e.id, e.name) for e in today.habits if _needs_reminder(e, day)]
    return [*late, *due, *habits]


def _task_text(task: Task) -> str:
    return f"{task.title} ({task.priority.value})" if task.priority else task.title


def _needs_reminder(habit: Habit, day: date) -> bool:
    """Not a habit to reduce or quit, and not one that is logged today."""
    if habit.habit_type in (HabitType.Reduce, HabitType.Quit):
        return False
    return habit.state is None or day not in habit.state.logs


JOBS = [
    Job(name=SEND, every=timedelta(seconds=5), run=send_notifications),
    Job(name=REMIND, every=timedelta(minutes=1), run=remind_daily),
    Job(name=REMIND_DUE, every=timedelta(seconds=20), run=remind_due),
]
