"""When a message is due: once a period, at the user's hour, not in their quiet hours."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from app.core.errors import BadInput
from app.domains.notifications.types import DEFAULT_HOUR, NotificationFrequency


def period_of(day: date, frequency: NotificationFrequency) -> str:
    """2026-01-10, 2026-W02 or 2026-01: a message belongs to one of them."""
    if frequency is NotificationFrequency.weekly:
        year, week, _ = day.isocalendar()
        return f"{year}-W{week:02}"
    return day.isoformat() if frequency is NotificationFrequency.daily else f"{day:%Y-%m}"


def next_moment(
    after: datetime, frequency: NotificationFrequency, *, zone: str, hour: int
) -> datetime:
    """The first beginning of a period after that, at the user's hour of that day."""
    day = _first_day(after.astimezone(ZoneInfo(zone)).date(), frequency)
    while (moment := at_hour(day, hour, zone)) <= after:
        day = _first_day(_within_next_period(day, frequency), frequency)
    return moment


def at_hour(day: date, hour: int, zone: str) -> datetime:
    """An hour that the clock skips is the one after; of one that comes twice, the first."""
    return datetime.combine(day, time(hour), ZoneInfo(zone)).astimezone(UTC)


def _first_day(day: date, frequency: NotificationFrequency) -> date:
    if frequency is NotificationFrequency.weekly:
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if frequency is NotificationFrequency.monthly else day


def _within_next_period(day: date, frequency: NotificationFrequency) -> date:
    days = {NotificationFrequency.weekly: 7, NotificationFrequency.monthly: 31}
    return day + timedelta(days=days.get(frequency, 1))


def after_quiet(
    moment: datetime, *, zone: str, quiet_from: int | None, quiet_to: int | None
) -> datetime:
    """The moment itself, or when the quiet hours that it falls into are over."""
    local = moment.astimezone(ZoneInfo(zone))
    if quiet_from is None or quiet_to is None or not _is_quiet(local.hour, quiet_from, quiet_to):
        return moment
    ends = local.date() + timedelta(days=1 if local.hour >= quiet_to else 0)
    return at_hour(ends, quiet_to, zone)


def _is_quiet(hour: int, start: int, end: int) -> bool:
    if start <= end:
        return start <= hour < end
    return hour >= start or hour < end


def check_quiet_hours(quiet_from: int | None, quiet_to: int | None) -> None:
    """One without the other has no meaning."""
    if (quiet_from is None) == (quiet_to is None):
        return
    given, missing = ("quietFrom", "quietTo") if quiet_to is None else ("quietTo", "quietFrom")
    raise BadInput(
        f"{given} needs {missing}: send {missing} too, or null for both.",
        field=f"input.{missing}",
    )


@dataclass(frozen=True, slots=True)
class NotificationSchedule:
    """When a user gets messages: their time zone, the hour they chose, their quiet hours."""

    zone: str = "UTC"
    hour: int = DEFAULT_HOUR
    quiet_from: int | None = None
    quiet_to: int | None = None

    def local(self, moment: datetime) -> datetime:
        return moment.astimezone(ZoneInfo(self.zone))

    def time_of_day(self, moment: datetime, now: datetime) -> str:
        """15:00, or with its date if that is another day."""
        local = self.local(moment)
        same_day = self.day(moment) == self.day(now)
        return f"{local:%H:%M}" if same_day else f"{local:%Y-%m-%d %H:%M}"

    def day(self, moment: datetime) -> date:
        return self.local(moment).date()

    def next(self, after: datetime, frequency: NotificationFrequency) -> datetime:
        return next_moment(after, frequency, zone=self.zone, hour=self.hour)

    def period(self, moment: datetime, frequency: NotificationFrequency) -> str:
        return period_of(self.day(moment), frequency)

    def after_quiet(self, moment: datetime) -> datetime:
        return after_quiet(
            moment, zone=self.zone, quiet_from=self.quiet_from, quiet_to=self.quiet_to
        )
