"""How far a goal is, and when it will be reached at this pace."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil

from app.core.clock import instant, to_day
from app.core.scalars import WholeNumber
from app.domains.characters.rules.targets import is_reached
from app.domains.characters.types import Forecast, ForecastParts, TargetType

DAY = timedelta(days=1)
PLACES = 4
ALMOST = 0.9999
# A date further away is not worth showing.
MOST_DAYS = 36_500


@dataclass(frozen=True, slots=True)
class Sample:
    value: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Target:
    type: TargetType
    value: int
    day: date | None


def forecast(target: Target, first: Sample, last: Sample, now: datetime) -> Forecast:
    """`now` is in the user's own zone, and so are the days. The pace runs from the first record to
    now: with nothing new it falls every day."""
    sign = -1 if target.type is TargetType.rank else 1
    reached = is_reached(last.value, target.value, target.type)
    remaining = 0 if reached else sign * (target.value - last.value)
    gained = sign * (last.value - first.value)
    pace = _pace(gained, first.at, last.at, now)
    estimated = None if reached else _estimated(remaining, pace, now)
    today = now.date()
    return Forecast(
        absolute=_absolute(target, last.value),
        since_start=1.0 if reached else _share(gained, gained + remaining),
        remaining=WholeNumber(remaining),
        needed_per_day=_needed(remaining, target.day, today),
        pace=None if pace is None else round(pace, 2),
        estimated_date=to_day(estimated) if estimated else None,
        on_track=True if reached else _on_track(target.day, pace, estimated, today),
        parts=_parts(target, first, last, now, gained=gained, remaining=remaining, pace=pace),
    )


def _parts(
    target: Target,
    first: Sample,
    last: Sample,
    now: datetime,
    *,
    gained: int,
    remaining: int,
    pace: float | None,
) -> ForecastParts:
    return ForecastParts(
        first_value=WholeNumber(first.value),
        first_at=instant(first.at),
        latest_value=WholeNumber(last.value),
        latest_at=instant(last.at),
        target_value=WholeNumber(target.value),
        gained=WholeNumber(gained),
        days=round((max(now, last.at) - first.at) / DAY, 2),
        days_to_target=round(remaining / pace, 2) if remaining and pace and pace > 0 else None,
        days_left=(target.day - now.date()).days if target.day else None,
    )


def _absolute(target: Target, value: int) -> float:
    """Of a rank, how near it is: the target divided by it."""
    if is_reached(value, target.value, target.type):
        return 1.0
    if target.type is TargetType.rank:
        return _share(target.value, value)
    return _share(value, target.value)


def _share(part: int, whole: int) -> float:
    """Never rounded up to 1 before the target is reached."""
    share = min(max(part / whole, 0.0), 1.0) if whole > 0 else 0.0
    return min(round(share, PLACES), ALMOST)


def _pace(gained: int, first: datetime, last: datetime, now: datetime) -> float | None:
    """Gained a day. One record says nothing on its first day; after that it is a standstill."""
    time = max(now, last) - first
    if time <= timedelta() or (first == last and time < DAY):
        return None
    return gained / (time / DAY)


def _needed(remaining: int, day: date | None, today: date) -> WholeNumber | None:
    """Null without a date, or after it."""
    if remaining == 0:
        return WholeNumber(0)
    left = (day - today).days if day else -1
    return None if left < 0 else WholeNumber(ceil(remaining / max(left, 1)))


def _estimated(remaining: int, pace: float | None, now: datetime) -> date | None:
    if pace is None or pace <= 0:
        return None
    days = remaining / pace
    return (now + timedelta(days=days)).date() if days <= MOST_DAYS else None


def _on_track(
    day: date | None, pace: float | None, estimated: date | None, today: date
) -> bool | None:
    """Null without a date, or without a pace yet."""
    if day is None:
        return None
    if day < today:
        return False
    return None if pace is None else estimated is not None and estimated <= day
