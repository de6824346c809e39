"""Password hashing with argon2id, off the event loop. Checking takes as long for an unknown account
as for a known one."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.core.locks import KeyedLock

# argon2 releases the interpreter lock, so a thread does not stop the others. Few run at a time,
# because each takes memory.
MOST_AT_ONCE = 4


class Passwords:
    def __init__(self, memory_kib: int) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=memory_kib, parallelism=1)
        self._threads = asyncio.Semaphore(MOST_AT_ONCE)
        self._dummy_hash = self._hasher.hash("no such account")
        # Held per account while a password is checked: parallel guesses would all pass the limit
        # before the first one is counted.
        self.attempts = KeyedLock()

    async def hash(self, password: str) -> str:
        async with self._threads:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def matches(self, password: str, hashed: str | None) -> bool:
        async with self._threads:
            return await asyncio.to_thread(self._verify, password, hashed)

    def _verify(self, password: str, hashed: str | None) -> bool:
        try:
            against = self._dummy_hash if hashed is None else hashed
            return self._hasher.verify(against, password) and hashed is not None
        except (VerificationError, InvalidHashError):
            return False
