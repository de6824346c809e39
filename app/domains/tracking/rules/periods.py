"""Weeks, months and intervals of days."""

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


def days_between(first: date, last: date) -> Iterator[date]:
    """Both included."""
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


def period_of(unit: str, day: date, *, start: date, interval_days: int | None) -> tuple[date, date]:
    """The first and the last day. Weeks begin on Monday; intervals are counted from `start`."""
    if unit == "Monthly":
        return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])
    if unit == "Custom" and interval_days:
        first = day - timedelta(days=(day - start).days % interval_days)
        return first, first + timedelta(days=interval_days - 1)
    first = day - timedelta(days=day.weekday())
    return first, first + timedelta(days=6)
