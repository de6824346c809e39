"""A whole account: exported, deactivated, or erased with everything in it."""

from datetime import timedelta

import orjson

from app.core.clock import epoch_seconds, instant
from app.core.errors import BadInput, StaleVersion
from app.core.scalars import AWSJSON
from app.domains.people import keys
from app.domains.people.inputs import DeleteAccountInput
from app.domains.people.repository import AccountItems, PeopleRepository, place_of
from app.domains.people.rules import with_group
from app.domains.people.service.identity import Identity
from app.domains.people.service.nicknames import Nicknames
from app.domains.people.service.ports import DeletedAccounts
from app.domains.people.service.profiles import Profiles
from app.domains.people.types import AccountTombstone, User, UserStatus
from app.domains.service import Service, required, uses
from app.resources import Resources
from app.table.conditions import attr, version_is
from app.table.writes import Delete, Put, put_if_unchanged

# They name what else belongs to the account, so they are erased last.
ERASED_LAST = frozenset({"User", "UserStats"})
TOMBSTONE_SECONDS = 30 * 24 * 3600
SWEEP_AFTER = timedelta(minutes=2)


class Accounts(Service):
    profiles = uses(Profiles)
    identity = uses(Identity)
    deleted_accounts = uses(DeletedAccounts)

    async def export(self) -> AWSJSON:
        items = AccountItems(self.table, self.caller.user_id)
        found = await items.export(epoch_seconds(self.resources.clock.now()))
        return AWSJSON(orjson.dumps(found, default=str).decode())

    async def deactivate(self) -> User:
        old = await self.profiles.me()
        new = old.evolve(
            self.now,
            status=UserStatus.deactivated,
            generation=old.generation + 1,
            signed_out_at=self.now,
        )
        await self.table.write(put_if_unchanged(new, old, "profile"))
        await self._end_sessions(old.id)
        return new

    async def delete(self, request: DeleteAccountInput) -> User:
        user = await self.profiles.me()
        if request.confirm_nickname != user.nickname:
            raise BadInput("This is not your nickname.", field="input.confirmNickname")
        if await self.table.get(keys.password_of_user(user.id)) is not None:
            await self.identity.check_password(request.password or "")
        deleting = user.evolve(
            self.now,
            status=UserStatus.deleting,
            deleting_since=user.deleting_since or self.now,
            generation=user.generation + 1,
        )
        await self.table.write(put_if_unchanged(deleting, user, "profile"))
        await self._end_sessions(user.id)
        await self.erase(user.id)
        return deleting

    async def erase(self, user_id: str) -> None:
        """May be interrupted and repeated."""
        await self._erase_all_but_profile(user_id)
        while (user := await self.table.get(keys.user(user_id))) is not None:
            if await self._erase_profile(user):
                return

    async def erase_again(self, tombstone: AccountTombstone) -> None:
        """For what a request in progress wrote while the account was deleted."""
        await self._erase_all_but_profile(tombstone.user_id)
        swept = tombstone.evolve(self.now, sweep_after=None)
        await self.table.write(put_if_unchanged(swept, tombstone, "departure"))

    async def _erase_all_but_profile(self, user_id: str) -> None:
        await self.deleted_accounts.on_account_deleted()
        items = AccountItems(self.table, user_id)
        while sum([await self._erase_partition(items, pk) for pk in items.partitions]):
            pass

    async def _erase_partition(self, items: AccountItems, pk: str) -> int:
        """What a record owns is erased before the record, which leads to it."""
        doomed: list[tuple[str, str]] = []
        async for item in items.within(pk):
            if item["entityType"]["S"] in ERASED_LAST:
                continue
            if owned := items.partition_owned_by(item):
                await self._erase_partition(items, owned)
            doomed.append(place_of(item))
        await self.table.delete_many(doomed)
        return len(doomed)

    async def _erase_profile(self, user: User) -> bool:
        """False if the profile was changed meanwhile: then it may hold other locks."""
        is_own = attr("userId").equals(user.id)
        unchanged = version_is(user.version)
        try:
            await self.table.write(
                Delete(keys.user(user.id), unchanged, StaleVersion("profile", None)),
                Delete(keys.stats_of_user(user.id)),
                *await Nicknames(self.table, self.now).release(user),
                *([Delete(keys.email_lock(user.email), when=is_own)] if user.email else []),
                Put(self._tombstone(user.id)),
            )
        except StaleVersion:
            return False
        return True

    def _tombstone(self, user_id: str) -> AccountTombstone:
        now = self.resources.clock.now()
        return AccountTombstone(
            created_at=instant(now),
            updated_at=instant(now),
            user_id=user_id,
            sweep_after=instant(now + SWEEP_AFTER),
            ttl=epoch_seconds(now) + TOMBSTONE_SECONDS,
        )

    async def _end_sessions(self, user_id: str) -> None:
        await self.identity.mark_other_sessions_ended(user_id)
        self.resources.liveness.mark_ended(user_id)
        self.resources.liveness.mark_ended(self.caller.session_id or user_id)


async def unfinished_deletions(resources: Resources) -> list[User]:
    return await PeopleRepository(resources.table).accounts_being_deleted()


async def tombstones_to_sweep(resources: Resources) -> list[AccountTombstone]:
    now = instant(resources.clock.now())
    return await PeopleRepository(resources.table).tombstones_to_sweep(now)


async def grant_group(resources: Resources, email: str, group: str, *, remove: bool) -> User:
    """For the operator's command. The API never sets groups."""
    found = await PeopleRepository(resources.table).user_by_email(email)
    old = required(found, "user")
    groups = with_group(old.groups, group, remove=remove)
    new = old.evolve(instant(resources.clock.now()), groups=groups)
    await resources.table.write(put_if_unchanged(new, old, "profile"))
    return new
