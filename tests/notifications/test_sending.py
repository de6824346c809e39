"""Sending through real servers: what they receive, how they fail, and that nothing comes twice."""

import asyncio
import dataclasses
import json
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
import structlog
from pydantic import ValidationError

from app.domains.notifications.courier import Courier, Message
from app.domains.notifications.courier.webhook import post
from app.domains.notifications.rules.sending import Outcome, Result
from app.domains.notifications.service import send_due
from app.domains.notifications.types import ChannelType, SendingStatus
from app.resources import Resources
from app.settings import Settings
from tests.api import Api, Person
from tests.far_side import Answer, FarSide, MailBox
from tests.notifications.words import (
    DEACTIVATE,
    TEST,
    UPDATE_SETTINGS,
    code_for,
    hook_path,
    inbox,
    outgoing,
    set_channel,
    verified,
    with_hook,
)
from tests.servers import TestClock

DISCORD = "https://discord.com/api/webhooks"


async def send_test(person: Person, kind: str) -> str:
    answer = await person.gql(TEST, input={"channelType": kind})
    return str(answer["sendTestNotification"]["id"])


async def delivery(person: Person) -> dict[str, Any]:
    (message,) = await inbox(person)
    (found,) = message["deliveries"]
    return dict(found)


async def test_a_webhook_receives_it(ada: Person, resources: Resources, far_side: FarSide) -> None:
    path = await with_hook(resources, ada, far_side)
    await send_test(ada, "Webhook")
    await send_due(resources)
    (received,) = far_side.at(path)
    assert received.json["title"] == "Guildhall"
    assert received.headers["host"] == f"127.0.0.1:{far_side.port}"
    found = await delivery(ada)
    assert (found["status"], found["attempts"], found["error"]) == ("SENT", 1, None)
    assert found["sentAt"]
    await send_due(resources)
    assert len(far_side.at(path)) == 1


async def test_discord_receives_it_and_calls_nobody(
    ada: Person, resources: Resources, far_side: FarSide
) -> None:
    await verified(resources, ada, "Discord", f"{DISCORD}/4242/tok-en")
    await send_test(ada, "Discord")
    await send_due(resources)
    received = far_side.at("/discord/4242/tok-en")
    assert len(received) == 2
    assert "is your code" in received[0].json["content"]
    for each in received:
        assert each.json["allowed_mentions"] == {"parse": []}
    assert "This is a test" in received[1].json["content"]


async def test_an_sms_gateway_receives_it(
    ada: Person, resources: Resources, far_side: FarSide
) -> None:
    await verified(resources, ada, "SMS", "+14155550001")
    await send_test(ada, "SMS")
    await send_due(resources)
    received = [each for each in far_side.received if "14155550001" in each.path]
    assert [each.path for each in received] == ["/sms/+14155550001"] * 2
    assert "This is a test" in received[1].json["message"]


async def test_mail_arrives(ada: Person, resources: Resources, mail_box: MailBox) -> None:
    await verified(resources, ada, "Email", ada.email)
    await send_test(ada, "Email")
    await send_due(resources)
    code, test = mail_box.to(ada.email)
    assert "Subject: Your Guildhall code" in code
    assert "This is a test" in test
    assert (await delivery(ada))["status"] == "SENT"


async def test_a_mail_server_that_refuses_is_tried_three_times(
    ada: Person, resources: Resources, mail_box: MailBox, clock: TestClock
) -> None:
    await verified(resources, ada, "Email", ada.email)
    mail_box.refuses = True
    try:
        await send_test(ada, "Email")
        for _ in range(5):
            await send_due(resources)
            clock.move(minutes=3)
    finally:
        mail_box.refuses = False
    found = await delivery(ada)
    assert (found["status"], found["attempts"]) == ("FAILED", 3)


async def test_no_gateway_is_said(ada: Person, resources: Resources) -> None:
    bare = Settings(_env_file=None, endpoint_url="http://x")
    courier = Courier(dataclasses.replace(resources, settings=bare))
    found = await courier.send(ChannelType.SMS, "+14155550002", Message("1", "t", "b"))
    assert found == Outcome(Result.REFUSED, "This server has no gateway for this type of channel.")


@pytest.mark.parametrize("status", [400, 401, 404, 410, 301, 302, 307, 308])
async def test_a_refusal_is_final(
    ada: Person, resources: Resources, far_side: FarSide, clock: TestClock, status: int
) -> None:
    path = await with_hook(resources, ada, far_side)
    elsewhere = hook_path()
    location = {"location": f"{far_side.url}{elsewhere}"}
    far_side.answer(path, Answer(status, headers=location))
    await send_test(ada, "Webhook")
    for _ in range(3):
        await send_due(resources)
        clock.move(minutes=5)
    found = await delivery(ada)
    assert (found["status"], found["attempts"]) == ("FAILED", 1)
    assert found["error"] == f"The far side answered {status}."
    assert len(far_side.at(path)) == 1
    assert far_side.at(elsewhere) == []


