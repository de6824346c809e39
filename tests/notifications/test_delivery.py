"""Sending to real servers on this machine: success, failures, retries, and nothing twice."""

import asyncio
import dataclasses
import json
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
import structlog
from pydantic import SecretStr, ValidationError

from app.domains.notifications.rules.sending import SendOutcome, SendResult
from app.domains.notifications.transports import ChannelMessage, Transports
from app.domains.notifications.transports.webhook import send_to_webhook
from app.domains.notifications.types import ChannelType, SendingStatus
from app.jobs.notifications import send_notifications
from app.resources import Resources
from app.settings import Settings
from tests.api import Api, Person
from tests.notifications.operations import (
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
from tests.remote_servers import Answer, MailServer, RemoteServer
from tests.servers import TestClock

DISCORD = "https://discord.com/api/webhooks"


async def send_test(person: Person, kind: str) -> str:
    answer = await person.gql(TEST, input={"channelType": kind})
    return str(answer["sendTestNotification"]["id"])


async def delivery(person: Person) -> dict[str, Any]:
    (message,) = await inbox(person)
    (found,) = message["deliveries"]
    return dict(found)


async def test_a_webhook_receives_it(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    path = await with_hook(resources, ada, remote_server)
    await send_test(ada, "Webhook")
    await send_notifications(resources)
    (received,) = remote_server.at(path)
    assert received.json["title"] == "Guildhall"
    assert received.headers["host"] == f"127.0.0.1:{remote_server.port}"
    found = await delivery(ada)
    assert (found["status"], found["attempts"], found["error"]) == ("SENT", 1, None)
    assert found["sentAt"]
    await send_notifications(resources)
    assert len(remote_server.at(path)) == 1


async def test_discord_receives_it_without_mentions(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    await verified(resources, ada, "Discord", f"{DISCORD}/4242/tok-en")
    await send_test(ada, "Discord")
    await send_notifications(resources)
    received = remote_server.at("/discord/4242/tok-en")
    assert len(received) == 2
    assert "is your code" in received[0].json["content"]
    for each in received:
        assert each.json["allowed_mentions"] == {"parse": []}
    assert "This is a test" in received[1].json["content"]


async def test_an_sms_gateway_receives_it(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    await verified(resources, ada, "SMS", "+14155550001")
    await send_test(ada, "SMS")
    await send_notifications(resources)
    received = [each for each in remote_server.received if "14155550001" in each.path]
    assert [each.path for each in received] == ["/sms/+14155550001"] * 2
    assert "This is a test" in received[1].json["message"]


async def test_mail_arrives(ada: Person, resources: Resources, mail_server: MailServer) -> None:
    await verified(resources, ada, "Email", ada.email)
    await send_test(ada, "Email")
    await send_notifications(resources)
    code, test = mail_server.to(ada.email)
    assert "Subject: Your Guildhall code" in code
    assert "This is a test" in test
    assert (await delivery(ada))["status"] == "SENT"


async def test_a_mail_server_that_refuses_is_tried_three_times(
    ada: Person, resources: Resources, mail_server: MailServer, clock: TestClock
) -> None:
    await verified(resources, ada, "Email", ada.email)
    mail_server.refuses = True
    try:
        await send_test(ada, "Email")
        for _ in range(5):
            await send_notifications(resources)
            clock.move(minutes=3)
    finally:
        mail_server.refuses = False
    found = await delivery(ada)
    assert (found["status"], found["attempts"]) == ("FAILED", 3)


async def test_a_missing_gateway_is_reported(ada: Person, resources: Resources) -> None:
    bare = Settings(_env_file=None, endpoint_url="http://x")
    transports = Transports(dataclasses.replace(resources, settings=bare))
    found = await transports.send(ChannelType.SMS, "+14155550002", ChannelMessage("1", "t", "b"))
    assert found == SendOutcome(
        SendResult.REFUSED, "This server has no gateway for this type of channel."
    )


@pytest.mark.parametrize("status", [400, 401, 404, 410, 301, 302, 307, 308])
async def test_a_refusal_is_final(
    ada: Person, resources: Resources, remote_server: RemoteServer, clock: TestClock, status: int
) -> None:
    path = await with_hook(resources, ada, remote_server)
    elsewhere = hook_path()
    location = {"location": f"{remote_server.url}{elsewhere}"}
    remote_server.answer(path, Answer(status, headers=location))
    await send_test(ada, "Webhook")
    for _ in range(3):
        await send_notifications(resources)
        clock.move(minutes=5)
    found = await delivery(ada)
    assert (found["status"], found["attempts"]) == ("FAILED", 1)
    assert found["error"] == f"The channel's host answered with HTTP status {status}."
    assert len(remote_server.at(path)) == 1
    assert remote_server.at(elsewhere) == []


@pytest.mark.parametrize("status", [408, 429, 500, 503])
async def test_a_temporary_failure_is_retried(
    ada: Person, resources: Resources, remote_server: RemoteServer, clock: TestClock, status: int
) -> None:
    path = await with_hook(resources, ada, remote_server)
    remote_server.answer(path, Answer(status), Answer(204))
    await send_test(ada, "Webhook")
    await send_notifications(resources)
    await send_notifications(resources)
    assert (await delivery(ada))["status"] == "PENDING"
    assert len(remote_server.at(path)) == 1
    clock.move(seconds=31)
    await send_notifications(resources)
    found = await delivery(ada)
    assert (found["status"], found["attempts"]) == ("SENT", 2)


async def test_at_most_three_attempts(
    ada: Person, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    path = await with_hook(resources, ada, remote_server)
    remote_server.answer(path, Answer(500))
    await send_test(ada, "Webhook")
    for _ in range(6):
        await send_notifications(resources)
        clock.move(minutes=3)
    assert (await delivery(ada))["status"] == "FAILED"
    assert len(remote_server.at(path)) == 3


@pytest.mark.parametrize("kind", ["Webhook", "Discord"])
async def test_retry_after_is_honoured(
    ada: Person, resources: Resources, remote_server: RemoteServer, clock: TestClock, kind: str
) -> None:
    path, identifier = {
        "Webhook": (hook := hook_path(), f"{remote_server.url}{hook}"),
        "Discord": ("/discord/777/abc", f"{DISCORD}/777/abc"),
    }[kind]
    await verified(resources, ada, kind, identifier)
    before = len(remote_server.at(path))
    remote_server.answer(path, Answer(429, headers={"retry-after": "600"}), Answer(200))
    await send_test(ada, kind)
    await send_notifications(resources)
    assert len(remote_server.at(path)) == before + 1
    clock.move(seconds=590)
    await send_notifications(resources)
    assert len(remote_server.at(path)) == before + 1
    clock.move(seconds=11)
    await send_notifications(resources)
    assert len(remote_server.at(path)) == before + 2
    assert (await delivery(ada))["status"] == "SENT"


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        (Answer(400), "+14155550005"),
        (Answer(429, headers={"retry-after": "1"}), "+14155550006"),
        (Answer(503), "+14155550007"),
        (Answer(307, headers={"location": "/sms/elsewhere"}), "+14155550008"),
    ],
)
async def test_an_sms_that_the_gateway_does_not_confirm_is_in_doubt(
    ada: Person,
    resources: Resources,
    remote_server: RemoteServer,
    clock: TestClock,
    answer: Answer,
    number: str,
) -> None:
    """Apprise does not tell a refusal from silence: it is not sent again."""
    await verified(resources, ada, "SMS", number)
    before = len(remote_server.at(f"/sms/{number}"))
    remote_server.answer(f"/sms/{number}", answer)
    await send_test(ada, "SMS")
    for _ in range(5):
        await send_notifications(resources)
        clock.move(minutes=3)
    found = await delivery(ada)
    assert (found["status"], found["attempts"]) == ("UNKNOWN", 1)
    assert found["error"] == "The gateway did not confirm the message."
    assert len(remote_server.at(f"/sms/{number}")) == before + 1
    assert remote_server.at("/sms/elsewhere") == []


@pytest.mark.parametrize("status", [400, 404, 301, 307])
async def test_a_refusal_of_discord_is_final(
    ada: Person, resources: Resources, remote_server: RemoteServer, clock: TestClock, status: int
) -> None:
    path = f"/discord/{status}/abc"
    await verified(resources, ada, "Discord", f"{DISCORD}/{status}/abc")
    before = len(remote_server.at(path))
    location = {"location": f"{remote_server.url}/discord/{status}/elsewhere"}
    remote_server.answer(path, Answer(status, headers=location))
    await send_test(ada, "Discord")
    for _ in range(3):
        await send_notifications(resources)
        clock.move(minutes=5)
    found = await delivery(ada)
    assert (found["status"], found["attempts"]) == ("FAILED", 1)
    assert found["error"] == f"The channel's host answered with HTTP status {status}."
    assert len(remote_server.at(path)) == before + 1
    assert remote_server.at(f"/discord/{status}/elsewhere") == []


async def test_a_discord_that_cannot_be_reached_is_tried_again(resources: Resources) -> None:
    settings = resources.settings.model_copy(update={"discord_url": "http://127.0.0.1:9"})
    transports = Transports(dataclasses.replace(resources, settings=settings))
    message = ChannelMessage("1", "t", "b")
    found = await transports.send(ChannelType.Discord, f"{DISCORD}/1/a", message)
    assert found == SendOutcome(SendResult.TRY_AGAIN, "The host cannot be reached.")


async def test_a_gateway_that_apprise_does_not_know_is_refused(resources: Resources) -> None:
    settings = resources.settings.model_copy(update={"sms_gateway": SecretStr("nothing://{to}")})
    transports = Transports(dataclasses.replace(resources, settings=settings))
    message = ChannelMessage("1", "t", "b")
    found = await transports.send(ChannelType.SMS, "+14155550002", message)
    assert found == SendOutcome(
        SendResult.REFUSED, "The gateway of this server is not set up right."
    )


def test_requests_is_left_as_it_is() -> None:
    """Apprise sends by requests: no other use of it in this process may change."""
    assert requests.sessions.Session is requests.Session
    assert requests.Session.__module__ == "requests.sessions"


@pytest.mark.parametrize(
    ("kind", "status", "tries"), [("SMS", "UNKNOWN", 1), ("Discord", "FAILED", 3)]
)
async def test_without_an_answer_an_sms_is_not_sent_again(
    ada: Person,
    resources: Resources,
    remote_server: RemoteServer,
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
    before = len(remote_server.at(path))
    remote_server.answer(path, Answer(hang_up=True))
    await send_test(ada, kind)
    for _ in range(5):
        await send_notifications(resources)
        clock.move(minutes=3)
    found = await delivery(ada)
    assert (found["status"], found["attempts"]) == (status, tries)
    assert len(remote_server.at(path)) == before + tries


async def test_an_unreachable_host_is_retried(resources: Resources) -> None:
    nobody = urlsplit("http://127.0.0.1:9/hooks/x")

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    found = await send_to_webhook(resources.http, nobody, {}, resolve=resolve, insecure=True)
    assert found.result is SendResult.TRY_AGAIN


async def test_an_inactive_channel_is_not_used(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    path = await with_hook(resources, ada, remote_server)
    await send_test(ada, "Webhook")
    await ada.gql(DEACTIVATE, input={"channelType": "Webhook"})
    await send_notifications(resources)
    assert remote_server.at(path) == []
    found = await delivery(ada)
    assert (found["status"], found["error"]) == ("FAILED", "The channel is not active any more.")


async def test_twenty_workers_send_once(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    path = await with_hook(resources, ada, remote_server)
    for _ in range(5):
        await send_test(ada, "Webhook")
    await asyncio.gather(*(send_notifications(resources) for _ in range(20)))
    assert len(remote_server.at(path)) == 5


async def test_a_worker_that_dies_while_it_sends(
    ada: Person, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    """It may have arrived: it is not sent again, and its status is UNKNOWN."""
    path = await with_hook(resources, ada, remote_server)
    loop, here, go = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()

    def hold() -> None:
        loop.call_soon_threadsafe(here.set)
        asyncio.run_coroutine_threadsafe(go.wait(), loop).result(30)

    remote_server.answer(path, Answer(before=hold), Answer())
    await send_test(ada, "Webhook")
    worker = asyncio.create_task(send_notifications(resources))
    await here.wait()
    worker.cancel()
    with pytest.raises(asyncio.CancelledError):
        await worker
    go.set()
    await send_notifications(resources)
    assert (await delivery(ada))["status"] == "SENDING"
    clock.move(minutes=3)
    await send_notifications(resources)
    await send_notifications(resources)
    assert (await delivery(ada))["status"] == "UNKNOWN"
    assert len(remote_server.at(path)) == 1


async def test_a_webhook_to_a_private_address_is_refused(
    resources: Resources, remote_server: RemoteServer
) -> None:
    asked = len(remote_server.received)
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

        parts = urlsplit(f"http://hooks.example.com:{remote_server.port}/hooks/x")
        found = await send_to_webhook(resources.http, parts, {}, resolve=resolve, insecure=False)
        assert found == SendOutcome(
            SendResult.REFUSED, "The host is not on the public internet."
        ), address
    assert len(remote_server.received) == asked


async def test_a_host_removed_from_the_allow_list_is_refused(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    path = await with_hook(resources, ada, remote_server)
    await send_test(ada, "Webhook")
    settings = resources.settings.model_copy(update={"webhook_hosts": []})
    await send_notifications(dataclasses.replace(resources, settings=settings))
    assert remote_server.at(path) == []
    assert (await delivery(ada))["status"] == "FAILED"


@pytest.mark.parametrize(
    "changes",
    [
        {"insecure_webhooks": True},
        {"discord_url": "http://127.0.0.1:1/"},
        {"sms_gateway": "json://localhost/no-place-for-the-number"},
    ],
)
def test_production_refuses_settings_for_tests(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Settings(_env_file=None, stage="production", demo=False, **changes)


async def test_no_address_is_logged(
    ada: Person,
    resources: Resources,
    remote_server: RemoteServer,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("INFO")
    await set_channel(ada, "SMS", "+14155559999")
    remote_server.answer("/sms/+14155559999", Answer(400))
    await send_notifications(resources)
    await set_channel(ada, "Discord", f"{DISCORD}/1/top-secret-token")
    remote_server.answer("/discord/1/top-secret-token", Answer(500))
    await send_notifications(resources)
    structlog.get_logger().info("a line")
    written = "".join([*capfd.readouterr(), caplog.text])
    assert "a line" in written
    assert "4155559999" not in written
    assert "top-secret-token" not in written


async def test_a_long_message_is_cut(resources: Resources, remote_server: RemoteServer) -> None:
    message = ChannelMessage("1", "t" * 100, "@everyone " + "x" * 10_000)
    transports = Transports(resources)
    found = await transports.send(ChannelType.Discord, f"{DISCORD}/5/long", message)
    assert found.result is SendResult.SENT
    for each in remote_server.at("/discord/5/long"):
        assert len(each.json["content"]) <= 2_000


async def test_the_code_goes_to_the_channel_and_nowhere_else(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    path = hook_path()
    await set_channel(ada, "Webhook", f"{remote_server.url}{path}")
    await send_notifications(resources)
    (received,) = remote_server.at(path)
    assert (await code_for(resources, ada)) in received.json["body"]
    assert await inbox(ada) == []
    assert (await code_for(resources, ada)) not in json.dumps(await ada.gql("{ exportData }"))
    (sent,) = await outgoing(resources, ada)
    assert sent.status is SendingStatus.SENT


async def test_a_test_does_not_wait_for_the_end_of_the_quiet_hours(
    api: Api, resources: Resources, remote_server: RemoteServer, clock: TestClock
) -> None:
    clock.freeze(datetime.fromisoformat("2026-12-01T23:30:00Z"))
    ada = await api.sign_up()
    path = await with_hook(resources, ada, remote_server)
    await ada.gql(UPDATE_SETTINGS, input={"quietFrom": 22, "quietTo": 7})
    await send_test(ada, "Webhook")
    await send_notifications(resources)
    assert len(remote_server.at(path)) == 1
