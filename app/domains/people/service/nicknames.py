"""Nicknames are unique in two ways: by their normal form, and by what they look like.

Servers of the release before write no skeleton locks and leave them when a user is renamed, so such
a lock counts only while its holder has a nickname that looks like it.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.core.clock import instant
from app.core.confusables import is_reserved, looks_latin, nickname_skeletons
from app.core.errors import Conflict, StaleVersion
from app.core.scalars import AWSDateTime
from app.domains.people import keys
from app.domains.people.errors import NicknameTaken
from app.domains.people.types import NicknameLock, NicknameSkeletonLock, User
from app.resources import Resources
from app.table.conditions import Condition, attr
from app.table.gateway import Gateway
from app.table.writes import Delete, Write, put_if_absent


@dataclass(frozen=True, slots=True)
class Nicknames:
    table: Gateway
    now: AWSDateTime

    async def is_free(self, nickname: str) -> bool:
        if is_reserved(nickname) or looks_latin(nickname):
            return False
        if await self.table.get(keys.nickname_lock(nickname)):
            return False
        found = await self._locks_and_holders(nickname)
        return not any(_counts(lock, holder) for lock, holder in found)

    async def _locks_and_holders(
        self, nickname: str
    ) -> list[tuple[NicknameSkeletonLock, User | None]]:
        locks = await self._locks(nickname_skeletons(nickname))
        holders = await self.table.get_many([keys.user(lock.user_id) for lock in locks])
        return list(zip(locks, holders, strict=True))

    async def _locks(self, skeletons: Sequence[str]) -> list[NicknameSkeletonLock]:
        wanted = [keys.nickname_skeleton_lock(each) for each in skeletons]
        return [lock for lock in await self.table.get_many(wanted) if lock]

    async def drop_stale_locks(self, nickname: str) -> None:
        """Before the nickname is reserved."""
        for lock, holder in await self._locks_and_holders(nickname):
            if not _counts(lock, holder):
                same = attr("userId").equals(lock.user_id)
                with contextlib.suppress(Conflict):
                    await self.table.write(Delete(keys.nickname_skeleton_lock(lock.skeleton), same))

    def reserve(self, user: User, old: User | None = None) -> list[Write]:
        """What the old nickname has already is not reserved again: of several users of the release
        before whose nicknames look alike, only one has the lock."""
        taken = NicknameTaken(user.nickname)
        known = {*old.nickname_skeletons} if old else set()
        locks: list[NicknameLock | NicknameSkeletonLock] = [
            lock for lock in self.skeleton_locks(user) if lock.skeleton not in known
        ]
        if old is None or user.nickname_key != old.nickname_key:
            locks.append(NicknameLock(**self._stamp(user), nickname=user.nickname_key))
        return [put_if_absent(lock, otherwise=taken) for lock in locks]

    async def release(self, old: User, new: User | None = None) -> list[Write]:
        """The locks of the old nickname that the new one does not need."""
        needed = {*new.nickname_skeletons} if new else set()
        late = StaleVersion("profile", None)
        writes: list[Write] = [
            Delete(keys.nickname_skeleton_lock(lock.skeleton), _is_of(old), late)
            for lock in await self._locks(old.nickname_skeletons)
            if lock.user_id == old.id and lock.skeleton not in needed
        ]
        if new is None or new.nickname_key != old.nickname_key:
            writes.append(Delete(keys.nickname_lock(old.nickname), when=_is_of(old)))
        return writes

    def skeleton_locks(self, user: User) -> list[NicknameSkeletonLock]:
        stamp = self._stamp(user)
        return [NicknameSkeletonLock(**stamp, skeleton=each) for each in user.nickname_skeletons]

    def _stamp(self, user: User) -> dict[str, Any]:
        return {"created_at": self.now, "updated_at": self.now, "user_id": user.id}


def _counts(lock: NicknameSkeletonLock, holder: User | None) -> bool:
    return holder is not None and lock.skeleton in holder.nickname_skeletons


def _is_of(user: User) -> Condition:
    return attr("userId").equals(user.id)


async def lock_skeletons(resources: Resources, user: User) -> User:
    """For the migration. Of several users whose nicknames look alike, the first gets the lock; all
    of them keep their nicknames."""
    nicknames = Nicknames(resources.table, instant(resources.clock.now()))
    await nicknames.drop_stale_locks(user.nickname)
    for lock in nicknames.skeleton_locks(user):
        with contextlib.suppress(NicknameTaken):
            await resources.table.write(put_if_absent(lock, NicknameTaken(user.nickname)))
    return replace(user, skeleton_locked=True)
