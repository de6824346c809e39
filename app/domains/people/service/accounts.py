"""A whole account: taken along as data, laid to rest, or erased with everything in it."""

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import timedelta
from typing import Any, Protocol

import orjson

from app.core.caller import ADMINS, MODERATORS, Caller
from app.core.clock import epoch, instant
from app.core.errors import BadInput, NotFound, StaleVersion
from app.core.scalars import AWSJSON
from app.domains.people import keys
from app.domains.people.inputs import DeleteAccountInput
from app.domains.people.repository import PeopleRepository
from app.domains.people.service.identity import Identity
from app.domains.people.service.profiles import Profiles
from app.domains.people.types import Departure, User, UserStatus
from app.domains.service import Service
from app.resources import Resources
from app.table.codec import Wire, decode, decoder_of
from app.table.conditions import attr, version_is
from app.table.entity import ENTITIES, ROOTS
from app.table.writes import Delete, Put, replace

KEY_ATTRIBUTES = ("PK", "SK", "GSI")
LAST_TO_GO = frozenset({"User", "UserStats"})
DEPARTURE_SECONDS = 30 * 24 * 3600


class Leaver(Protocol):
    """A service of a domain that keeps things of a user in partitions of others."""

    async def leave(self) -> None:
        """Takes them away. May be broken off and begun again."""
        ...


