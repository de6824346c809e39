"""Recurring tasks, through HTTP."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.api import Api, Person
from tests.goals.operations import (
    balance,
    do,
    goal,
    later,
    mutation,
    payments,
    project,
    read,
    refused,
    task,
)
from tests.servers import TestClock


@pytest.fixture
async def eva(api: Api, clock: TestClock) -> Person:
    """In Berlin, on Thursday, 8 January 2026."""
    clock.set(datetime(2026, 1, 8, 12, tzinfo=UTC))
    return await api.sign_up(timeZone="Europe/Berlin")


async def complete(person: Person, id: str) -> Any:
    """The next occurrence, if there is one."""
    done = await do(person, "completeTask", id=id)
    return await read(person, "task", done["nextTaskId"]) if done["nextTaskId"] else None


async def test_completion_creates_one_complete_next_occurrence(eva: Person) -> None:
    target, garden = await goal(eva), await project(eva)
    made = await task(
        eva,
        "Water",
        area="Home",
        size=10,
        tags=["a"],
        dueDate="2026-01-08",
        scheduledDate="2026-01-07",
        goalIds=[target["id"]],
        projectIds=[garden["id"]],
        recurrenceRule={"frequency": "WEEKLY", "interval": 1},
    )
    assert (made["isRecurring"], made["recurrenceRule"]["frequency"]) == (True, "WEEKLY")
    following = await complete(eva, made["id"])
    assert (following["dueDate"], following["scheduledDate"]) == ("2026-01-15", "2026-01-14")
    assert following["dueAt"] == "2026-01-14T23:00:00.000Z"
    same = ("title", "area", "size", "tags", "goalIds", "projectIds", "pointValue", "isRecurring")
    assert {name: following[name] for name in same} == {name: made[name] for name in same}
    assert (following["status"], following["pointsAwarded"], following["version"]) == (
        "NotStarted",
        False,
        1,
    )
    seen = await read(eva, "goal", target["id"], "tasks { items { id } }")
    assert {each["id"] for each in seen["tasks"]["items"]} == {made["id"], following["id"]}
    assert seen["cachedProgress"] == 50


async def test_a_second_completion_creates_no_occurrence(eva: Person) -> None:
    made = await task(eva, dueDate="2026-01-08", recurrenceRule={"frequency": "DAILY"})
    following = await complete(eva, made["id"])
    again = await do(eva, "completeTask", id=made["id"])
    assert again["nextTaskId"] == following["id"]
    assert len((await eva.gql("{ tasks { items { id } } }"))["tasks"]["items"]) == 2
    assert await balance(eva) == 45


async def test_fifty_concurrent_completions_create_one_occurrence(eva: Person) -> None:
    made = await task(eva, size=10, dueDate="2026-01-08", recurrenceRule={"frequency": "DAILY"})
    query = mutation("completeTask")
    await asyncio.gather(
        *(eva.api.post(query, headers=eva.headers, input={"id": made["id"]}) for _ in range(50))
    )
    assert len((await eva.gql("{ tasks { items { id } } }"))["tasks"]["items"]) == 2
    assert (await balance(eva), len(await payments(eva))) == (15, 1)


@pytest.mark.parametrize(
    ("rule", "due", "days"),
    [
        (
            {"frequency": "MONTHLY"},
            "2026-01-31",
            ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"],
        ),
        (
            {"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH"},
            "2026-01-08",
            ["2026-01-19", "2026-01-22", "2026-02-02"],
        ),
        ({"rrule": "FREQ=MONTHLY;BYDAY=3TU"}, "2026-01-20", ["2026-02-17", "2026-03-17"]),
        ({"frequency": "DAILY", "interval": 2, "endDate": "2026-01-12"}, "2026-01-08",
         ["2026-01-10", "2026-01-12", None]),
        ({"rrule": "FREQ=DAILY;COUNT=3"}, "2026-01-08", ["2026-01-09", "2026-01-10", None]),
    ],
)  # fmt: skip
async def test_a_daily_task_recurs_every_day(
    eva: Person, clock: TestClock, rule: dict[str, Any], due: str, days: list[str | None]
) -> None:
    each = await task(eva, dueDate=due, recurrenceRule=rule)
    for day in days:
        each = await complete(eva, each["id"])
        assert (each and each["dueDate"]) == day


async def test_a_late_completion_is_followed_by_the_first_day_after_today(
    eva: Person, clock: TestClock
) -> None:
    made = await task(eva, dueDate="2026-01-05", recurrenceRule={"frequency": "WEEKLY"})
    await later(eva, clock, datetime(2026, 1, 21, 12, tzinfo=UTC))
    assert (await complete(eva, made["id"]))["dueDate"] == "2026-01-26"


async def test_an_early_completion_is_followed_by_the_next_day_of_the_rule(eva: Person) -> None:
    made = await task(eva, dueDate="2026-01-12", recurrenceRule={"frequency": "WEEKLY"})
    assert (await complete(eva, made["id"]))["dueDate"] == "2026-01-19"


async def test_days_are_counted_from_completion(eva: Person, clock: TestClock) -> None:
    rule = {"frequency": "DAILY", "interval": 10, "mode": "COMPLETION"}
    made = await task(eva, dueDate="2026-01-05", recurrenceRule=rule)
    await later(eva, clock, datetime(2026, 1, 21, 12, tzinfo=UTC))
    assert (await complete(eva, made["id"]))["dueDate"] == "2026-01-31"


async def test_the_due_time_is_kept_across_daylight_saving_time(
    eva: Person, clock: TestClock
) -> None:
    made = await task(eva, dueAt="2026-03-28T08:00:00Z", recurrenceRule={"frequency": "DAILY"})
    await later(eva, clock, datetime(2026, 3, 28, 12, tzinfo=UTC))
    following = await complete(eva, made["id"])
    assert (following["dueDate"], following["dueAt"]) == (
        "2026-03-29",
        "2026-03-29T07:00:00.000Z",
    )


async def test_skipping_moves_the_task_and_pays_nothing(eva: Person) -> None:
    made = await task(
        eva, dueDate="2026-01-08", recurrenceRule={"frequency": "DAILY", "endDate": "2026-01-10"}
    )
    for day in ("2026-01-09", "2026-01-10"):
        skipped = await do(eva, "skipOccurrence", id=made["id"])
        assert (skipped["id"], skipped["dueDate"], skipped["status"]) == (
            made["id"],
            day,
            "NotStarted",
        )
    last = await do(eva, "skipOccurrence", id=made["id"])
    assert (last["status"], await balance(eva)) == ("Cancelled", 0)
    assert await refused(eva, "skipOccurrence", id=made["id"]) == "BAD_INPUT"
    assert await refused(eva, "skipOccurrence", id=(await task(eva))["id"]) == "BAD_INPUT"


async def test_recurrence_can_be_stopped_and_changed(eva: Person) -> None:
    made = await task(eva, dueDate="2026-01-08", recurrenceRule={"frequency": "DAILY"})
    paused = await do(eva, "updateTask", id=made["id"], isRecurring=False)
    assert paused["recurrenceRule"]["frequency"] == "DAILY"
    assert await complete(eva, made["id"]) is None
    await do(eva, "reopenTask", id=made["id"])
    changed = await do(
        eva, "updateTask", id=made["id"], recurrenceRule={"frequency": "YEARLY", "interval": 2}
    )
    assert (changed["isRecurring"], changed["recurrenceRule"]["interval"]) == (True, 2)
    cleared = await do(eva, "updateTask", id=made["id"], recurrenceRule=None)
    assert (cleared["isRecurring"], cleared["recurrenceRule"]) == (False, None)
    assert await refused(eva, "updateTask", id=made["id"], isRecurring=True) == "BAD_INPUT"


async def test_a_moved_occurrence_does_not_move_the_series(eva: Person) -> None:
    made = await task(eva, dueDate="2026-01-12", recurrenceRule={"frequency": "WEEKLY"})
    await do(eva, "updateTask", id=made["id"], dueDate="2026-01-14")
    assert (await complete(eva, made["id"]))["dueDate"] == "2026-01-19"


@pytest.mark.parametrize(
    "rule",
    [
        {},
        {"frequency": "DAILY", "rrule": "FREQ=DAILY"},
        {"frequency": "HOURLY"},
        {"frequency": "DAILY", "interval": 0},
        {"frequency": "DAILY", "interval": 401},
        {"rrule": "FREQ=DAILY", "interval": 2},
        {"rrule": "FREQ=SECONDLY"},
        {"rrule": "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"},
        {"frequency": "DAILY", "endDate": "2026-01-07"},
    ],
)
async def test_an_invalid_rule_is_refused(eva: Person, rule: dict[str, Any]) -> None:
    request = {"title": "x", "dueDate": "2026-01-08", "recurrenceRule": rule}
    assert await refused(eva, "createTask", **request) == "BAD_INPUT"


# A deleted occurrence.


async def test_a_deleted_occurrence_is_not_the_next_of_another(eva: Person) -> None:
    first = await task(eva, dueDate="2026-01-08", recurrenceRule={"frequency": "DAILY"})
    second = await complete(eva, first["id"])
    third = await complete(eva, second["id"])
    await do(eva, "deleteTask", id=second["id"])
    assert (await read(eva, "task", first["id"]))["nextTaskId"] == third["id"]
    await do(eva, "deleteTask", id=third["id"])
    assert (await read(eva, "task", first["id"]))["nextTaskId"] is None


async def test_only_completion_continues_a_series(eva: Person) -> None:
    first = await task(eva, dueDate="2026-01-08", recurrenceRule={"frequency": "DAILY"})
    second = await complete(eva, first["id"])
    await do(eva, "deleteTask", id=second["id"])
    changed = await do(eva, "updateTask", id=first["id"], notes="n")
    assert (changed["status"], changed["nextTaskId"]) == ("Done", None)
    await do(eva, "reopenTask", id=first["id"])
    again = await complete(eva, first["id"])
    assert (again["dueDate"], again["status"]) == ("2026-01-09", "NotStarted")
    await do(eva, "deleteTask", id=first["id"])
    assert (await complete(eva, again["id"]))["dueDate"] == "2026-01-10"
