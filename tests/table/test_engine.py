"""The embedded engine as a child process: real processes, real ports, real signals."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aioboto3
import pytest
from botocore.config import Config

from app.settings import ROOT
from app.table import engine as engine_module
from app.table.engine import (
    EmbeddedEngine,
    EngineBusy,
    EngineFailed,
    EngineMissing,
    answers,
    find_program,
    reserve_port,
)
from tests import engines

KEY = {"PK": {"S": "a"}}
TABLE: dict[str, Any] = {
    "TableName": "kept",
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}

SERVER = """
import asyncio, sys, uvloop
from pathlib import Path
from app.table.engine import EmbeddedEngine

async def serve():
    async with EmbeddedEngine(Path(sys.argv[1]), Path(sys.argv[2])) as endpoint:
        print(endpoint, flush=True)
        await asyncio.sleep(60)

uvloop.run(serve())
"""


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    engines.embedded(tmp_path)  # skips where the engine is not installed
    return tmp_path / "data"


def engine_on(data_dir: Path) -> EmbeddedEngine:
    return EmbeddedEngine(data_dir, engines.NODE_MODULES)


def client_of(endpoint: str) -> contextlib.AbstractAsyncContextManager[Any]:
    client: contextlib.AbstractAsyncContextManager[Any] = aioboto3.Session().client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(retries={"max_attempts": 1}),
    )
    return client


async def keep_an_item(endpoint: str) -> None:
    async with client_of(endpoint) as client:
        await client.create_table(**TABLE)
        await client.put_item(TableName="kept", Item=KEY)


async def kept_item(endpoint: str) -> object:
    async with client_of(endpoint) as client:
        return (await client.get_item(TableName="kept", Key=KEY)).get("Item")


async def until_restarted(engine: EmbeddedEngine, *, port: int, killed: int) -> None:
    for _ in range(1000):
        if pid_of(engine) != killed and await answers(port):
            return
        await asyncio.sleep(0.01)
    pytest.fail("not restarted within 10 seconds")


def pid_of(engine: EmbeddedEngine) -> int:
    assert engine.process
    return engine.process.pid


def port_of(endpoint: str) -> int:
    return int(endpoint.rpartition(":")[2])


def is_alive(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


async def test_answers_on_loopback(data_dir: Path) -> None:
    async with engine_on(data_dir) as endpoint, client_of(endpoint) as client:
        assert endpoint.startswith("http://127.0.0.1:")
        assert (await client.list_tables())["TableNames"] == []


async def test_data_survive_a_restart(data_dir: Path) -> None:
    async with engine_on(data_dir) as endpoint:
        await keep_an_item(endpoint)
    async with engine_on(data_dir) as endpoint:
        assert await kept_item(endpoint) == KEY


async def test_comes_back_on_the_same_port_with_its_data_when_killed(data_dir: Path) -> None:
    engine = engine_on(data_dir)
    async with engine as endpoint:
        await keep_an_item(endpoint)
        killed = pid_of(engine)
        os.kill(killed, signal.SIGKILL)
        await until_restarted(engine, port=port_of(endpoint), killed=killed)
        assert await kept_item(endpoint) == KEY


async def test_a_second_server_on_the_same_folder_is_refused(data_dir: Path) -> None:
    async with engine_on(data_dir) as endpoint:
        with pytest.raises(EngineBusy, match=rf"is in use by process {os.getpid()} \(.*DATA_DIR"):
            await engine_on(data_dir).start()
        assert await answers(port_of(endpoint))


async def test_two_servers_on_two_folders_do_not_meet(data_dir: Path) -> None:
    async with engine_on(data_dir / "a") as one, engine_on(data_dir / "b") as other:
        await keep_an_item(one)
        async with client_of(other) as client:
            assert (await client.list_tables())["TableNames"] == []


async def test_stop_leaves_no_process_and_no_listener(data_dir: Path) -> None:
    engine = engine_on(data_dir)
    endpoint = await engine.start()
    pid = pid_of(engine)
    await engine.stop()
    assert not is_alive(pid)
    assert not await answers(port_of(endpoint))


async def test_stopping_twice_or_before_the_start_does_nothing(data_dir: Path) -> None:
    engine = engine_on(data_dir)
    await engine.stop()
    endpoint = await engine.start()
    assert await answers(port_of(endpoint))
    await engine.stop()
    await engine.stop()
    assert not await answers(port_of(endpoint))


async def test_an_engine_that_ignores_the_stop_is_killed(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "STOP_SECONDS", 0.1)
    engine = engine_on(data_dir)
    await engine.start()
    pid = pid_of(engine)
    os.kill(pid, signal.SIGSTOP)
    await engine.stop()
    assert not is_alive(pid)


async def test_has_a_session_of_its_own_so_that_ctrl_c_spares_it(data_dir: Path) -> None:
    engine = engine_on(data_dir)
    async with engine:
        assert os.getsid(pid_of(engine)) == pid_of(engine) != os.getsid(0)


@contextlib.asynccontextmanager
async def server_on(data_dir: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SERVER, str(data_dir), str(engines.NODE_MODULES)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    assert server.stdout
    try:
        yield server, (await server.stdout.readline()).decode().strip()
    finally:
        with contextlib.suppress(ProcessLookupError):
            server.kill()
        await server.wait()


async def test_dies_with_a_killed_server_and_the_next_server_finds_the_data(data_dir: Path) -> None:
    async with server_on(data_dir) as (server, endpoint):
        await keep_an_item(endpoint)
        server.kill()
        await server.wait()
        # The engine holds the folder's lock as long as it lives: starting here shows it is gone.
        async with engine_on(data_dir) as next_endpoint:
            assert next_endpoint == endpoint
            assert await kept_item(next_endpoint) == KEY


async def test_tries_another_port_when_the_first_is_snatched(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as snatched:
        offers = [snatched.dup(), reserve_port()]
        monkeypatch.setattr(engine_module, "reserve_port", lambda wanted: offers.pop(0))
        async with engine_on(data_dir) as endpoint:
            assert port_of(endpoint) != snatched.getsockname()[1]


def spoil(database: Path) -> None:
    database.parent.mkdir()
    database.write_bytes(b"no database at all" * 100)


async def test_says_what_the_log_says_when_it_cannot_start(data_dir: Path) -> None:
    spoil(data_dir / "guildhall.db")
    engine = engine_on(data_dir)
    with pytest.raises(EngineFailed, match="not a valid SQLite database"):
        await engine.start()
    assert not is_alive(pid_of(engine))


def test_says_what_to_do_when_it_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EngineMissing, match=r"run \./scripts/install"):
        find_program(tmp_path)


async def test_keeps_its_log_and_sets_a_long_one_aside(data_dir: Path) -> None:
    async with engine_on(data_dir):
        pass
    log = data_dir / "engine.log"
    first = log.read_text()
    async with engine_on(data_dir):
        assert log.read_text().startswith(first)
    os.truncate(log, engine_module.MAX_LOG_BYTES + 1)
    async with engine_on(data_dir):
        assert log.stat().st_size < engine_module.MAX_LOG_BYTES
    assert (data_dir / "engine.log.1").stat().st_size > engine_module.MAX_LOG_BYTES


async def test_dynamodb_local_answers_and_is_shut_in(tmp_path: Path) -> None:
    async with engines.dynamodb_local(tmp_path) as endpoint:
        await keep_an_item(endpoint)
        assert await kept_item(endpoint) == KEY
        # It listens on every address it sees, and sees none of this machine's.
        assert not listens_here(engines.INNER_PORT)


def listens_here(port: int) -> bool:
    tables = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    lines = [line.split() for table in tables for line in table.read_text().splitlines()[1:]]
    return any(line[1].endswith(f":{port:04X}") and line[3] == "0A" for line in lines)
