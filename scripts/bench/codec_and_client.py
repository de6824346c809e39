"""What the generated codec and the direct client save, in processor time.

    .venv/bin/python scripts/bench/codec_and_client.py

Starts an embedded engine in a temporary folder and leaves nothing behind. The results stand in
README.md beside this file.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import strawberry
from boto3.dynamodb.types import TypeDeserializer  # type: ignore[import-untyped]

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.core.scalars import AWSDateTime
from app.domains.goals import keys as _register_entities  # noqa: F401
from app.domains.goals.types import Task
from app.settings import ROOT
from app.table.codec import attributes_of, decoder_of
from app.table.definition import create_table
from app.table.engine import EmbeddedEngine
from app.table.gateway import Gateway
from app.table.writes import item_of

MADE = AWSDateTime("2026-01-10T10:00:00.000Z")
TASK = Task(
    created_at=MADE,
    updated_at=MADE,
    id=strawberry.ID("t1"),
    user_id="ada",
    title="x" * 40,
    tags=["a", "b"],
    due_at=MADE,
)
ITEM = item_of(TASK)
TABLE = "bench"
ROUNDS = 3


def microseconds(work: Callable[[], object], times: int = 5_000) -> float:
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times * 1e6


async def milliseconds(work: Callable[[], Awaitable[object]], times: int) -> float:
    start = time.process_time()
    for _ in range(times):
        await work()
    return (time.process_time() - start) / times * 1e3


def measure_codec() -> None:
    decode, deserializer = decoder_of(Task), TypeDeserializer()
    names = {attribute: name for name, attribute in attributes_of(Task)}

    def by_boto() -> Task:
        stored = {key: value for key, value in ITEM.items() if key in names}
        return Task(**{names[key]: deserializer.deserialize(stored[key]) for key in stored})

    for _ in range(ROUNDS):
        generated, boto = microseconds(lambda: decode(ITEM)), microseconds(by_boto)
        sys.stdout.write(f"decode a task: generated {generated:.1f} µs, boto3 {boto:.1f} µs\n")


async def measure_client(direct: Any, boto: Any) -> None:
    key = {"PK": ITEM["PK"], "SK": ITEM["SK"]}
    query = {
        "KeyConditionExpression": "PK = :pk",
        "ExpressionAttributeValues": {":pk": ITEM["PK"]},
    }

    async def both(name: str, times: int, call: Callable[[Any], Awaitable[object]]) -> None:
        for _ in range(ROUNDS):
            ours = await milliseconds(lambda: call(direct), times)
            theirs = await milliseconds(lambda: call(boto), times)
            sys.stdout.write(f"{name}: direct {ours:.2f} ms, aioboto3 {theirs:.2f} ms\n")

    await both("get_item", 400, lambda client: client.get_item(TableName=TABLE, Key=key))
    await both("query of 100 tasks", 60, lambda client: client.query(TableName=TABLE, **query))


async def main() -> None:
    measure_codec()
    with tempfile.TemporaryDirectory() as folder:
        async with (
            EmbeddedEngine(Path(folder), ROOT / "node_modules") as endpoint,
            Gateway.open(table=TABLE, region="us-east-1", endpoint=endpoint) as gateway,
        ):
            await create_table(gateway)
            for number in range(100):
                item = ITEM | ({"SK": {"S": f"TASK#{number:03}"}} if number else {})
                await gateway.client.put_item(TableName=TABLE, Item=item)
            await measure_client(gateway.client, gateway.client._client)


if __name__ == "__main__":
    asyncio.run(main())
