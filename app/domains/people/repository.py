"""The reads about people."""

import asyncio
from collections.abc import Sequence

from app.core.record import Node
from app.core.text import normal_email, normal_nickname
from app.domains.people import keys
from app.domains.people.types import (
    Credential,
    Departure,
    SignedInSession,
    User,
    UserStats,
    UserStatus,
)
from app.table.gateway import Gateway, Position, Rows


class PeopleRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def user(self, user_id: str) -> User | None:
        return await self.table.load(keys.user(user_id))

    async def stats_of_user(self, user_id: str) -> UserStats | None:
        return await self.table.load(keys.stats_of_user(user_id))

    async def user_by_nickname(self, nickname: str) -> User | None:
        rows = await self.table.query(keys.user_by_nickname(nickname), limit=1)
        wanted = normal_nickname(nickname)
        return next((user for user in rows.items if user.nickname_key == wanted), None)

    async def user_by_email(self, email: str) -> User | None:
        rows = await self.table.query(keys.user_by_email(email), limit=1)
        wanted = normal_email(email)
        return next((user for user in rows.items if user.email_key == wanted), None)

    async def is_nickname_free(self, nickname: str) -> bool:
        return await self.table.get(keys.nickname_lock(nickname)) is None

    async def is_email_free(self, email: str) -> bool:
        return await self.table.get(keys.email_lock(email)) is None

    async def owner_of_email(self, email: str) -> str | None:
        lock = await self.table.get(keys.email_lock(email))
        return lock.user_id if lock else None

    async def password_of_user(self, user_id: str) -> Credential | None:
        return await self.table.get(keys.password_of_user(user_id))

    async def sessions_of_user(self, user_id: str) -> list[SignedInSession]:
        return [each async for each in self.table.query_all(keys.sessions_of_user(user_id))]

    async def standing(
        self, user_id: str, session_id: str | None
    ) -> tuple[User | None, SignedInSession | None, Departure | None]:
        """All that says whether a token is still good, read together."""
        user, departure, session = await asyncio.gather(
            self.table.load(keys.user(user_id)),
            self.table.load(keys.departure(user_id)),
            self._session(user_id, session_id),
        )
        return user, session, departure

    async def _session(self, user_id: str, session_id: str | None) -> SignedInSession | None:
        return await self.table.load(keys.session(user_id, session_id)) if session_id else None

    async def departures_to_sweep(self, now: str) -> list[Departure]:
        rows = await self.table.query(keys.departures_to_sweep(), limit=25)
        return [each for each in rows.items if each.sweep_after and each.sweep_after <= now]

    async def accounts_being_deleted(self) -> list[User]:
        rows = await self.table.query(keys.accounts_being_deleted(), limit=25)
        return [user for user in rows.items if user.status is UserStatus.deleting]

    async def timeline(
        self,
        user_id: str,
        types: Sequence[str],
        *,
        limit: int,
        start: dict[str, Position | None],
        now: int,
    ) -> dict[str, Rows[Node]]:
        """The next records of each type that has more, newest first. DynamoDB deletes late what
        has ended: that is left out."""

        def keep(record: Node) -> bool:
            ttl: int | None = getattr(record, "ttl", None)
            return ttl is None or ttl > now

        wanted = [each for each in types if start.get(each, {}) is not None]
        found = await asyncio.gather(
            *(
                self.table.query(
                    keys.timeline(user_id, each),
                    limit=limit,
                    start=start.get(each) or None,
                    keep=keep,
                )
                for each in wanted
            )
        )
        return dict(zip(wanted, found, strict=True))
