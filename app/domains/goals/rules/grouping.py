"""Tasks counted by one of their values."""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date

from app.core.clock import parse_instant, to_day
from app.core.text import fold_case
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.types import Goal, Project, Task, TaskCount, TaskCounts, TaskGrouping

NamedRecord = Goal | Task | Project


def count_tasks(
    tasks: Iterable[Task], grouping: TaskGrouping, calendar: UserCalendar
) -> TaskCounts:
    tasks = list(tasks)
    key_of = _key_of(tasks, grouping, calendar)
    counts = Counter(map(key_of, tasks))
    keys = sorted((key for key in counts if key is not None), key=fold_case)
    rest = [None] if None in counts else []
    return TaskCounts(
        total=len(tasks), groups=[TaskCount(key=key, count=counts[key]) for key in [*keys, *rest]]
    )


def _key_of(
    tasks: Iterable[Task], grouping: TaskGrouping, calendar: UserCalendar
) -> Callable[[Task], str | None]:
    if grouping is TaskGrouping.STATUS:
        return lambda task: task.status.value
    if grouping is TaskGrouping.PRIORITY:
        return lambda task: task.priority.value
    if grouping is TaskGrouping.DUE_DAY:
        return lambda task: due_day(task, calendar)
    names = first_spellings((each.area, each.created_at) for each in tasks)
    return lambda task: names[fold_case(task.area)] if task.area else None


def first_spellings(uses: Iterable[tuple[str | None, str]]) -> dict[str, str]:
    """Names with the moments of their use: the earliest spelling of each, by its folded text."""
    spellings: dict[str, str] = {}
    for name, _ in sorted(((name, at) for name, at in uses if name), key=lambda use: use[1]):
        spellings.setdefault(fold_case(name), name)
    return spellings


def due_day(task: Task, calendar: UserCalendar) -> str | None:
    """Of a due time: its day in the user's time zone."""
    if not task.has_due_time or task.due_at is None:
        return task.due_date
    day: date = calendar.day_of(parse_instant(task.due_at))
    return to_day(day)
