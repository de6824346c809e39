"""Profiles: made once, unique by nickname and email, seen whole only by their owner."""

import dataclasses
from collections.abc import Callable, Sequence
from datetime import date
from functools import reduce
from operator import and_
from typing import Any

import strawberry
from strawberry.utils.str_converters import to_camel_case

from app.core.caller import Caller
from app.core.clock import epoch, local_day
from app.core.errors import BadInput, NotFound
from app.core.record import Node
from app.core.scalars import AWSEmail
from app.domains.people import keys
from app.domains.people.errors import EmailTaken, NicknameTaken, ProfileExists
from app.domains.people.inputs import CreateProfileInput, PreferencesInput, UpdateProfileInput
from app.domains.people.repository import PeopleRepository
from app.domains.people.rules import MOST_COUNTED, OLDEST, YOUNGEST, is_plausible_birth
from app.domains.people.timeline import chosen_types, merge
from app.domains.people.types import (
    EmailLock,
    NicknameLock,
    Preferences,
    User,
    UserStats,
    UserStatus,
)
from app.domains.service import Decision, Service, expect_version
from app.resources import Resources
from app.table.conditions import attr, present
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Otherwise, Update, Write, create, replace

NEVER_NULL = ("nickname", "email", "tags", "time_zone", "day_start_hour", "preferences")
SEEN_BY_OTHERS = frozenset(
    {
        *("id", "user_id", "created_at", "updated_at", "version", "status", "groups"),
        *("nickname", "display_name", "country", "language", "pronouns", "bio", "avatar_url"),
        *("tags", "wallet_address"),
    }
)
HIDDEN_FROM_OTHERS: dict[str, Any] = {
    field.name: None
    for field in dataclasses.fields(User)
    if field.init and field.name not in SEEN_BY_OTHERS
}


