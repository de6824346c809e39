"""Time: an instant is UTC text of fixed width, so instants sort; a day is local to the user."""

from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from typing import Protocol
from zoneinfo import ZoneInfo

from app.core.scalars import AWSDate, AWSDateTime


class Clock(Protocol):
    def now(self) -> datetime: ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


def instant(time: datetime) -> AWSDateTime:
    """2026-01-10T10:00:00.000Z"""
    text = time.astimezone(UTC).isoformat(timespec="milliseconds")
    return AWSDateTime(text.replace("+00:00", "Z"))


def parse_instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def epoch_seconds(time: datetime) -> int:
    return int(time.timestamp())


def local_day(time: datetime, *, time_zone: str, day_start_hour: int) -> date:
    """The local date of the user, whose day begins `day_start_hour` hours after midnight."""
    return (time.astimezone(ZoneInfo(time_zone)) - timedelta(hours=day_start_hour)).date()


def start_of_day(day: date, *, time_zone: str, day_start_hour: int) -> datetime:
    """The first instant of the user's day, also if the clocks change on that day."""
    return datetime.combine(day, time_of_day(day_start_hour), ZoneInfo(time_zone)).astimezone(UTC)


def to_day(value: date) -> AWSDate:
    return AWSDate(value.isoformat())
