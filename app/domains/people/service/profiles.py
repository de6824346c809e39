"""Profiles: unique by nickname and email, completely visible only to their owner."""

import dataclasses
from collections.abc import Sequence
from datetime import date
from functools import partial, reduce
from operator import and_

from strawberry.utils.str_converters import to_camel_case

from app.core.clock import epoch_seconds
from app.core.errors import NotFound
from app.core.record import Node
from app.domains.people import keys
from app.domains.people.errors import EmailTaken, ProfileExists
from app.domains.people.inputs import CreateProfileInput, UpdateProfileInput
from app.domains.people.repository import PeopleRepository
from app.domains.people.rules import (
    MOST_COUNTED,
    check_new_nickname,
    new_profile,
    profile_visible_to,
    today_of,
    with_profile_changes,
)
from app.domains.people.service.nicknames import Nicknames
from app.domains.people.service.ports import NewAccounts
from app.domains.people.types import (
    EmailLock,
    User,
    UserStats,
    UserStatus,
)
from app.domains.service import Decision, Service, expect_version, required, uses
from app.table.conditions import attr, present
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Otherwise, Update, Write, put_if_absent, put_if_unchanged

NEVER_NULL = ("nickname", "email", "tags", "time_zone", "day_start_hour", "preferences")


class Profiles(Service):
    new_accounts = uses(NewAccounts)

    @property
    def repository(self) -> PeopleRepository:
        return PeopleRepository(self.table)

    @property
    def nicknames(self) -> Nicknames:
        return Nicknames(self.table, self.now)

    async def me(self) -> User:
        return required(await self.table.load(keys.user(self.caller.user_id)), "profile")

    async def user(self, user_id: str) -> User | None:
        return profile_visible_to(self.caller, await self.table.load(keys.user(user_id)))

    async def user_by_nickname(self, nickname: str) -> User | None:
        return profile_visible_to(self.caller, await self.repository.user_by_nickname(nickname))

    async def user_by_email(self, email: str) -> User | None:
        """Only for the user and moderators: an email must not lead others to an account."""
        user = await self.repository.user_by_email(email)
        is_allowed = user and (user.id == self.caller.id or self.caller.is_moderator)
        return user if is_allowed else None

    async def stats(self, user_id: str) -> UserStats:
        found = await self.table.load(keys.stats_of_user(user_id))
        return found or UserStats(created_at=self.now, updated_at=self.now, user_id=user_id)

    def stats_writes(
        self, user_id: str, *, otherwise: Otherwise | None = None, **added: int
    ) -> list[Write]:
        """Adds to the counters, by field name, as part of another service's transaction."""
        counters = {to_camel_case(name): amount for name, amount in added.items()}
        fits = [
            attr(name).absent() | attr(name).at_most(MOST_COUNTED - amount)
            for name, amount in counters.items()
        ]
        return [
            Update(
                keys.stats_of_user(user_id),
                put={"updatedAt": self.now},
                add={**counters, "version": 1},
                when=reduce(and_, fits, present()),
                otherwise=otherwise or NotFound("user"),
            )
        ]

    async def set_wallet_address(self, address: str | None) -> Decision[User]:
        """The caller must have checked the signature."""
        old = await self.me()
        new = old.evolve(self.now, wallet_address=address)
        return Decision(new, [put_if_unchanged(new, old, "profile")])

    async def is_nickname_free(self, nickname: str) -> bool:
        await self._count_availability_check()
        return await self.nicknames.is_free(nickname)

    async def is_email_free(self, email: str) -> bool:
        await self._count_availability_check()
        return await self.table.get(keys.email_lock(email)) is None

    async def _count_availability_check(self) -> None:
        subject = self.caller.id or self.caller.address
        await self.resources.limiter.count("availability checks", subject, limit=30, seconds=60)

    async def create_profile(self, request: CreateProfileInput) -> User:
        """The token's email is used only if its issuer has verified it and no account has it."""
        email = self.caller.email if self.caller.email_verified else None
        try:
            return await self.once(request, User, partial(self._new_account, request, email))
        except EmailTaken:
            return await self.once(request, User, partial(self._new_account, request, None))

    async def _new_account(self, request: CreateProfileInput, email: str | None) -> Decision[User]:
        user = new_profile(self.caller.user_id, self.now, {**request.values(), "email": email})
        user = dataclasses.replace(user, email_verified=email is not None)
        await self.expect_free_nickname(user)
        return Decision(user, self.account_writes(user))

    async def ensure_profile(self) -> None:
        """The first request with a token of an outside issuer creates the profile. A new token
        reactivates a deactivated one."""
        user = await self.table.load(keys.user(self.caller.user_id))
        if user is None:
            await self._create_guest_profile()
        elif user.status is UserStatus.deactivated:
            active = user.evolve(self.now, status=UserStatus.active)
            await self.table.write(put_if_unchanged(active, user, "profile"))

    async def _create_guest_profile(self) -> None:
        nickname = f"guest-{self.new_id()[-10:].lower()}"
        try:
            await self.create_profile(CreateProfileInput(nickname=nickname))
        except ProfileExists:
            return

    def account_writes(self, user: User) -> list[Write]:
        """Every record of a new account, for one transaction."""
        stats = UserStats(created_at=self.now, updated_at=self.now, user_id=user.id)
        return [
            put_if_absent(user, otherwise=ProfileExists()),
            put_if_absent(stats, otherwise=ProfileExists()),
            *self.nicknames.reserve(user),
            *self._reserve_email(user),
            *self.new_accounts.writes_for(user),
        ]

    async def expect_free_nickname(self, user: User) -> None:
        """Before account_writes, whose locks decide."""
        check_new_nickname(user.nickname)
        await self.nicknames.drop_stale_locks(user.nickname)

    def _reserve_email(self, user: User) -> list[Write]:
        if user.email_key is None:
            return []
        lock = EmailLock(
            created_at=self.now, updated_at=self.now, user_id=user.id, email=user.email_key
        )
        return [put_if_absent(lock, otherwise=EmailTaken())]

    async def update_profile(self, request: UpdateProfileInput) -> User:
        async def decide() -> Decision[User]:
            old = await self.me()
            expect_version(request, old, "profile")
            changes = request.changes(NEVER_NULL)
            now = self.resources.clock.now()
            new = old.evolve(self.now, **with_profile_changes(old, changes, now))
            locks = await self._changed_locks(old, new)
            return Decision(new, [put_if_unchanged(new, old, "profile"), *locks])

        return await self.once(request, User, decide)

    def today(self, user: User) -> date:
        return today_of(user, self.resources.clock.now())

    async def _changed_locks(self, old: User, new: User) -> list[Write]:
        writes: list[Write] = []
        is_own = attr("userId").equals(old.id)
        if new.nickname_key != old.nickname_key:
            await self.expect_free_nickname(new)
        if new.nickname != old.nickname:
            writes += self.nicknames.reserve(new, old)
            writes += await self.nicknames.release(old, new)
        if new.email_key != old.email_key:
            writes += self._reserve_email(new)
            if old.email:
                writes.append(Delete(keys.email_lock(old.email), when=is_own))
        return writes

    async def timeline(
        self, types: Sequence[str] | None, *, limit: int, start: Position | None
    ) -> Rows[Node]:
        """Records of several types by date, newest first."""
        return await self.repository.timeline(
            self.caller.user_id,
            types,
            limit=limit,
            start=start,
            now=epoch_seconds(self.resources.clock.now()),
        )
