"""Several server processes on one port, with one embedded engine and without Redis."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from app.settings import ROOT
from app.table.engine import read_running
from tests.api import PASSWORD, SIGN_UP, Api
from tests.operations.programs import Program, free_port
from tests.operations.test_proxy import Traffic, all_titles
from tests.realtime.sockets import TransportClient
from tests.web.processes import ServerProcess
from tests.web.wire import Wire, ask, request

CREATE = "mutation ($t: String!) { createTask(input: {title: $t}) { id } }"
ON_TASK = "subscription { onTaskChanged { title } }"
WORKERS = {"WORKERS": "2", "DEMO": "false"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp(
        "a-folder-with-a-name-that-is-longer-than-a-line-of-the-screen"
    )
    with ServerProcess(folder, **WORKERS) as running:
        wait_for_banner(running)
        yield running


def wait_for_banner(server: ServerProcess) -> None:
    """All processes are there."""
    for _ in range(600):
        if "╰" in server.written.read_text(encoding="utf-8"):
            return
        time.sleep(0.1)
    raise AssertionError("there is no banner")


def server_processes(server: ServerProcess) -> list[int]:
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    commands = {int(pid): Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children}
    return sorted(pid for pid, command in commands.items() if b"serve-process" in command)


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(1_200):
        if await asyncio.to_thread(condition):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not happen within a minute")


def test_there_are_two_processes_and_one_engine(server: ServerProcess) -> None:
    assert len(server_processes(server)) == 2
    engine = read_running(Path(server.environment["DATA_DIR"]))
    assert engine is not None
    assert engine.pid == server.pid


def test_the_banner_fits_the_screen_and_names_the_addresses(server: ServerProcess) -> None:
    text = server.written.read_text(encoding="utf-8")
    banner = [line for line in text.split("\n") if line.startswith(("╭", "│", "╰"))]
    assert max(len(line) for line in banner) <= 80
    shown = " ".join("".join(banner).replace("│", " ").split())
    port = server.url.rpartition(":")[2]
    for address in (
        f"GraphQL http://localhost:{port}/graphql",
        f"Sockets ws://localhost:{port}/graphql",
        f"Health http://localhost:{port}/health, /ready, /metrics",
        f"Processes 2; kill -HUP {server.pid}",
    ):
        assert address in shown


async def test_subscribers_of_all_processes_get_every_event(server: ServerProcess) -> None:
    async with Api(server.url) as api:
        ada = await api.sign_up()
        sockets = [TransportClient.signed_in(server.url, ada) for _ in range(8)]
        opened = [await each.__aenter__() for each in sockets]
        for each in opened:
            await each.subscribe(ON_TASK)
        await opened[0].silent(0.5)
        for n in range(6):
            # Each on a connection of its own, so that either process answers.
            async with Api(server.url) as other:
                await other.gql(CREATE, headers=ada.headers, t=f"{n}")
        for each in opened:
            titles = [(await each.data())["onTaskChanged"]["title"] for _ in range(6)]
            assert titles == [f"{n}" for n in range(6)]
        for socket in sockets:
            await socket.__aexit__(None, None, None)


async def sign_up_at(url: str, address: str, number: int) -> str:
    name = f"n{number}x{time.time_ns()}"
    fields = {"email": f"{name}@example.com", "nickname": name, "password": PASSWORD}
    async with Api(url) as api:
        headers = {"x-forwarded-for": address}
        answer = (await api.post(SIGN_UP, headers=headers, input=fields)).json()
    return str(answer["errors"][0]["extensions"]["code"]) if answer.get("errors") else "OK"


async def test_rate_limits_are_those_of_one_server(tmp_path: Path) -> None:
    """Ten people may sign up from one address in an hour."""
    settings = WORKERS | {"RATE_FACTOR": "1", "TRUSTED_PROXIES": "127.0.0.1"}
    with ServerProcess(tmp_path, **settings) as limited:
        await asyncio.to_thread(wait_for_banner, limited)
        answers = [await sign_up_at(limited.url, "192.0.2.1", n) for n in range(14)]
        assert answers == ["OK"] * 10 + ["RATE_LIMITED"] * 4
        assert await sign_up_at(limited.url, "192.0.2.2", 0) == "OK"


async def test_processes_are_replaced_in_turn_and_no_request_fails(server: ServerProcess) -> None:
    before = server_processes(server)
    async with Api(server.url) as api:
        stop = asyncio.Event()
        traffic = [Traffic(await api.sign_up(), stop, [], []) for _ in range(4)]
        async with asyncio.TaskGroup() as group:
            for each in traffic:
                group.create_task(each.run())
            server.signal(signal.SIGHUP)
            await until(lambda: not set(before) & set(server_processes(server)))
            stop.set()
        for each in traffic:
            assert each.failed == []
            assert each.read == len(each.written) > 10
            assert sorted(await all_titles(each.person)) == sorted(each.written)
    assert len(server_processes(server)) == 2


async def test_a_process_that_dies_is_started_again(server: ServerProcess) -> None:
    before = server_processes(server)
    os.kill(before[0], signal.SIGKILL)
    await until(lambda: len(server_processes(server)) == 2 and before != server_processes(server))
    assert before[1] in server_processes(server)
    async with Api(server.url) as api:
        assert (await api.http.get("/ready")).json() == {"status": "ready"}


def counted(url: str) -> float:
    text = httpx.get(f"{url}/metrics").text
    found = re.findall(r'guildhall_request_seconds_count\{.*status="200".*\} (\S+)', text)
    return sum(map(float, found))


def test_metrics_are_those_of_all_processes(server: ServerProcess) -> None:
    before = counted(server.url)
    for _ in range(20):
        assert ask(server.url, request(b'{"query": "{ __typename }"}')).status == 200
    assert counted(server.url) == before + 20


async def test_a_stop_cuts_no_request(tmp_path: Path) -> None:
    """Every request that was sent is answered; only new connections are refused."""
    running = ServerProcess(tmp_path, **WORKERS)
    with running:
        await asyncio.to_thread(wait_for_banner, running)
        cut: list[BaseException] = []
        answered = 0

        async def ask_on() -> None:
            nonlocal answered
            while True:
                try:
                    wire = await asyncio.to_thread(Wire, running.url)
                except ConnectionError:
                    return
                try:
                    for _ in range(3):
                        await asyncio.to_thread(wire.send, request(b'{"query": "{ __typename }"}'))
                        answer = await asyncio.to_thread(wire.answer)
                        assert answer.status == 200
                        answered += 1
                        if answer.headers["connection"] == "close":
                            break
                except Exception as problem:
                    cut.append(problem)
                finally:
                    wire.__exit__()

        asking = [asyncio.create_task(ask_on()) for _ in range(6)]
        await until(lambda: answered > 100)
        await asyncio.to_thread(running.stop)
        await asyncio.gather(*asking)
        assert cut == []
    assert processes_of(tmp_path) == []


def processes_of(folder: Path) -> list[str]:
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.split("\n") if str(folder) in line]


def test_a_changed_source_file_starts_it_anew(tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(ROOT / "app", project / "app", ignore=shutil.ignore_patterns("__pycache__"))
    port = free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "DATA_DIR": str(tmp_path / "data"),
        "NODE_MODULES": str(ROOT / "node_modules"),
        "DEMO": "false",
    }
    command = [sys.executable, "-m", "app", "serve", "--reload", "--port", str(port)]
    with Program(command, tmp_path, environment, folder=project) as program:
        program.wait_for("GraphQL")
        url = f"http://127.0.0.1:{port}"
        assert httpx.get(f"{url}/health").json() == {"status": "alive"}
        site = project / "app" / "web" / "site.py"
        site.write_text(site.read_text().replace('"alive"', '"changed"'))
        for _ in range(600):
            if httpx.get(f"{url}/health").json() == {"status": "changed"}:
                return
            time.sleep(0.1)
    raise AssertionError("the changed program was not started")
