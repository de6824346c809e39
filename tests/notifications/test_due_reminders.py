"""Reminders of tasks with a time of day: at that time, or as long before as the user has set."""

import asyncio
from typing import Any

import pytest

from app.jobs.keys import sweep_of_job
from app.jobs.notifications import REMIND_DUE, remind_daily, remind_due, send_notifications
from app.resources import Resources
from app.table.writes import Delete
from tests.api import Api, Person
from tests.notifications.operations import UPDATE_SETTINGS, inbox, with_hook
from tests.notifications.test_reminders import COMPLETE, CREATE_TASK, at
from tests.remote_fixtures import later
from tests.remote_servers import RemoteServer
from tests.servers import TestClock

UPDATE_TASK = "mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { id } }"
SETTINGS = "{ notificationSettings { dueReminder remindBefore } }"


@pytest.fixture(autouse=True)
async def anew(resources: Resources) -> None:
    """Other tests have moved the clock."""
    await resources.table.write(Delete(sweep_of_job(REMIND_DUE)))


async def newcomer(api: Api, clock: TestClock, zone: str = "UTC", **settings: object) -> Person:
    at(clock, "2027-03-01T07:00:00Z")
    person = await api.sign_up(timeZone=zone)
    await person.gql(UPDATE_SETTINGS, input={"dueReminder": True} | settings)
    return person


async def task(person: Person, title: str, due: str, **more: object) -> str:
    answer = await person.gql(CREATE_TASK, input={"title": title, "dueAt": due} | more)
    return str(answer["createTask"]["id"])


async def reminders(person: Person) -> list[tuple[str, str]]:
    found: list[dict[str, Any]] = await inbox(await later(person))
    return [(each["title"], each["body"]) for each in reversed(found)]


async def run_at(clock: TestClock, resources: Resources, *moments: str) -> None:
    for moment in moments:
        at(clock, f"2027-03-{moment}Z")
        await remind_due(resources)


