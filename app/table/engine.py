"""The embedded engine: a DynamoDB-compatible server as a child process, with data in DATA_DIR."""

import asyncio
import contextlib
import fcntl
import json
import os
import shutil
import socket
import sqlite3
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

import structlog

from app.core.errors import OperatorError

log: structlog.typing.FilteringBoundLogger = structlog.get_logger()

HOST = "127.0.0.1"
DATABASE = "guildhall.db"
RUNNING = "engine.json"
START_ATTEMPTS = 3
# One takes a second, and an engine may take START_SECONDS to start.
SHARE_ATTEMPTS = 11
START_SECONDS, STOP_SECONDS, STEADY_SECONDS = 10.0, 5.0, 10.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 5.0
MAX_LOG_BYTES = 5 * 1024 * 1024

# PR_SET_PDEATHSIG, so that kill -9 of the server ends the engine too; a preexec_fn could deadlock.
DIE_WITH_PARENT = """
import ctypes, os, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 9)
if os.getppid() != int(sys.argv[1]):
    sys.exit("the server has ended")
os.execv(sys.argv[2], sys.argv[2:])
"""

# For each write the engine scans all records of the table's stream, so writes would become slower
# and slower. Nothing reads the stream of the embedded engine: the last 100 records are kept.
SHORT_STREAM = """
CREATE TRIGGER IF NOT EXISTS short_stream AFTER INSERT ON _stream_records
BEGIN DELETE FROM _stream_records WHERE id <= NEW.id - 100; END
"""


class EngineError(OperatorError):
    pass


class EngineMissing(EngineError):
    def __init__(self) -> None:
        super().__init__(
            "The embedded engine is not installed: run ./scripts/install. On a machine other than"
            " Linux on x86_64 start DynamoDB Local and set ENDPOINT_URL."
        )


class EngineBusy(EngineError):
    def __init__(self, data_dir: Path) -> None:
        running = read_running(data_dir)
        holder = f"process {running.pid} ({running.command})" if running else "another server"
        super().__init__(f"{data_dir} is in use by {holder}: stop it, or set another DATA_DIR.")


class EngineFailed(EngineError):
    def __init__(self, log_path: Path) -> None:
        last_line = log_path.read_text(errors="replace").rstrip().rpartition("\n")[2]
        super().__init__(
            f"The embedded engine does not start. Last line of {log_path}: {last_line}"
        )


@dataclass(frozen=True, slots=True)
class RunningEngine:
    """What the process that started an engine tells the others, in a file beside the data."""

    url: str
    pid: int
    command: str


def read_running(data_dir: Path) -> RunningEngine | None:
    try:
        return RunningEngine(**json.loads((data_dir / RUNNING).read_text()))
    except (OSError, ValueError, TypeError):
        return None


@contextlib.asynccontextmanager
async def shared_engine(data_dir: Path, node_modules: Path) -> AsyncIterator[str]:
    """The engine that already runs on the data, or else a new one."""
    for attempts_left in reversed(range(SHARE_ATTEMPTS)):
        engine = EmbeddedEngine(data_dir, node_modules)
        try:
            url = await engine.start()
        except EngineBusy:
            # Its file is written when it answers.
            running = read_running(data_dir)
            if running:
                yield running.url
                return
            if not attempts_left:
                raise
        else:
            try:
                yield url
            finally:
                await engine.stop()
            return