@pytest.mark.parametrize("status", [408, 429, 500, 503])
async def test_tried_again_and_it_goes_well(
    ada: Person, resources: Resources, far_side: FarSide, clock: TestClock, status: int
) -> None:
    path = await with_hook(resources, ada, far_side)
    far_side.answer(path, Answer(status), Answer(204))
    await send_test(ada, "Webhook")
    await send_due(resources)
    await send_due(resources)
    assert (await delivery(ada))["status"] == "PENDING"
    assert len(far_side.at(path)) == 1
    clock.move(seconds=31)
    await send_due(resources)
    found = await delivery(ada)
    assert (found["status"], found["attempts"]) == ("SENT", 2)


async def test_three_tries_at_most(
    ada: Person, resources: Resources, far_side: FarSide, clock: TestClock
) -> None:
    path = await with_hook(resources, ada, far_side)
    far_side.answer(path, Answer(500))
    await send_test(ada, "Webhook")
    for _ in range(6):
        await send_due(resources)
        clock.move(minutes=3)
    assert (await delivery(ada))["status"] == "FAILED"
    assert len(far_side.at(path)) == 3


@pytest.mark.parametrize("kind", ["Webhook", "Discord", "SMS"])
async def test_retry_after_is_honoured(
    ada: Person, resources: Resources, far_side: FarSide, clock: TestClock, kind: str
) -> None:
    path, identifier = {
        "Webhook": (hook := hook_path(), f"{far_side.url}{hook}"),
        "Discord": ("/discord/777/abc", f"{DISCORD}/777/abc"),
        "SMS": ("/sms/+14155550003", "+14155550003"),
    }[kind]
    await verified(resources, ada, kind, identifier)
    before = len(far_side.at(path))
    far_side.answer(path, Answer(429, headers={"retry-after": "600"}), Answer(200))
    await send_test(ada, kind)
    await send_due(resources)
    assert len(far_side.at(path)) == before + 1
    clock.move(seconds=590)
    await send_due(resources)
    assert len(far_side.at(path)) == before + 1
    clock.move(seconds=11)
    await send_due(resources)
    assert len(far_side.at(path)) == before + 2
    assert (await delivery(ada))["status"] == "SENT"


@pytest.mark.parametrize(
    ("kind", "status", "tries"), [("SMS", "UNKNOWN", 1), ("Discord", "FAILED", 3)]
)
async def test_after_silence_an_sms_is_not_sent_again(
    ada: Person,
    resources: Resources,
    far_side: FarSide,
    clock: TestClock,
    kind: str,
    status: str,
    tries: int,
) -> None:
    path, identifier = {
        "Discord": ("/discord/778/abc", f"{DISCORD}/778/abc"),
        "SMS": ("/sms/+14155550004", "+14155550004"),
    }[kind]
    await verified(resources, ada, kind, identifier)
    before = len(far_side.at(path))
    far_side.answer(path, Answer(hang_up=True))
    await send_test(ada, kind)
    for _ in range(5):
        await send_due(resources)
        clock.move(minutes=3)
    found = await delivery(ada)
    assert (found["status"], found["attempts"]) == (status, tries)
    assert len(far_side.at(path)) == before + tries


async def test_nobody_there_is_tried_again(resources: Resources) -> None:
    nobody = urlsplit("http://127.0.0.1:9/hooks/x")

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    found = await post(resources.http, nobody, {}, resolve=resolve, insecure=True)
    assert found.result is Result.TRY_AGAIN


async def test_an_inactive_channel_is_not_used(
    ada: Person, resources: Resources, far_side: FarSide
) -> None:
    path = await with_hook(resources, ada, far_side)
    await send_test(ada, "Webhook")
    await ada.gql(DEACTIVATE, input={"channelType": "Webhook"})
    await send_due(resources)
    assert far_side.at(path) == []
    found = await delivery(ada)
    assert (found["status"], found["error"]) == ("FAILED", "The channel is not active any more.")


async def test_twenty_workers_send_once(
    ada: Person, resources: Resources, far_side: FarSide
) -> None:
    path = await with_hook(resources, ada, far_side)
    for _ in range(5):
        await send_test(ada, "Webhook")
    await asyncio.gather(*(send_due(resources) for _ in range(20)))
    assert len(far_side.at(path)) == 5


