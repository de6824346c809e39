"""When a recurring task comes next, and what reopening it takes back: exact days, through HTTP."""

import asyncio
from datetime import UTC, datetime, timedelta
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

MONDAY = datetime(2026, 11, 16, 12, tzinfo=UTC)
LEAP_DAY = datetime(2028, 2, 29, 12, tzinfo=UTC)


@pytest.fixture
async def ana(api: Api, clock: TestClock) -> Person:
    """In Berlin, on Monday, 16 November 2026."""
    clock.set(MONDAY)
    return await api.sign_up(timeZone="Europe/Berlin")


async def complete(person: Person, id: str) -> Any:
    done = await do(person, "completeTask", id=id)
    return await read(person, "task", done["nextTaskId"]) if done["nextTaskId"] else None


async def open_tasks(person: Person) -> list[str]:
    found = (await person.gql("{ tasks(limit: 100) { items { id done } } }"))["tasks"]["items"]
    return sorted(each["id"] for each in found if not each["done"])


# Mode COMPLETION.


@pytest.mark.parametrize(
    ("rule", "due", "done_at", "following"),
    [
        # As decided: done on Monday, 16 November.
        ({"frequency": "WEEKLY"}, "2026-11-20", MONDAY, "2026-11-23"),
        ({"frequency": "WEEKLY", "interval": 2}, "2026-11-11", MONDAY, "2026-11-30"),
        ({"frequency": "MONTHLY"}, "2026-11-30", MONDAY, "2026-12-16"),
        ({"frequency": "DAILY", "interval": 10}, "2026-11-16", MONDAY, "2026-11-26"),
        # Every frequency, early, on the day and late.
        ({"frequency": "DAILY"}, "2026-11-20", MONDAY, "2026-11-17"),
        ({"frequency": "DAILY"}, "2026-11-16", MONDAY, "2026-11-17"),
        ({"frequency": "DAILY", "interval": 3}, "2026-10-01", MONDAY, "2026-11-19"),
        ({"frequency": "WEEKLY"}, "2026-11-16", MONDAY, "2026-11-23"),
        ({"frequency": "WEEKLY"}, "2026-09-02", MONDAY, "2026-11-23"),
        ({"frequency": "WEEKLY", "interval": 5}, "2026-11-22", MONDAY, "2026-12-21"),
        ({"frequency": "MONTHLY"}, "2026-11-01", MONDAY, "2026-12-16"),
        ({"frequency": "MONTHLY", "interval": 3}, "2026-08-31", MONDAY, "2027-02-16"),
        ({"frequency": "MONTHLY", "interval": 12}, "2026-11-17", MONDAY, "2027-11-16"),
        ({"frequency": "YEARLY"}, "2026-12-24", MONDAY, "2027-11-16"),
        ({"frequency": "YEARLY", "interval": 2}, "2025-01-01", MONDAY, "2028-11-16"),
        # Short months, leap days, and the user's own day: 23:30 UTC is the 17th in Berlin.
        ({"frequency": "MONTHLY"}, "2027-01-05", datetime(2027, 1, 31, 12, tzinfo=UTC),
         "2027-02-28"),
        ({"frequency": "MONTHLY", "interval": 2}, "2026-11-20",
         datetime(2026, 12, 31, 12, tzinfo=UTC), "2027-02-28"),
        ({"frequency": "YEARLY"}, "2028-02-01", LEAP_DAY, "2029-02-28"),
        ({"frequency": "YEARLY", "interval": 4}, "2028-02-01", LEAP_DAY, "2032-02-29"),
        ({"frequency": "WEEKLY"}, "2026-11-20", datetime(2026, 11, 16, 23, 30, tzinfo=UTC),
         "2026-11-24"),
        # An RRULE that names no day counts like a frequency.
        ({"rrule": "FREQ=DAILY;INTERVAL=10"}, "2026-11-11", MONDAY, "2026-11-26"),
        ({"rrule": "FREQ=WEEKLY"}, "2026-11-20", MONDAY, "2026-11-23"),
        ({"rrule": "FREQ=WEEKLY;INTERVAL=2"}, "2026-11-11", MONDAY, "2026-11-30"),
        ({"rrule": "FREQ=MONTHLY"}, "2026-11-30", MONDAY, "2026-12-16"),
        ({"rrule": "FREQ=YEARLY"}, "2026-11-30", MONDAY, "2027-11-16"),
        # One that names its days keeps them; the day that was just done is not given again.
        ({"rrule": "FREQ=WEEKLY;BYDAY=FR"}, "2026-11-13", MONDAY, "2026-11-20"),
        ({"rrule": "FREQ=WEEKLY;BYDAY=FR"}, "2026-11-20", MONDAY, "2026-11-27"),
        ({"rrule": "FREQ=WEEKLY;BYDAY=MO,TH"}, "2026-11-16", MONDAY, "2026-11-19"),
        ({"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE"}, "2026-11-11", MONDAY, "2026-11-18"),
        ({"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"}, "2026-11-09", MONDAY, "2026-11-30"),
        ({"rrule": "FREQ=MONTHLY;BYMONTHDAY=-1"}, "2026-10-31", MONDAY, "2026-11-30"),
        ({"rrule": "FREQ=MONTHLY;BYDAY=3TU"}, "2026-10-20", MONDAY, "2026-11-17"),
        ({"rrule": "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"}, "2026-12-24", MONDAY, "2027-12-24"),
        # Where it ends.
        ({"frequency": "WEEKLY", "endDate": "2026-11-23"}, "2026-11-20", MONDAY, "2026-11-23"),
        ({"frequency": "WEEKLY", "endDate": "2026-11-22"}, "2026-11-20", MONDAY, None),
        ({"rrule": "FREQ=DAILY;UNTIL=20261117"}, "2026-11-16", MONDAY, "2026-11-17"),
        ({"rrule": "FREQ=DAILY;COUNT=1"}, "2026-11-16", MONDAY, None),
    ],
)  # fmt: skip
async def test_days_are_counted_from_the_day_of_completion(
    ana: Person,
    clock: TestClock,
    rule: dict[str, Any],
    due: str,
    done_at: datetime,
    following: str | None,
) -> None:
    made = await task(ana, dueDate=due, recurrenceRule={**rule, "mode": "COMPLETION"})
    await later(ana, clock, done_at)
    found = await complete(ana, made["id"])
    assert (found and found["dueDate"]) == following