async def test_reminds_once_at_the_due_time(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    ada = await newcomer(api, clock, zone="Europe/Berlin")
    path = await with_hook(resources, ada, remote_server)
    await task(ada, "Take the bread out", "2027-03-01T12:00:00Z")
    await run_at(clock, resources, "01T11:59:59")
    assert await reminders(ada) == []
    await run_at(clock, resources, "01T12:00:05", "01T12:00:25", "01T12:30:00", "02T11:00:00")
    assert await reminders(ada) == [("Take the bread out", "- Take the bread out (13:00)")]
    await send_notifications(resources)
    await send_notifications(resources)
    assert [each.json["title"] for each in remote_server.at(path)] == ["Take the bread out"]


async def test_reminds_only_of_open_tasks_with_a_time_if_switched_on(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    ada = await newcomer(api, clock)
    bob = await newcomer(api, clock, dueReminder=False)
    await task(bob, "Bob's", "2027-03-01T12:00:00Z")
    done = await task(ada, "Done", "2027-03-01T12:00:00Z")
    await ada.gql(COMPLETE, input={"id": done})
    await ada.gql(CREATE_TASK, input={"title": "Some time", "dueDate": "2027-03-01"})
    await run_at(clock, resources, "01T12:00:05")
    assert await reminders(ada) == await reminders(bob) == []
    theirs = await (await later(bob)).gql(SETTINGS)
    assert theirs["notificationSettings"] == {"dueReminder": False, "remindBefore": 0}


async def test_reminds_as_long_before_as_set(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    ada = await newcomer(api, clock, remindBefore=60)
    await task(ada, "Leave", "2027-03-01T12:00:00Z")
    await run_at(clock, resources, "01T10:59:59")
    assert await reminders(ada) == []
    await run_at(clock, resources, "01T11:00:05", "01T11:30:05", "01T12:00:05")
    assert await reminders(ada) == [("Leave", "- Leave (12:00)")]


async def test_a_reminder_a_day_before_shows_the_date(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    ada = await newcomer(api, clock, remindBefore=1440)
    await task(ada, "Leave", "2027-03-02T08:00:00Z")
    await run_at(clock, resources, "01T08:00:05")
    assert await reminders(ada) == [("Leave", "- Leave (2027-03-02 08:00)")]


async def test_a_task_created_within_the_lead_time_is_reminded_of(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    ada = await newcomer(api, clock, remindBefore=120)
    await run_at(clock, resources, "01T07:00:00", "01T07:20:00")
    await task(ada, "Leave", "2027-03-01T07:50:00Z")
    await run_at(clock, resources, "01T07:20:20", "01T07:35:05", "01T07:50:05")
    assert await reminders(ada) == [("Leave", "- Leave (07:50)")]


async def test_several_tasks_are_one_message(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    ada = await newcomer(api, clock)
    for title in ("Bread", "Tea"):
        await task(ada, title, "2027-03-01T12:00:00Z")
    await run_at(clock, resources, "01T12:00:05")
    ((title, body),) = await reminders(ada)
    assert (title, sorted(body.splitlines())) == (
        "2 tasks are due",
        ["- Bread (12:00)", "- Tea (12:00)"],
    )


async def test_a_postponed_task_gets_another_reminder(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    ada = await newcomer(api, clock)
    tea = await task(ada, "Tea", "2027-03-01T07:10:00Z")
    await run_at(clock, resources, "01T07:10:05")
    await ada.gql(UPDATE_TASK, input={"id": tea, "dueAt": "2027-03-01T07:20:00Z"})
    await run_at(clock, resources, "01T07:10:25", "01T07:20:05", "01T07:20:25")
    assert await reminders(ada) == [("Tea", "- Tea (07:10)"), ("Tea", "- Tea (07:20)")]


async def test_workers_that_were_away_catch_up_a_day(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    ada = await newcomer(api, clock)
    await run_at(clock, resources, "01T07:00:00")
    await task(ada, "Too late", "2027-03-02T08:00:00Z")
    await task(ada, "Late", "2027-03-03T08:00:00Z")
    await run_at(clock, resources, "03T20:00:00")
    assert await reminders(ada) == [("Late", "- Late (08:00)")]


async def test_twenty_workers_remind_once(api: Api, resources: Resources, clock: TestClock) -> None:
    ada = await newcomer(api, clock)
    await task(ada, "Tea", "2027-03-01T12:00:00Z")
    at(clock, "2027-03-01T12:00:05Z")
    await asyncio.gather(*(remind_due(resources) for _ in range(20)))
    assert len(await reminders(ada)) == 1


async def test_quiet_hours_keep_it_from_the_channels_only(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    ada = await newcomer(api, clock, quietFrom=11, quietTo=13)
    path = await with_hook(resources, ada, remote_server)
    await task(ada, "Tea", "2027-03-01T12:00:00Z")
    await run_at(clock, resources, "01T12:00:05")
    await send_notifications(resources)
    assert len(await reminders(ada)) == 1
    assert remote_server.at(path) == []
    at(clock, "2027-03-01T13:00:01Z")
    await send_notifications(resources)
    assert len(remote_server.at(path)) == 1


async def test_due_and_daily_reminders_are_independent(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    ada = await newcomer(api, clock, dailyReminder=True)
    await task(ada, "Tea", "2027-03-01T12:00:00Z")
    at(clock, "2027-03-01T09:00:05Z")
    await remind_daily(resources)
    await run_at(clock, resources, "01T12:00:05")
    titles = [title for title, _ in await reminders(ada)]
    assert titles == ["One thing is due today", "Tea"]


async def test_an_hour_that_occurs_twice_is_reminded_of_once(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    """Clocks go back in Berlin on 2027-10-31: the moment is one all the same."""
    at(clock, "2027-10-30T07:00:00Z")
    ada = await api.sign_up(timeZone="Europe/Berlin")
    await ada.gql(UPDATE_SETTINGS, input={"dueReminder": True})
    await task(ada, "Tea", "2027-10-31T00:30:00Z")
    for moment in ("00:30:05", "01:30:05"):
        at(clock, f"2027-10-31T{moment}Z")
        await remind_due(resources)
    assert await reminders(ada) == [("Tea", "- Tea (02:30)")]


@pytest.mark.parametrize("minutes", [-5, 1, 7, 1441])
async def test_other_leads_are_refused(ada: Person, minutes: int) -> None:
    refused = await ada.refused(UPDATE_SETTINGS, input={"remindBefore": minutes})
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.remindBefore")
    assert (await ada.gql(SETTINGS))["notificationSettings"]["remindBefore"] == 0
