"""Reads within one event-loop tick are sent as one BatchGetItem.

There is no cache: a read in a later tick reads the item again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from app.table.projection import NO_ATTRIBUTES, AttributeNames, union

Item = dict[str, Any]
KeyPair = tuple[str, str]
FetchItems = Callable[[list[KeyPair], AttributeNames], Awaitable[list[Item]]]
MOST_IN_A_BATCH = 100


class Loader:
    def __init__(self, fetch: FetchItems) -> None:
        self._fetch = fetch
        self._attributes = NO_ATTRIBUTES
        self._waiting: dict[KeyPair, asyncio.Future[Item | None]] = {}
        self._batches: set[asyncio.Task[None]] = set()

    async def load(self, key: KeyPair, attributes: AttributeNames = None) -> Item | None:
        """At least these attributes: a batch reads the attributes of all its reads."""
        (item,) = await self.load_many([key], attributes)
        return item

    async def load_many(
        self, keys: Sequence[KeyPair], attributes: AttributeNames = None
    ) -> list[Item | None]:
        self._attributes = union(self._attributes, attributes)
        futures = [self._waiting.get(key) or self._join(key) for key in keys]
        # Shielded: if one reader is cancelled, others may wait for the same future.
        return [await asyncio.shield(future) for future in futures]

    def _join(self, key: KeyPair) -> "asyncio.Future[Item | None]":
        loop = asyncio.get_running_loop()
        if not self._waiting:
            # Two ticks, because tasks of asyncio.gather start one tick after a direct await.
            loop.call_soon(loop.call_soon, self._send)
        future = self._waiting[key] = loop.create_future()
        return future

    def _send(self) -> None:
        waiting, self._waiting = list(self._waiting.items()), {}
        attributes, self._attributes = self._attributes, NO_ATTRIBUTES
        for start in range(0, len(waiting), MOST_IN_A_BATCH):
            batch = dict(waiting[start : start + MOST_IN_A_BATCH])
            task = asyncio.create_task(self._answer(batch, attributes))
            self._batches.add(task)
            task.add_done_callback(self._batches.discard)

    async def _answer(
        self, batch: "dict[KeyPair, asyncio.Future[Item | None]]", attributes: AttributeNames
    ) -> None:
        try:
            items = await self._fetch(list(batch), attributes)
        except BaseException as error:  # raised in every reader of the batch
            for future in batch.values():
                future.set_exception(error)
                future.exception()
            if not isinstance(error, Exception):
                raise
            return
        found = {(item["PK"]["S"], item["SK"]["S"]): item for item in items}
        for key, future in batch.items():
            future.set_result(found.get(key))
