"""Alerts of metrics: one message each time a threshold is crossed."""

import asyncio
from datetime import datetime
from typing import Any

import pytest

from app.jobs.notifications import send_notifications
from app.resources import Resources
from tests.api import Api, Person
from tests.notifications.operations import UPDATE_SETTINGS, inbox, set_channel, with_hook
from tests.realtime.sockets import TransportClient
from tests.remote_fixtures import later
from tests.remote_servers import RemoteServer
from tests.servers import RunningServer, TestClock
from tests.tracking.test_metrics import log, new_metric

LISTEN = "subscription { onNotification { kind title body subjectIds } }"
PREFERENCES = """
mutation { updateProfile(input: {preferences: {notifications: false}}) { id } }
"""


async def weight(person: Person, **fields: object) -> dict[str, Any]:
    wanted = {"name": "Weight", "unit": "kg", "thresholdLow": 70, "thresholdHigh": 80}
    return await new_metric(person, **wanted | fields)


async def alerts(person: Person) -> list[str]:
    found = await inbox(person)
    assert {each["kind"] for each in found} <= {"METRIC_ALERT"}
    return [each["title"] for each in reversed(found)]


async def test_one_message_for_each_crossing_in_inbox_and_channels(
    ada: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    path = await with_hook(resources, ada, remote_server)
    metric = await weight(ada)
    for value in (75, 81.5, 82, 79, 69, 68):
        await log(ada, metric, value)
    assert await alerts(ada) == ["Weight is above 80", "Weight is below 70"]
    newest, oldest = await inbox(ada)
    assert oldest["body"] == "Weight: 81.5 kg was logged. Your threshold is 80 kg."
    assert newest["subjectIds"] == [metric["id"]]
    for _ in range(2):
        await send_notifications(resources)
    received = [each.json["title"] for each in remote_server.at(path)]
    assert sorted(received) == ["Weight is above 80", "Weight is below 70"]
    assert [each["status"] for each in oldest["deliveries"]] == ["PENDING"]
    assert [e["status"] for m in await inbox(ada) for e in m["deliveries"]] == ["SENT", "SENT"]


async def test_an_alert_is_published_at_once(server: RunningServer, ada: Person) -> None:
    metric = await weight(ada, customUnit="kilos")
    async with TransportClient.signed_in(server.url, ada) as socket:
        await socket.subscribe(LISTEN)
        await socket.silent(0.2)
        await log(ada, metric, 90)
        assert (await socket.data())["onNotification"] == {
            "kind": "METRIC_ALERT",
            "title": "Weight is above 80",
            "body": "Weight: 90 kilos was logged. Your threshold is 80 kilos.",
            "subjectIds": [metric["id"]],
        }
        await log(ada, metric, 91)
        await socket.silent()


async def test_a_repeated_request_alerts_once(ada: Person) -> None:
    metric = await weight(ada)
    await asyncio.gather(*(log(ada, metric, 90, idempotencyKey="k") for _ in range(8)))
    assert await alerts(ada) == ["Weight is above 80"]


async def test_concurrent_logs_alert_once(ada: Person) -> None:
    metric = await weight(ada)
    await asyncio.gather(*(log(ada, metric, 90 + number) for number in range(8)))
    assert await alerts(ada) == ["Weight is above 80"]


async def test_no_threshold_no_message(ada: Person) -> None:
    metric = await weight(ada, thresholdLow=None, thresholdHigh=None)
    await log(ada, metric, 900)
    assert await inbox(ada) == []


async def test_alerts_go_only_to_channels_that_are_switched_on(
    ada: Person, bob: Person, resources: Resources, remote_server: RemoteServer
) -> None:
    hers = await with_hook(resources, ada, remote_server)
    await set_channel(ada, "Webhook", f"{remote_server.url}{hers}", reminders=False)
    his = await with_hook(resources, bob, remote_server)
    await bob.gql(PREFERENCES)
    for each in (ada, bob):
        await log(each, await weight(each), 90)
    await send_notifications(resources)
    assert remote_server.at(hers) == remote_server.at(his) == []
    assert await alerts(ada) == await alerts(bob) == ["Weight is above 80"]


@pytest.mark.parametrize(("at", "sent"), [("06:59:59", 0), ("07:00:01", 1)])
async def test_channels_wait_for_the_end_of_the_quiet_hours(
    api: Api,
    resources: Resources,
    remote_server: RemoteServer,
    clock: TestClock,
    at: str,
    sent: int,
) -> None:
    clock.freeze(datetime.fromisoformat("2026-12-01T23:30:00Z"))
    ada = await api.sign_up()
    path = await with_hook(resources, ada, remote_server)
    await ada.gql(UPDATE_SETTINGS, input={"quietFrom": 22, "quietTo": 7})
    await log(ada, await weight(ada), 90)
    await send_notifications(resources)
    clock.freeze(datetime.fromisoformat(f"2026-12-02T{at}Z"))
    await send_notifications(resources)
    assert len(remote_server.at(path)) == sent
    assert await alerts(await later(ada)) == ["Weight is above 80"]
