"""Passwords: argon2id, off the event loop; as slow for an unknown account as for a known one."""

import asyncio
from weakref import WeakValueDictionary

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

# argon2 gives up the interpreter's lock while it works, so a thread does not stop the others;
# few at a time, because each takes memory.
MOST_AT_ONCE = 4


class Passwords:
    def __init__(self, memory_kib: int) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=memory_kib, parallelism=1)
        self._turn = asyncio.Semaphore(MOST_AT_ONCE)
        self._nobody = self._hasher.hash("nobody")
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def one_at_a_time(self, account: str) -> asyncio.Lock:
        """Guesses sent in parallel must not all be counted after the fact."""
        return self._turns.setdefault(account, asyncio.Lock())

    async def hash(self, password: str) -> str:
        async with self._turn:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def matches(self, password: str, hashed: str | None) -> bool:
        async with self._turn:
            return await asyncio.to_thread(self._verify, password, hashed)

    def _verify(self, password: str, hashed: str | None) -> bool:
        try:
            against = self._nobody if hashed is None else hashed
            return self._hasher.verify(against, password) and hashed is not None
        except (VerificationError, InvalidHashError):
            return False
