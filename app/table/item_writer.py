"""Writes many items that nothing refers to yet: not all or nothing, and without conditions."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from app.table.codec import Wire
from app.table.transaction import MOST_IN_A_TRANSACTION

REQUESTS_AT_ONCE = 8
MOST_IN_A_BATCH_WRITE = 25
Send = Callable[[list[Wire]], Awaitable[None]]


class ItemWriter(ABC):
    size: ClassVar[int]

    def __init__(self, table: str, send: Send) -> None:
        """`send`: sends one part."""
        self.table = table
        self._send = send

    @abstractmethod
    def put_request(self, item: Wire) -> Wire: ...

    @abstractmethod
    def delete_request(self, key: Wire) -> Wire: ...

    async def put(self, items: Sequence[Wire]) -> None:
        """The first part, of which one item may lead to the others, before the rest."""
        requests = [self.put_request(item) for item in items]
        await self._send_parts(requests[: self.size])
        await self._send_parts(requests[self.size :])

    async def delete(self, items: Sequence[Wire]) -> None:
        keys = ({"PK": item["PK"], "SK": item["SK"]} for item in items)
        await self._send_parts([self.delete_request(key) for key in keys])

    async def _send_parts(self, requests: list[Wire]) -> None:
        """Returns or raises when every part has ended: whoever removes what was written must not
        be overtaken by a part that is still on its way."""
        starts = range(0, len(requests), self.size)
        slots = asyncio.Semaphore(REQUESTS_AT_ONCE)

        async def send(start: int) -> None:
            async with slots:
                await self._send(requests[start : start + self.size])

        ended = await asyncio.gather(*(send(start) for start in starts), return_exceptions=True)
        for error in ended:
            if error is not None:
                raise error


class TransactionWriter(ItemWriter):
    """For the embedded engine, which syncs the disk for each item of a batch, and once for a
    transaction."""

    size = MOST_IN_A_TRANSACTION

    def put_request(self, item: Wire) -> Wire:
        return {"Put": {"TableName": self.table, "Item": item}}

    def delete_request(self, key: Wire) -> Wire:
        return {"Delete": {"TableName": self.table, "Key": key}}


class BatchWriter(ItemWriter):
    """For DynamoDB, which bills a transaction twice."""

    size = MOST_IN_A_BATCH_WRITE

    def put_request(self, item: Wire) -> Wire:
        return {"PutRequest": {"Item": item}}

    def delete_request(self, key: Wire) -> Wire:
        return {"DeleteRequest": {"Key": key}}
