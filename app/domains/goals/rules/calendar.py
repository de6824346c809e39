"""Days of a user: in the user's time zone, from the user's own first hour."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from app.core.clock import local_day


@dataclass(frozen=True, slots=True)
class UserCalendar:
    time_zone: str = "UTC"
    day_start_hour: int = 0

    def day_of(self, moment: datetime) -> date:
        return local_day(moment, time_zone=self.time_zone, day_start_hour=self.day_start_hour)

    def start_of(self, day: date) -> datetime:
        return self.moment_at(day, time(self.day_start_hour))

    def end_of(self, day: date) -> datetime:
        """The last millisecond of the day."""
        return self.start_of(day + timedelta(days=1)) - timedelta(milliseconds=1)

    def moment_at(self, day: date, clock: time) -> datetime:
        """A clock time before the first hour of the day lies in the night that ends the day."""
        date_of_clock = day + timedelta(days=clock.hour < self.day_start_hour)
        return datetime.combine(date_of_clock, clock, ZoneInfo(self.time_zone)).astimezone(UTC)

    def clock_time(self, moment: datetime) -> time:
        """When the clocks are set back, a time occurs twice: both are the same time."""
        return moment.astimezone(ZoneInfo(self.time_zone)).time().replace(fold=0)