async def test_each_completion_counts_anew(ana: Person, clock: TestClock) -> None:
    rule = {"rrule": "FREQ=MONTHLY;COUNT=3", "mode": "COMPLETION"}
    each = await task(ana, dueDate="2026-11-30", recurrenceRule=rule)
    for moment, day in (
        (datetime(2027, 1, 31, 12, tzinfo=UTC), "2027-02-28"),
        (datetime(2027, 3, 2, 12, tzinfo=UTC), "2027-04-02"),
    ):
        await later(ana, clock, moment)
        each = await complete(ana, each["id"])
        assert each["dueDate"] == day
    assert await complete(ana, each["id"]) is None


@pytest.mark.parametrize(
    ("rule", "due", "following"),
    [
        ({"frequency": "DAILY"}, "2026-11-20", "2026-11-21"),
        ({"frequency": "WEEKLY"}, "2026-11-20", "2026-11-27"),
        ({"frequency": "WEEKLY"}, "2026-11-02", "2026-11-23"),
        ({"rrule": "FREQ=WEEKLY;BYDAY=FR"}, "2026-11-20", "2026-11-27"),
    ],
)
async def test_a_skipped_occurrence_is_followed_by_a_later_one(
    ana: Person, rule: dict[str, Any], due: str, following: str
) -> None:
    made = await task(ana, dueDate=due, recurrenceRule={**rule, "mode": "COMPLETION"})
    assert (await do(ana, "skipOccurrence", id=made["id"]))["dueDate"] == following


# A time that the clocks skip.


