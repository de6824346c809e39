"""How long somebody else waits while one client attacks.

    scripts/prove/neighbours [--seconds 3] [--connections 1,4] [--only text]

Starts a server of its own on loopback, with the embedded engine in a temporary folder. A neighbour
reads their profile every 10 ms; each attack is repeated for some seconds, from one and from four
connections. Printed is what the neighbour waits beyond the median of a quiet second, and the
server's memory. The exit code is 1 if a wait exceeds its limit.
"""

import argparse
import asyncio
import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from attacks import ATTACKS, Attack
from rich.console import Console

SIGN_UP = "mutation ($i: SignUpInput!) { signUp(input: $i) { accessToken } }"
SIGN_IN = "mutation ($i: SignInInput!) { signIn(input: $i) { accessToken } }"
DEMO = {"email": "demo@guildhall.example", "password": "guildhall-demo"}
ME = {"query": "{ me { id } }"}
PAUSE = 0.01
REFUSED_MS, LEGAL_MS = 100, 250
SETTINGS = {"DEMO": "true", "LOG_LEVEL": "ERROR", "RATE_FACTOR": "1000000", "WORKER": "false"}
console = Console(highlight=False, width=120)


@dataclass(slots=True)
class Measurement:
    waits: list[float]
    sent: int = 0
    code: str = ""

    def share(self, share: float) -> float:
        return sorted(self.waits)[min(len(self.waits) - 1, int(len(self.waits) * share))]


@dataclass(slots=True)
class Target:
    url: str
    pid: int
    neighbour: str = ""
    attacker: str = ""

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
    target = Target(f"http://127.0.0.1:{port}", process.pid)
    try:
        await until_ready(target.url)
        yield target
    finally:
        process.terminate()
        await process.wait()


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


async def wait_as_neighbour(target: Target, stop: asyncio.Event) -> list[float]:
    waits: list[float] = []
    headers = {"authorization": target.neighbour}
    async with httpx.AsyncClient(base_url=target.url, timeout=60) as http:
        while not stop.is_set():
            began = time.perf_counter()
            answer = await http.post("/graphql", json=ME, headers=headers)
            waits.append((time.perf_counter() - began) * 1000)
            if "data" not in answer.json():
                raise SystemExit(f"The neighbour was refused: {answer.text}")
            await asyncio.sleep(PAUSE)
    return waits


async def repeat(target: Target, attack: Attack, stop: asyncio.Event) -> tuple[int, str]:
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


def code_of(answer: httpx.Response) -> str:
    errors = answer.json().get("errors")
    return str(errors[0]["extensions"]["code"]) if errors else "answered"


async def measure(
    target: Target, attack: Attack | None, connections: int, seconds: float
) -> Measurement:
    stop = asyncio.Event()
    neighbour = asyncio.create_task(wait_as_neighbour(target, stop))
    attacks = [
        asyncio.create_task(repeat(target, attack, stop)) for _ in range(connections) if attack
    ]
    await asyncio.sleep(seconds)
    stop.set()
    done = [await each for each in attacks]
    return Measurement(await neighbour, sum(sent for sent, _ in done), done[0][1] if done else "")


async def judge(target: Target, attack: Attack, connections: int, seconds: float) -> bool:
    """Whether the neighbour waited too long; prints a row."""
    quiet = await measure(target, None, 0, 1)
    found = await measure(target, attack, connections, seconds)
    usual = statistics.median(quiet.waits)
    longest = max(0.0, max(found.waits) - usual)
    limit = LEGAL_MS if attack.is_legal else REFUSED_MS
    console.print(
        f"{connections} {attack.name:32} {found.code:26} {found.sent:6} sent  added wait: "
        f"p99 {max(0.0, found.share(0.99) - usual):5.0f} ms, longest {longest:5.0f} ms  "
        f"{target.megabytes:4.0f} MB{'  TOO LONG' if longest > limit else ''}"
    )
    return longest > limit


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
            for number in connections:
                for attack in chosen:
                    late += await judge(target, attack, number, seconds)
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
