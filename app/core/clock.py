"""Time: instants are UTC text of fixed width, so that they sort; a day is the user's own."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from app.core.scalars import AWSDate, AWSDateTime


class Clock(Protocol):
    def now(self) -> datetime: ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


def instant(moment: datetime) -> AWSDateTime:
    """2026-01-10T10:00:00.000Z"""
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return AWSDateTime(text.replace("+00:00", "Z"))


def moment_of(text: str) -> datetime:
    return datetime.fromisoformat(text)


def epoch(moment: datetime) -> int:
    return int(moment.timestamp())


def local_day(moment: datetime, *, time_zone: str, day_start_hour: int) -> date:
    """The user's day: the local date; a night owl's may begin some hours after midnight."""
    return (moment.astimezone(ZoneInfo(time_zone)) - timedelta(hours=day_start_hour)).date()


def start_of_day(day: date, *, time_zone: str, day_start_hour: int) -> datetime:
    """The first moment of the user's day, on which the clocks may change."""
    return datetime.combine(day, time(day_start_hour), ZoneInfo(time_zone)).astimezone(UTC)


def day(value: date) -> AWSDate:
    return AWSDate(value.isoformat())