@pytest.mark.parametrize(
    ("zone", "first", "moments"),
    [
        ("America/Los_Angeles", "2027-03-13T10:30:00Z",
         ["2027-03-14T10:30:00.000Z", "2027-03-15T09:30:00.000Z", "2027-03-16T09:30:00.000Z"]),
        ("Europe/London", "2027-03-27T01:15:00Z",
         ["2027-03-28T01:15:00.000Z", "2027-03-29T00:15:00.000Z", "2027-03-30T00:15:00.000Z"]),
        ("Australia/Lord_Howe", "2026-10-02T15:45:00Z",
         ["2026-10-03T15:45:00.000Z", "2026-10-04T15:15:00.000Z", "2026-10-05T15:15:00.000Z"]),
        # Clocks set back: the first of the two, then as before.
        ("America/Los_Angeles", "2026-10-31T08:30:00Z",
         ["2026-11-01T08:30:00.000Z", "2026-11-02T09:30:00.000Z"]),
    ],
)  # fmt: skip
async def test_a_time_that_the_clocks_skip_comes_back_the_next_day(
    api: Api, clock: TestClock, zone: str, first: str, moments: list[str]
) -> None:
    day = datetime.fromisoformat(first)
    clock.set(day)
    person = await api.sign_up(timeZone=zone)
    each = await task(person, dueAt=first, recurrenceRule={"frequency": "DAILY"})
    for moment in moments:
        await later(person, clock, day)
        each = await complete(person, each["id"])
        assert each["dueAt"] == moment
        day += timedelta(days=1)


async def test_quick_add_in_a_skipped_hour_keeps_the_time_that_was_written(
    api: Api, clock: TestClock
) -> None:
    clock.set(datetime(2027, 3, 14, 8, tzinfo=UTC))
    lee = await api.sign_up(timeZone="America/Los_Angeles")
    made = await do(lee, "quickAddTask", text="Check the oven every day at 2:30am")
    assert (made["dueDate"], made["dueAt"]) == ("2027-03-14", "2027-03-14T10:30:00.000Z")
    assert (await complete(lee, made["id"]))["dueAt"] == "2027-03-15T09:30:00.000Z"


async def test_a_time_that_was_changed_on_that_day_stays_changed(
    api: Api, clock: TestClock
) -> None:
    clock.set(datetime(2027, 3, 13, 11, tzinfo=UTC))
    lee = await api.sign_up(timeZone="America/Los_Angeles")
    made = await task(lee, dueAt="2027-03-13T10:30:00Z", recurrenceRule={"frequency": "DAILY"})
    following = await complete(lee, made["id"])
    assert following["dueAt"] == "2027-03-14T10:30:00.000Z"
    await do(lee, "updateTask", id=following["id"], dueAt="2027-03-14T15:00:00Z")
    assert (await complete(lee, following["id"]))["dueAt"] == "2027-03-15T15:00:00.000Z"


# Taking a completion back.


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("reopenTask", {}),
        ("toggleTask", {"done": False}),
        ("updateTask", {"status": "InProgress"}),
        ("updateTask", {"status": "Cancelled"}),
    ],
)
async def test_reopening_removes_the_untouched_next_occurrence(
    ana: Person, name: str, fields: dict[str, Any]
) -> None:
    target, garden = await goal(ana), await project(ana)
    made = await task(
        ana,
        size=10,
        tags=["a"],
        dueDate="2026-11-16",
        goalIds=[target["id"]],
        projectIds=[garden["id"]],
        recurrenceRule={"frequency": "DAILY"},
    )
    following = await complete(ana, made["id"])
    reopened = await do(ana, name, id=made["id"], **fields)
    assert reopened["nextTaskId"] is None
    assert await read(ana, "task", following["id"]) is None
    assert await open_tasks(ana) == [made["id"]]
    seen = await read(ana, "goal", target["id"], "tasks { items { id } }")
    assert [each["id"] for each in seen["tasks"]["items"]] == [made["id"]]
    tagged = (await ana.gql('{ tasks(tag: "a") { items { id } } }'))["tasks"]["items"]
    assert [each["id"] for each in tagged] == [made["id"]]
    assert (await read(ana, "project", garden["id"]))["cachedProgress"] == 0
    assert (await balance(ana), len(await payments(ana))) == (0, 2)


