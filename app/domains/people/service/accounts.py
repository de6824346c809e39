"""A whole account: taken along as data, laid to rest, or erased with everything in it."""

from collections.abc import AsyncIterator
from typing import Any

import orjson

from app.core.caller import ADMINS, MODERATORS, Caller
from app.core.clock import instant
from app.core.errors import BadInput, NotFound
from app.core.scalars import AWSJSON
from app.domains.people import keys
from app.domains.people.inputs import DeleteAccountInput
from app.domains.people.repository import PeopleRepository
from app.domains.people.service.identity import Identity
from app.domains.people.service.profiles import Profiles
from app.domains.people.types import User, UserStatus
from app.domains.service import Service
from app.resources import Resources
from app.table.codec import Wire, decode, decoder_of
from app.table.conditions import attr
from app.table.entity import ENTITIES
from app.table.writes import Delete, replace

KEY_ATTRIBUTES = ("PK", "SK", "GSI")
LAST_TO_GO = frozenset({"User", "UserStats"})
BATCH = 100


class Accounts(Service):
    def __init__(
        self, resources: Resources, caller: Caller, profiles: Profiles, identity: Identity
    ) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.identity = identity
        self.repository = PeopleRepository(resources.table)

    async def export(self) -> AWSJSON:
        """Everything the caller has, by type; secrets (password hash, sessions) stay here."""
        found: dict[str, list[dict[str, Any]]] = {}
        async for item in self._items(self.caller.user_id):
            name = item["entityType"]["S"]
            if name in ENTITIES and not ENTITIES[name].secret:
                found.setdefault(name, []).append(_plain(item))
        return AWSJSON(orjson.dumps(found, default=str).decode())

    async def deactivate(self) -> User:
        old = await self.profiles.me()
        new = old.evolve(self.now, status=UserStatus.deactivated)
        await self.table.write(replace(new, old, "profile"))
        await self._end_sessions(old.id)
        return new

    async def delete(self, request: DeleteAccountInput) -> User:
        user = await self.profiles.me()
        if request.confirm_nickname != user.nickname:
            raise BadInput("This is not your nickname.", field="input.confirmNickname")
        if await self.identity.has_password():
            await self.identity.check_password(request.password or "")
        leaving = user.evolve(
            self.now, status=UserStatus.deleting, deleting_since=user.deleting_since or self.now
        )
        await self.table.write(replace(leaving, user, "profile"))
        await self.erase(leaving)
        return leaving

    async def erase(self, user: User) -> None:
        """May be broken off and begun again: the profile, which names the rest, goes last."""
        await self._end_sessions(user.id)
        doomed: list[tuple[str, str]] = []
        async for item in self._items(user.id):
            if item["entityType"]["S"] not in LAST_TO_GO:
                doomed.append((item["PK"]["S"], item["SK"]["S"]))
            if len(doomed) >= BATCH:
                await self.table.delete_many(doomed)
                doomed.clear()
        await self.table.delete_many(doomed)
        await self._erase_profile(user)

    async def _erase_profile(self, user: User) -> None:
        mine = attr("userId").equals(user.id)
        await self.table.write(
            Delete(keys.user(user.id)),
            Delete(keys.stats_of_user(user.id)),
            Delete(keys.nickname_lock(user.nickname), when=mine),
            *([Delete(keys.email_lock(user.email), when=mine)] if user.email else []),
        )

    async def _end_sessions(self, user_id: str) -> None:
        for session in await self.repository.sessions_of_user(user_id):
            await self.identity.end_session(session)
        self.resources.standing.forget(user_id)

    async def _items(self, user_id: str) -> AsyncIterator[Wire]:
        """Whatever lies in the user's partition and in the partitions that its records own."""
        async for item in self.table.partition(keys.user(user_id).pk):
            entity = ENTITIES.get(item["entityType"]["S"])
            if entity and (owned := entity.owned_partition(decoder_of(entity.cls)(item))):
                async for inner in self.table.partition(owned):
                    yield inner
            yield item


def _plain(item: Wire) -> dict[str, Any]:
    return {
        name: decode(value) for name, value in item.items() if not name.startswith(KEY_ATTRIBUTES)
    }


async def unfinished_deletions(resources: Resources) -> list[User]:
    return await PeopleRepository(resources.table).accounts_being_deleted()


async def grant_group(resources: Resources, email: str, group: str, *, remove: bool) -> User:
    """For the operator's command: groups are never set through the API."""
    if group not in (MODERATORS, ADMINS):
        raise BadInput(f"The groups are {MODERATORS} and {ADMINS}.", field="group")
    old = await PeopleRepository(resources.table).user_by_email(email)
    if old is None:
        raise NotFound("user")
    groups = [each for each in old.groups if each != group] + ([] if remove else [group])
    new = old.evolve(instant(resources.clock.now()), groups=groups)
    await resources.table.write(replace(new, old, "profile"))
    return new
