"""Two servers and their engine are killed while clients race, through a faulty network.

    scripts/prove/storm [--seconds 120] [--faults 0.05] [--seed N] [--keep FOLDER]

One of the servers has a clock that is 20 seconds ahead. Clients repeat what they got no answer to,
with the same idempotencyKey. Afterwards the faults stop, what is undecided is repeated until it is
decided, and the raw table is compared with what clients were told. Prints operations, kills, faults
and violations; fails if there is a violation or if any of the others is 0. A failed run keeps its
history, its table and the servers' output in FOLDER.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import socket
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import httpx
from fault_proxy import FaultProxy
from rich.console import Console

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from invariants import History, Item, violations  # noqa: E402

from app.table.engine import EmbeddedEngine  # noqa: E402
from app.table.gateway import Gateway  # noqa: E402

SHIFT_SECONDS = 20
CLIENTS = 8
UNDECIDED = {"UNAVAILABLE", "OUTCOME_UNKNOWN", "RATE_LIMITED", "INTERNAL"}
TABLE, REGION, PASSWORD = "gg_core", "us-east-1", "correct horse battery"
NICKNAMES = ("Merlin", "Nimue", "Gawain")
SETTINGS = {
    "DEMO": "false",
    "LOG_LEVEL": "ERROR",
    "RATE_FACTOR": "1000000",
    "WORKER": "false",
    "PASSWORD_MEMORY_KIB": "1024",
    "SECRET_KEY": "0123456789abcdef0123456789abcdef0123456789abcdef",
    "REQUEST_SECONDS": "5",
}
SIGN_UP = "mutation ($i: SignUpInput!) { signUp(input: $i) { accessToken user { id } } }"
PAY = "mutation ($i: AdjustWalletInput!) { adjustWallet(input: $i) { balance } }"
SAY = "mutation ($i: SendMessageInput!) { sendMessage(input: $i) { id number } }"
RENAME = "mutation ($i: UpdateProfileInput!) { updateProfile(input: $i) { nickname } }"
CLAIM = "mutation ($i: ClaimQuestInput!) { claimQuest(input: $i) { id status } }"
COMMIT = "mutation ($i: CommitValuesInput!) { commitValues(input: $i) { head } }"
CREATE = "mutation ($i: CreateTaskInput!) { createTask(input: $i) { id } }"
DELETE = "mutation ($i: DeleteTaskInput!) { deleteTask(input: $i) { id } }"
QUEST = "mutation ($i: CreateQuestInput!) { createQuest(input: $i) { id } }"
GOAL = "mutation ($i: CreateGoalInput!) { createGoal(input: $i) { id } }"
ROOM = "mutation ($i: CreateRoomInput!) { createRoom(input: $i) { id } }"
JOIN = "mutation ($i: JoinRoomInput!) { joinRoom(input: $i) { id } }"
console = Console(highlight=False, width=140)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Server:
    """A server process that can be killed and started again at the same address."""

    def __init__(self, folder: Path, endpoint: str, name: str, shift: int) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._output = folder / f"{name}.log"
        self._command = (sys.executable, str(ROOT / "scripts/prove/shifted_server.py"), str(shift))
        more = {"ENDPOINT_URL": endpoint, "PORT": str(self.port), "DATA_DIR": str(folder / name)}
        self._environment = {**os.environ, **SETTINGS, **more}

    async def start(self) -> None:
        with self._output.open("ab") as output:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, env=self._environment, stdout=output, stderr=output, cwd=ROOT
            )
        async with httpx.AsyncClient() as http:
            for _ in range(1200):
                with contextlib.suppress(httpx.TransportError):
                    if (await http.get(f"{self.url}/health")).status_code == 200:
                        return None
                if self._process.returncode is not None:  # it met a fault while it started
                    return await self.start()
                await asyncio.sleep(0.05)
        raise SystemExit(f"A server did not start: {self._output.read_text()[-2000:]}")

    async def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


@dataclass(slots=True)
class Person:
    id: str
    token: str
    goal: str = ""
    tasks: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Operation:
    """`effect`: what an invariant must know of it, if it is acknowledged."""

    key: str
    person: Person
    query: str
    given: dict[str, Any]
    effect: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Storm:
    servers: list[Server]
    random: random.Random
    history: History = field(default_factory=History)
    undecided: list[Operation] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    people: list[Person] = field(default_factory=list)
    room: str = ""
    quests: list[str] = field(default_factory=list)

    async def attempt(self, http: httpx.AsyncClient, operation: Operation) -> bool:
        """Whether it is decided now."""
        url = self.random.choice(self.servers).url
        given = operation.given | {"idempotencyKey": operation.key}
        body = {"query": operation.query, "variables": {"i": given}}
        headers = {"authorization": operation.person.token}
        self.counts["attempts"] += 1
        try:
            answer = (await http.post(f"{url}/graphql", json=body, headers=headers)).json()
        except (httpx.HTTPError, ValueError):
            return False
        errors = answer.get("errors")
        if errors and errors[0]["extensions"]["code"] in UNDECIDED:
            return False
        if errors:
            self.history.refused[operation.key] = errors[0]["extensions"]["code"]
            return True
        (data,) = answer["data"].values()
        self.history.done[operation.key] = operation.effect | dict(data)
        if operation.query == CREATE:
            operation.person.tasks.append(data["id"])
        return True

    async def carry_out(self, operation: Operation, *, attempts: int) -> None:
        self.counts["operations"] += 1
        async with httpx.AsyncClient(timeout=8) as http:
            for number in range(attempts):
                if await self.attempt(http, operation):
                    return
                await asyncio.sleep(min(0.05 * 2**number, 1) * self.random.random())
        self.undecided.append(operation)

    def next_operation(self) -> Operation:
        key, person = f"k{self.counts['operations']}", self.random.choice(self.people)
        tasks = (self.create, self.create, self.delete)
        others = (self.pay, self.pay, self.say, self.rename, self.claim, self.commit)
        make = self.random.choice((*tasks, *others))
        return make(key, person)

    def pay(self, key: str, person: Person) -> Operation:
        amount = self.random.choice((7, 3, -5, -9))
        return Operation(key, person, PAY, {"amount": amount, "reason": key}, {"pays": True})

    def say(self, key: str, person: Person) -> Operation:
        return Operation(key, person, SAY, {"roomId": self.room, "text": key}, {"says": True})

    def rename(self, key: str, person: Person) -> Operation:
        return Operation(key, person, RENAME, {"nickname": self.random.choice(NICKNAMES)})

    def claim(self, key: str, person: Person) -> Operation:
        quest = self.random.choice(self.quests)
        effect = {"claimed": quest, "by": person.id}
        return Operation(key, person, CLAIM, {"questId": quest}, effect)

    def commit(self, key: str, person: Person) -> Operation:
        add = {"add": {"nodeType": "DRIVER", "title": key}}
        return Operation(key, person, COMMIT, {"message": key, "merge": True, "operations": [add]})

    def create(self, key: str, person: Person) -> Operation:
        given = {"title": key, "goalIds": [person.goal], "dependsOnIds": person.tasks[-1:]}
        return Operation(key, person, CREATE, given)

    def delete(self, key: str, person: Person) -> Operation:
        if not person.tasks:
            return self.create(key, person)
        task = person.tasks.pop(self.random.randrange(len(person.tasks)))
        return Operation(key, person, DELETE, {"id": task})


async def prepare(storm: Storm) -> None:
    url = storm.servers[0].url
    async with httpx.AsyncClient(timeout=60) as http:

        async def ask(query: str, given: dict[str, Any], token: str = "") -> Any:
            headers = {"authorization": token} if token else {}
            body = {"query": query, "variables": {"i": given}}
            answer = (await http.post(f"{url}/graphql", json=body, headers=headers)).json()
            assert "errors" not in answer, answer
            (data,) = answer["data"].values()
            return data

        for number in range(4):
            name = f"racer{number}"
            given = {"email": f"{name}@example.com", "nickname": name, "password": PASSWORD}
            session = await ask(SIGN_UP, given)
            storm.people.append(Person(session["user"]["id"], session["accessToken"]))
        first = storm.people[0].token
        room = {"name": "Hall", "isPublic": True}
        storm.room = (await ask(ROOM, room, first))["id"]
        for person in storm.people:
            person.goal = (await ask(GOAL, {"title": "Win"}, person.token))["id"]
            await ask(PAY, {"amount": 50, "reason": "start" + person.id}, person.token)
            if person.token != first:
                await ask(JOIN, {"roomId": storm.room}, person.token)
        for number in range(5):
            given = {
                "title": f"Quest {number}",
                "description": "Whoever is the first to claim it may do it, and nobody else.",
            }
            quest = given | {"rewardXp": 10, "rewardReputation": 1}
            storm.quests.append((await ask(QUEST, quest, first))["id"])


async def race(storm: Storm, until: float) -> None:
    while time.monotonic() < until:
        await storm.carry_out(storm.next_operation(), attempts=6)


async def kill_at_random(storm: Storm, engine: EmbeddedEngine, until: float) -> None:
    while time.monotonic() < until:
        await asyncio.sleep(0.5 + storm.random.random())
        if storm.random.random() < 0.4 and engine.process:
            with contextlib.suppress(ProcessLookupError):
                engine.process.kill()
            storm.counts["engine kills"] += 1
        else:
            server = storm.random.choice(storm.servers)
            await server.kill()
            storm.counts["server kills"] += 1
            await server.start()


async def decide_all(storm: Storm) -> None:
    pending, storm.undecided = storm.undecided, []
    for operation in pending:
        await storm.carry_out(operation, attempts=20)


async def scan(endpoint: str) -> list[Item]:
    async with Gateway.open(table=TABLE, region=REGION, endpoint=endpoint) as table:
        pages = table.client.get_paginator("scan").paginate(TableName=TABLE, ConsistentRead=True)
        return [item async for page in pages for item in page["Items"]]


async def run(options: argparse.Namespace, folder: Path) -> int:
    engine = EmbeddedEngine(folder / "engine", ROOT / "node_modules")
    async with engine as endpoint, FaultProxy(endpoint, share=0, seed=options.seed) as proxy:
        servers = [
            Server(folder, proxy.url, f"server{number}", shift)
            for number, shift in enumerate((0, SHIFT_SECONDS))
        ]
        storm = Storm(servers, random.Random(options.seed))
        for server in servers:
            await server.start()
        try:
            await prepare(storm)
            proxy.share, until = options.faults, time.monotonic() + options.seconds
            racers = (race(storm, until) for _ in range(CLIENTS))
            await asyncio.gather(kill_at_random(storm, engine, until), *racers)
            proxy.share = 0
            await decide_all(storm)
        finally:
            for server in servers:
                await server.kill()
        items = await scan(endpoint)
    return report(storm, proxy, items, folder, options)


def report(
    storm: Storm, proxy: FaultProxy, items: list[Item], folder: Path, options: argparse.Namespace
) -> int:
    found = violations(items, storm.history)
    found += [f"never decided: {each.key}" for each in storm.undecided]
    for each in found[:50]:
        console.print(f"VIOLATION {each}", markup=False)
    kills = storm.counts["server kills"] + storm.counts["engine kills"]
    faults = sum(n for name, n in proxy.counts.items() if name != "none")
    console.print(
        f"{storm.counts['operations']} operations ({len(storm.history.done)} done, "
        f"{len(storm.history.refused)} refused), {storm.counts['attempts']} attempts, "
        f"{storm.counts['server kills']} kills of servers, {storm.counts['engine kills']} of the "
        f"engine, {faults} faults {dict(proxy.counts)}, {len(items)} items, "
        f"{len(found)} violations; seed {options.seed}"
    )
    did_work = min(len(storm.history.done), kills, faults) > 0
    if found or not did_work:
        history = {"violations": found, "seed": options.seed, **asdict(storm.history)}
        (folder / "history.json").write_text(json.dumps(history, indent=1))
        (folder / "items.json").write_text(json.dumps(items, default=str))
        console.print(f"kept in {folder}")
    return 1 if found or not did_work else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--faults", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    folder = options.keep or Path(tempfile.mkdtemp(prefix="guildhall-storm-"))
    folder.mkdir(parents=True, exist_ok=True)
    return asyncio.run(run(options, folder))


if __name__ == "__main__":
    sys.exit(main())
