"""Jobs and other writers change the same records at the same time: nothing is left out, and what
could not be done is told."""

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.core.caller import acting_for
from app.core.clock import instant
from app.domains.characters import keys
from app.domains.notifications import keys as notification_keys
from app.domains.notifications.types import DueTask, OutgoingMessage, SendingStatus
from app.domains.people.service.accounts import grant_group
from app.domains.plans import keys as plan_keys
from app.domains.plans.types import DraftsOfDay, ValuesDraft
from app.jobs.characters import poll_hiscores, send_goal_messages
from app.jobs.job import SomeFailed
from app.jobs.keys import lease_of_job, sweep_of_job
from app.jobs.notifications import REMIND_DUE, remind_daily, remind_due, send_notifications
from app.jobs.plans import sweep_orphan_snapshots
from app.jobs.runner import JOBS, run_due
from app.resources import Resources
from app.services import Services
from app.table.gateway import Gateway
from app.table.writes import Delete, Put, put_if_unchanged
from tests.api import Api, Person
from tests.characters.operations import add, goal_of, new_goal, record, see
from tests.notifications.operations import TEST, UPDATE_SETTINGS, inbox, outgoing, with_hook
from tests.notifications.test_due_reminders import newcomer, task
from tests.notifications.test_reminders import CREATE_TASK
from tests.remote_fixtures import later
from tests.remote_servers import Answer, RemoteServer, hiscores
from tests.servers import TestClock
from tests.table.faults import FaultyClient

EVE, NINE = "2026-12-20T08:00:00Z", "2026-12-20T09:00:01Z"
Disturb = Callable[[str], Awaitable[None]]


def at(clock: TestClock, text: str) -> None:
    clock.freeze(datetime.fromisoformat(text))


class RacingClient(FaultyClient):
    """Before each of the first `times` transactions that put a message into a user's inbox, another
    writer is faster."""

    def __init__(self, client: Any, disturb: Disturb, times: int) -> None:
        super().__init__(client)
        self.disturb, self.times = disturb, times
        self.disturbed: Counter[str] = Counter()

    def __getattr__(self, operation: str) -> Callable[..., Awaitable[Any]]:
        call = super().__getattr__(operation)
        if operation != "transact_write_items":
            return call

        async def race(**parameters: Any) -> Any:
            user_id = _inbox_owner(parameters)
            if user_id and self.disturbed[user_id] < self.times:
                self.disturbed[user_id] += 1
                await self.disturb(user_id)
            return await call(**parameters)

        return race


def _inbox_owner(parameters: dict[str, Any]) -> str | None:
    for each in parameters["TransactItems"]:
        item = each.get("Put", {}).get("Item", {})
        if item.get("entityType", {}).get("S") == "Notification":
            return str(item["PK"]["S"]).removeprefix("USER#")
    return None


def racing(resources: Resources, disturb: Disturb, times: int) -> Resources:
    client = RacingClient(resources.table.client, disturb, times)
    return dataclasses.replace(resources, table=Gateway(client, resources.table.table))


def touch_goals(resources: Resources) -> Disturb:
    """As a poll does that finds nothing new."""
    table, now = resources.table, instant(resources.clock.now())

    async def touch(user_id: str) -> None:
        pointers = [each async for each in table.query_all(keys.goal_pointers_of_user(user_id))]
        for each in pointers:
            goal = await table.get(keys.goal(user_id, each.character_key, each.goal_id))
            assert goal is not None
            await table.write(put_if_unchanged(goal.evolve(now), goal, "goal"))

    return touch


async def goal_messages(person: Person) -> list[dict[str, Any]]:
    found = await inbox(await later(person))
    return [each for each in found if each["kind"] in ("CHARACTER_GOALS", "GOAL_REACHED")]


async def error_of(person: Person, name: str) -> str | None:
    jobs = (await person.gql("{ jobs { name lastError } }"))["jobs"]
    errors: dict[str, str | None] = {each["name"]: each["lastError"] for each in jobs}
    return errors[name]


async def run_job(resources: Resources, clock: TestClock, name: str) -> None:
    """As a worker does, ten minutes later. Other tests have left leases of other times."""
    clock.freeze(clock.now() + timedelta(minutes=10))
    await resources.table.write(Delete(lease_of_job(name)))
    await run_due(resources, "w", [next(each for each in JOBS if each.name == name)])


@pytest.mark.parametrize("times", [1, 4])
async def test_polls_that_are_faster_delay_no_message(
    api: Api, resources: Resources, clock: TestClock, times: int
) -> None:
    at(clock, EVE)
    people = await asyncio.gather(*(api.sign_up() for _ in range(25)))
    await asyncio.gather(*(new_goal(each, frequency="daily") for each in people))
    at(clock, NINE)
    raced = racing(resources, touch_goals(resources), times)
    await send_goal_messages(raced)
    client = raced.table.client
    assert [client.disturbed[each.id] for each in people] == [times] * 25
    for person in people:
        assert len(await goal_messages(person)) == 1


