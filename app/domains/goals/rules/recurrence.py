"""The days of a recurrence: a frequency with an interval, or an RFC 5545 rule, as one pattern.

A pattern has explicit days (a weekly one its weekday, a monthly one its day of the month), so the
next occurrence follows from any earlier one and a short month does not shift the later ones.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any

from dateutil.rrule import DAILY, MONTHLY, WEEKLY, YEARLY, rrule, weekday

from app.core.errors import BadInput

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
FREQUENCIES = {"DAILY": DAILY, "WEEKLY": WEEKLY, "MONTHLY": MONTHLY, "YEARLY": YEARLY}
LONGEST_RULE = 200
LARGEST_INTERVAL = 400
LARGEST_COUNT = 1_000
MOST_DAYS = 1_000
HORIZON = timedelta(days=5 * 366)
# The search stops after this many months (years, in a yearly rule) without a matching day.
MOST_EMPTY_PERIODS = 130

ORDINAL_DAY = re.compile(r"([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)")
LIMITS = {"BYMONTH": (1, 12), "BYMONTHDAY": (-31, 31), "BYSETPOS": (-31, 31)}
NAMED_DAYS = ("BYDAY", "BYMONTHDAY", "BYMONTH")
SUPPORTED_PARTS = {"FREQ", "INTERVAL", "UNTIL", "COUNT", "BYDAY", "WKST", *LIMITS}


class InvalidRecurrenceRule(BadInput):
    def __init__(self, why: str) -> None:
        super().__init__(f"This recurrence rule {why}.", field="input.recurrenceRule")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurrencePattern:
    """`count`: how many occurrences are left, this one included."""

    text: str
    end: date | None = None
    count: int | None = None

    @property
    def parts(self) -> dict[str, str]:
        return dict(part.split("=") for part in self.text.split(";"))


def pattern_from_frequency(
    frequency: str, interval: int, *, start: date, end: date | None
) -> RecurrencePattern:
    parts = {"FREQ": frequency, "INTERVAL": str(interval)}
    return _validate(
        RecurrencePattern(text=_to_text(_with_explicit_days(parts, start)), end=end), start
    )


def pattern_from_rrule(text: str, *, start: date, end: date | None) -> RecurrencePattern:
    """The pattern ends at UNTIL or at `end`, whichever is earlier."""
    parts = _parse_rrule(text)
    until = _parse_until(parts.pop("UNTIL", None))
    count = _parse_number(parts.pop("COUNT"), 1, LARGEST_COUNT) if "COUNT" in parts else None
    ends = [each for each in (until, end) if each]
    pattern = RecurrencePattern(
        text=_to_text(_with_explicit_days(parts, start)),
        end=min(ends) if ends else None,
        count=count,
    )
    return _validate(pattern, start)


def pattern_from_completion(
    frequency: str, interval: int, rrule: str | None, *, day_done: date
) -> RecurrencePattern:
    """The pattern of a rule that counts from the day of completion. Days that the rrule does not
    name follow from that day."""
    parts = _parse_rrule(rrule) if rrule else {"FREQ": frequency, "INTERVAL": str(interval)}
    named = {name: value for name, value in parts.items() if name not in ("UNTIL", "COUNT")}
    return RecurrencePattern(text=_to_text(_with_explicit_days(named, day_done)))


def names_days(rrule: str | None) -> bool:
    """Whether the days are those of the calendar, such as Fridays, whatever the first day is."""
    return rrule is not None and not _parse_rrule(rrule).keys().isdisjoint(NAMED_DAYS)


def next_day(pattern: RecurrencePattern, *, anchor: date, after: date) -> date | None:
    """The first day after `after`, counted from `anchor`, a day of the pattern; None at the end."""
    if pattern.count == 1:
        return None
    found = next((day for day in _matching_days(pattern, anchor) if day > max(after, anchor)), None)
    if found is None and anchor < after:
        # `after` is beyond the search horizon of the anchor.
        found = next((day for day in _matching_days(pattern, after) if day > after), None)
    return None if found is None or (pattern.end and found > pattern.end) else found


def _validate(pattern: RecurrencePattern, start: date) -> RecurrencePattern:
    if next_day(RecurrencePattern(text=pattern.text), anchor=start, after=start) is None:
        raise InvalidRecurrenceRule("gives no day within five years")
    return pattern


def _parse_rrule(text: str) -> dict[str, str]:
    words = text.strip().upper().removeprefix("RRULE:").rstrip(";").split(";")
    pairs = [word.partition("=") for word in words]
    parts = {name: value for name, _, value in pairs}
    if len(text) > LONGEST_RULE or len(parts) != len(pairs) or not all(parts.values()):
        raise InvalidRecurrenceRule("must look like FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH")
    if unknown := parts.keys() - SUPPORTED_PARTS:
        raise InvalidRecurrenceRule(f"has {sorted(unknown)[0][:20]}, which is not supported")
    if parts.get("FREQ") not in FREQUENCIES:
        raise InvalidRecurrenceRule("must have FREQ DAILY, WEEKLY, MONTHLY or YEARLY")
    _rrule_arguments(parts)
    return parts


def _with_explicit_days(parts: dict[str, str], start: date) -> dict[str, str]:
    """The days that RFC 5545 derives from the first day, written out. Days 29 to 31 become the
    last day of a shorter month."""
    if "BYDAY" in parts or "BYMONTHDAY" in parts or parts["FREQ"] == "DAILY":
        return parts
    if parts["FREQ"] == "WEEKLY":
        return parts | {"BYDAY": WEEKDAYS[start.weekday()]}
    month = {"BYMONTH": str(start.month)} if parts["FREQ"] == "YEARLY" else {}
    if start.day <= 28 or "BYSETPOS" in parts or "," in parts.get("BYMONTH", ""):
        return month | parts | {"BYMONTHDAY": str(start.day)}
    clamped = ",".join(str(day) for day in range(28, start.day + 1))
    return month | parts | {"BYMONTHDAY": clamped, "BYSETPOS": "-1"}


def _to_text(parts: dict[str, str]) -> str:
    return ";".join(f"{name}={value}" for name, value in parts.items())


def _rrule_arguments(parts: dict[str, str]) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "freq": FREQUENCIES[parts["FREQ"]],
        "interval": _parse_number(parts.get("INTERVAL", "1"), 1, LARGEST_INTERVAL),
    }
    for name, (low, high) in LIMITS.items():
        if name in parts:
            numbers = [_parse_number(each, low, high) for each in parts[name].split(",")]
            if 0 in numbers:
                raise InvalidRecurrenceRule(f"has 0 in {name}")
            arguments[name.lower()] = numbers
    if "BYDAY" in parts:
        arguments["byweekday"] = [_parse_weekday(each) for each in parts["BYDAY"].split(",")]
    if "WKST" in parts:
        arguments["wkst"] = _parse_weekday(parts["WKST"]).weekday
    return arguments


def _parse_number(text: str, low: int, high: int) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,4}", text) or not low <= int(text) <= high:
        raise InvalidRecurrenceRule(f"has a number that is not {low} to {high}")
    return int(text)


def _parse_weekday(text: str) -> Any:
    found = ORDINAL_DAY.fullmatch(text)
    if not found:
        raise InvalidRecurrenceRule("has a weekday other than MO, TU, … SU, or 3TU, -1FR")
    ordinal = int(found[1]) if found[1] else None
    return weekday(WEEKDAYS.index(found[2]), ordinal)


def _parse_until(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return datetime.strptime(text[:8], "%Y%m%d").date()  # noqa: DTZ007
    except ValueError:
        raise InvalidRecurrenceRule("must have UNTIL as YYYYMMDD") from None


class _NoDayFits(Exception):
    pass


class _BoundedRule(rrule):  # type: ignore[misc]
    """dateutil searches for a matching day until the year 9999. It reads `_byeaster` at the start
    of each month (or year): this is where the search is stopped."""

    steps = 0

    @property
    def _byeaster(self) -> None:
        self.steps += 1
        if self.steps > MOST_EMPTY_PERIODS:
            raise _NoDayFits

    @_byeaster.setter
    def _byeaster(self, value: None) -> None:
        pass


def _matching_days(pattern: RecurrencePattern, start: date) -> Iterator[date]:
    rule = _BoundedRule(dtstart=datetime.combine(start, time()), **_rrule_arguments(pattern.parts))
    try:
        for moment in islice(rule, MOST_DAYS):
            if moment.date() > start + HORIZON:
                return
            yield moment.date()
    except _NoDayFits:
        return
