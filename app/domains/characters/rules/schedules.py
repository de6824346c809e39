"""When a goal is looked up and told about next."""

from datetime import datetime, timedelta

from app.core.clock import instant
from app.domains.notifications.rules.times import NotificationFrequency, Rhythm


def first_times(
    now: datetime, frequency: NotificationFrequency | None, rhythm: Rhythm, *, achieved: bool
) -> dict[str, str | None]:
    """Of a goal that begins, or begins again: looked up at once."""
    if achieved:
        return {"poll_at": None, "send_at": None}
    return {"poll_at": instant(now), "send_at": next_message(now, frequency, rhythm)}


def next_message(
    now: datetime, frequency: NotificationFrequency | None, rhythm: Rhythm
) -> str | None:
    return instant(rhythm.next(now, frequency)) if frequency else None


def next_poll(now: datetime, minutes: int) -> str:
    return instant(now + timedelta(minutes=minutes))
