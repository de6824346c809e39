"""One attempt of a commit: from the first read of its decision to the end of its transaction.

Most decisions need nothing of it. One that writes items ahead of its transaction, because they are
too many for it, registers how to remove them; one that wants to keep other writers out until the
transaction has ended lets the attempt hold the lock.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from types import TracebackType
from typing import Self

from app.core.errors import AppError, OutcomeUnknown

_CURRENT: ContextVar["Attempt | None"] = ContextVar("attempt", default=None)


class Attempt:
    def __init__(self) -> None:
        self._lock: asyncio.Lock | None = None
        self._clean_ups: list[Callable[[], Awaitable[None]]] = []

    async def hold(self, lock: asyncio.Lock) -> None:
        """Until the attempt has ended. An attempt that holds a lock takes no second one: two
        attempts could wait for each other."""
        if self._lock is None:
            await lock.acquire()
            self._lock = lock

    def on_refused(self, clean_up: Callable[[], Awaitable[None]]) -> None:
        """To be called if nothing was committed. Not called if the outcome is unknown."""
        self._clean_ups.append(clean_up)

    async def __aenter__(self) -> Self:
        self._token = _CURRENT.set(self)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _CURRENT.reset(self._token)
        try:
            if isinstance(error, AppError) and not isinstance(error, OutcomeUnknown):
                for clean_up in self._clean_ups:
                    await clean_up()
        finally:
            if self._lock is not None:
                self._lock.release()


def current_attempt() -> Attempt | None:
    """None outside of a commit."""
    return _CURRENT.get()
