"""Two real workers (python -m app worker), one killed with -9 in the middle of each job.

The other takes over when the leases have run out. Nothing is done twice, nothing is forgotten.
"""

import asyncio
import dataclasses
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from app.jobs.keys import lease_of_job
from app.jobs.runner import JOBS
from app.jobs.types import Lease
from app.settings import ROOT, Settings
from app.table.gateway import Gateway
from tests.api import Api
from tests.jobs.blocking_proxy import BlockingProxy
from tests.jobs.cases import CASES
from tests.jobs.job_case import CaseContext, JobCase
from tests.remote_servers import RemoteServer
from tests.servers import RunningServer, TestClock

NAMES = [job.name for job in JOBS]
LEASE_SECONDS = 12
AGO = timedelta(hours=26)


@pytest.fixture(scope="module")
def own_settings(remote_settings: Settings) -> Settings:
    """A table of its own: these workers run every job there is."""
    return remote_settings.model_copy(update={"table_name": "gg_workers"})


@pytest.fixture(scope="module")
async def context(
    own_settings: Settings, clock: TestClock, remote_server: RemoteServer
) -> AsyncIterator[CaseContext]:
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
            yield CaseContext(
                api, dataclasses.replace(of_server, table=table, http=http), remote_server
            )


@asynccontextmanager
async def worker(
    settings: Settings, remote_server: RemoteServer, engine: str
) -> AsyncIterator[Process]:
    environment = os.environ | {
        "ENDPOINT_URL": engine,
        "TABLE_NAME": settings.table_name,
        "DATA_DIR": str(settings.data_dir),
        "WEBHOOK_HOSTS": ",".join(settings.webhook_hosts),
        "INSECURE_WEBHOOKS": "true",
        "HISCORES_URL": f"{remote_server.url}/hiscores",
        "LEASE_SECONDS": str(LEASE_SECONDS),
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "app", "worker", cwd=ROOT, env=environment
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def leases(table: Gateway) -> dict[str, Lease]:
    found = await table.get_many([lease_of_job(name) for name in NAMES])
    return {each.job: each for each in found if each}


async def until_taken_over(table: Gateway, before: dict[str, Lease]) -> None:
    """Each by the other worker, not before its lease was over, and to the end."""
    for _ in range(1_200):
        now = await leases(table)
        if all(each.last_run for each in now.values()):
            break
        await asyncio.sleep(0.05)
    for name, each in now.items():
        assert each.last_error is None
        assert each.holder != before[name].holder
        assert (each.last_run or "") >= before[name].held_until


@pytest.fixture(scope="module")
async def cases(
    context: CaseContext, own_settings: Settings, clock: TestClock, remote_server: RemoteServer
) -> dict[str, JobCase]:
    """All jobs have something to do; the worker is killed when it is in the middle of all."""
    found = {name: CASES[name]() for name in NAMES}
    clock.set(datetime.now(UTC) - AGO)
    for case in found.values():
        await case.prepare(context)
    clock.reset()
    engine = str(own_settings.endpoint_url)
    proxy = BlockingProxy(engine, {name: case.blocked_writes for name, case in found.items()})
    async with proxy.open() as way, worker(own_settings, remote_server, way) as first:
        await proxy.wait_until_all_are_blocked()
        for case in found.values():
            await case.wait_until_blocked(context)
        async with worker(own_settings, remote_server, engine) as second:
            os.kill(first.pid, signal.SIGKILL)
            assert await first.wait() == -signal.SIGKILL
            before = await leases(context.table)
            for case in found.values():
                await case.wait_for_claims(context)
            await until_taken_over(context.table, before)
            assert second.returncode is None
            second.send_signal(signal.SIGTERM)
            assert await second.wait() == 0
    assert before.keys() == set(NAMES)
    return found


def test_every_job_has_a_case() -> None:
    assert sorted(CASES) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
async def test_a_worker_killed_in_the_middle_of_a_job(
    name: str, cases: dict[str, JobCase], context: CaseContext
) -> None:
    await cases[name].check(context)
