"""Threads for long computations, so that the event loop goes on answering others.

One for what requests wait for, one for what takes half a second: the interpreter runs one thread at
a time, more would only take more turns from the event loop.
"""

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

# While a thread computes, the event loop gets the interpreter back after so long. It needs it
# several times for one request.
SWITCH_SECONDS = 0.001
_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="long-computation")
_SLOW_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="introspection")


def favour_event_loop() -> None:
    sys.setswitchinterval(SWITCH_SECONDS)


async def in_worker_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_THREAD, partial(work, *args, **kwargs))


async def in_slow_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_SLOW_THREAD, partial(work, *args, **kwargs))
