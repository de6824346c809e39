"""A worker dies in the middle of a job, at every place where it can; another takes over.

Nothing is sent twice, nothing is forgotten.
"""

import asyncio
import contextlib
import dataclasses
from collections.abc import Awaitable, Callable
from datetime import datetime

import strawberry

from app.core.caller import acting_for
from app.domains.characters import keys
from app.domains.characters.inputs import DeleteCharacterGoalInput
from app.domains.characters.types import ProgressRecord
from app.jobs.characters import poll_hiscores, send_goal_messages, sweep_goal_records
from app.jobs.notifications import remind_daily, send_notifications
from app.resources import Resources
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.characters.operations import ARCHIVE, DELETE_GOAL, add, goal_of, new_goal, record, see
from tests.notifications.operations import UPDATE_SETTINGS, inbox, with_hook
from tests.remote_fixtures import later
from tests.remote_servers import Answer, RemoteServer, hiscores
from tests.servers import TestClock
from tests.table.faults import Crash, FaultyClient, after

Run = Callable[[Resources], Awaitable[None]]
CREATE_TASK = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }"
MORNING, NINE, LATER = "2026-12-10T08:00:00Z", "2026-12-10T09:00:01Z", "2026-12-10T09:15:00Z"
PAGE = hiscores({"Mining": (7, 70, 800_000), "Fishing": (9, 50, 200_000)})


def at(clock: TestClock, text: str) -> None:
    clock.freeze(datetime.fromisoformat(text))


async def is_killed(resources: Resources, table: Gateway, run: Run, place: int) -> bool:
    """The process dies after the n-th call to the table has been carried out: what it would have
    done with the answer, and all that comes after, does not happen."""
    client = FaultyClient(table.client)
    client.at_call[place] = after(Crash())
    doomed = dataclasses.replace(resources, table=Gateway(client, table.table))
    try:
        await run(doomed)
    except Crash:
        return True
    finally:
        with contextlib.suppress(Crash):
            await doomed.table.drain()
        # What would die with the process must not go on here.
        await asyncio.gather(
            *(t for t in asyncio.all_tasks() if "failures_of" in repr(t)), return_exceptions=True
        )
    return False


async def test_telling_and_sending(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock, table: Gateway
) -> None:
    async def run(worker: Resources) -> None:
        await send_goal_messages(worker)
        await send_notifications(worker)

    at(clock, NINE)
    await run(resources)
    kills = 0
    for place in range(200):
        at(clock, MORNING)
        ada = await api.sign_up()
        path = await with_hook(resources, ada, remote_server)
        goal = await new_goal(ada, frequency="daily", notificationChannelType="Webhook")
        at(clock, NINE)
        killed = await is_killed(resources, table, run, place)
        kills += killed
        at(clock, LATER)
        await run(resources)
        await run(resources)
        ada = await later(ada)
        (message,) = await inbox(ada)
        (result,) = message["deliveries"]
        received = len(remote_server.at(path))
        assert received == 1 or (received == 0 and result["status"] == "UNKNOWN"), place
        await ada.gql(ARCHIVE, input={"name": goal["characterName"]})
        if not killed:
            break
    assert kills > 10


async def test_looking_up(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock, table: Gateway
) -> None:
    remote_server.answer("/hiscores", Answer(200, PAGE))
    at(clock, NINE)
    await poll_hiscores(resources)
    kills = 0
    for place in range(200):
        at(clock, NINE)
        ada = await api.sign_up()
        name = (await add(ada))["name"]
        goals = [await goal_of(ada, name, targetAttribute=each) for each in ("Mining", "Fishing")]
        killed = await is_killed(resources, table, poll_hiscores, place)
        kills += killed
        at(clock, LATER)
        await poll_hiscores(resources)
        ada = await later(ada)
        values = [(await see(ada, each["id"]))["latest"]["progressValue"] for each in goals]
        assert values == [800_000, 200_000], place
        for goal in goals:
            assert await _is_whole(table, ada, name, goal["id"]), place
        await ada.gql(ARCHIVE, input={"name": name})
        if not killed:
            break
    assert kills > 10


async def _is_whole(table: Gateway, person: Person, name: str, goal_id: str) -> bool:
    """LATEST and EARLIEST are the ends of the records, and no value stands twice."""
    records: list[ProgressRecord] = [
        each async for each in table.query_all(keys.progress_of_goal(person.id, name, goal_id))
    ]
    latest = await table.get(keys.latest_of_goal(person.id, name, goal_id))
    earliest = await table.get(keys.earliest_of_goal(person.id, name, goal_id))
    assert latest is not None
    assert earliest is not None
    ends = (records[0].timestamp, records[-1].timestamp)
    return len(records) == 1 and ends == (earliest.timestamp, latest.timestamp)


async def test_reminding(api: Api, resources: Resources, clock: TestClock, table: Gateway) -> None:
    at(clock, NINE)
    await remind_daily(resources)
    kills = 0
    for place in range(200):
        at(clock, MORNING)
        ada = await api.sign_up()
        await ada.gql(UPDATE_SETTINGS, input={"dailyReminder": True})
        await ada.gql(CREATE_TASK, input={"title": "Call home", "dueDate": "2026-12-10"})
        at(clock, NINE)
        killed = await is_killed(resources, table, remind_daily, place)
        kills += killed
        at(clock, LATER)
        await remind_daily(resources)
        await remind_daily(resources)
        ada = await later(ada)
        (message,) = await inbox(ada)
        assert "Call home" in message["body"], place
        await ada.gql(UPDATE_SETTINGS, input={"dailyReminder": False})
        if not killed:
            break
    assert kills > 5


async def test_sweeping(ada: Person, resources: Resources, table: Gateway) -> None:
    """Here the request itself dies, after the goal and before its records."""
    kills = 0
    for place in range(40):
        goal = await new_goal(ada)
        for day in (1, 2, 3):
            await record(ada, goal["id"], day, f"2025-01-0{day}T00:00:00Z")

        async def delete(doomed: Resources, goal_id: str = goal["id"]) -> None:
            request = DeleteCharacterGoalInput(id=strawberry.ID(goal_id))
            await Services(doomed, acting_for(ada.id)).character_goals.delete(request)

        killed = await is_killed(resources, table, delete, place)
        kills += killed
        await sweep_goal_records(resources)
        pk = keys.characters_of_user(ada.id).pk
        left = [i["SK"]["S"] async for i in table.partition(pk) if goal["id"] in i["SK"]["S"]]
        there = await ada.gql("query ($id: ID!) { characterGoal(id: $id) { id } }", id=goal["id"])
        if there["characterGoal"]:
            await ada.gql(DELETE_GOAL, input={"id": goal["id"]})
        else:
            assert left == [], place
        if not killed:
            break
    assert kills > 3