class EmbeddedEngine:
    """Start it in a thread that lives as long as the server: the engine ends with that thread."""

    def __init__(self, data_dir: Path, node_modules: Path) -> None:
        self.data_dir = data_dir.absolute()
        self.log_path = self.data_dir / "engine.log"
        self._node_modules = node_modules
        self._resources = contextlib.ExitStack()
        self._program = ""
        self._lock = self._log = self._port = 0
        self._last_port: int | None = None
        self.process: Process | None = None
        self._supervisor: asyncio.Task[None] | None = None

    async def __aenter__(self) -> str:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> str:
        try:
            await asyncio.to_thread(self._take_data_dir)
            await self._launch_on_free_port()
            await asyncio.to_thread(keep_stream_short, self.data_dir / DATABASE)
            await asyncio.to_thread(self._tell_others)
        except BaseException:
            await self.stop()
            raise
        self._supervisor = asyncio.create_task(self._supervise(), name="engine-supervisor")
        return self.url

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self._port}"

    async def stop(self) -> None:
        if self._supervisor:
            self._supervisor.cancel()
            await asyncio.wait({self._supervisor})
        await self._end()
        self._resources.close()

    def _tell_others(self) -> None:
        command = " ".join(["python -m app", *sys.argv[1:2]])
        running = RunningEngine(self.url, os.getpid(), command)
        file = self.data_dir / RUNNING
        draft = file.with_suffix(".draft")
        draft.write_text(json.dumps(asdict(running)))
        draft.replace(file)

    def _take_data_dir(self) -> None:
        self._program = find_program(self._node_modules)
        self.data_dir.mkdir(parents=True, exist_ok=True)
        lock = self._resources.enter_context((self.data_dir / "engine.lock").open("ab"))
        if not try_lock(lock):
            raise EngineBusy(self.data_dir)
        # A worker beside a server goes on when the server is started again.
        last = read_running(self.data_dir)
        self._last_port = urlsplit(last.url).port if last else None
        (self.data_dir / RUNNING).unlink(missing_ok=True)
        if self.log_path.exists() and self.log_path.stat().st_size > MAX_LOG_BYTES:
            self.log_path.replace(self.data_dir / "engine.log.1")
        log_file = self._resources.enter_context(self.log_path.open("ab"))
        self._lock, self._log = lock.fileno(), log_file.fileno()

    async def _launch_on_free_port(self) -> None:
        for attempts_left in reversed(range(START_ATTEMPTS)):
            reserved, self._last_port = reserve_port(self._last_port or 0), None
            self._port = self._resources.enter_context(reserved).getsockname()[1]
            try:
                return await self._launch()
            except EngineFailed:
                if not attempts_left:
                    raise
        return None

    async def _launch(self) -> None:
        command = [self._program, "serve", "--host", HOST, "--port", str(self._port)]
        self.process = process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-ISc", DIE_WITH_PARENT, str(os.getpid()), *command),
            *("--db-path", str(self.data_dir / DATABASE)),
            stdin=DEVNULL,
            stdout=self._log,
            stderr=self._log,
            pass_fds=[self._lock],  # the folder stays locked until the engine has ended, too
            start_new_session=True,  # Ctrl-C goes to the server, which then stops the engine
        )
        if not await self._wait_until_ready(process):
            await self._end()
            raise await asyncio.to_thread(EngineFailed, self.log_path)

    async def _wait_until_ready(self, process: Process) -> bool:
        deadline = time.monotonic() + START_SECONDS
        while process.returncode is None and time.monotonic() < deadline:
            if await answers(self._port):
                return True
            await asyncio.sleep(0.01)
        return False

    async def _supervise(self) -> None:
        pause = FIRST_PAUSE
        while self.process:
            since = time.monotonic()
            code = await self.process.wait()
            steady = time.monotonic() - since > STEADY_SECONDS
            pause = FIRST_PAUSE if steady else min(pause * 2, LONGEST_PAUSE)
            log.warning("engine_died", exit_code=code, starting_again_in=pause)
            await asyncio.sleep(pause)
            try:
                await self._launch()
            except (EngineFailed, OSError) as failure:
                log.error("engine_not_restarted", reason=str(failure))

    async def _end(self) -> None:
        process = self.process
        if process and process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), STOP_SECONDS)
            except TimeoutError:
                process.kill()
                await process.wait()


def find_program(node_modules: Path) -> str:
    # npm installs the package for this platform, or none.
    installed = next(node_modules.absolute().glob("@dynoxide/*/dynoxide"), "dynoxide")
    program = shutil.which(installed)
    if program is None:
        raise EngineMissing
    return program


def keep_stream_short(database: Path) -> None:
    with contextlib.closing(sqlite3.connect(database, timeout=START_SECONDS)) as connection:
        connection.execute(SHORT_STREAM)
        connection.commit()


def try_lock(file: BinaryIO) -> bool:
    # An engine whose server was just killed may still hold the lock for up to a second.
    for _ in range(50):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        time.sleep(0.02)
    return False


def reserve_port(wanted: int = 0) -> socket.socket:
    # Bound but not listening: the engine may listen on the port, no other process gets it.
    reservation = socket.socket()
    reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        reservation.bind((HOST, wanted))
    except OSError:
        reservation.bind((HOST, 0))
    return reservation


async def answers(port: int) -> bool:
    try:
        async with asyncio.timeout(1):
            reader, writer = await asyncio.open_connection(HOST, port)
            with contextlib.closing(writer):
                writer.write(b"GET / HTTP/1.1\r\nHost: engine\r\nConnection: close\r\n\r\n")
                return b" 200 " in await reader.readline()
    except OSError:  # includes TimeoutError
        return False
