"""The engines tests run on: the embedded one, and AWS's DynamoDB Local in a network of its own."""

import asyncio
import contextlib
import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import NoReturn

import pytest

from app.settings import ROOT
from app.table.engine import DIE_WITH_PARENT, EmbeddedEngine

NODE_MODULES = ROOT / "node_modules"
DYNAMODB_LOCAL = NODE_MODULES / ".dynamodb-local"
LOCAL_START_SECONDS = 60.0
INNER_PORT = 28173
SIOCSIFFLAGS, IFF_UP = 0x8914, 0x1


def unavailable(what: str) -> NoReturn:
    """Skip loudly; where everything is required (CI), fail."""
    if os.environ.get("GUILDHALL_REQUIRE_ALL"):
        pytest.fail(f"{what}, and GUILDHALL_REQUIRE_ALL is set")
    pytest.skip(what)


def embedded(data_dir: Path) -> AbstractAsyncContextManager[str]:
    if not any(NODE_MODULES.glob("@dynoxide/*/dynoxide")) and not shutil.which("dynoxide"):
        unavailable("the embedded engine is not installed (scripts/install dev)")
    return EmbeddedEngine(data_dir, NODE_MODULES)


def dynamodb_local(data_dir: Path) -> AbstractAsyncContextManager[str]:
    """Keeps its data in memory: the folder is not used."""
    if not (DYNAMODB_LOCAL / "DynamoDBLocal.jar").exists():
        unavailable("DynamoDB Local is not installed (scripts/install-dynamodb-local)")
    if not shutil.which("java"):
        unavailable("DynamoDB Local needs Java, and there is none")
    if subprocess.run([*own_network(), "true"], capture_output=True, check=False).returncode:
        unavailable("DynamoDB Local listens on every address, and this user cannot shut it in")
    return _dynamodb_local()


ENGINES: dict[str, Callable[[Path], AbstractAsyncContextManager[str]]] = {
    "embedded": embedded,
    "local": dynamodb_local,
}


def own_network() -> list[str]:
    # It would listen on all addresses of the machine; in a network of its own there is one.
    unshare = shutil.which("unshare") or "false"
    return [unshare, "--net"] if os.geteuid() == 0 else [unshare, "--map-root-user", "--net"]


@contextlib.asynccontextmanager
async def _dynamodb_local() -> AsyncIterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port: int = door.getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            *own_network(),
            *dying_with_me(sys.executable, "-m", "tests.engines", str(door.fileno())),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[door.fileno()],
        )
        try:
            async with asyncio.timeout(LOCAL_START_SECONDS):
                await until_it_speaks(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            await process.wait()


def dying_with_me(*command: str) -> list[str]:
    return [sys.executable, "-ISc", DIE_WITH_PARENT, str(os.getpid()), *command]


async def until_it_speaks(port: int) -> None:
    status = b""
    while not status.startswith(b"HTTP/1.1"):
        await asyncio.sleep(0.1)
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            with contextlib.closing(writer):
                writer.write(b"GET / HTTP/1.1\r\nHost: engine\r\nConnection: close\r\n\r\n")
                status = await reader.readline()


async def serve_shut_in(door: socket.socket) -> None:
    """Runs inside the new network; `door` was opened outside it and leads back there."""
    set_loopback_up()
    java = await asyncio.create_subprocess_exec(
        *dying_with_me(shutil.which("java") or "java", "-Xmx512m"),
        *("-Djava.library.path=DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar"),
        *("-inMemory", "-sharedDb", "-disableTelemetry", "-port", str(INNER_PORT)),
        cwd=DYNAMODB_LOCAL,
    )
    async with await asyncio.start_server(let_in, sock=door):
        await java.wait()


def set_loopback_up() -> None:
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", IFF_UP))


async def let_in(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", INNER_PORT)
    except OSError:
        writer.close()
    else:
        await asyncio.gather(copy(reader, inner_writer), copy(inner_reader, writer))


async def copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.closing(sink), contextlib.suppress(ConnectionError):
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()


if __name__ == "__main__":
    asyncio.run(serve_shut_in(socket.socket(fileno=int(sys.argv[1]))))
