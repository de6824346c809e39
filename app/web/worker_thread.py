"""One thread for long computations, so that the event loop goes on answering others.

One, because the interpreter runs one thread at a time: more would only take more turns from the
event loop.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="long-computation")


async def in_worker_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_THREAD, partial(work, *args, **kwargs))
