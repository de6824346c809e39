"""The reads about the community that decide something: they follow links, merge or filter."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.domains.community import keys
from app.domains.community.rules.messages import sent_at
from app.domains.community.types import (
    AssistMember,
    AssistMsg,
    AssistThread,
    Company,
    CompanyGoal,
    CompanyMember,
    Message,
    Offer,
    OfferTag,
    Room,
    RoomMember,
    Share,
)
from app.table.gateway import Gateway, Position, Rows
from app.table.merge import query_merged


@dataclass(frozen=True, slots=True)
class RoomRepository:
    table: Gateway

    async def rooms_of_user(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[Room]:
        """The index lags behind the table: each membership is read again."""

        async def follow(found: list[RoomMember]) -> list[Room | None]:
            rooms, members = await asyncio.gather(
                self.table.get_many([keys.room(each.room_id) for each in found]),
                self.table.get_many([keys.room_member(each.room_id, user_id) for each in found]),
            )
            return [room if member else None for room, member in zip(rooms, members, strict=True)]

        return await self.table.query_through(
            keys.rooms_of_user(user_id), follow, limit=limit, start=start
        )

    async def message(self, room_id: str, message_id: str) -> Message | None:
        """By its id, which contains the time in its key."""
        sent = sent_at(message_id)
        return await self.table.load(keys.message(room_id, sent, message_id)) if sent else None


@dataclass(frozen=True, slots=True)
class AssistRepository:
    table: Gateway

    async def threads_of_user(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[AssistThread]:
        """The index lags behind the table: each membership is read again."""

        async def follow(found: list[AssistMember]) -> list[AssistThread | None]:
            threads, members = await asyncio.gather(
                self.table.get_many([keys.assist_thread(each.thread_id) for each in found]),
                self.table.get_many(
                    [keys.assist_member(each.thread_id, user_id) for each in found]
                ),
            )
            return [
                thread if member else None for thread, member in zip(threads, members, strict=True)
            ]

        return await self.table.query_through(
            keys.assist_threads_of_user(user_id), follow, limit=limit, start=start
        )

    async def message(self, thread_id: str, message_id: str) -> AssistMsg | None:
        """By its id, which contains the time in its key."""
        sent = sent_at(message_id)
        if sent is None:
            return None
        return await self.table.load(keys.assist_message(thread_id, sent, message_id))


@dataclass(frozen=True, slots=True)
class MarketRepository:
    table: Gateway

    async def company(self, company_id: str) -> Company | None:
        """A company that is being deleted is hidden from everybody."""
        found = await self.table.load(keys.company(company_id))
        return found if found and found.closing_since is None else None

    async def companies_of_user(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[Company]:
        async def follow(found: list[CompanyMember]) -> Sequence[Company | None]:
            return await asyncio.gather(*(self.company(each.company_id) for each in found))

        return await self.table.query_through(
            keys.companies_of_user(user_id), follow, limit=limit, start=start
        )

    async def offers_with_tag(
        self,
        tag: str,
        shards: Sequence[str | None],
        keep: Callable[[Offer], bool],
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[Offer]:
        async def follow(found: list[OfferTag]) -> list[Offer | None]:
            offers = await self.table.get_many([keys.offer(each.offer_id) for each in found])
            return [offer if offer and keep(offer) else None for offer in offers]

        queries = [keys.offers_with_tag(tag, shard) for shard in shards]
        return await query_merged(self.table, queries, follow, limit=limit, start=start)


@dataclass(frozen=True, slots=True)
class ShareRepository:
    table: Gateway

    async def shares_with_partner(
        self, partner_id: str, *, limit: int, start: Position | None
    ) -> Rows[Share]:
        """The index lags behind the table: each share is read again."""

        async def follow(found: list[Share]) -> Sequence[Share | None]:
            return await self.table.get_many(
                [keys.share(each.user_id, each.kind, each.record_id, partner_id) for each in found]
            )

        return await self.table.query_through(
            keys.shares_with_partner(partner_id), follow, limit=limit, start=start
        )

    async def goals_of_company(
        self, company_id: str, *, limit: int, start: Position | None
    ) -> Rows[CompanyGoal]:
        """The index lags behind the table: each goal's link is read again."""

        async def follow(found: list[CompanyGoal]) -> Sequence[CompanyGoal | None]:
            return await self.table.get_many(
                [keys.company_goal(each.user_id, company_id, each.goal_id) for each in found]
            )

        return await self.table.query_through(
            keys.goals_of_company(company_id), follow, limit=limit, start=start
        )

    async def companies_of_goal(self, user_id: str, goal_id: str) -> list[CompanyGoal]:
        links = self.table.query_all(keys.goals_of_company_member(user_id))
        return [each async for each in links if each.goal_id == goal_id]