async def test_a_worker_that_dies_while_it_sends(
    ada: Person, resources: Resources, far_side: FarSide, clock: TestClock
) -> None:
    """It may have arrived: it is not sent again, and the user is told."""
    path = await with_hook(resources, ada, far_side)
    loop, here, go = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()

    def hold() -> None:
        loop.call_soon_threadsafe(here.set)
        asyncio.run_coroutine_threadsafe(go.wait(), loop).result(30)

    far_side.answer(path, Answer(before=hold), Answer())
    await send_test(ada, "Webhook")
    worker = asyncio.create_task(send_due(resources))
    await here.wait()
    worker.cancel()
    with pytest.raises(asyncio.CancelledError):
        await worker
    go.set()
    await send_due(resources)
    assert (await delivery(ada))["status"] == "SENDING"
    clock.move(minutes=3)
    await send_due(resources)
    await send_due(resources)
    assert (await delivery(ada))["status"] == "UNKNOWN"
    assert len(far_side.at(path)) == 1


async def test_a_webhook_to_a_private_address_is_refused(
    resources: Resources, far_side: FarSide
) -> None:
    asked = len(far_side.received)
    for address in (
        "127.0.0.1",
        "10.0.0.1",
        "192.168.1.1",
        "172.16.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ):

        async def resolve(host: str, port: int, at: str = address) -> list[str]:
            return ["93.184.216.34", at]

        parts = urlsplit(f"http://hooks.example.com:{far_side.port}/hooks/x")
        found = await post(resources.http, parts, {}, resolve=resolve, insecure=False)
        assert found == Outcome(Result.REFUSED, "The host is not on the public internet."), address
    assert len(far_side.received) == asked


async def test_hosts_may_be_taken_off_the_list(
    ada: Person, resources: Resources, far_side: FarSide
) -> None:
    path = await with_hook(resources, ada, far_side)
    await send_test(ada, "Webhook")
    settings = resources.settings.model_copy(update={"webhook_hosts": []})
    await send_due(dataclasses.replace(resources, settings=settings))
    assert far_side.at(path) == []
    assert (await delivery(ada))["status"] == "FAILED"


@pytest.mark.parametrize(
    "changes",
    [
        {"insecure_webhooks": True},
        {"discord_url": "http://127.0.0.1:1/"},
        {"sms_gateway": "json://localhost/no-place-for-the-number"},
    ],
)
def test_production_refuses_what_is_for_tests(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Settings(_env_file=None, stage="production", demo=False, **changes)


async def test_no_address_stands_in_the_logs(
    ada: Person,
    resources: Resources,
    far_side: FarSide,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("INFO")
    await set_channel(ada, "SMS", "+14155559999")
    far_side.answer("/sms/+14155559999", Answer(400))
    await send_due(resources)
    await set_channel(ada, "Discord", f"{DISCORD}/1/top-secret-token")
    far_side.answer("/discord/1/top-secret-token", Answer(500))
    await send_due(resources)
    structlog.get_logger().info("a line")
    written = "".join([*capfd.readouterr(), caplog.text])
    assert "a line" in written
    assert "4155559999" not in written
    assert "top-secret-token" not in written


async def test_a_long_message_is_cut(resources: Resources, far_side: FarSide) -> None:
    message = Message("1", "t" * 100, "@everyone " + "x" * 10_000)
    courier = Courier(resources)
    found = await courier.send(ChannelType.Discord, f"{DISCORD}/5/long", message)
    assert found.result is Result.SENT
    for each in far_side.at("/discord/5/long"):
        assert len(each.json["content"]) <= 2_000


async def test_the_code_goes_to_the_channel_and_nowhere_else(
    ada: Person, resources: Resources, far_side: FarSide
) -> None:
    path = hook_path()
    await set_channel(ada, "Webhook", f"{far_side.url}{path}")
    await send_due(resources)
    (received,) = far_side.at(path)
    assert (await code_for(resources, ada)) in received.json["body"]
    assert await inbox(ada) == []
    assert (await code_for(resources, ada)) not in json.dumps(await ada.gql("{ exportData }"))
    (sent,) = await outgoing(resources, ada)
    assert sent.status is SendingStatus.SENT


async def test_a_test_does_not_wait_for_the_end_of_the_quiet_hours(
    api: Api, resources: Resources, far_side: FarSide, clock: TestClock
) -> None:
    clock.freeze(datetime.fromisoformat("2026-12-01T23:30:00Z"))
    ada = await api.sign_up()
    path = await with_hook(resources, ada, far_side)
    await ada.gql(UPDATE_SETTINGS, input={"quietFrom": 22, "quietTo": 7})
    await send_test(ada, "Webhook")
    await send_due(resources)
    assert len(far_side.at(path)) == 1
