"""The reads about notifications that decide something."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.domains.notifications import keys
from app.domains.notifications.types import Notification
from app.table.gateway import Gateway, Position, Rows


@dataclass(frozen=True, slots=True)
class NotificationsRepository:
    table: Gateway

    async def unread_of_user(
        self,
        user_id: str,
        keep: Callable[[Notification], bool],
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[Notification]:
        """The index lags behind the table: each notification is read again."""

        async def follow(rows: list[Notification]) -> Sequence[Notification | None]:
            found = await self.table.get_many([keys.notification(user_id, r.id) for r in rows])
            return [
                each if each and each.read_at is None and keep(each) else None for each in found
            ]

        query = keys.unread_of_user(user_id)
        return await self.table.query_through(query, follow, limit=limit, start=start)
