"""Two real workers (python -m app worker), one killed with -9 while it sends."""

import asyncio
import dataclasses
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx
import pytest

from app.core.clock import instant
from app.domains.notifications.types import SendingStatus
from app.jobs.lease import lease
from app.resources import Resources
from app.settings import ROOT, Settings
from app.table.gateway import Gateway
from app.table.writes import Update
from tests.api import Api, Person
from tests.far_side import Answer, FarSide
from tests.notifications.words import TEST, inbox, outgoing, with_hook
from tests.servers import RunningServer, TestClock

MESSAGES = 6


def environment(settings: Settings, far_side: FarSide) -> dict[str, str]:
    return os.environ | {
        "ENDPOINT_URL": str(settings.endpoint_url),
        "TABLE_NAME": settings.table_name,
        "DATA_DIR": str(settings.data_dir),
        "WEBHOOK_HOSTS": ",".join(settings.webhook_hosts),
        "INSECURE_WEBHOOKS": "true",
        "HISCORES_URL": f"{far_side.url}/hiscores",
    }


@asynccontextmanager
async def worker(settings: Settings, far_side: FarSide) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "app", "worker", cwd=ROOT, env=environment(settings, far_side)
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


async def eventually(is_so: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(1_200):
        if await is_so():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not happen within a minute")


async def until(far_side: FarSide, path: str, count: int) -> None:
    async def has_come() -> bool:
        return len(far_side.at(path)) >= count

    await eventually(has_come)


async def end_the_lease(resources: Resources, job: str) -> None:
    """As if the minutes that it lasts had passed."""
    now = instant(resources.clock.now())
    await resources.table.write(Update(lease(job), put={"heldUntil": now, "nextRun": now}))


@pytest.fixture
def own_settings(outside_settings: Settings) -> Settings:
    """A table of its own: these workers run every job there is."""
    return outside_settings.model_copy(update={"table_name": "gg_workers"})


@pytest.fixture
async def own(own_settings: Settings, clock: TestClock) -> AsyncIterator[tuple[Api, Resources]]:
    with RunningServer(own_settings, clock) as server:
        async with (
            Gateway.open(
                table=own_settings.table_name,
                region="us-east-1",
                endpoint=own_settings.endpoint_url,
            ) as table,
            Api(server.url) as api,
            httpx.AsyncClient(trust_env=False) as http,
        ):
            of_server = server.app.state.resources
            yield api, dataclasses.replace(of_server, table=table, http=http)


async def test_a_worker_killed_while_it_sends(
    own: tuple[Api, Resources], own_settings: Settings, far_side: FarSide
) -> None:
    api, resources = own
    ada = await api.sign_up()
    path = await with_hook(resources, ada, far_side)
    loop, go = asyncio.get_running_loop(), asyncio.Event()

    def hold() -> None:
        asyncio.run_coroutine_threadsafe(go.wait(), loop).result(60)

    far_side.answer(path, *[Answer(before=hold)] * MESSAGES)
    for _ in range(MESSAGES - 1):
        await ada.gql(TEST, input={"channelType": "Webhook"})
    async with worker(own_settings, far_side) as first:
        await until(far_side, path, MESSAGES - 1)
        # A last one comes while the others are on their way: it is not begun yet.
        await ada.gql(TEST, input={"channelType": "Webhook"})
        os.kill(first.pid, signal.SIGKILL)
        assert await first.wait() == -signal.SIGKILL
    go.set()
    await end_the_lease(resources, "send-notifications")
    async with worker(own_settings, far_side) as second:
        await until(far_side, path, MESSAGES)
        await _until_sent(resources, ada)
        second.send_signal(signal.SIGTERM)
        assert await second.wait() == 0
    received = [each.json["id"] for each in far_side.at(path)]
    assert len(received) == len(set(received)) == MESSAGES
    assert len(await inbox(ada)) == MESSAGES
    states = [e.status for e in await outgoing(resources, ada) if not e.is_code]
    assert sorted(each.value for each in states) == ["SENDING"] * (MESSAGES - 1) + ["SENT"]


async def _until_sent(resources: Resources, person: Person) -> None:
    async def is_sent() -> bool:
        found = await outgoing(resources, person)
        return any(e.status is SendingStatus.SENT for e in found if not e.is_code)

    await eventually(is_sent)
