"""The daily reminder of due tasks and habits, at the user's hour."""

from datetime import datetime
from typing import Any

from app.jobs.notifications import remind_daily, send_notifications
from app.resources import Resources
from tests.api import Api, Person
from tests.notifications.operations import UPDATE_SETTINGS, inbox, set_channel, with_hook
from tests.remote_fixtures import later
from tests.remote_servers import RemoteServer
from tests.servers import TestClock

CREATE_TASK = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }"
COMPLETE = "mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { id } }"
CREATE_HABIT = "mutation ($input: CreateHabitInput!) { createHabit(input: $input) { id } }"
LOG_HABIT = "mutation ($input: LogHabitInput!) { logHabit(input: $input) { date } }"


def at(clock: TestClock, text: str) -> None:
    clock.freeze(datetime.fromisoformat(text))


async def newcomer(api: Api, clock: TestClock, **settings: object) -> Person:
    at(clock, "2026-12-01T07:00:00Z")
    person = await api.sign_up()
    await person.gql(UPDATE_SETTINGS, input={"dailyReminder": True} | settings)
    return person


async def task(person: Person, title: str, due: str, **more: object) -> str:
    answer = await person.gql(CREATE_TASK, input={"title": title, "dueDate": due} | more)
    return str(answer["createTask"]["id"])


async def habit(person: Person, name: str, **more: object) -> str:
    answer = await person.gql(CREATE_HABIT, input={"name": name} | more)
    return str(answer["createHabit"]["id"])


async def reminders(person: Person) -> list[dict[str, Any]]:
    return [each for each in await inbox(await later(person)) if each["kind"] == "REMINDER"]


async def test_tasks_and_habits_in_one_message(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    ada = await newcomer(api, clock)
    path = await with_hook(resources, ada, remote_server)
    late = await task(ada, "Pay rent", "2026-11-30")
    due = await task(ada, "Call home", "2026-12-01")
    await task(ada, "Next week", "2026-12-08")
    run = await habit(ada, "Run")
    await habit(ada, "Smoke", habitType="Quit")
    done = await habit(ada, "Read")
    await ada.gql(LOG_HABIT, input={"habitId": done})
    at(clock, "2026-12-01T09:00:01Z")
    for _ in range(2):
        await remind_daily(resources)
        await send_notifications(resources)
    (message,) = await reminders(ada)
    assert message["title"] == "3 things are due today"
    lines = message["body"].splitlines()
    assert lines[0] == "- Pay rent (since 2026-11-30)"
    assert lines[1].startswith("- Call home")
    assert lines[2] == "- Run"
    assert sorted(message["subjectIds"]) == sorted([late, due, run])
    (received,) = remote_server.at(path)
    assert received.json["body"] == message["body"]


async def test_without_due_items_nothing_is_sent_and_the_next_day_is_scheduled(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    ada = await newcomer(api, clock)
    at(clock, "2026-12-01T09:00:01Z")
    await remind_daily(resources)
    assert await reminders(ada) == []
    await task(await later(ada), "Call home", "2026-12-02")
    at(clock, "2026-12-02T09:00:01Z")
    await remind_daily(resources)
    assert [each["title"] for each in await reminders(ada)] == ["One thing is due today"]
    at(clock, "2026-12-03T09:00:01Z")
    await remind_daily(resources)
    assert len(await reminders(ada)) == 2


async def test_done_items_are_not_in_the_reminder(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    ada = await newcomer(api, clock)
    done = await task(ada, "Call home", "2026-12-01")
    await ada.gql(COMPLETE, input={"id": done})
    at(clock, "2026-12-01T09:00:01Z")
    await remind_daily(resources)
    assert await reminders(ada) == []


async def test_reminds_only_if_switched_on_and_only_on_chosen_channels(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    ada = await newcomer(api, clock)
    path = await with_hook(resources, ada, remote_server)
    await set_channel(ada, "Webhook", f"{remote_server.url}{path}", reminders=False)
    bob = await api.sign_up()
    for each in (ada, bob):
        await task(each, "Call home", "2026-12-01")
    at(clock, "2026-12-01T09:00:01Z")
    await remind_daily(resources)
    await send_notifications(resources)
    assert len(await reminders(ada)) == 1
    assert await reminders(bob) == []
    assert remote_server.at(path) == []


async def test_at_the_users_own_hour(api: Api, resources: Resources, clock: TestClock) -> None:
    at(clock, "2026-12-01T07:00:00Z")
    ada = await api.sign_up(timeZone="Asia/Tokyo")
    await ada.gql(UPDATE_SETTINGS, input={"dailyReminder": True, "hour": 6})
    await task(ada, "Call home", "2026-12-02")
    at(clock, "2026-12-01T20:59:59Z")
    await remind_daily(resources)
    assert await reminders(ada) == []
    at(clock, "2026-12-01T21:00:01Z")
    await remind_daily(resources)
    assert len(await reminders(ada)) == 1
