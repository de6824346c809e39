"""Single reads that fall into one moment of the event loop become one BatchGetItem.

It keeps nothing: a record read a moment later is read anew.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

Item = dict[str, Any]
KeyPair = tuple[str, str]
MOST_IN_A_BATCH = 100


class Loader:
    def __init__(self, fetch: Callable[[list[KeyPair]], Awaitable[list[Item]]]) -> None:
        self._fetch = fetch
        self._waiting: dict[KeyPair, asyncio.Future[Item | None]] = {}
        self._batches: set[asyncio.Task[None]] = set()

    async def load(self, key: KeyPair) -> Item | None:
        future = self._waiting.get(key)
        if future is None:
            future = self._join(key)
        # Shielded: the future may have other readers than the one who gives up.
        return await asyncio.shield(future)

    def _join(self, key: KeyPair) -> "asyncio.Future[Item | None]":
        loop = asyncio.get_running_loop()
        if not self._waiting:
            # Two turns: who gathers several reads begins them one turn after those who do not.
            loop.call_soon(loop.call_soon, self._send)
        future = self._waiting[key] = loop.create_future()
        return future

    def _send(self) -> None:
        waiting, self._waiting = list(self._waiting.items()), {}
        for start in range(0, len(waiting), MOST_IN_A_BATCH):
            batch = dict(waiting[start : start + MOST_IN_A_BATCH])
            task = asyncio.create_task(self._answer(batch))
            self._batches.add(task)
            task.add_done_callback(self._batches.discard)

    async def _answer(self, batch: "dict[KeyPair, asyncio.Future[Item | None]]") -> None:
        try:
            items = await self._fetch(list(batch))
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