class Profiles(Service):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        newcomer_writes: Callable[[User], list[Write]] = lambda user: [],
    ) -> None:
        super().__init__(resources, caller)
        self.newcomer_writes = newcomer_writes
        self.repository = PeopleRepository(resources.table)

    async def me(self) -> User:
        user = await self.repository.user(self.caller.user_id)
        if user is None:
            raise NotFound("profile")
        return user

    async def user(self, user_id: str) -> User | None:
        return self._as_seen(await self.repository.user(user_id))

    async def user_by_nickname(self, nickname: str) -> User | None:
        return self._as_seen(await self.repository.user_by_nickname(nickname))

    async def user_by_email(self, email: str) -> User | None:
        """For oneself and moderators: to everyone else the address is nobody's."""
        user = await self.repository.user_by_email(email)
        allowed = user and (user.id == self.caller.id or self.caller.is_moderator)
        return user if allowed else None

    def _as_seen(self, user: User | None) -> User | None:
        if user is None or user.id == self.caller.id:
            return user
        if user.status is not UserStatus.active:
            return None
        return user if self.caller.is_moderator else dataclasses.replace(user, **HIDDEN_FROM_OTHERS)

    async def stats(self, user_id: str) -> UserStats:
        found = await self.repository.stats_of_user(user_id)
        return found or UserStats(created_at=self.now, updated_at=self.now, user_id=user_id)

    def stats_writes(
        self, user_id: str, *, otherwise: Otherwise | None = None, **adds: int
    ) -> list[Write]:
        """Counters that rise, by field name, for another service's transaction."""
        counters = {to_camel_case(name): amount for name, amount in adds.items()}
        room = [
            attr(name).absent() | attr(name).at_most(MOST_COUNTED - amount)
            for name, amount in counters.items()
        ]
        return [
            Update(
                keys.stats_of_user(user_id),
                put={"updatedAt": self.now},
                add={**counters, "version": 1},
                when=reduce(and_, room, present()),
                otherwise=otherwise or NotFound("user"),
            )
        ]

    async def set_wallet_address(self, address: str | None) -> User:
        """For the service that has seen the proof."""

        async def decide() -> Decision[User]:
            old = await self.me()
            new = old.evolve(self.now, wallet_address=address)
            return Decision(new, [replace(new, old, "profile")])

        return await self.commit(decide)

    async def is_nickname_free(self, nickname: str) -> bool:
        await self._count_availability_check()
        return await self.repository.is_nickname_free(nickname)

    async def is_email_free(self, email: str) -> bool:
        await self._count_availability_check()
        return await self.repository.is_email_free(email)

    async def _count_availability_check(self) -> None:
        who = self.caller.id or self.caller.address
        await self.resources.limiter.count("availability checks", who, limit=30, seconds=60)

    async def create_profile(self, request: CreateProfileInput) -> User:
        """The token's email counts only if its issuer has verified it, and if it is free."""
        email = self.caller.email if self.caller.email_verified else None
        user = self.newcomer(self.caller.user_id, email, **request.given())
        user = dataclasses.replace(user, email_verified=email is not None)
        try:
            await self.table.write(*self.first_writes(user))
        except EmailTaken:
            user = dataclasses.replace(user, email=None, email_verified=False)
            await self.table.write(*self.first_writes(user))
        return user

    async def ensure_profile(self) -> None:
        """The first call of someone from another issuer makes their profile; coming back with a new
        token makes it active again."""
        user = await self.repository.user(self.caller.user_id)
        if user is None:
            await self._first_profile()
        elif user.status is UserStatus.deactivated:
            await self.table.write(
                replace(user.evolve(self.now, status=UserStatus.active), user, "profile")
            )

    async def _first_profile(self) -> None:
        nickname = f"guest-{self.resources.ids.new()[-10:].lower()}"
        try:
            await self.create_profile(CreateProfileInput(nickname=nickname))
        except ProfileExists:
            return

    def newcomer(self, user_id: str, email: str | None, **fields: object) -> User:
        given = {name: value for name, value in fields.items() if value is not None}
        return User(
            id=strawberry.ID(user_id),
            user_id=user_id,
            created_at=self.now,
            updated_at=self.now,
            email=AWSEmail(email) if email else None,
            email_verified=False,
            **given,  # type: ignore[arg-type]
        )

    def first_writes(self, user: User) -> list[Write]:
        """Everything an account begins with, to be written as one."""
        stats = UserStats(created_at=self.now, updated_at=self.now, user_id=user.id)
        return [
            create(user, otherwise=ProfileExists()),
            create(stats, otherwise=ProfileExists()),
            *self._take_nickname(user),
            *self._take_email(user),
            *self.newcomer_writes(user),
        ]

    def _take_nickname(self, user: User) -> list[Write]:
        lock = NicknameLock(
            created_at=self.now, updated_at=self.now, user_id=user.id, nickname=user.nickname_key
        )
        return [create(lock, otherwise=NicknameTaken(user.nickname))]

    def _take_email(self, user: User) -> list[Write]:
        if user.email_key is None:
            return []
        lock = EmailLock(
            created_at=self.now, updated_at=self.now, user_id=user.id, email=user.email_key
        )
        return [create(lock, otherwise=EmailTaken())]

    async def update_profile(self, request: UpdateProfileInput) -> User:
        async def decide() -> Decision[User]:
            old = await self.me()
            expect_version(request, old, "profile")
            new = self._changed(old, request.changes(NEVER_NULL))
            return Decision(new, [replace(new, old, "profile"), *self._renaming(old, new)])

        return await self.commit(decide)

    def _changed(self, old: User, changes: dict[str, object]) -> User:
        birth = changes.get("birth_date")
        if isinstance(birth, str) and not is_plausible_birth(
            date.fromisoformat(birth), self.today(old)
        ):
            raise BadInput(
                f"This birth date is not between {YOUNGEST} and {OLDEST} years ago.",
                field="input.birthDate",
            )
        if isinstance(wished := changes.get("preferences"), PreferencesInput):
            current = old.preferences or Preferences()
            changes["preferences"] = dataclasses.replace(current, **wished.given())
        if changes.get("email") not in (None, old.email):
            changes["email_verified"] = False
        return old.evolve(self.now, **changes)

    def today(self, user: User) -> date:
        return local_day(
            self.resources.clock.now(),
            time_zone=user.time_zone or "UTC",
            day_start_hour=user.day_start_hour or 0,
        )

    def _renaming(self, old: User, new: User) -> list[Write]:
        writes: list[Write] = []
        mine = attr("userId").equals(old.id)
        if new.nickname_key != old.nickname_key:
            writes += self._take_nickname(new)
            writes.append(Delete(keys.nickname_lock(old.nickname), when=mine))
        if new.email_key != old.email_key:
            writes += self._take_email(new)
            if old.email:
                writes.append(Delete(keys.email_lock(old.email), when=mine))
        return writes

    async def timeline(
        self, types: Sequence[str] | None, *, limit: int, start: Position | None
    ) -> Rows[Node]:
        """Of several types by date, newest first; the place in each type is kept apart."""
        found = await self.repository.timeline(
            self.caller.user_id,
            chosen_types(types),
            limit=limit,
            start=start or {},
            now=epoch(self.resources.clock.now()),
        )
        return merge(found, limit=limit, start=start or {})
