"""Guildhall beside what a Node team would build: Apollo Server, GraphQL Yoga and Mercurius.

    scripts/bench/side-by-side [--rounds 5] [--seconds 3] [--only guildhall] [--query task]

One engine, one set of data, one server after the other on one core, in interleaved rounds. Before
anything is measured, all servers must give the same data for every query. See README.md.
"""

import argparse
import asyncio
import itertools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import astuple, dataclass
from pathlib import Path

import orjson
import uvloop
from load import HOST, Load, WrongAnswer, ask, data_of, drive, http_request
from rich import box
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from workload import CASES, Case, Data, filled

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.settings import ROOT
from app.table.engine import DIE_WITH_PARENT, EmbeddedEngine, reserve_port

NODE = Path(__file__).resolve().parent / "node"
GUILDHALL, REPLAY = "guildhall", "replay"
SERVERS = (GUILDHALL, "apollo", "yoga", "mercurius", REPLAY)
CONNECTIONS = 16
START_SECONDS = 30.0
WARM_AFTER, LONGEST_WARM_UP = 1_000, 30.0
TICKS = os.sysconf("SC_CLK_TCK")

console = Console(width=max(100, Console().width))


@dataclass(frozen=True, slots=True)
class Server:
    name: str
    port: int
    process: Process

    def cpu_seconds(self) -> float:
        """Of all its threads, so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def megabytes(self) -> float:
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


@dataclass(frozen=True, slots=True)
class Sample:
    """`cpu`: seconds of processor time for one request. `busy`: the share of the time in which the
    server had the processor; far below 1, something else was the bottleneck."""

    rate: float
    p50: float
    p99: float
    cpu: float
    busy: float

    @classmethod
    def of(cls, load: Load, cpu_seconds: float) -> "Sample":
        times, count = sorted(load.latencies), len(load.latencies)
        return cls(
            rate=count / load.seconds,
            p50=times[count // 2],
            p99=times[min(count - 1, count * 99 // 100)],
            cpu=cpu_seconds / count,
            busy=cpu_seconds / load.seconds,
        )


Samples = dict[tuple[str, str], list[Sample]]


def cores() -> tuple[set[int], set[int]]:
    """One core for the server that is measured, the others for the engine and the generator."""
    there = sorted(os.sched_getaffinity(0))
    return ({there[-1]}, set(there[:-1])) if len(there) > 1 else (set(there), set(there))


def pinned(core: set[int]) -> list[str]:
    program = shutil.which("taskset")
    return [program, "-c", ",".join(map(str, core))] if program else []


def command(name: str) -> list[str]:
    if name == GUILDHALL:
        return [sys.executable, "-m", "app", "serve"]
    return [shutil.which("node") or "node", str(NODE / f"{name}.mjs")]


def environment(data: Data, port: int, folder: Path) -> dict[str, str]:
    """As in production, on the engine instead of AWS."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "PORT": str(port),
        "STAGE": "production",
        "NODE_ENV": "production",
        "ENDPOINT_URL": data.endpoint,
        "TABLE_NAME": data.table,
        "AWS_REGION": data.region,
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "SECRET_KEY": data.secret,
        "PUBLIC_URL": data.issuer,
        "ISSUER": data.issuer,
        "PUBLIC_KEY": data.public_key,
        "ANSWERS": str(folder / "answers.json"),
    }


@asynccontextmanager
async def running(name: str, data: Data, folder: Path, core: set[int]) -> AsyncIterator[Server]:
    with reserve_port() as reservation, (folder / f"{name}.log").open("wb") as log:
        port: int = reservation.getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-ISc", DIE_WITH_PARENT, str(os.getpid())),
            *pinned(core),
            *command(name),
            cwd=folder,  # where there is no .env
            env=environment(data, port, folder),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            await _until_it_listens(name, port, process, folder)
            yield Server(name, port, process)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def _until_it_listens(name: str, port: int, process: Process, folder: Path) -> None:
    async with asyncio.timeout(START_SECONDS):
        while process.returncode is None:
            try:
                _, writer = await asyncio.open_connection(HOST, port)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                return
    raise SystemExit(f"{name} does not start: {(folder / f'{name}.log').read_text()[-2000:]}")


def requests_of(case: Case, data: Data) -> list[bytes]:
    bodies = [case.body(data, number) for number in range(CONNECTIONS)]
    return [http_request(body, data.token) for body in bodies]


async def check_answers(
    servers: Iterable[Server], data: Data, cases: Iterable[Case]
) -> dict[str, list[object]]:
    """For each case the data of each connection's answer; raises if two servers disagree."""
    expected: dict[str, list[object]] = {}
    for case in cases:
        for server in servers:
            found = [await ask(server.port, each) for each in requests_of(case, data)]
            if expected.setdefault(case.name, found) != found:
                text = orjson.dumps(found[0]).decode()
                raise WrongAnswer(f"{server.name} differs in {case.name}: {text[:500]}")
    return expected


