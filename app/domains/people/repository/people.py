"""Reads of accounts, and of the timeline that is merged from all domains."""

import asyncio
from collections.abc import Sequence

from app.core.record import Node
from app.core.text import normalize_email, normalize_nickname
from app.domains.people import keys
from app.domains.people.repository.timeline import merge_by_date, parse_types
from app.domains.people.types import (
    AccountState,
    AccountTombstone,
    SignedInSession,
    User,
    UserStatus,
)
from app.table.gateway import Gateway, Position, Rows


class PeopleRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def user_by_nickname(self, nickname: str) -> User | None:
        rows = await self.table.query(keys.user_by_nickname(nickname), limit=1)
        wanted = normalize_nickname(nickname)
        return next((user for user in rows.items if user.nickname_key == wanted), None)

    async def user_by_email(self, email: str) -> User | None:
        rows = await self.table.query(keys.user_by_email(email), limit=1)
        wanted = normalize_email(email)
        return next((user for user in rows.items if user.email_key == wanted), None)

    async def account_state(self, user_id: str, session_id: str | None) -> AccountState:
        user, session, tombstone = await asyncio.gather(
            self.table.load(keys.user(user_id)),
            self._session(user_id, session_id),
            self.table.load(keys.tombstone(user_id)),
        )
        return AccountState(user, session, tombstone)

    async def _session(self, user_id: str, session_id: str | None) -> SignedInSession | None:
        return await self.table.load(keys.session(user_id, session_id)) if session_id else None

    async def tombstones_to_sweep(self, now: str) -> list[AccountTombstone]:
        rows = await self.table.query(keys.tombstones_to_sweep(), limit=25)
        return [each for each in rows.items if each.sweep_after and each.sweep_after <= now]

    async def accounts_being_deleted(self) -> list[User]:
        rows = await self.table.query(keys.accounts_being_deleted(), limit=25)
        return [user for user in rows.items if user.status is UserStatus.deleting]

    async def timeline(
        self,
        user_id: str,
        types: Sequence[str] | None,
        *,
        limit: int,
        start: Position | None,
        now: int,
    ) -> Rows[Node]:
        """Newest first. The position holds a place in each type. Expired records that DynamoDB has
        not yet removed are left out."""

        def keep(record: Node) -> bool:
            ttl: int | None = getattr(record, "ttl", None)
            return ttl is None or ttl > now

        places = start or {}
        unfinished = [each for each in parse_types(types) if places.get(each, {}) is not None]
        found = await asyncio.gather(
            *(
                self.table.query(
                    keys.timeline(user_id, each),
                    limit=limit,
                    start=places.get(each) or None,
                    keep=keep,
                )
                for each in unfinished
            )
        )
        rows = dict(zip(unfinished, found, strict=True))
        return merge_by_date(rows, limit=limit, start=places)