async def test_polls_every_minute_and_messages_at_once(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    at(clock, EVE)
    people = await asyncio.gather(*(api.sign_up() for _ in range(25)))
    for person in people:
        name = (await add(person))["name"]
        for skill in ("Mining", "Fishing"):
            await goal_of(person, name, targetAttribute=skill, frequency="daily")
    settings = resources.settings.model_copy(update={"hiscores_minutes": 1})
    worker = dataclasses.replace(resources, settings=settings)
    for minute in range(3):
        at(clock, f"2026-12-20T09:{minute:02}:01Z")
        page = hiscores({"Mining": (7, 50, 200_000 + minute), "Fishing": (9, 40, 90_000 + minute)})
        remote_server.answer("/hiscores", Answer(200, page))
        await asyncio.gather(poll_hiscores(worker), send_goal_messages(worker))
        told = [await goal_messages(person) for person in people]
        assert [[len(each["subjectIds"]) for each in mine] for mine in told] == [[2]] * 25


async def test_a_goal_that_is_reached_meanwhile_gets_its_own_message(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    at(clock, EVE)
    ada = await api.sign_up()
    name = (await add(ada))["name"]
    first, second = [await goal_of(ada, name, frequency="daily") for _ in range(2)]
    at(clock, NINE)
    ada = await later(ada)

    async def reach(_: str) -> None:
        await record(ada, first["id"], 14_000_000)

    await send_goal_messages(racing(resources, reach, 1))
    told = {each["kind"]: each["subjectIds"] for each in await goal_messages(ada)}
    assert told == {"GOAL_REACHED": [first["id"]], "CHARACTER_GOALS": [second["id"]]}


async def test_a_message_that_loses_every_race_is_told_and_sent_by_the_next_run(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    at(clock, EVE)
    ada = await api.sign_up()
    await new_goal(ada, frequency="daily")
    await grant_group(resources, ada.email, "admins", remove=False)
    at(clock, NINE)
    await run_job(racing(resources, touch_goals(resources), 1_000), clock, "tell-goal-news")
    ada = await later(ada)
    assert await goal_messages(ada) == []
    error = await error_of(ada, "tell-goal-news")
    assert error is not None
    assert "1 failed, to be repeated in the next run" in error
    assert "This goal was changed meanwhile." in error
    await run_job(resources, clock, "tell-goal-news")
    assert len(await goal_messages(ada)) == 1
    assert await error_of(await later(ada), "tell-goal-news") is None


async def test_hiscores_that_do_not_answer_are_told(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    at(clock, EVE)
    ada = await api.sign_up()
    goal = await new_goal(ada, targetAttribute="Mining")
    await grant_group(resources, ada.email, "admins", remove=False)
    remote_server.answer("/hiscores", Answer(500))
    await run_job(resources, clock, "poll-hiscores")
    ada = await later(ada)
    assert "HiscoresUnavailable" in str(await error_of(ada, "poll-hiscores"))
    remote_server.answer("/hiscores", Answer(200, hiscores({"Mining": (7, 50, 200_000)})))
    await run_job(resources, clock, "poll-hiscores")
    ada = await later(ada)
    assert await error_of(ada, "poll-hiscores") is None
    assert (await see(ada, goal["id"]))["latest"]["progressValue"] == 200_000


async def test_settings_that_change_meanwhile_delay_no_daily_reminder(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    at(clock, EVE)
    people = await asyncio.gather(*(api.sign_up() for _ in range(5)))
    for person in people:
        await person.gql(UPDATE_SETTINGS, input={"dailyReminder": True})
        await person.gql(CREATE_TASK, input={"title": "Tea", "dueDate": "2026-12-20"})
    at(clock, NINE)
    table, now = resources.table, instant(resources.clock.now())

    async def change(user_id: str) -> None:
        old = await table.get(notification_keys.settings_of_user(user_id))
        assert old is not None
        await table.write(put_if_unchanged(old.evolve(now, quiet_from=1), old, "settings"))

    await remind_daily(racing(resources, change, 3))
    for person in people:
        assert len(await inbox(await later(person))) == 1


async def test_a_daily_reminder_that_is_switched_off_meanwhile_is_not_sent(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    at(clock, EVE)
    ada = await api.sign_up()
    await ada.gql(UPDATE_SETTINGS, input={"dailyReminder": True})
    await ada.gql(CREATE_TASK, input={"title": "Tea", "dueDate": "2026-12-20"})
    at(clock, NINE)
    ada = await later(ada)

    async def switch_off(_: str) -> None:
        await ada.gql(UPDATE_SETTINGS, input={"dailyReminder": False})

    await remind_daily(racing(resources, switch_off, 1))
    assert await inbox(ada) == []


async def test_a_task_that_another_worker_announces_takes_no_other_with_it(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    await resources.table.write(Delete(sweep_of_job(REMIND_DUE)))
    ada = await newcomer(api, clock)
    bread, *_ = [
        await task(ada, title, "2027-03-01T12:00:00Z") for title in ("Bread", "Tea", "Soup")
    ]
    at(clock, "2027-03-01T12:00:05Z")
    noon = datetime(2027, 3, 1, 12, tzinfo=UTC)

    async def announce_one(user_id: str) -> None:
        services = Services(resources, acting_for(user_id))
        await services.reminders.send_due([DueTask(bread, "Bread", noon)])

    await remind_due(racing(resources, announce_one, 1))
    told = [each["subjectIds"] for each in await inbox(await later(ada))]
    assert sorted(map(len, told)) == [1, 2]
    assert len({id for each in told for id in each}) == 3


async def test_the_outcome_of_a_slow_delivery_is_recorded_after_all(
    ada: Person, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    """Another worker took it for abandoned; the one that sent it knows better."""
    path = await with_hook(resources, ada, remote_server)
    await ada.gql(TEST, input={"channelType": "Webhook"})
    (message,) = [each for each in await outgoing(resources, ada) if not each.is_code]
    key = notification_keys.outgoing(ada.id, message.notification_id, message.channel)
    write = resources.table.write

    async def give_up_first(*writes: Any) -> None:
        if any(isinstance(each, Put) and _is_sent(each.record) for each in writes):
            claimed = await resources.table.get(key)
            assert claimed is not None
            if claimed.status is SendingStatus.SENDING:
                given_up = claimed.evolve(claimed.updated_at, status=SendingStatus.UNKNOWN)
                await write(put_if_unchanged(given_up, claimed, "message"))
        await write(*writes)

    table = Gateway(resources.table.client, resources.table.table)
    table.write = give_up_first  # type: ignore[method-assign]
    await send_notifications(dataclasses.replace(resources, table=table))
    sent = await resources.table.get(key)
    assert sent is not None
    assert (sent.status, len(remote_server.at(path))) == (SendingStatus.SENT, 1)


def _is_sent(record: Any) -> bool:
    return isinstance(record, OutgoingMessage) and record.status is SendingStatus.SENT


async def test_a_delivery_that_breaks_stops_no_other_and_is_told(
    ada: Person, bob: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    paths = [await with_hook(resources, each, remote_server) for each in (ada, bob)]
    for each in (ada, bob):
        await each.gql(TEST, input={"channelType": "Webhook"})
    table = Gateway(resources.table.client, resources.table.table)
    get = table.get

    async def broken(key: Any) -> Any:
        if key.pk == f"USER#{ada.id}":
            raise RuntimeError("broken")
        return await get(key)

    table.get = broken  # type: ignore[method-assign]
    with pytest.raises(SomeFailed, match=r"1 failed, .*broken"):
        await send_notifications(dataclasses.replace(resources, table=table))
    assert [len(remote_server.at(each)) for each in paths] == [0, 1]
    await send_notifications(resources)
    assert [len(remote_server.at(each)) for each in paths] == [1, 1]


async def test_a_draft_begun_before_midnight_is_swept_after_it(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    at(clock, "2026-12-20T23:50:00Z")
    ada = await api.sign_up()
    draft = await abandon_draft(resources, ada)
    at(clock, "2026-12-21T00:10:00Z")
    await sweep_orphan_snapshots(resources)
    assert await resources.table.get(plan_keys.values_draft(ada.id, draft.rev_id)) == draft
    at(clock, "2026-12-21T01:10:00Z")
    await sweep_orphan_snapshots(resources)
    assert await resources.table.get(plan_keys.values_draft(ada.id, draft.rev_id)) is None


async def test_one_user_whose_drafts_cannot_be_swept_stops_no_other(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    at(clock, "2026-12-20T12:00:00Z")
    people = sorted([await api.sign_up() for _ in range(3)], key=lambda each: each.id)
    drafts = [await abandon_draft(resources, each) for each in people]
    at(clock, "2026-12-20T14:00:00Z")
    table = Gateway(resources.table.client, resources.table.table)
    write = table.write

    async def broken(*writes: Any) -> None:
        if any(people[0].id in str(each) for each in writes):
            raise RuntimeError("broken")
        await write(*writes)

    table.write = broken  # type: ignore[method-assign]
    with pytest.raises(SomeFailed, match=r"1 failed, .*broken"):
        await sweep_orphan_snapshots(dataclasses.replace(resources, table=table))
    found = [
        await resources.table.get(plan_keys.values_draft(each.user_id, each.rev_id))
        for each in drafts
    ]
    assert found == [drafts[0], None, None]
    await sweep_orphan_snapshots(resources)


async def abandon_draft(resources: Resources, person: Person) -> ValuesDraft:
    now = instant(resources.clock.now())
    stamp = {"created_at": now, "updated_at": now, "user_id": person.id}
    draft = ValuesDraft(**stamp, rev_id=f"r{person.id}")  # type: ignore[arg-type]
    day = DraftsOfDay(**stamp, day=now[:10])  # type: ignore[arg-type]
    await resources.table.write(Put(draft), Put(day))
    return draft
