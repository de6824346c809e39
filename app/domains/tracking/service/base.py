"""What the services of this domain share: the user's day, and the lock of each record."""

from datetime import date, datetime

from app.core.clock import local_day
from app.core.locks import KeyedLock
from app.domains.people.service import Profiles
from app.domains.service import Service, uses
from app.domains.tracking.repository import TrackingRepository

LOCKS = KeyedLock()


class TrackingService(Service):
    profiles = uses(Profiles)

    @property
    def repository(self) -> TrackingRepository:
        return TrackingRepository(self.table)

    async def today(self) -> date:
        return await self.day_of(self.resources.clock.now())

    async def day_of(self, moment: datetime) -> date:
        """The caller's local day at that moment."""
        me = await self.profiles.me()
        return local_day(
            moment, time_zone=me.time_zone or "UTC", day_start_hour=me.day_start_hour or 0
        )
