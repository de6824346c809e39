"""Runs a script of a client, which tells each step by a line of JSON."""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.api import PASSWORD, Person
from tests.clients.node import HERE, find_node
from tests.clients.servers import ClientServer

SECONDS = 400
Steps = dict[str, Any]


async def play(
    script: Path,
    server: ClientServer,
    person: Person,
    *,
    packages: tuple[str, ...],
    **environment: str,
) -> Steps:
    """What the script told, by step. The server is restarted when it says so."""
    credentials = json.dumps({"email": person.email, "password": PASSWORD})
    process = await asyncio.create_subprocess_exec(
        find_node(*packages),
        "--require",
        HERE / "websocket.cjs",
        script,
        server.url,
        credentials,
        cwd=HERE,
        env=server.environment_of_clients() | environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr
    errors = asyncio.ensure_future(process.stderr.read())
    try:
        async with asyncio.timeout(SECONDS):
            received = await _steps(process, server)
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, (received, (await errors).decode())
    return received


async def _steps(process: asyncio.subprocess.Process, server: ClientServer) -> Steps:
    assert process.stdin
    assert process.stdout
    received: Steps = {}
    while line := await process.stdout.readline():
        step = json.loads(line)
        name = step.pop("step")
        received[name] = step
        if name == "restart":
            await asyncio.to_thread(server.restart)
            process.stdin.write(b"restarted\n")
            await process.stdin.drain()
    return received
