"""Days as the user counts them."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from app.core.clock import local_day


@dataclass(frozen=True, slots=True)
class Days:
    time_zone: str = "UTC"
    day_start_hour: int = 0

    def of(self, moment: datetime) -> date:
        return local_day(moment, time_zone=self.time_zone, day_start_hour=self.day_start_hour)

    def start(self, day: date) -> datetime:
        return self.at(day, time(self.day_start_hour))

    def at(self, day: date, clock: time) -> datetime:
        """A time of the user's day: before its first hour, it is the night that ends it."""
        date_of_clock = day + timedelta(days=clock.hour < self.day_start_hour)
        return datetime.combine(date_of_clock, clock, ZoneInfo(self.time_zone)).astimezone(UTC)

    def end(self, day: date) -> datetime:
        """The last millisecond of the day."""
        return self.start(day + timedelta(days=1)) - timedelta(milliseconds=1)

    def clock_of(self, moment: datetime) -> time:
        return moment.astimezone(ZoneInfo(self.time_zone)).time()
