"""Messages about goals: once a period, in one message, from workers that may be killed."""

import asyncio
from datetime import datetime

import pytest

from app.jobs.characters import poll_hiscores, send_goal_messages
from app.jobs.notifications import send_notifications
from app.resources import Resources
from tests.api import Api, Person
from tests.characters.operations import UPDATE_GOAL, add, goal_of, new_goal, record, see
from tests.notifications.operations import (
    DELETE_CHANNEL,
    UPDATE_SETTINGS,
    inbox,
    set_channel,
    verified,
    with_hook,
)
from tests.realtime.sockets import TransportClient
from tests.remote_fixtures import later
from tests.remote_servers import Answer, RemoteServer, hiscores
from tests.servers import RunningServer, TestClock

PROFILE = "mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { version } }"


async def send_due(resources: Resources) -> None:
    await send_goal_messages(resources)
    await send_notifications(resources)


def at(clock: TestClock, text: str) -> None:
    clock.freeze(datetime.fromisoformat(text))


async def test_a_digest_of_several_goals_once_a_day(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    path = await with_hook(resources, ada, remote_server)
    name = (await add(ada))["name"]
    goals = [
        await goal_of(
            ada,
            name,
            targetAttribute=skill,
            frequency="daily",
            notificationChannelType="Webhook",
            targetDate="2027-01-01",
        )
        for skill in ("Mining", "Fishing", "Cooking")
    ]
    await record(ada, goals[0]["id"], 6_517_253, "2026-11-30T00:00:00Z")
    await send_due(resources)
    assert remote_server.at(path) == []
    at(clock, "2026-12-01T09:00:01Z")
    ada = await later(ada)
    for _ in range(3):
        await send_due(resources)
    (received,) = remote_server.at(path)
    assert received.json["title"] == f"3 goals of {name}"
    assert received.json["body"].splitlines() == [
        f"{name}: Mining XP 13,034,431: 50.0 %, 6,517,178 to go, 210,232 a day needed, behind.",
        f"{name}: Fishing XP 13,034,431: nothing recorded yet.",
        f"{name}: Cooking XP 13,034,431: nothing recorded yet.",
    ]
    (message,) = await inbox(ada)
    assert message["kind"] == "CHARACTER_GOALS"
    assert sorted(message["subjectIds"]) == sorted(each["id"] for each in goals)
    assert [each["status"] for each in message["deliveries"]] == ["SENT"]
    at(clock, "2026-12-02T09:00:01Z")
    await send_due(resources)
    assert len(remote_server.at(path)) == 2


async def test_without_a_channel_the_inbox_fills(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    await set_channel(ada, "SMS", "+14155552671")
    await new_goal(ada, frequency="daily", notificationChannelType="SMS")
    await new_goal(ada, frequency="daily")
    await ada.gql(DELETE_CHANNEL, input={"channelType": "SMS"})
    at(clock, "2026-12-01T09:30:00Z")
    await send_due(resources)
    messages = await inbox(await later(ada))
    assert [each["deliveries"] for each in messages] == [[], []]


@pytest.mark.parametrize(
    ("frequency", "days"),
    [("daily", [1, 2, 3, 4, 5, 6, 7, 8]), ("weekly", [7]), ("monthly", [1])],
)
async def test_each_at_its_own_frequency(
    api: Api, resources: Resources, clock: TestClock, frequency: str, days: list[int]
) -> None:
    at(clock, "2026-11-30T12:00:00Z")
    ada = await api.sign_up()
    await new_goal(ada, frequency=frequency)
    told = []
    for day in range(1, 9):
        at(clock, f"2026-12-{day:02}T10:00:00Z")
        ada = await later(ada)
        before = len(await inbox(ada))
        await send_goal_messages(resources)
        await send_goal_messages(resources)
        told += [day] * (len(await inbox(ada)) - before)
    assert told == days


@pytest.mark.parametrize(
    ("hour", "night", "moments"),
    [
        # Spring: 2:00 does not exist; autumn: it comes twice.
        (2, "2026-03-29", ["00:30", "01:05", "01:30", "02:05", "23:00"]),
        (2, "2026-10-25", ["00:05", "00:30", "01:05", "01:30", "02:05", "22:00"]),
    ],
)
async def test_a_day_with_a_clock_change_sends_once(
    api: Api,
    resources: Resources,
    remote_server: RemoteServer,
    clock: TestClock,
    hour: int,
    night: str,
    moments: list[str],
) -> None:
    at(clock, f"{night[:8]}{int(night[8:]) - 1}T12:00:00Z")
    ada = await api.sign_up(timeZone="Europe/Berlin")
    await ada.gql(UPDATE_SETTINGS, input={"hour": hour})
    path = await with_hook(resources, ada, remote_server)
    await new_goal(ada, frequency="daily", notificationChannelType="Webhook")
    counts = []
    for moment in moments:
        at(clock, f"{night}T{moment}:00Z")
        await send_due(resources)
        counts.append(len(remote_server.at(path)))
    assert counts[-1] == 1
    assert counts == sorted(counts)


async def test_quiet_hours_hold_it_back(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up(timeZone="Asia/Tokyo")
    await ada.gql(UPDATE_SETTINGS, input={"hour": 23, "quietFrom": 22, "quietTo": 7})
    path = await with_hook(resources, ada, remote_server)
    await new_goal(ada, frequency="daily", notificationChannelType="Webhook")
    at(clock, "2026-12-01T14:00:01Z")
    await send_due(resources)
    assert len(await inbox(await later(ada))) == 1
    assert remote_server.at(path) == []
    at(clock, "2026-12-01T21:59:59Z")
    await send_notifications(resources)
    assert remote_server.at(path) == []
    at(clock, "2026-12-01T22:00:01Z")
    await send_notifications(resources)
    assert len(remote_server.at(path)) == 1


async def test_with_external_messages_off_only_the_inbox_is_filled(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    path = await with_hook(resources, ada, remote_server)
    await ada.gql(PROFILE, input={"preferences": {"notifications": False}})
    await new_goal(ada, frequency="daily", notificationChannelType="Webhook")
    at(clock, "2026-12-01T09:00:01Z")
    await send_due(resources)
    assert remote_server.at(path) == []
    assert len(await inbox(await later(ada))) == 1


async def test_a_deactivated_account_gets_messages_in_the_inbox_only(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    path = await with_hook(resources, ada, remote_server)
    await new_goal(ada, frequency="daily", notificationChannelType="Webhook")
    await ada.gql("mutation { deactivateAccount { id } }")
    at(clock, "2026-12-01T09:00:01Z")
    await send_due(resources)
    assert remote_server.at(path) == []
    assert len(await inbox(await later(ada))) == 1


async def test_two_channels_of_a_type(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    first = await with_hook(resources, ada, remote_server)
    second = f"{first}-2"
    await verified(resources, ada, "Webhook", f"{remote_server.url}{second}", label="two")
    remote_server.answer(second, Answer(400))
    await new_goal(ada, frequency="daily", notificationChannelType="Webhook")
    at(clock, "2026-12-01T09:00:01Z")
    await send_due(resources)
    (message,) = await inbox(await later(ada))
    results = {each["label"]: each["status"] for each in message["deliveries"]}
    assert results == {None: "SENT", "two": "FAILED"}


async def test_reaching_the_target_sends_one_last_message_and_stops(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    path = await with_hook(resources, ada, remote_server)
    goal = await new_goal(
        ada, targetValue=1_000, frequency="daily", notificationChannelType="Webhook"
    )
    await record(ada, goal["id"], 2_000)
    await send_due(resources)
    await send_due(resources)
    (received,) = remote_server.at(path)
    assert "reached" in received.json["body"]
    for day in (2, 3, 4):
        at(clock, f"2026-12-0{day}T10:00:00Z")
        await send_due(resources)
    assert len(remote_server.at(path)) == 1
    ada = await later(ada)
    assert [each["kind"] for each in await inbox(ada)] == ["GOAL_REACHED"]
    await ada.gql(UPDATE_GOAL, input={"id": goal["id"], "targetValue": 3_000})
    await record(ada, goal["id"], 3_500)
    await send_due(resources)
    assert len(remote_server.at(path)) == 2


async def test_a_poll_that_reaches_the_target_sends_at_once(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    path = await with_hook(resources, ada, remote_server)
    remote_server.answer("/hiscores", Answer(200, hiscores({"Mining": (1, 99, 14_000_000)})))
    goal = await new_goal(ada, targetAttribute="Mining", notificationChannelType="Webhook")
    await poll_hiscores(resources)
    await send_due(resources)
    assert (await see(ada, goal["id"]))["achievedAt"]
    assert len(remote_server.at(path)) == 1


async def test_twenty_workers_send_one_message(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    path = await with_hook(resources, ada, remote_server)
    for _ in range(3):
        await new_goal(ada, frequency="daily", notificationChannelType="Webhook")
    at(clock, "2026-12-01T09:00:01Z")
    await asyncio.gather(*(send_due(resources) for _ in range(20)), return_exceptions=True)
    await send_due(resources)
    subjects = [each for m in await inbox(await later(ada)) for each in m["subjectIds"]]
    assert len(subjects) == len(set(subjects)) == 3
    bodies = [line for each in remote_server.at(path) for line in each.json["body"].splitlines()]
    assert len(bodies) == 3


async def test_subscribers_hear_once_that_a_goal_is_reached(
    server: RunningServer, ada: Person, resources: Resources
) -> None:
    one, other = await new_goal(ada, targetValue=100), await new_goal(ada, targetValue=100)
    query = "subscription ($g: ID) { onCharacterGoalAchieved(goalId: $g) { id achievedAt } }"
    async with TransportClient.signed_in(server.url, ada) as socket:
        await socket.subscribe(query, g=one["id"])
        await socket.silent(0.2)
        await record(ada, other["id"], 100)
        await record(ada, one["id"], 99, "2026-01-01T00:00:00Z")
        await record(ada, one["id"], 150, "2026-01-02T00:00:00Z")
        heard = (await socket.data())["onCharacterGoalAchieved"]
        assert heard == {"id": one["id"], "achievedAt": "2026-01-02T00:00:00.000Z"}
        await send_goal_messages(resources)
        await record(ada, one["id"], 160)
        await socket.silent()
