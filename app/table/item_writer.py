"""Writes many items that nothing refers to yet: not all or nothing, and without conditions."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from app.table.codec import Wire
from app.table.transaction import MOST_IN_A_TRANSACTION

TRANSACTIONS_AT_ONCE = 8


class ItemWriter:
    def __init__(self, table: str, send: Callable[[Sequence[Wire]], Awaitable[None]]) -> None:
        """`send`: sends one transaction."""
        self._table = table
        self._send = send

    async def put(self, items: Sequence[Wire]) -> None:
        """The first hundred, of which one may lead to the others, before the rest."""
        requests = [{"Put": {"TableName": self._table, "Item": item}} for item in items]
        await self._send_parts(requests[:MOST_IN_A_TRANSACTION])
        await self._send_parts(requests[MOST_IN_A_TRANSACTION:])

    async def delete(self, items: Sequence[Wire]) -> None:
        keys = [{"PK": item["PK"], "SK": item["SK"]} for item in items]
        await self._send_parts([{"Delete": {"TableName": self._table, "Key": key}} for key in keys])

    async def _send_parts(self, requests: Sequence[Wire]) -> None:
        """Returns or raises when every part has ended: whoever removes what was written must not
        be overtaken by a part that is still on its way."""
        size = MOST_IN_A_TRANSACTION
        parts = [requests[start : start + size] for start in range(0, len(requests), size)]
        slots = asyncio.Semaphore(TRANSACTIONS_AT_ONCE)

        async def send(part: Sequence[Wire]) -> None:
            async with slots:
                await self._send(part)

        ended = await asyncio.gather(*(send(part) for part in parts), return_exceptions=True)
        for error in ended:
            if error is not None:
                raise error
