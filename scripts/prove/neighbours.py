"""How long somebody else waits while one client attacks.

    scripts/prove/neighbours [--seconds 3] [--connections 1,4] [--only text]

Starts a server of its own on loopback, with the embedded engine in a temporary folder. A neighbour
(a process of its own) reads their profile every 10 ms; each attack is repeated for some seconds,
from one and from four connections. Printed is what the neighbour waits beyond the median without an
attack, what the machine itself added meanwhile (a sleeping process woke so much late), and the
server's memory. The first row is measured without an attack. The exit code is 1 if a wait exceeds
its limit. Server and neighbour run at a higher priority where that is allowed, so that others' work
on this machine counts less.
"""

import argparse
import asyncio
import json
import os
import socket
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
from attacks import ATTACKS, Attack
from rich.console import Console
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

SIGN_UP = "mutation ($i: SignUpInput!) { signUp(input: $i) { accessToken } }"
SIGN_IN = "mutation ($i: SignInInput!) { signIn(input: $i) { accessToken } }"
DEMO = {"email": "demo@guildhall.example", "password": "guildhall-demo"}
PROBE = Path(__file__).with_name("probe.py")
PRIORITY = -10
REFUSED_MS, LEGAL_MS = 100, 250
SETTINGS = {"DEMO": "true", "LOG_LEVEL": "ERROR", "RATE_FACTOR": "1000000", "WORKER": "false"}
console = Console(highlight=False, width=160)


@dataclass(slots=True)
class Measurement:
    waits: list[float]
    delays: list[float]
    sent: int = 0
    code: str = ""

    def share(self, share: float) -> float:
        return sorted(self.waits)[min(len(self.waits) - 1, int(len(self.waits) * share))]


@dataclass(slots=True)
class Target:
    port: int
    pid: int
    neighbour: str = ""
    attacker: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def megabytes(self) -> float:
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@asynccontextmanager
async def running_server(folder: str) -> AsyncIterator[Target]:
    port = free_port()
    settings = {**SETTINGS, "DATA_DIR": folder, "PORT": str(port)}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "app", "serve"),
        env={**os.environ, **settings},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    prefer(process.pid)
    target = Target(port, process.pid)
    try:
        await until_ready(target.url)
        yield target
    finally:
        process.terminate()
        await process.wait()


def prefer(pid: int) -> None:
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, pid, PRIORITY)


async def until_ready(url: str) -> None:
    async with httpx.AsyncClient() as http:
        for _ in range(600):
            try:
                if (await http.get(f"{url}/ready")).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.1)
    raise SystemExit("The server did not start within a minute.")


async def token(url: str, query: str, given: dict[str, str]) -> str:
    async with httpx.AsyncClient(base_url=url, timeout=60) as http:
        answer = await http.post("/graphql", json={"query": query, "variables": {"i": given}})
    (session,) = answer.json()["data"].values()
    return str(session["accessToken"])


async def probe(target: Target, seconds: float) -> dict[str, list[float]]:
    arguments = ("127.0.0.1", str(target.port), target.neighbour, str(seconds))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(PROBE), *arguments), stdout=asyncio.subprocess.PIPE
    )
    prefer(process.pid)
    output, _ = await process.communicate()
    found: dict[str, list[float]] = json.loads(output)
    return found


async def repeat(target: Target, attack: Attack, stop: asyncio.Event) -> tuple[int, str]:
    if attack.over_socket:
        return await repeat_over_socket(target, attack, stop)
    headers = {"content-type": "application/json"}
    if attack.signed_in:
        headers["authorization"] = target.attacker
    kept, sent, code = attack.body(), 0, ""
    async with httpx.AsyncClient(base_url=target.url, timeout=60) as http:
        while not stop.is_set():
            body = attack.body() if attack.varies else kept
            answer = await http.post("/graphql", content=body, headers=headers)
            sent, code = sent + 1, code_of(answer)
    return sent, code


async def repeat_over_socket(
    target: Target, attack: Attack, stop: asyncio.Event
) -> tuple[int, str]:
    """Sends frames as fast as the socket takes them; connects again when it is closed."""
    frame, sent, code = attack.body().decode(), 0, "answered"
    init: dict[str, object] = {"type": "connection_init"}
    if attack.signed_in:
        init |= {"payload": {"authorization": target.attacker}}
    while not stop.is_set():
        with suppress(ConnectionClosed, OSError):
            url = f"ws://127.0.0.1:{target.port}/graphql"
            async with connect(url, subprotocols=[Subprotocol("graphql-transport-ws")]) as sock:
                try:
                    await sock.send(json.dumps(init))
                    while not stop.is_set():
                        await sock.send(frame.replace("NUMBER", str(sent)))
                        sent += 1
                        await asyncio.sleep(0)
                except ConnectionClosed:
                    code = f"closed {sock.close_code}"
    return sent, code


def code_of(answer: httpx.Response) -> str:
    errors = answer.json().get("errors")
    return str(errors[0]["extensions"]["code"]) if errors else "answered"


async def measure(
    target: Target, attack: Attack | None, connections: int, seconds: float
) -> Measurement:
    stop = asyncio.Event()
    attacks = [
        asyncio.create_task(repeat(target, attack, stop)) for _ in range(connections) if attack
    ]
    found = await probe(target, seconds)
    stop.set()
    done = [await each for each in attacks]
    sent, code = sum(sent for sent, _ in done), done[0][1] if done else "no attack"
    return Measurement(found["waits"], found["delays"], sent, code)


def judge(
    name: str, connections: int, found: Measurement, usual: float, limit: float, megabytes: float
) -> bool:
    """Whether the neighbour waited too long; prints a row."""
    longest = max(0.0, max(found.waits) - usual)
    console.print(
        f"{connections} {name:32} {found.code:26} {found.sent:6} sent  added wait: "
        f"p99 {max(0.0, found.share(0.99) - usual):4.0f} ms, longest {longest:4.0f} ms"
        f" (machine {max(found.delays):4.0f})  {megabytes:4.0f} MB"
        f"{'  TOO LONG' if longest > limit else ''}"
    )
    return longest > limit


async def attack_one_by_one(
    target: Target, chosen: list[Attack], connections: list[int], seconds: float
) -> int:
    quiet = await measure(target, None, 0, seconds)
    usual = statistics.median(quiet.waits)
    judge("nothing", 0, quiet, usual, LEGAL_MS, target.megabytes)
    late = 0
    for number in connections:
        for attack in chosen:
            found = await measure(target, attack, number, seconds)
            limit = LEGAL_MS if attack.is_legal else REFUSED_MS
            late += judge(attack.name, number, found, usual, limit, target.megabytes)
    return late


async def run(seconds: float, connections: list[int], only: str) -> int:
    chosen = [attack for attack in ATTACKS if only in attack.name]
    late = 0
    with tempfile.TemporaryDirectory() as folder:
        async with running_server(folder) as target:
            given = {
                "email": "n@prove.example",
                "nickname": "neighbour",
                "password": "correct horse",
            }
            target.neighbour = await token(target.url, SIGN_UP, given)
            target.attacker = await token(target.url, SIGN_IN, DEMO)
            late = await attack_one_by_one(target, chosen, connections, seconds)
    console.print(f"{len(chosen)} attacks, {late} waits too long")
    return 1 if late or not chosen else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--connections", default="1,4")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    connections = [int(each) for each in options.connections.split(",")]
    return asyncio.run(run(options.seconds, connections, options.only))


if __name__ == "__main__":
    sys.exit(main())