def replayed(expected: dict[str, list[object]], data: Data) -> bytes:
    """What `replay` answers to each request."""
    return orjson.dumps(
        {
            case.body(data, number).decode(): orjson.dumps({"data": answer}).decode()
            for case in CASES
            for number, answer in enumerate(expected.get(case.name, ()))
        }
    )


async def measure(
    server: Server, case: Case, data: Data, expected: list[object], seconds: float
) -> Sample:
    before = server.cpu_seconds()
    load = await drive(server.port, requests_of(case, data), seconds)
    used = server.cpu_seconds() - before
    if [data_of(answer) for answer in load.answers] != expected:
        raise WrongAnswer(f"{server.name} gave another answer for {case.name} under load")
    return Sample.of(load, used)


async def warm_up(server: Server, case: Case, data: Data) -> None:
    """By number, within reason: V8 compiles what it has seen often, however slow the machine is."""
    answered, until = 0, time.monotonic() + LONGEST_WARM_UP
    while answered < WARM_AFTER and time.monotonic() < until:
        load = await drive(server.port, requests_of(case, data), seconds=1)
        answered += len(load.latencies)


async def compare(
    servers: list[Server],
    data: Data,
    expected: dict[str, list[object]],
    options: argparse.Namespace,
) -> Samples:
    """Interleaved, so that what else the machine does strikes all of them alike."""
    cases = [case for case in CASES if case.name in expected]
    samples: Samples = {(case.name, each.name): [] for case in cases for each in servers}
    turns = list(itertools.product(range(options.rounds + 1), cases, servers))
    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        shown = progress.add_task("", total=len(turns))
        for number, case, server in turns:
            step = f"round {number}" if number else "warming up"
            progress.update(shown, description=f"{step}: {case.name}, {server.name}")
            if number:
                sample = await measure(server, case, data, expected[case.name], options.seconds)
                samples[case.name, server.name].append(sample)
            else:
                await warm_up(server, case, data)
            progress.advance(shown)
    return samples


def show(samples: Samples, servers: list[Server]) -> None:
    table = Table(box=box.MARKDOWN)
    for heading in ("query", "server"):
        table.add_column(heading)
    for heading in ("requests/s", "p50 ms", "p99 ms", "CPU ms", f"to {servers[0].name}", "busy"):
        table.add_column(heading, justify="right")
    for (case, name), found in samples.items():
        middle = Sample(*map(statistics.median, zip(*map(astuple, found), strict=True)))
        ours = statistics.median(each.cpu for each in samples[case, servers[0].name])
        table.add_row(
            case,
            name,
            f"{middle.rate:,.0f}",
            f"{middle.p50 * 1000:.1f}",
            f"{middle.p99 * 1000:.1f}",
            f"{middle.cpu * 1000:.2f}",
            f"{middle.cpu / ours:.2f}",
            f"{middle.busy:.0%}",
        )
    console.print(table)
    memory = ", ".join(f"{each.name} {each.megabytes():.0f}" for each in servers)
    console.print(f"Memory at the end, MB: {memory}", highlight=False)


def introduce(options: argparse.Namespace) -> None:
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    load = os.getloadavg()[0]
    console.print(
        f"Python {sys.version.split()[0]}, Node {node.stdout.strip()}; {CONNECTIONS} connections; "
        f"medians of {options.rounds} rounds of {options.seconds:g} s; load before: {load:.1f}",
        highlight=False,
    )
    if not shutil.which("taskset") or os.cpu_count() == 1:
        console.print("The servers share their core: read CPU ms only.", style="yellow")
    if load > 0.5:
        console.print("The machine is busy: only the ratios within this run count.", style="yellow")


async def main(options: argparse.Namespace) -> None:
    for_server, for_others = cores()
    os.sched_setaffinity(0, for_others)  # the engine, our child, has it from us
    names = [each for each in SERVERS if each in (options.only or SERVERS)]
    introduce(options)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        engine = EmbeddedEngine(folder / "engine", ROOT / "node_modules")
        data = await filled(await stack.enter_async_context(engine))

        async def start(name: str) -> Server:
            return await stack.enter_async_context(running(name, data, folder, for_server))

        servers = [await start(name) for name in names if name != REPLAY]
        cases = [case for case in CASES if case.name in (options.query or case.name)]
        expected = await check_answers(servers, data, cases)
        console.print(f"{', '.join(each.name for each in servers)}: the same answers.")
        if REPLAY in names:
            (folder / "answers.json").write_bytes(replayed(expected, data))
            servers.append(await start(REPLAY))
        show(await compare(servers, data, expected, options), servers)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Guildhall beside three Node servers.")
    parser.add_argument("--seconds", type=float, default=3.0, help="of one measurement")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", action="append", choices=SERVERS, help="may be repeated")
    names = [case.name for case in CASES]
    parser.add_argument("--query", action="append", choices=names, help="may be repeated")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        uvloop.run(main(parsed()))
    except WrongAnswer as problem:
        console.print(f"[red]The servers do not agree.[/] {problem}", highlight=False)
        raise SystemExit(1) from None
