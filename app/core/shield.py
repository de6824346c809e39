"""Work that runs to its end even if the request that began it is cancelled."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
# The event loop itself keeps only weak references to tasks.
_UNDER_WAY: set[asyncio.Task[Any]] = set()


async def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """Continues if the client disconnects or its time is over."""
    task = asyncio.create_task(work)
    _UNDER_WAY.add(task)
    task.add_done_callback(_UNDER_WAY.discard)
    return await asyncio.shield(task)
