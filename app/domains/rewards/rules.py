"""Decisions about points and rewards, without any I/O."""

from datetime import datetime, timedelta

# GraphQL's Int ends a little above; a wallet's sums stay below it for ever.
MOST_POINTS = 2_000_000_000
LARGEST_ADJUSTMENT = 1_000_000
HIGHEST_COST = 1_000_000
FREEZE_COST = 200
MOST_FREEZES = 2


def end_of_cooldown(last: datetime | None, cooldown_hours: int | None) -> datetime | None:
    """From this moment on (inclusive) it may be had again; None: no need to wait."""
    if last is None or not cooldown_hours:
        return None
    return last + timedelta(hours=cooldown_hours)


def is_cooling_down(now: datetime, *, last: datetime | None, cooldown_hours: int | None) -> bool:
    end = end_of_cooldown(last, cooldown_hours)
    return end is not None and now < end


def is_used_up(redeemed_today: int, most_a_day: int | None) -> bool:
    """No limit is null; a limit of 0 is used up from the start."""
    return most_a_day is not None and redeemed_today >= most_a_day
