"""The reads about notifications."""

from collections.abc import Sequence

from app.domains.notifications import keys
from app.domains.notifications.types import (
    ChannelType,
    Notification,
    NotificationChannel,
    NotificationSettings,
    Outgoing,
)
from app.table.gateway import Gateway, Position, Rows


class NotificationsRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def channel(
        self, user_id: str, channel_type: ChannelType, label: str | None
    ) -> NotificationChannel | None:
        return await self.table.get(keys.channel(user_id, channel_type, label))

    async def channels(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[NotificationChannel]:
        return await self.table.query(keys.channels_of_user(user_id), limit=limit, start=start)

    async def every_channel(self, user_id: str) -> list[NotificationChannel]:
        return [each async for each in self.table.query_all(keys.channels_of_user(user_id))]

    async def settings(self, user_id: str) -> NotificationSettings | None:
        return await self.table.load(keys.settings_of_user(user_id))

    async def inbox(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[Notification]:
        return await self.table.query(keys.inbox_of_user(user_id), limit=limit, start=start)

    async def unread(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[Notification]:
        """The index may lag behind: each is looked at in the table."""

        async def follow(rows: list[Notification]) -> Sequence[Notification | None]:
            found = await self.table.get_many([keys.notification(user_id, r.id) for r in rows])
            return [each if each and each.read_at is None else None for each in found]

        query = keys.unread_of_user(user_id)
        return await self.table.query_through(query, follow, limit=limit, start=start)

    async def notifications(self, user_id: str, ids: Sequence[str]) -> list[Notification | None]:
        return await self.table.get_many([keys.notification(user_id, each) for each in ids])

    async def outgoing(self, user_id: str, notification_id: str, channel: str) -> Outgoing | None:
        return await self.table.load(keys.outgoing(user_id, notification_id, channel))

    async def outgoing_of_notification(self, user_id: str, notification_id: str) -> list[Outgoing]:
        query = keys.outgoing_of_notification(user_id, notification_id)
        return [each async for each in self.table.query_all(query)]

    async def announced(
        self, user_id: str, subjects: Sequence[tuple[str, str]], channel: str
    ) -> set[tuple[str, str]]:
        """Which of these (subject, period) have had their message."""
        found = await self.table.get_many(
            [keys.delivery(user_id, subject, channel, period) for subject, period in subjects]
        )
        return {(each.subject, each.period) for each in found if each}


async def outgoing_due(table: Gateway, until: str, shards: Sequence[str | None]) -> list[Outgoing]:
    """Of everyone, for the worker: the oldest of each shard."""
    found: list[Outgoing] = []
    for shard in shards:
        found += (await table.query(keys.outgoing_due(until, shard), limit=100)).items
    return found


async def reminders_due(
    table: Gateway, day: str, until: str, *, most: int
) -> list[NotificationSettings]:
    rows = await table.query(
        keys.reminders_due(day, until),
        limit=most,
        keep=lambda each: isinstance(each, NotificationSettings),
    )
    return rows.items
