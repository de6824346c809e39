"""Several server processes on one port: started, replaced in turn, restarted if they die."""

import asyncio
import os
import signal
import socket
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from prometheus_client import multiprocess

from app.auth.limiter import MemoryWindows
from app.core.clock import SystemClock
from app.core.errors import OperatorError
from app.processes.hub import Hub
from app.settings import ROOT, Settings
from app.table.engine import EmbeddedEngine

START_SECONDS = 60.0
STOP_SECONDS = 60.0
FIRST_PAUSE, LONGEST_PAUSE, STEADY_SECONDS = 0.1, 10.0, 10.0
log = structlog.get_logger()


class NotStarted(OperatorError):
    def __init__(self) -> None:
        super().__init__("A server process did not start. Its message is above.")


@dataclass
class ServerChild:
    process: Process
    started: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait_until_started(self) -> bool:
        """False if it ended, or took too long."""
        up = asyncio.create_task(self.started.wait())
        ended = asyncio.create_task(self.process.wait())
        await asyncio.wait({up, ended}, timeout=START_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        up.cancel()
        ended.cancel()
        return self.started.is_set() and self.process.returncode is None

    async def stop(self, with_signal: signal.Signals) -> None:
        if self.process.returncode is None:
            self.process.send_signal(with_signal)
        try:
            await asyncio.wait_for(self.process.wait(), STOP_SECONDS)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()


class Supervisor:
    """`sockets` are bound; all processes accept connections from them."""

    def __init__(
        self, settings: Settings, sockets: list[socket.socket], *, on_started: Callable[[], None]
    ) -> None:
        self._settings = settings
        self._sockets = sockets
        self._on_started = on_started
        self._children: list[ServerChild] = []
        self._all: dict[int, ServerChild] = {}
        self._watchers: set[asyncio.Task[None]] = set()
        self._stop, self._changing = asyncio.Event(), asyncio.Lock()
        self._environment: dict[str, str] = {}
        self._folder = ""

    async def run(self) -> None:
        """Until SIGTERM or SIGINT; SIGHUP replaces the processes in turn."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        loop.add_signal_handler(signal.SIGHUP, self.replace_soon)
        async with self._open():
            try:
                await self._start_all()
                self._on_started()
                await self._stop.wait()
            finally:
                await self._stop_all()

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[None]:
        """The folder of this run, the engine and the hub; and what the processes must know."""
        async with AsyncExitStack() as stack:
            # The path of a socket has at most 107 bytes, so it is not below DATA_DIR.
            self._folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="guildhall."))
            hub = Hub(MemoryWindows(SystemClock()), on_started=self._has_started)
            await stack.enter_async_context(hub.serving(f"{self._folder}/hub"))
            self._environment = os.environ | {
                "HOST": self._settings.host,
                "PORT": str(self._settings.port),
                "PROMETHEUS_MULTIPROC_DIR": self._folder,
            }
            if self._settings.embedded_engine:
                engine = EmbeddedEngine(self._settings.data_dir, self._settings.node_modules)
                url = await stack.enter_async_context(engine)
                self._environment["ENDPOINT_URL"] = url
            yield

    def _has_started(self, pid: int) -> None:
        if pid in self._all:
            self._all[pid].started.set()

    async def _start_all(self) -> None:
        """The first alone: it makes the table and the demo data."""
        for indexes in ([0], range(1, self._settings.workers)):
            children = [await self._launch(index) for index in indexes]
            self._children += children
            for child in children:
                if not await child.wait_until_started():
                    raise NotStarted
        for index in range(len(self._children)):
            self._watch(index)

    async def _launch(self, index: int) -> ServerChild:
        numbers = [each.fileno() for each in self._sockets]
        command = [sys.executable, "-m", "app", "serve-process", "--hub", f"{self._folder}/hub"]
        command += [f"--socket={number}" for number in numbers]
        # One of them runs the background jobs, if WORKER is on.
        command += ["--jobs"] if index == 0 else ["--no-jobs"]
        process = await asyncio.create_subprocess_exec(
            *command, env=self._environment, pass_fds=numbers, start_new_session=True
        )
        self._all[process.pid] = child = ServerChild(process)
        return child

    def _watch(self, index: int) -> None:
        task = asyncio.create_task(self._restart_if_dead(index))
        self._watchers.add(task)
        task.add_done_callback(self._watchers.discard)

    async def _restart_if_dead(self, index: int) -> None:
        pause = FIRST_PAUSE
        while not self._stop.is_set():
            child, since = self._children[index], time.monotonic()
            code = await child.process.wait()
            self._forget(child)
            if self._stop.is_set() or self._children[index] is not child:
                continue
            steady = time.monotonic() - since > STEADY_SECONDS
            pause = FIRST_PAUSE if steady else min(pause * 2, LONGEST_PAUSE)
            log.warning("server process died", exit_code=code, starting_again_in=pause)
            await asyncio.sleep(pause)
            async with self._changing:
                if not self._stop.is_set() and self._children[index] is child:
                    self._children[index] = await self._launch(index)

    def _forget(self, child: ServerChild) -> None:
        self._all.pop(child.process.pid, None)
        multiprocess.mark_process_dead(child.process.pid, self._folder)  # type: ignore[no-untyped-call]

    def replace_soon(self) -> None:
        task = asyncio.create_task(self._replace_all())
        self._watchers.add(task)
        task.add_done_callback(self._watchers.discard)

    async def _replace_all(self) -> None:
        """Each old process stops when its successor has started, so none is ever missing."""
        async with self._changing:
            for index in range(len(self._children)):
                new = await self._launch(index)
                if not await new.wait_until_started():
                    log.error("a new server process did not start: the old ones go on")
                    await new.stop(signal.SIGKILL)
                    self._forget(new)
                    return
                old, self._children[index] = self._children[index], new
                await old.stop(signal.SIGUSR1)
            log.info("all server processes are replaced", processes=len(self._children))

    async def _stop_all(self) -> None:
        self._stop.set()
        # What waits to be accepted must belong to the processes, which serve it before they end.
        for each in self._sockets:
            each.close()
        for task in self._watchers:
            task.cancel()
        running = list(self._all.values())
        await asyncio.gather(*(each.stop(signal.SIGTERM) for each in running))


async def watch_sources(on_changed: Callable[[], None], seconds: float = 0.5) -> None:
    """Calls `on_changed` when a source file or .env was written."""
    before = await asyncio.to_thread(_modification_times)
    while True:
        await asyncio.sleep(seconds)
        now = await asyncio.to_thread(_modification_times)
        if now != before:
            before = now
            on_changed()


def _modification_times() -> dict[Path, float]:
    files = [*(ROOT / "app").rglob("*.py"), Path(".env")]
    return {file: file.stat().st_mtime for file in files if file.exists()}
