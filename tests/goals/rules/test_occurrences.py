"""Occurrences of recurring tasks."""

from dataclasses import replace
from datetime import date

from strawberry import ID

from app.core.scalars import AWSDateTime
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.rules.occurrences import (
    has_next_occurrence,
    move_to_day,
    next_occurrence,
    next_occurrence_day,
)
from app.domains.goals.rules.task_changes import with_recurrence
from app.domains.goals.types import RecurrenceMode, Task, TaskStatus
from tests.goals.rules.records import NOW, make_task

UTC_CALENDAR = UserCalendar()
TODAY = date(2026, 1, 10)


def daily(**rule: object) -> Task:
    task = make_task(
        due_date="2026-01-08",
        due_at="2026-01-08T00:00:00.000Z",
        scheduled_date="2026-01-07",
    )
    return with_recurrence(task, {"rrule": "FREQ=DAILY"} | rule, TODAY)


def test_the_next_day_is_after_today() -> None:
    assert next_occurrence_day(daily(), TODAY) == date(2026, 1, 11)
    assert next_occurrence_day(daily(), date(2026, 1, 1)) == date(2026, 1, 9)
    every_third = daily(rrule="FREQ=DAILY;INTERVAL=3")
    assert next_occurrence_day(every_third, TODAY) == date(2026, 1, 11)
    from_completion = daily(rrule="FREQ=DAILY;INTERVAL=3", mode=RecurrenceMode.COMPLETION)
    assert next_occurrence_day(from_completion, TODAY) == date(2026, 1, 13)


def test_there_is_none_after_the_end_or_without_a_rule() -> None:
    assert next_occurrence_day(daily(end_date="2026-01-10"), TODAY) is None
    assert next_occurrence_day(daily(rrule="FREQ=DAILY;COUNT=1"), TODAY) is None
    assert next_occurrence_day(make_task(), TODAY) is None


def test_all_dates_move_together() -> None:
    moved = move_to_day(daily(rrule="FREQ=DAILY;COUNT=5"), date(2026, 1, 11), UTC_CALENDAR)
    assert (moved.due_date, moved.due_at) == ("2026-01-11", "2026-01-11T00:00:00.000Z")
    assert (moved.scheduled_date, moved.scheduled_at) == ("2026-01-10", "2026-01-10T00:00:00.000Z")
    assert moved.occurrence_date == "2026-01-11"
    assert moved.recurrence_rule is not None
    assert moved.recurrence_rule.count == 4


def test_a_due_time_is_kept_over_a_change_of_the_clocks() -> None:
    task = replace(daily(), due_at=AWSDateTime("2026-01-08T09:30:00.000Z"), has_due_time=True)
    lisbon = UserCalendar("Europe/Lisbon")
    assert move_to_day(task, date(2026, 7, 1), lisbon).due_at == "2026-07-01T08:30:00.000Z"


def test_a_next_occurrence_is_a_fresh_task() -> None:
    done = replace(
        daily(),
        status=TaskStatus.Done,
        points_awarded=True,
        points_paid=45,
        blocks_ids=[ID("b")],
        version=7,
    )
    found = next_occurrence(done, date(2026, 1, 11), UTC_CALENDAR, id=ID("n"), now=NOW)
    assert (found.id, found.previous_task_id, found.version) == ("n", done.id, 1)
    assert (found.status, found.points_paid, found.blocks_ids) == (TaskStatus.NotStarted, 0, [])
    assert found.point_value == 45


def test_only_the_first_completion_makes_a_next_occurrence() -> None:
    open_task = daily()
    done = replace(open_task, status=TaskStatus.Done)
    assert not has_next_occurrence(open_task, done)
    assert not has_next_occurrence(None, done)
    assert has_next_occurrence(done, done)
    assert has_next_occurrence(open_task, replace(done, next_task_id=ID("n")))
