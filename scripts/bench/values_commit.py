"""What a commit of values costs: calls, items, bytes and time, by the size of the tree.

    .venv/bin/python scripts/bench/values_commit.py [--commits 50] [--nodes 200 3000]

On the embedded engine in a folder of its own, through the services (no HTTP). Processor time, of
this process and of the engine, depends least on what else the machine does.
"""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import strawberry

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import app.events.keys  # noqa: F401 (declares what every transaction writes)
from app.core.caller import acting_for
from app.domains.plans.inputs import (
    AddNodeInput,
    CommitValuesInput,
    UpdateNodeInput,
    ValuesOperationInput,
)
from app.domains.plans.types import NodeType
from app.resources import Resources, open_resources
from app.services import Services
from app.settings import Settings
from app.table.gateway import Gateway

UNIT = 1024
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Cost:
    """Write units as DynamoDB bills them: 1 KB each, twice in a transaction."""

    calls: int = 0
    items: int = 0
    size: int = 0
    units: int = 0


@asynccontextmanager
async def counted(table: Gateway) -> AsyncIterator[Cost]:
    cost, real = Cost(), table._call

    async def call(operation: str, **parameters: Any) -> Any:
        cost.calls += 1
        for each in parameters.get("TransactItems", ()):
            size = len(orjson.dumps(next(iter(each.values())).get("Item", {})))
            cost.items += 1
            cost.size += size
            cost.units += 2 * -(-max(size, 1) // UNIT)
        return await real(operation, **parameters)

    table._call = call  # type: ignore[method-assign]
    try:
        yield cost
    finally:
        table._call = real  # type: ignore[method-assign]


def grown(nodes: int) -> CommitValuesInput:
    driver = AddNodeInput(id=strawberry.ID("d"), node_type=NodeType.DRIVER, title="Driver")
    actions = [
        AddNodeInput(
            id=strawberry.ID(f"a{number}"),
            node_type=NodeType.ACTION,
            title=f"Action {number}",
            notes="What it is about, in a sentence.",
            driver_id=strawberry.ID("d"),
        )
        for number in range(nodes - 1)
    ]
    operations = [ValuesOperationInput(add=each) for each in (driver, *actions)]
    return CommitValuesInput(operations=operations).validate()


def renamed(number: int) -> CommitValuesInput:
    change = UpdateNodeInput(id=strawberry.ID("a1"), title=f"Name {number}")
    return CommitValuesInput(operations=[ValuesOperationInput(update=change)]).validate()


def processor_seconds(pid: int) -> float:
    """Linux: user and system time of a process."""
    facts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(facts[11]) + int(facts[12])) / TICKS


def engine_pid() -> int:
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return int(children[0])


async def measure(resources: Resources, nodes: int, commits: int) -> None:
    user = f"bench-{nodes}"
    times: list[float] = []
    await Services(resources, acting_for(user)).values.commit_values(grown(nodes))
    pids = (os.getpid(), engine_pid())
    before = [processor_seconds(pid) for pid in pids]
    async with counted(resources.table) as cost:
        for number in range(commits):
            began = time.perf_counter()
            await Services(resources, acting_for(user)).values.commit_values(renamed(number))
            times.append(time.perf_counter() - began)
    used = [processor_seconds(pid) - was for pid, was in zip(pids, before, strict=True)]
    began = time.perf_counter()
    await Services(resources, acting_for(user)).values.tree(None, None, None)
    read = time.perf_counter() - began
    row = (
        nodes,
        commits,
        f"{statistics.median(times) * 1000:.0f}",
        *(f"{each / commits * 1000:.0f}" for each in used),
        f"{read * 1000:.0f}",
        cost.calls // commits,
        cost.items // commits,
        f"{cost.size / commits / UNIT:.0f}",
        cost.units // commits,
    )
    sys.stdout.write("| " + " | ".join(str(each) for each in row) + " |\n")


async def main(commits: int, sizes: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), port=0, worker=False)
        async with open_resources(settings) as resources:
            heading = "nodes | commits | ms | cpu ms | engine cpu ms | read ms"
            sys.stdout.write(f"| {heading} | calls | items | KB | units |\n{'|---' * 10}|\n")
            for nodes in sizes:
                await measure(resources, nodes, max(2, commits * 200 // max(nodes, 200)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=50)
    parser.add_argument("--nodes", type=int, nargs="+", default=[10, 200, 1_000, 3_000, 5_000])
    arguments = parser.parse_args()
    asyncio.run(main(arguments.commits, arguments.nodes))
