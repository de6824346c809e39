"""What the services of this domain share: the user's day, and patience with other writers."""

from datetime import date, datetime

from app.core.caller import Caller
from app.core.clock import local_day
from app.core.turns import Turns
from app.domains.people.service import Profiles
from app.domains.service import Service
from app.domains.tracking.repository import TrackingRepository
from app.resources import Resources

TURNS = Turns()


class Tracker(Service):
    def __init__(self, resources: Resources, caller: Caller, profiles: Profiles) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.repository = TrackingRepository(resources.table)

    async def today(self) -> date:
        return await self.day_of(self.resources.clock.now())

    async def day_of(self, moment: datetime) -> date:
        """The caller's own day at that moment."""
        me = await self.profiles.me()
        return local_day(
            moment, time_zone=me.time_zone or "UTC", day_start_hour=me.day_start_hour or 0
        )
