"""When a goal is polled next, and when its next message is sent."""

from datetime import datetime, timedelta

from app.core.clock import instant
from app.domains.notifications.rules.times import NotificationSchedule
from app.domains.notifications.types import NotificationFrequency


def first_times(
    now: datetime,
    frequency: NotificationFrequency | None,
    schedule: NotificationSchedule,
    *,
    achieved: bool,
) -> dict[str, str | None]:
    """Of a new or restored goal: polled at once."""
    if achieved:
        return {"poll_at": None, "send_at": None}
    return {"poll_at": instant(now), "send_at": next_message(now, frequency, schedule)}


def next_message(
    now: datetime, frequency: NotificationFrequency | None, schedule: NotificationSchedule
) -> str | None:
    return instant(schedule.next(now, frequency)) if frequency else None


def next_poll(now: datetime, minutes: int) -> str:
    return instant(now + timedelta(minutes=minutes))
