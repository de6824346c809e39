"""Weeks, months and stretches of days."""

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


def days_between(first: date, last: date) -> Iterator[date]:
    """From the first to the last, both included."""
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


def period_of(unit: str, day: date, *, start: date, stretch: int | None) -> tuple[date, date]:
    """Weeks begin on Monday; stretches of so many days are counted from `start`."""
    if unit == "Monthly":
        return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])
    if unit == "Custom" and stretch:
        first = day - timedelta(days=(day - start).days % stretch)
        return first, first + timedelta(days=stretch - 1)
    first = day - timedelta(days=day.weekday())
    return first, first + timedelta(days=6)
