"""Channels: set, verified by a code, masked, deactivated."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from app.domains.notifications import keys
from app.domains.notifications.types import ChannelType
from app.jobs.notifications import send_notifications
from app.resources import Resources
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.notifications.operations import (
    CHANNELS,
    DEACTIVATE,
    DELETE_CHANNEL,
    SET,
    TEST,
    VERIFY,
    code_for,
    hook_path,
    inbox,
    outgoing,
    set_channel,
    verified,
    with_hook,
)
from tests.remote_servers import Answer, RemoteServer
from tests.servers import RunningServer, TestClock

PHONE = "+14155552671"


async def stored(table: Gateway, person: Person) -> list[str]:
    pk = keys.channels_of_user(person.id).pk
    words = ("NOTIFICATION#", "OUTGOING#")
    return [
        item["SK"]["S"] async for item in table.partition(pk) if item["SK"]["S"].startswith(words)
    ]


async def test_a_channel_is_stored_as_documented(ada: Person, table: Gateway) -> None:
    shown = await set_channel(ada, "SMS", PHONE)
    assert shown == {
        "channelType": "SMS",
        "label": None,
        "identifier": "+1•••71",
        "isActive": True,
        "isVerified": False,
        "verifiedAt": None,
        "reminders": True,
        "version": 1,
    }
    await set_channel(ada, "SMS", "+14155552672", label="work")
    found = [sk for sk in await stored(table, ada) if sk.startswith("NOTIFICATION#")]
    assert found == ["NOTIFICATION#SMS", "NOTIFICATION#SMS#work"]
    channel = await table.get(keys.channel(ada.id, ChannelType.SMS))
    assert channel is not None
    assert channel.identifier == PHONE


@pytest.mark.parametrize(
    ("kind", "identifier"),
    [
        ("SMS", "12345"),
        ("Email", "nobody"),
        ("Discord", "https://evil.example/api/webhooks/1/a"),
        ("Webhook", "http://169.254.169.254/latest/meta-data"),
        ("Webhook", "https://localhost/"),
        ("Webhook", "https://evil.example/"),
    ],
)
async def test_wrong_addresses_are_refused(
    ada: Person, table: Gateway, kind: str, identifier: str
) -> None:
    wanted = {"channelType": kind, "identifier": identifier}
    refused = await ada.refused(SET, input=wanted)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.identifier")
    assert identifier not in json.dumps(refused.errors)
    assert await stored(table, ada) == []


async def test_an_unknown_type_is_refused(ada: Person) -> None:
    wanted = {"channelType": "Pigeon", "identifier": PHONE}
    answer = await ada.api.post(SET, headers=ada.headers, input=wanted)
    assert "errors" in answer.json()


async def test_the_whole_address_is_never_handed_out(
    ada: Person, remote_server: RemoteServer
) -> None:
    path = hook_path()
    await set_channel(ada, "Webhook", f"{remote_server.url}{path}")
    await set_channel(ada, "Discord", "https://discord.com/api/webhooks/11112222/s3cr3t")
    texts = [json.dumps(await ada.gql(CHANNELS)), json.dumps(await ada.gql("{ exportData }"))]
    for text in texts:
        assert path not in text
        assert "s3cr3t" not in text


async def test_verified_by_the_code(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    await set_channel(ada, "SMS", PHONE)
    code = await code_for(resources, ada)
    answer = await ada.gql(VERIFY, input={"channelType": "SMS", "code": f" {code} "})
    assert answer["verifyNotificationChannel"]["isVerified"] is True
    again = await ada.refused(VERIFY, input={"channelType": "SMS", "code": code})
    assert again.code == "ALREADY_VERIFIED"


async def test_five_tries_and_no_more(ada: Person, resources: Resources) -> None:
    await set_channel(ada, "SMS", PHONE)
    code = await code_for(resources, ada)
    wrong = {"channelType": "SMS", "code": "000000" if code != "000000" else "000001"}
    left = [(await ada.refused(VERIFY, input=wrong)).info["triesLeft"] for _ in range(5)]
    assert left == [4, 3, 2, 1, 0]
    right = {"channelType": "SMS", "code": code}
    assert (await ada.refused(VERIFY, input=right)).code == "CODE_EXPIRED"
    await set_channel(ada, "SMS", PHONE)
    right["code"] = await code_for(resources, ada)
    assert (await ada.gql(VERIFY, input=right))["verifyNotificationChannel"]["isVerified"]


async def test_twenty_guesses_at_once_count_each(ada: Person, resources: Resources) -> None:
    await set_channel(ada, "SMS", PHONE)
    wrong = {"channelType": "SMS", "code": "nope"}
    answers = await asyncio.gather(*(ada.refused(VERIFY, input=wrong) for _ in range(20)))
    codes = [each.code for each in answers]
    assert codes.count("WRONG_CODE") == 5
    assert set(codes) <= {"WRONG_CODE", "CODE_EXPIRED", "CONFLICT"}


async def test_a_code_expires(ada: Person, resources: Resources, clock: TestClock) -> None:
    await set_channel(ada, "SMS", PHONE)
    code = await code_for(resources, ada)
    clock.move(minutes=15, seconds=1)
    refused = await ada.refused(VERIFY, input={"channelType": "SMS", "code": code})
    assert refused.code == "CODE_EXPIRED"


async def test_another_address_must_be_verified_again(ada: Person, resources: Resources) -> None:
    await verified(resources, ada, "SMS", PHONE)
    assert (await set_channel(ada, "SMS", PHONE))["isVerified"] is True
    assert (await set_channel(ada, "SMS", "+14155552672"))["isVerified"] is False


async def test_setting_an_inactive_channel_again_activates_it(
    ada: Person, resources: Resources
) -> None:
    await verified(resources, ada, "SMS", PHONE)
    answer = await ada.gql(DEACTIVATE, input={"channelType": "SMS"})
    assert answer["deactivateNotificationChannel"]["isActive"] is False
    awake = await set_channel(ada, "SMS", PHONE)
    assert (awake["isActive"], awake["isVerified"]) == (True, True)


async def test_at_most_five_channels_of_a_type(ada: Person, table: Gateway) -> None:
    for number in range(5):
        await set_channel(ada, "SMS", PHONE, label=f"n{number}")
    wanted = {"channelType": "SMS", "identifier": PHONE, "label": "one more"}
    assert (await ada.refused(SET, input=wanted)).code == "LIMIT_EXCEEDED"
    await set_channel(ada, "Email", "ada@example.com")


@pytest.mark.parametrize("label", ["a#b", "", "x" * 31, "~a"])
async def test_labels(ada: Person, table: Gateway, label: str) -> None:
    wanted = {"channelType": "SMS", "identifier": PHONE, "label": label}
    assert (await ada.refused(SET, input=wanted)).code == "BAD_INPUT"
    assert await stored(table, ada) == []


async def test_nothing_is_sent_to_an_unverified_channel(ada: Person, resources: Resources) -> None:
    await set_channel(ada, "SMS", PHONE)
    refused = await ada.refused(TEST, input={"channelType": "SMS"})
    assert refused.code == "CHANNEL_NOT_VERIFIED"
    assert [each.is_code for each in await outgoing(resources, ada)] == [True]


@pytest.mark.parametrize(("query", "more"), [(VERIFY, {"code": "1"}), (DEACTIVATE, {}), (TEST, {})])
async def test_channels_of_others_are_not_found(
    ada: Person, bob: Person, query: str, more: dict[str, str]
) -> None:
    await set_channel(ada, "SMS", PHONE)
    refused = await bob.refused(query, input={"channelType": "SMS", **more})
    assert refused.code == "NOT_FOUND"
    assert (await bob.gql(CHANNELS))["notificationChannels"]["items"] == []
    (mine,) = (await ada.gql(CHANNELS))["notificationChannels"]["items"]
    assert (mine["isActive"], mine["isVerified"]) == (True, False)


@pytest.mark.parametrize(
    ("kind", "identifier", "setting"),
    [("SMS", PHONE, "SMS_GATEWAY"), ("Email", "ada@example.com", "MAIL_GATEWAY")],
)
async def test_without_a_gateway_the_channel_is_refused_and_not_saved(
    ada: Person,
    table: Gateway,
    start_server: Callable[..., RunningServer],
    kind: str,
    identifier: str,
    setting: str,
) -> None:
    async with Api(start_server().url) as bare:
        wanted = {"channelType": kind, "identifier": identifier}
        refused = await Person(bare, ada.session).refused(SET, input=wanted)
    assert (refused.code, refused.info["field"]) == ("CHANNEL_UNAVAILABLE", "input.channelType")
    assert setting in refused.errors[0]["message"]
    assert await stored(table, ada) == []


@pytest.mark.parametrize(
    ("kind", "identifier", "path", "status", "error"),
    [
        (
            "Discord",
            "https://discord.com/api/webhooks/7777/abc",
            "/discord/7777/abc",
            "FAILED",
            "The channel's host answered with HTTP status 400.",
        ),
        (
            "SMS",
            "+14155557777",
            "/sms/+14155557777",
            "UNKNOWN",
            "The gateway did not confirm the message.",
        ),
    ],
)
async def test_the_delivery_of_a_code_shows_its_failure(
    ada: Person,
    resources: Resources,
    remote_server: RemoteServer,
    kind: str,
    identifier: str,
    path: str,
    status: str,
    error: str,
) -> None:
    remote_server.answer(path, Answer(400), Answer(200))
    await set_channel(ada, kind, identifier)
    assert await codes(ada) == [{"status": "PENDING", "attempts": 0, "error": None}]
    await send_notifications(resources)
    assert await codes(ada) == [{"status": status, "attempts": 1, "error": error}]
    (channel,) = (await ada.gql(CHANNELS))["notificationChannels"]["items"]
    assert channel["isVerified"] is False
    await set_channel(ada, kind, identifier)
    await send_notifications(resources)
    assert await codes(ada) == [{"status": "SENT", "attempts": 1, "error": None}]


async def codes(person: Person) -> list[Any]:
    query = "{ notificationChannels { items { codeDelivery { status attempts error } } } }"
    found = (await person.gql(query))["notificationChannels"]["items"]
    return [each["codeDelivery"] for each in found]


async def test_a_code_for_the_previous_address_is_not_sent_to_the_new_one(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    for number in ("+14155558881", "+14155558882"):
        await set_channel(ada, "SMS", number)
    await send_notifications(resources)
    assert remote_server.at("/sms/+14155558881") == []
    (received,) = remote_server.at("/sms/+14155558882")
    assert await code_for(resources, ada) in received.body.decode()


async def test_a_deleted_channel_is_gone_and_gets_nothing(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    path = await with_hook(resources, ada, remote_server)
    await verified(resources, ada, "Webhook", f"{remote_server.url}{path}-2", label="two")
    await ada.gql(TEST, input={"channelType": "Webhook"})
    wanted = {"channelType": "Webhook", "idempotencyKey": "k"}
    first, again = [await ada.gql(DELETE_CHANNEL, input=wanted) for _ in range(2)]
    assert first == again
    found = (await ada.gql(CHANNELS))["notificationChannels"]["items"]
    assert [each["label"] for each in found] == ["two"]
    await send_notifications(resources)
    assert remote_server.at(path) == []
    (message,) = await inbox(ada)
    (sending,) = message["deliveries"]
    assert sending["status"] == "FAILED"
    refused = await ada.refused(DELETE_CHANNEL, input={"channelType": "Webhook"})
    assert refused.code == "NOT_FOUND"
    await set_channel(ada, "Webhook", f"{remote_server.url}{path}")
    found = (await ada.gql(CHANNELS))["notificationChannels"]["items"]
    assert [(each["label"], each["isVerified"]) for each in found] == [
        (None, False),
        ("two", True),
    ]


async def test_a_channel_of_another_cannot_be_deleted(
    ada: Person, bob: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    await with_hook(resources, ada, remote_server)
    refused = await bob.refused(DELETE_CHANNEL, input={"channelType": "Webhook"})
    assert refused.code == "NOT_FOUND"
    assert len((await ada.gql(CHANNELS))["notificationChannels"]["items"]) == 1


async def test_verifying_what_is_verified_says_so(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    await with_hook(resources, ada, remote_server)
    before = (await ada.gql(CHANNELS))["notificationChannels"]
    wanted = {"channelType": "Webhook", "code": "000000"}
    refused = await ada.refused(VERIFY, input=wanted)
    assert refused.code == "ALREADY_VERIFIED"
    assert refused.errors[0]["message"] == (
        "This channel is verified already. There is nothing to do."
    )
    assert (await ada.gql(CHANNELS))["notificationChannels"] == before
    await ada.gql(DEACTIVATE, input={"channelType": "Webhook"})
    refused = await ada.refused(VERIFY, input=wanted)
    assert "setNotificationChannel" in refused.errors[0]["message"]
