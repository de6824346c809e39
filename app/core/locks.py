"""Locks by name within this process. They spare writers of one record most of the races that the
table decides anyway; nothing relies on them."""

import asyncio
from weakref import WeakValueDictionary


class KeyedLock:
    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()

    def hold(self, name: str) -> asyncio.Lock:
        # A lock belongs to one event loop.
        key = (id(asyncio.get_running_loop()), name)
        return self._locks.setdefault(key, asyncio.Lock())
