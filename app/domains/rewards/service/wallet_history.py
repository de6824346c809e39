"""What happened to a wallet, by day."""

from datetime import date, datetime, timedelta

from app.core.clock import instant, local_day, parse_instant, start_of_day
from app.core.errors import LimitExceeded
from app.domains.people.service import Profiles
from app.domains.people.types import User
from app.domains.rewards import keys, rules
from app.domains.rewards.types import PointsOfDay, TransactionType, WalletTransaction
from app.domains.service import Service, uses
from app.table.gateway import Position, Rows

ONE_DAY = timedelta(days=1)


class WalletHistory(Service):
    """Days are those of the user's present time zone."""

    profiles = uses(Profiles)

    async def transactions(
        self,
        since: str | None,
        until: str | None,
        kind: TransactionType | None,
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[WalletTransaction]:
        begin = await self._start(rules.known_day(since)) if since else None
        end = await self._start(rules.known_day(until) + ONE_DAY) if until else None

        def matches(each: WalletTransaction) -> bool:
            return kind in (None, each.type) and (end is None or each.created_at < end)

        query = keys.transactions_of_wallet(self.caller.user_id, begin, end)
        return await self.table.query(query, limit=limit, start=start, keep=matches)

    async def points_by_day(self, since: str | None, until: str | None) -> list[PointsOfDay]:
        me = await self.profiles.me()
        first, last = rules.point_days(since, until, _day(me, self.resources.clock.now()))
        begin, end = await self._start(first), await self._start(last + ONE_DAY)
        query = keys.transactions_of_wallet(self.caller.user_id, begin, end)
        found = []
        async for each in self.table.query_all(query):
            if each.created_at < end:
                found.append((_day(me, parse_instant(each.created_at)), each))
            if len(found) > rules.MOST_TRANSACTIONS:
                raise LimitExceeded(
                    f"There are more than {rules.MOST_TRANSACTIONS:,} transactions from {first} to "
                    f"{last}. Ask for fewer days."
                )
        return rules.points_by_day(found, first, last)

    async def _start(self, day: date) -> str:
        """The first instant of the user's day."""
        me = await self.profiles.me()
        zone, hour = me.time_zone or "UTC", me.day_start_hour or 0
        return instant(start_of_day(day, time_zone=zone, day_start_hour=hour))


def _day(me: User, moment: datetime) -> date:
    zone, hour = me.time_zone or "UTC", me.day_start_hour or 0
    return local_day(moment, time_zone=zone, day_start_hour=hour)
