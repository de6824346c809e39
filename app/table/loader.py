"""Single reads that fall into one moment of the event loop become one BatchGetItem.

It keeps nothing: a record read a moment later is read anew.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from app.table.projection import NONE_YET, Attributes, either

Item = dict[str, Any]
KeyPair = tuple[str, str]
Fetch = Callable[[list[KeyPair], Attributes], Awaitable[list[Item]]]
MOST_IN_A_BATCH = 100


class Loader:
    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._asked = NONE_YET
        self._waiting: dict[KeyPair, asyncio.Future[Item | None]] = {}
        self._batches: set[asyncio.Task[None]] = set()

    async def load(self, key: KeyPair, attributes: Attributes = None) -> Item | None:
        """At least these attributes: a batch is asked for what serves all who are in it."""
        (item,) = await self.load_many([key], attributes)
        return item

    async def load_many(
        self, keys: Sequence[KeyPair], attributes: Attributes = None
    ) -> list[Item | None]:
        self._asked = either(self._asked, attributes)
        futures = [self._waiting.get(key) or self._join(key) for key in keys]
        # Shielded: a future may have other readers than the one who gives up.
        return [await asyncio.shield(future) for future in futures]

    def _join(self, key: KeyPair) -> "asyncio.Future[Item | None]":
        loop = asyncio.get_running_loop()
        if not self._waiting:
            # Two turns: who gathers several reads begins them one turn after those who do not.
            loop.call_soon(loop.call_soon, self._send)
        future = self._waiting[key] = loop.create_future()
        return future

    def _send(self) -> None:
        waiting, self._waiting = list(self._waiting.items()), {}
        asked, self._asked = self._asked, NONE_YET
        for start in range(0, len(waiting), MOST_IN_A_BATCH):
            batch = dict(waiting[start : start + MOST_IN_A_BATCH])
            task = asyncio.create_task(self._answer(batch, asked))
            self._batches.add(task)
            task.add_done_callback(self._batches.discard)

    async def _answer(
        self, batch: "dict[KeyPair, asyncio.Future[Item | None]]", asked: Attributes
    ) -> None:
        try:
            items = await self._fetch(list(batch), asked)
        except BaseException as error:  # handed to every reader of the batch
            for future in batch.values():
                future.set_exception(error)
                future.exception()
            if not isinstance(error, Exception):
                raise
            return
        found = {(item["PK"]["S"], item["SK"]["S"]): item for item in items}
        for key, future in batch.items():
            future.set_result(found.get(key))