class Accounts(Service):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        identity: Identity,
        leavers: Callable[[], Sequence[Leaver]] = lambda: (),
    ) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.identity = identity
        self.leavers = leavers
        self.repository = PeopleRepository(resources.table)

    async def export(self) -> AWSJSON:
        """Everything the caller has, by type; secrets (password hash, sessions) stay here, and so
        does what has expired and was not yet removed."""
        found: dict[str, list[dict[str, Any]]] = {}
        now = epoch(self.resources.clock.now())
        async for item in self._everything(self.caller.user_id):
            name = item["entityType"]["S"]
            over = "ttl" in item and int(item["ttl"]["N"]) <= now
            if name in ENTITIES and not ENTITIES[name].secret and not over:
                found.setdefault(name, []).append(_plain(item))
        return AWSJSON(orjson.dumps(found, default=str).decode())

    async def deactivate(self) -> User:
        old = await self.profiles.me()
        new = old.evolve(
            self.now,
            status=UserStatus.deactivated,
            generation=old.generation + 1,
            signed_out_at=self.now,
        )
        await self.table.write(replace(new, old, "profile"))
        await self._forget_sessions(old.id)
        return new

    async def delete(self, request: DeleteAccountInput) -> User:
        user = await self.profiles.me()
        if request.confirm_nickname != user.nickname:
            raise BadInput("This is not your nickname.", field="input.confirmNickname")
        if await self.identity.has_password():
            await self.identity.check_password(request.password or "")
        leaving = user.evolve(
            self.now,
            status=UserStatus.deleting,
            deleting_since=user.deleting_since or self.now,
            generation=user.generation + 1,
        )
        await self.table.write(replace(leaving, user, "profile"))
        await self._forget_sessions(user.id)
        await self.erase(user.id)
        return leaving

    async def erase(self, user_id: str) -> None:
        """May be broken off and begun again: the profile, which names the rest, goes last."""
        await self._leave()
        while await self._sweep(user_id):
            pass
        while (user := await self.table.get(keys.user(user_id))) is not None:
            if await self._erase_profile(user):
                return

    async def _leave(self) -> None:
        for service in self.leavers():
            await service.leave()

    async def _sweep(self, user_id: str) -> int:
        """Erases all but the profile."""
        return sum([await self._erase(pk, user_id) for pk in _partitions(user_id)])

    async def _erase(self, pk: str, user_id: str) -> int:
        """What a record owns goes before the record itself, which leads there."""
        doomed: list[tuple[str, str]] = []
        async for item in self._partition(pk, user_id):
            if item["entityType"]["S"] in LAST_TO_GO:
                continue
            if owned := _owned_by(item):
                await self._erase(owned, user_id)
            doomed.append(_place(item))
        await self.table.delete_many(doomed)
        return len(doomed)

    async def sweep_again(self, departure: Departure) -> None:
        """For what a request that was under way wrote while the account went."""
        await self._leave()
        while await self._sweep(departure.user_id):
            pass
        swept = departure.evolve(self.now, sweep_after=None)
        await self.table.write(replace(swept, departure, "departure"))

    async def _erase_profile(self, user: User) -> bool:
        """False if the profile was changed meanwhile: then its locks may be others."""
        mine = attr("userId").equals(user.id)
        now = self.resources.clock.now()
        departure = Departure(
            created_at=instant(now),
            updated_at=instant(now),
            user_id=user.id,
            sweep_after=instant(now + timedelta(minutes=2)),
            ttl=epoch(now) + DEPARTURE_SECONDS,
        )
        try:
            await self.table.write(
                Delete(keys.user(user.id), version_is(user.version), StaleVersion("profile", None)),
                Delete(keys.stats_of_user(user.id)),
                Delete(keys.nickname_lock(user.nickname), when=mine),
                *([Delete(keys.email_lock(user.email), when=mine)] if user.email else []),
                Put(departure),
            )
        except StaleVersion:
            return False
        return True

    async def _forget_sessions(self, user_id: str) -> None:
        self.identity.forget_sessions(await self.repository.sessions_of_user(user_id))
        self.resources.standing.forget(user_id)
        self.resources.standing.forget(self.caller.session_id or user_id)

    async def _everything(self, user_id: str) -> AsyncIterator[Wire]:
        """Also what lies with others under the user's name: index 1 knows it."""
        seen: set[tuple[str, str]] = set()
        async for item in self._items(user_id):
            seen.add(_place(item))
            yield item
        async for item in self.table.partition(keys.user(user_id).pk, index="GSI1"):
            if _place(item) not in seen:
                yield item

    async def _items(self, user_id: str) -> AsyncIterator[Wire]:
        """Whatever lies in the user's partitions and in those that their records own."""
        for pk in _partitions(user_id):
            async for item in self._walk(pk, user_id):
                yield item

    async def _walk(self, pk: str, user_id: str) -> AsyncIterator[Wire]:
        async for item in self._partition(pk, user_id):
            if owned := _owned_by(item):
                async for inner in self._walk(owned, user_id):
                    yield inner
            yield item

    async def _partition(self, pk: str, user_id: str) -> AsyncIterator[Wire]:
        """A partition that a record owns may hold things of others, too."""
        shared = pk not in _partitions(user_id)
        async for item in self.table.partition(pk):
            if not shared or item.get("userId", {}).get("S", user_id) == user_id:
                yield item


def _partitions(user_id: str) -> list[str]:
    roots = [each.whole({"user_id": user_id}.__getitem__) for each in ROOTS]
    return [*roots, keys.user(user_id).pk]


def _owned_by(item: Wire) -> str | None:
    entity = ENTITIES.get(item["entityType"]["S"])
    owned = entity.owned_partition(decoder_of(entity.cls)(item)) if entity else None
    # A quest lies in the partition that it owns.
    return owned if owned != item["PK"]["S"] else None


def _place(item: Wire) -> tuple[str, str]:
    return item["PK"]["S"], item["SK"]["S"]


def _plain(item: Wire) -> dict[str, Any]:
    return {
        name: decode(value) for name, value in item.items() if not name.startswith(KEY_ATTRIBUTES)
    }


async def unfinished_deletions(resources: Resources) -> list[User]:
    return await PeopleRepository(resources.table).accounts_being_deleted()


async def departures_to_sweep(resources: Resources) -> list[Departure]:
    now = instant(resources.clock.now())
    return await PeopleRepository(resources.table).departures_to_sweep(now)


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
