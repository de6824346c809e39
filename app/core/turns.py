"""One at a time within this process: spares writers of one record most of the races that the
table would decide anyway. Nothing relies on it being held."""

import asyncio
from weakref import WeakValueDictionary


class Turns:
    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()

    def of(self, name: str) -> asyncio.Lock:
        # A lock belongs to one event loop.
        key = (id(asyncio.get_running_loop()), name)
        return self._locks.setdefault(key, asyncio.Lock())
