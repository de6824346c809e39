"""The inbox and the notification settings, through HTTP."""

import asyncio

import pytest
from strawberry import ID

from app.core.scalars import AWSDateTime
from app.domains.notifications import keys
from app.domains.notifications.types import Notification, NotificationKind
from app.jobs.notifications import send_notifications
from app.resources import Resources
from app.table.gateway import Gateway
from tests.api import Person
from tests.notifications.operations import (
    INBOX,
    READ,
    SETTINGS,
    TEST,
    UPDATE_SETTINGS,
    inbox,
    with_hook,
)
from tests.remote_servers import RemoteServer


async def fill(person: Person, count: int) -> None:
    for _ in range(count):
        await person.gql(TEST, input={"channelType": "Webhook"})


async def test_read_and_unread(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    await with_hook(resources, ada, remote_server)
    await fill(ada, 3)
    messages = await inbox(ada)
    assert len(messages) == 3
    assert [each["id"] for each in messages] == sorted(
        (each["id"] for each in messages), reverse=True
    )
    answer = await ada.gql(READ, input={"ids": [messages[1]["id"]]})
    assert answer["markNotificationsRead"][0]["readAt"]
    unread = await inbox(ada, unread=True)
    assert [each["id"] for each in unread] == [messages[0]["id"], messages[2]["id"]]
    again = await ada.gql(READ, input={"ids": [messages[1]["id"], messages[0]["id"]]})
    assert again["markNotificationsRead"][0] == answer["markNotificationsRead"][0]
    assert len(await inbox(ada, unread=True)) == 1
    assert len(await inbox(ada, unread=None)) == 3


async def test_pages_of_unread_messages(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    await with_hook(resources, ada, remote_server)
    await fill(ada, 5)
    every = [each["id"] for each in await inbox(ada)]
    await ada.gql(READ, input={"ids": [every[1]]})
    first = (await ada.gql(INBOX, unread=True, limit=2))["notifications"]
    assert [each["id"] for each in first["items"]] == [every[0], every[2]]
    rest = (await ada.gql(INBOX, unread=True, limit=2, nextToken=first["nextToken"]))[
        "notifications"
    ]
    assert ([e["id"] for e in rest["items"]], rest["nextToken"]) == ([every[3], every[4]], None)


async def test_concurrent_marks_lose_nothing(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    await with_hook(resources, ada, remote_server)
    await fill(ada, 4)
    ids = [each["id"] for each in await inbox(ada)]
    await asyncio.gather(
        *(ada.gql(READ, input={"ids": ids[start:]}) for start in range(4)),
        return_exceptions=True,
    )
    await ada.gql(READ, input={"ids": ids})
    assert await inbox(ada, unread=True) == []


async def test_messages_of_others_are_not_found(
    ada: Person, bob: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    await with_hook(resources, ada, remote_server)
    await fill(ada, 1)
    (message,) = await inbox(ada)
    assert await inbox(bob) == []
    refused = await bob.refused(READ, input={"ids": [message["id"]]})
    assert refused.code == "NOT_FOUND"
    assert (await inbox(ada))[0]["readAt"] is None
    await send_notifications(resources)


@pytest.mark.parametrize("ids", [[], ["x"] * 51])
async def test_one_to_fifty_at_once(ada: Person, ids: list[str]) -> None:
    assert (await ada.refused(READ, input={"ids": ids})).code == "BAD_INPUT"


async def test_settings(ada: Person, table: Gateway) -> None:
    first = (await ada.gql(SETTINGS))["notificationSettings"]
    assert first == {
        "hour": 9,
        "quietFrom": None,
        "quietTo": None,
        "dailyReminder": False,
        "version": 0,
    }
    changed = await ada.gql(UPDATE_SETTINGS, input={"quietFrom": 22, "quietTo": 7})
    assert changed["updateNotificationSettings"] == {
        **first,
        "quietFrom": 22,
        "quietTo": 7,
        "version": 1,
    }
    quiet = {"quietFrom": None, "quietTo": None}
    cleared = await ada.gql(UPDATE_SETTINGS, input={**quiet, "hour": 0})
    assert cleared["updateNotificationSettings"].items() >= quiet.items()
    for wrong in ({"hour": 24}, {"hour": -1}, {"hour": None}, {"quietFrom": 24}):
        assert (await ada.refused(UPDATE_SETTINGS, input=wrong)).code == "BAD_INPUT"
    late = await ada.refused(UPDATE_SETTINGS, input={"hour": 3, "expectedVersion": 1})
    assert late.code == "CONFLICT"
    kept = await table.get(keys.settings_of_user(ada.id))
    assert kept is not None
    assert (kept.hour, kept.version) == (0, 2)


@pytest.mark.parametrize(
    ("before", "change", "missing"),
    [
        ({}, {"quietFrom": 22}, "quietTo"),
        ({}, {"quietTo": 7}, "quietFrom"),
        ({}, {"quietFrom": 22, "quietTo": None}, "quietTo"),
        ({"quietFrom": 22, "quietTo": 7}, {"quietTo": None}, "quietTo"),
        ({"quietFrom": 22, "quietTo": 7}, {"quietFrom": None}, "quietFrom"),
    ],
)
async def test_quiet_hours_have_a_beginning_and_an_end(
    ada: Person, before: dict[str, int], change: dict[str, int | None], missing: str
) -> None:
    await ada.gql(UPDATE_SETTINGS, input=before)
    settings = (await ada.gql(SETTINGS))["notificationSettings"]
    refused = await ada.refused(UPDATE_SETTINGS, input=change)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", f"input.{missing}")
    assert (await ada.gql(SETTINGS))["notificationSettings"] == settings


async def test_either_end_of_the_quiet_hours_can_be_moved(ada: Person) -> None:
    await ada.gql(UPDATE_SETTINGS, input={"quietFrom": 22, "quietTo": 7})
    await ada.gql(UPDATE_SETTINGS, input={"quietTo": 8})
    await ada.gql(UPDATE_SETTINGS, input={"quietFrom": 0})
    found = (await ada.gql(SETTINGS))["notificationSettings"]
    assert (found["quietFrom"], found["quietTo"]) == (0, 8)


COUNT = "{ unreadNotificationCount }"


async def test_the_number_of_unread_messages(
    ada: Person, bob: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    await with_hook(resources, ada, remote_server)
    assert await ada.gql(COUNT) == {"unreadNotificationCount": 0}
    await fill(ada, 3)
    assert await ada.gql(COUNT) == {"unreadNotificationCount": 3}
    first, *_ = await inbox(ada)
    await ada.gql(READ, input={"ids": [first["id"]]})
    assert await ada.gql(COUNT) == {"unreadNotificationCount": 2}
    assert await bob.gql(COUNT) == {"unreadNotificationCount": 0}


async def test_more_than_a_hundred_are_a_hundred(ada: Person, table: Gateway) -> None:
    now = AWSDateTime("2026-01-01T00:00:00.000Z")
    await table.put_many(
        Notification(
            id=ID(f"n{number:03}"),
            user_id=ada.id,
            created_at=now,
            updated_at=now,
            kind=NotificationKind.REMINDER if number % 2 else NotificationKind.TEST,
            title="t",
            body="b",
        )
        for number in range(120)
    )
    assert await ada.gql(COUNT) == {"unreadNotificationCount": 100}
    query = """query ($kinds: [NotificationKind!], $unread: Boolean) {
      notifications(kinds: $kinds, unreadOnly: $unread, limit: 100) { items { kind } } }"""
    for unread in (True, False):
        answer = await ada.gql(query, kinds=["REMINDER"], unread=unread)
        assert answer["notifications"]["items"] == [{"kind": "REMINDER"}] * 60
    answer = await ada.gql(query, kinds=["METRIC_ALERT"])
    assert answer["notifications"]["items"] == []