async def test_completed_again_it_recurs_again(ana: Person) -> None:
    made = await task(ana, dueDate="2026-11-16", recurrenceRule={"frequency": "DAILY"})
    first = await complete(ana, made["id"])
    await do(ana, "reopenTask", id=made["id"])
    again = await complete(ana, made["id"])
    assert (again["dueDate"], again["id"] != first["id"]) == ("2026-11-17", True)
    assert await open_tasks(ana) == [again["id"]]


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("updateTask", {"notes": "bring the ladder"}),
        ("updateTask", {"dueDate": "2026-11-18"}),
        ("completeTask", {}),
    ],
)
async def test_reopening_is_refused_if_the_next_occurrence_was_changed_or_done(
    ana: Person, name: str, fields: dict[str, Any]
) -> None:
    made = await task(ana, "Prune", dueDate="2026-11-16", recurrenceRule={"frequency": "DAILY"})
    following = await complete(ana, made["id"])
    await do(ana, name, id=following["id"], **fields)
    done, earned = await read(ana, "task", made["id"]), await balance(ana)
    for refused_name in ("reopenTask", "updateTask"):
        change = {"status": "NotStarted"} if refused_name == "updateTask" else {}
        error = await ana.refused(mutation(refused_name), input={"id": made["id"], **change})
        assert (error.code, error.info["nextTaskId"]) == ("CONFLICT", following["id"])
        assert "“Prune”, due 2026-11-1" in error.errors[0]["message"]
    assert await read(ana, "task", made["id"]) == done
    assert (await read(ana, "task", following["id"]))["version"] == following["version"] + 1
    assert await balance(ana) == earned


async def test_after_the_next_occurrence_was_deleted_reopening_is_free(ana: Person) -> None:
    made = await task(ana, dueDate="2026-11-16", recurrenceRule={"frequency": "DAILY"})
    following = await complete(ana, made["id"])
    await do(ana, "deleteTask", id=following["id"])
    assert (await do(ana, "reopenTask", id=made["id"]))["status"] == "NotStarted"
    assert await open_tasks(ana) == [made["id"]]


async def test_reopening_races_with_a_change_of_the_next_occurrence(ana: Person) -> None:
    """Either the change came first and both stay, or it finds nothing to change."""
    for number in range(6):
        made = await task(ana, dueDate="2026-11-16", recurrenceRule={"frequency": "DAILY"})
        following = await complete(ana, made["id"])
        changed = {"id": following["id"], "title": f"Changed {number}"}
        answers = await asyncio.gather(
            ana.api.post(mutation("reopenTask"), headers=ana.headers, input={"id": made["id"]}),
            ana.api.post(mutation("updateTask"), headers=ana.headers, input=changed),
        )
        codes = [
            each.json().get("errors", [{}])[0].get("extensions", {}).get("code") for each in answers
        ]
        assert codes in (["CONFLICT", None], [None, "NOT_FOUND"])
        left = await read(ana, "task", following["id"])
        assert (left is None) == (codes[0] is None)
        if left is not None:
            assert left["title"] == f"Changed {number}"
            assert (await read(ana, "task", made["id"]))["status"] == "Done"


# Whether it recurs.


async def test_a_rule_that_is_switched_off_makes_no_next_occurrence(ana: Person) -> None:
    rule = {"frequency": "WEEKLY"}
    made = await task(ana, dueDate="2026-11-16", isRecurring=False, recurrenceRule=rule)
    assert (made["isRecurring"], made["recurrenceRule"]["frequency"]) == (False, "WEEKLY")
    assert await complete(ana, made["id"]) is None
    await do(ana, "reopenTask", id=made["id"])
    switched_on = await do(ana, "updateTask", id=made["id"], isRecurring=True)
    assert switched_on["isRecurring"]
    off = await do(ana, "updateTask", id=made["id"], isRecurring=False, recurrenceRule=rule)
    assert not off["isRecurring"]
    on = await do(ana, "updateTask", id=made["id"], recurrenceRule=rule)
    assert on["isRecurring"]
    assert (await complete(ana, made["id"]))["dueDate"] == "2026-11-23"


@pytest.mark.parametrize("is_recurring", [True, None])
async def test_a_rule_alone_means_that_it_recurs(ana: Person, is_recurring: bool | None) -> None:
    made = await task(ana, isRecurring=is_recurring, recurrenceRule={"frequency": "DAILY"})
    assert made["isRecurring"]


async def test_a_task_cannot_recur_without_a_rule(ana: Person) -> None:
    assert await refused(ana, "createTask", title="x", isRecurring=True) == "BAD_INPUT"
    made = await task(ana, recurrenceRule={"frequency": "DAILY"})
    change = {"id": made["id"], "isRecurring": True, "recurrenceRule": None}
    assert await refused(ana, "updateTask", **change) == "BAD_INPUT"
    assert (await read(ana, "task", made["id"]))["version"] == made["version"]
