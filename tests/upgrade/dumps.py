"""Dumps of whole tables: one item a line, as DynamoDB writes it, sorted by key."""

import gzip
import json
from pathlib import Path

from tests.upgrade.internals import Gateway, Item, decode

BATCH = 25


async def scan(table: Gateway) -> list[Item]:
    pages = table.client.get_paginator("scan").paginate(TableName=table.table, ConsistentRead=True)
    found = [item async for page in pages for item in page["Items"]]
    return sorted(found, key=lambda item: (item["PK"]["S"], item["SK"]["S"]))


async def load(table: Gateway, items: list[Item]) -> None:
    for start in range(0, len(items), BATCH):
        requests = [{"PutRequest": {"Item": item}} for item in items[start : start + BATCH]]
        answer = await table.client.batch_write_item(RequestItems={table.table: requests})
        assert not answer["UnprocessedItems"]


def write_dump(file: Path, items: list[Item]) -> None:
    lines = [json.dumps(item, ensure_ascii=False, sort_keys=True) + "\n" for item in items]
    # Without a time and a name in its header, the same items give the same file.
    file.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))


def read_dump(file: Path) -> list[Item]:
    return [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]


class Dump:
    """Its items, and of each kind of record the attributes as plain values."""

    def __init__(self, file: Path) -> None:
        self.items = read_dump(file)
        self._records: dict[str, list[Item]] = {}
        for item in self.items:
            plain = {name: decode(value) for name, value in item.items()}
            self._records.setdefault(plain["entityType"], []).append(plain)

    @property
    def kinds(self) -> set[str]:
        return set(self._records)

    def all(self, kind: str, **wanted: object) -> list[Item]:
        return [each for each in self._records[kind] if wanted.items() <= each.items()]

    def one(self, kind: str, **wanted: object) -> Item:
        (found,) = self.all(kind, **wanted)
        return found
