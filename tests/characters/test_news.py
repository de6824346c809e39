"""What players are told: once a period, in one message, through workers that may die."""

import asyncio
from datetime import datetime

import pytest

from app.jobs.characters import poll_hiscores, tell_goal_news
from app.jobs.notifications import send_notifications
from app.resources import Resources
from tests.api import Api, Person
from tests.characters.play import UPDATE_GOAL, add, goal_of, new_goal, record, see
from tests.far_side import Answer, FarSide, hiscores
from tests.notifications.words import UPDATE_SETTINGS, inbox, verified, with_hook
from tests.outside import later
from tests.realtime.sockets import TransportClient
from tests.servers import RunningServer, TestClock

PROFILE = "mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { version } }"


async def tell(resources: Resources) -> None:
    await tell_goal_news(resources)
    await send_notifications(resources)


def at(clock: TestClock, text: str) -> None:
    clock.freeze(datetime.fromisoformat(text))


async def test_a_digest_of_several_goals_once_a_day(
    api: Api, resources: Resources, far_side: FarSide, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    path = await with_hook(resources, ada, far_side)
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
    await tell(resources)
    assert far_side.at(path) == []
    at(clock, "2026-12-01T09:00:01Z")
    ada = await later(ada)
    for _ in range(3):
        await tell(resources)
    (received,) = far_side.at(path)
    assert received.json["title"] == f"3 goals of {name}"
    assert received.json["body"].splitlines() == [
        f"{name}: Mining XP 13,034,431: 50.0 %, 6,517,178 to go, 210,232 a day needed.",
        f"{name}: Fishing XP 13,034,431: nothing recorded yet.",
        f"{name}: Cooking XP 13,034,431: nothing recorded yet.",
    ]
    (message,) = await inbox(ada)
    assert message["kind"] == "CHARACTER_GOALS"
    assert sorted(message["subjectIds"]) == sorted(each["id"] for each in goals)
    assert [each["status"] for each in message["deliveries"]] == ["SENT"]
    at(clock, "2026-12-02T09:00:01Z")
    await tell(resources)
    assert len(far_side.at(path)) == 2


async def test_without_a_channel_the_inbox_fills(
    api: Api, resources: Resources, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    await new_goal(ada, frequency="daily", notificationChannelType="SMS")
    await new_goal(ada, frequency="daily")
    at(clock, "2026-12-01T09:30:00Z")
    await tell(resources)
    messages = await inbox(await later(ada))
    assert [each["deliveries"] for each in messages] == [[], []]


@pytest.mark.parametrize(
    ("frequency", "days"),
    [("daily", [1, 2, 3, 4, 5, 6, 7, 8]), ("weekly", [7]), ("monthly", [1])],
)
async def test_each_in_its_rhythm(
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
        await tell_goal_news(resources)
        await tell_goal_news(resources)
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
    far_side: FarSide,
    clock: TestClock,
    hour: int,
    night: str,
    moments: list[str],
) -> None:
    at(clock, f"{night[:8]}{int(night[8:]) - 1}T12:00:00Z")
    ada = await api.sign_up(timeZone="Europe/Berlin")
    await ada.gql(UPDATE_SETTINGS, input={"hour": hour})
    path = await with_hook(resources, ada, far_side)
    await new_goal(ada, frequency="daily", notificationChannelType="Webhook")
    counts = []
    for moment in moments:
        at(clock, f"{night}T{moment}:00Z")
        await tell(resources)
        counts.append(len(far_side.at(path)))
    assert counts[-1] == 1
    assert counts == sorted(counts)


async def test_quiet_hours_hold_it_back(
    api: Api, resources: Resources, far_side: FarSide, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up(timeZone="Asia/Tokyo")
    await ada.gql(UPDATE_SETTINGS, input={"hour": 23, "quietFrom": 22, "quietTo": 7})
    path = await with_hook(resources, ada, far_side)
    await new_goal(ada, frequency="daily", notificationChannelType="Webhook")
    at(clock, "2026-12-01T14:00:01Z")
    await tell(resources)
    assert len(await inbox(await later(ada))) == 1
    assert far_side.at(path) == []
    at(clock, "2026-12-01T21:59:59Z")
    await send_notifications(resources)
    assert far_side.at(path) == []
    at(clock, "2026-12-01T22:00:01Z")
    await send_notifications(resources)
    assert len(far_side.at(path)) == 1


async def test_who_wants_nothing_sent_has_the_inbox(
    api: Api, resources: Resources, far_side: FarSide, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    path = await with_hook(resources, ada, far_side)
    await ada.gql(PROFILE, input={"preferences": {"notifications": False}})
    await new_goal(ada, frequency="daily", notificationChannelType="Webhook")
    at(clock, "2026-12-01T09:00:01Z")
    await tell(resources)
    assert far_side.at(path) == []
    assert len(await inbox(await later(ada))) == 1


async def test_who_has_left_for_a_while_is_left_alone(
    api: Api, resources: Resources, far_side: FarSide, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    path = await with_hook(resources, ada, far_side)
    await new_goal(ada, frequency="daily", notificationChannelType="Webhook")
    await ada.gql("mutation { deactivateAccount { id } }")
    at(clock, "2026-12-01T09:00:01Z")
    await tell(resources)
    assert far_side.at(path) == []
    assert len(await inbox(await later(ada))) == 1


async def test_two_channels_of_a_type(
    api: Api, resources: Resources, far_side: FarSide, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    first = await with_hook(resources, ada, far_side)
    second = f"{first}-2"
    await verified(resources, ada, "Webhook", f"{far_side.url}{second}", label="two")
    far_side.answer(second, Answer(400))
    await new_goal(ada, frequency="daily", notificationChannelType="Webhook")
    at(clock, "2026-12-01T09:00:01Z")
    await tell(resources)
    (message,) = await inbox(await later(ada))
    results = {each["label"]: each["status"] for each in message["deliveries"]}
    assert results == {None: "SENT", "two": "FAILED"}


async def test_reaching_it_sends_one_last_message_and_stops(
    api: Api, resources: Resources, far_side: FarSide, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    path = await with_hook(resources, ada, far_side)
    goal = await new_goal(
        ada, targetValue=1_000, frequency="daily", notificationChannelType="Webhook"
    )
    await record(ada, goal["id"], 2_000)
    await tell(resources)
    await tell(resources)
    (received,) = far_side.at(path)
    assert "reached" in received.json["body"]
    for day in (2, 3, 4):
        at(clock, f"2026-12-0{day}T10:00:00Z")
        await tell(resources)
    assert len(far_side.at(path)) == 1
    ada = await later(ada)
    assert [each["kind"] for each in await inbox(ada)] == ["GOAL_REACHED"]
    await ada.gql(UPDATE_GOAL, input={"id": goal["id"], "targetValue": 3_000})
    await record(ada, goal["id"], 3_500)
    await tell(resources)
    assert len(far_side.at(path)) == 2


async def test_a_look_up_that_reaches_it_tells_at_once(
    ada: Person, resources: Resources, far_side: FarSide
) -> None:
    path = await with_hook(resources, ada, far_side)
    far_side.answer("/hiscores", Answer(200, hiscores({"Mining": (1, 99, 14_000_000)})))
    goal = await new_goal(ada, targetAttribute="Mining", notificationChannelType="Webhook")
    await poll_hiscores(resources)
    await tell(resources)
    assert (await see(ada, goal["id"]))["achievedAt"]
    assert len(far_side.at(path)) == 1


async def test_twenty_workers_tell_once(
    api: Api, resources: Resources, far_side: FarSide, clock: TestClock
) -> None:
    at(clock, "2026-12-01T08:00:00Z")
    ada = await api.sign_up()
    path = await with_hook(resources, ada, far_side)
    for _ in range(3):
        await new_goal(ada, frequency="daily", notificationChannelType="Webhook")
    at(clock, "2026-12-01T09:00:01Z")
    await asyncio.gather(*(tell(resources) for _ in range(20)), return_exceptions=True)
    await tell(resources)
    subjects = [each for m in await inbox(await later(ada)) for each in m["subjectIds"]]
    assert len(subjects) == len(set(subjects)) == 3
    bodies = [line for each in far_side.at(path) for line in each.json["body"].splitlines()]
    assert len(bodies) == 3


async def test_reaching_it_is_heard_once(
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
        await tell_goal_news(resources)
        await record(ada, one["id"], 160)
        await socket.silent()
