"""The reads about the community."""

import asyncio
from collections.abc import Callable, Sequence

from app.core.record import Record
from app.domains.community import keys
from app.domains.community.rules import sent_at
from app.domains.community.types import (
    AssistMember,
    AssistMsg,
    AssistMsgEdit,
    AssistThread,
    Company,
    CompanyGoal,
    CompanyMember,
    Message,
    MessageEdit,
    ModerationEntry,
    Offer,
    OfferTag,
    Report,
    ReportStatus,
    Room,
    RoomMember,
    Share,
)
from app.table.entity import Query
from app.table.gateway import Gateway, Position, Rows
from app.table.merge import query_merged


class RoomRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def room(self, room_id: str) -> Room | None:
        return await self.table.load(keys.room(room_id))

    async def member(self, room_id: str, user_id: str) -> RoomMember | None:
        return await self.table.load(keys.room_member(room_id, user_id))

    async def room_and_member(
        self, room_id: str, user_id: str
    ) -> tuple[Room | None, RoomMember | None]:
        return await asyncio.gather(self.room(room_id), self.member(room_id, user_id))

    async def members(
        self, room_id: str, *, limit: int, start: Position | None
    ) -> Rows[RoomMember]:
        return await self.table.query(keys.members_of_room(room_id), limit=limit, start=start)

    async def all_members(self, room_id: str) -> list[RoomMember]:
        return [each async for each in self.table.query_all(keys.members_of_room(room_id))]

    async def public_rooms(self, *, limit: int, start: Position | None) -> Rows[Room]:
        return await self.table.query(
            keys.public_rooms(),
            limit=limit,
            start=start,
            keep=lambda room: room.listed_at is not None,
        )

    async def rooms_of_user(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[Room]:
        """The index lags behind: who is in a room, the room itself knows."""

        async def follow(seats: list[RoomMember]) -> list[Room | None]:
            rooms, members = await asyncio.gather(
                self.table.get_many([keys.room(seat.room_id) for seat in seats]),
                self.table.get_many([keys.room_member(seat.room_id, user_id) for seat in seats]),
            )
            return [room if member else None for room, member in zip(rooms, members, strict=True)]

        return await self.table.query_through(
            keys.rooms_of_user(user_id), follow, limit=limit, start=start
        )

    async def memberships(self, user_id: str) -> list[RoomMember]:
        return [each async for each in self.table.query_all(keys.rooms_of_user(user_id))]

    async def message(self, room_id: str, message_id: str) -> Message | None:
        sent = sent_at(message_id)
        return await self.table.load(keys.message(room_id, sent, message_id)) if sent else None

    async def messages(
        self,
        query: Query[Message],
        keep: Callable[[Message], bool],
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[Message]:
        return await self.table.query(query, limit=limit, start=start, keep=keep)

    async def messages_of_user(self, user_id: str) -> list[Message]:
        return [each async for each in self.table.query_all(keys.messages_of_user(user_id))]

    async def edits(self, message: Message) -> list[MessageEdit]:
        query = keys.edits_of_message(message.room_id, message.id)
        return [each async for each in self.table.query_all(query)]

    async def moderation_log(
        self, room_id: str, *, limit: int, start: Position | None
    ) -> Rows[ModerationEntry]:
        return await self.table.query(keys.moderation_log(room_id), limit=limit, start=start)

    async def report(self, user_id: str, message_id: str) -> Report | None:
        return await self.table.get(keys.report(user_id, message_id))

    async def reports_by_status(
        self, status: ReportStatus, *, limit: int, start: Position | None
    ) -> Rows[Report]:
        return await self.table.query(
            keys.reports_by_status(status),
            limit=limit,
            start=start,
            keep=lambda report: report.status is status,
        )

    async def open_reports_of_room(
        self, room_id: str, *, limit: int, start: Position | None
    ) -> Rows[Report]:
        query = keys.reports_of_room(room_id, ReportStatus.OPEN)
        return await self.table.query(query, limit=limit, start=start)


class AssistRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def thread(self, thread_id: str) -> AssistThread | None:
        return await self.table.load(keys.assist_thread(thread_id))

    async def member(self, thread_id: str, user_id: str) -> AssistMember | None:
        return await self.table.load(keys.assist_member(thread_id, user_id))

    async def thread_and_member(
        self, thread_id: str, user_id: str
    ) -> tuple[AssistThread | None, AssistMember | None]:
        return await asyncio.gather(self.thread(thread_id), self.member(thread_id, user_id))

    async def members(
        self, thread_id: str, *, limit: int, start: Position | None
    ) -> Rows[AssistMember]:
        query = keys.members_of_assist_thread(thread_id)
        return await self.table.query(query, limit=limit, start=start)

    async def open_threads(self, *, limit: int, start: Position | None) -> Rows[AssistThread]:
        return await self.table.query(
            keys.open_assist_threads(),
            limit=limit,
            start=start,
            keep=lambda thread: thread.listed_at is not None,
        )

    async def threads_of_user(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[AssistThread]:
        async def follow(seats: list[AssistMember]) -> list[AssistThread | None]:
            threads, members = await asyncio.gather(
                self.table.get_many([keys.assist_thread(seat.thread_id) for seat in seats]),
                self.table.get_many(
                    [keys.assist_member(seat.thread_id, user_id) for seat in seats]
                ),
            )
            return [
                thread if member else None for thread, member in zip(threads, members, strict=True)
            ]

        return await self.table.query_through(
            keys.assist_threads_of_user(user_id), follow, limit=limit, start=start
        )

    async def memberships(self, user_id: str) -> list[AssistMember]:
        return [each async for each in self.table.query_all(keys.assist_threads_of_user(user_id))]

    async def message(self, thread_id: str, message_id: str) -> AssistMsg | None:
        sent = sent_at(message_id)
        if sent is None:
            return None
        return await self.table.load(keys.assist_message(thread_id, sent, message_id))

    async def edits(self, message: AssistMsg) -> list[AssistMsgEdit]:
        query = keys.edits_of_assist_message(message.thread_id, message.id)
        return [each async for each in self.table.query_all(query)]

    async def messages(
        self, thread_id: str, *, newest_first: bool, limit: int, start: Position | None
    ) -> Rows[AssistMsg]:
        query = keys.messages_of_assist_thread(thread_id, newest_first)
        return await self.table.query(query, limit=limit, start=start)

    async def messages_of_user(self, user_id: str) -> list[AssistMsg]:
        return [each async for each in self.table.query_all(keys.assist_messages_of_user(user_id))]


class MarketRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def company(self, company_id: str) -> Company | None:
        """One that is being deleted is hidden from everybody."""
        found = await self.table.load(keys.company(company_id))
        return found if found and found.closing_since is None else None

    async def closing_companies(self, until: str, *, most: int) -> list[Company]:
        return (await self.table.query(keys.closing_companies(until), limit=most)).items

    async def member(self, company_id: str, user_id: str) -> CompanyMember | None:
        return await self.table.load(keys.company_member(company_id, user_id))

    async def members(
        self, company_id: str, *, limit: int, start: Position | None
    ) -> Rows[CompanyMember]:
        query = keys.members_of_company(company_id)
        return await self.table.query(query, limit=limit, start=start)

    async def all_members(self, company_id: str) -> list[CompanyMember]:
        return [each async for each in self.table.query_all(keys.members_of_company(company_id))]

    async def companies_of_user(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[Company]:
        async def follow(seats: list[CompanyMember]) -> Sequence[Company | None]:
            return await asyncio.gather(*(self.company(seat.company_id) for seat in seats))

        return await self.table.query_through(
            keys.companies_of_user(user_id), follow, limit=limit, start=start
        )

    async def memberships(self, user_id: str) -> list[CompanyMember]:
        return [each async for each in self.table.query_all(keys.companies_of_user(user_id))]

    async def all_goals_of_member(self, company_id: str, user_id: str) -> list[CompanyGoal]:
        query = keys.goals_of_company_member(user_id, company_id)
        return [each async for each in self.table.query_all(query)]

    async def offer(self, offer_id: str) -> Offer | None:
        return await self.table.load(keys.offer(offer_id))

    async def offers(
        self,
        query: Query[Offer],
        keep: Callable[[Offer], bool],
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[Offer]:
        return await self.table.query(query, limit=limit, start=start, keep=keep)

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

        runs = [keys.offers_with_tag(tag, shard) for shard in shards]
        return await query_merged(self.table, runs, follow, limit=limit, start=start)

    async def all_offers(self, company_id: str) -> list[Offer]:
        return [each async for each in self.table.query_all(keys.offers_of_company(company_id))]

    async def tagged(
        self, runs: Sequence[Query[Record]], *, limit: int, start: Position | None
    ) -> Rows[Record]:
        async def follow(found: list[Record]) -> list[Record | None]:
            return [*found]

        return await query_merged(self.table, runs, follow, limit=limit, start=start)


class ShareRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def share(
        self, user_id: str, kind: object, record_id: str, partner_id: str
    ) -> Share | None:
        return await self.table.load(keys.share(user_id, kind, record_id, partner_id))

    async def shares_of_user(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[Share]:
        return await self.table.query(keys.shares_of_user(user_id), limit=limit, start=start)

    async def shares_with_partner(
        self, partner_id: str, *, limit: int, start: Position | None
    ) -> Rows[Share]:
        """The index lags behind: whether it is shared still, the share itself knows."""

        async def follow(found: list[Share]) -> Sequence[Share | None]:
            return await self.table.get_many(
                [keys.share(each.user_id, each.kind, each.record_id, partner_id) for each in found]
            )

        return await self.table.query_through(
            keys.shares_with_partner(partner_id), follow, limit=limit, start=start
        )

    async def shares_of_record(self, user_id: str, kind: object, record_id: str) -> list[Share]:
        query = keys.shares_of_record(user_id, kind, record_id)
        return [each async for each in self.table.query_all(query)]

    async def company_goal(self, user_id: str, company_id: str, goal_id: str) -> CompanyGoal | None:
        return await self.table.load(keys.company_goal(user_id, company_id, goal_id))

    async def goals_of_member(
        self, user_id: str, company_id: str, *, limit: int, start: Position | None
    ) -> Rows[CompanyGoal]:
        query = keys.goals_of_company_member(user_id, company_id)
        return await self.table.query(query, limit=limit, start=start)

    async def goals_of_company(
        self, company_id: str, *, limit: int, start: Position | None
    ) -> Rows[CompanyGoal]:
        """As with shares, the index only leads to what counts."""

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

    async def all_with_partner(self, partner_id: str) -> list[Share]:
        return [each async for each in self.table.query_all(keys.shares_with_partner(partner_id))]
