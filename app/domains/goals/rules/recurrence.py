"""Which day comes next: the document's map and RFC 5545 rules, as one pattern without hidden parts.

A pattern names its days in full (a weekly one its weekday, a monthly one its day), so that the day
of any occurrence is enough to go on from: a month of 28 days makes no rule drift.
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
# Months (or years, in a yearly rule) in which no day fits before the search is given up.
MOST_STEPS = 130

ORDINAL_DAY = re.compile(r"([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)")
LIMITS = {"BYMONTH": (1, 12), "BYMONTHDAY": (-31, 31), "BYSETPOS": (-31, 31)}
KNOWN = {"FREQ", "INTERVAL", "UNTIL", "COUNT", "BYDAY", "WKST", *LIMITS}


class BadRule(BadInput):
    def __init__(self, why: str) -> None:
        super().__init__(f"This recurrence rule {why}.", field="input.recurrenceRule")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """`count`: how many occurrences are left, this one included."""

    text: str
    end: date | None = None
    count: int | None = None

    @property
    def parts(self) -> dict[str, str]:
        return dict(part.split("=") for part in self.text.split(";"))


def pattern_of_map(frequency: str, interval: int, *, start: date, end: date | None) -> Pattern:
    parts = {"FREQ": frequency, "INTERVAL": str(interval)}
    return _checked(Pattern(text=_text(_in_full(parts, start)), end=end), start)


def pattern_of_rule(text: str, *, start: date, end: date | None) -> Pattern:
    """Of an RRULE; its UNTIL and the given end: the earlier counts."""
    parts = _parts(text)
    until = _until(parts.pop("UNTIL", None))
    count = _number(parts.pop("COUNT"), 1, LARGEST_COUNT) if "COUNT" in parts else None
    ends = [each for each in (until, end) if each]
    pattern = Pattern(
        text=_text(_in_full(parts, start)), end=min(ends) if ends else None, count=count
    )
    return _checked(pattern, start)


def next_day(pattern: Pattern, *, anchor: date, after: date) -> date | None:
    """The first day after `after`, counted from `anchor`, a day of the pattern; None at its end."""
    if pattern.count == 1:
        return None
    found = next((day for day in _days(pattern, anchor) if day > max(after, anchor)), None)
    if found is None and anchor < after:
        # So late that counting from the anchor takes too long.
        found = next((day for day in _days(pattern, after) if day > after), None)
    return None if found is None or (pattern.end and found > pattern.end) else found


def days(pattern: Pattern, *, start: date, most: int) -> list[date]:
    """The first days of the pattern, `start` included if it is one."""
    within = (day for day in _days(pattern, start) if not pattern.end or day <= pattern.end)
    return list(islice(within, min(most, pattern.count or most)))


def _checked(pattern: Pattern, start: date) -> Pattern:
    if next_day(Pattern(text=pattern.text), anchor=start, after=start) is None:
        raise BadRule("gives no day within five years")
    return pattern


def _parts(text: str) -> dict[str, str]:
    words = text.strip().upper().removeprefix("RRULE:").rstrip(";").split(";")
    pairs = [word.partition("=") for word in words]
    parts = {name: value for name, _, value in pairs}
    if len(text) > LONGEST_RULE or len(parts) != len(pairs) or not all(parts.values()):
        raise BadRule("must look like FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH")
    if unknown := parts.keys() - KNOWN:
        raise BadRule(f"has {sorted(unknown)[0][:20]}, which is not supported")
    if parts.get("FREQ") not in FREQUENCIES:
        raise BadRule("must have FREQ DAILY, WEEKLY, MONTHLY or YEARLY")
    _keywords(parts)
    return parts


def _in_full(parts: dict[str, str], start: date) -> dict[str, str]:
    """What RFC 5545 takes from the first day, written out; days 29 to 31 stay in short months."""
    if "BYDAY" in parts or "BYMONTHDAY" in parts or parts["FREQ"] == "DAILY":
        return parts
    if parts["FREQ"] == "WEEKLY":
        return parts | {"BYDAY": WEEKDAYS[start.weekday()]}
    month = {"BYMONTH": str(start.month)} if parts["FREQ"] == "YEARLY" else {}
    if start.day <= 28 or "BYSETPOS" in parts or "," in parts.get("BYMONTH", ""):
        return month | parts | {"BYMONTHDAY": str(start.day)}
    clamped = ",".join(str(day) for day in range(28, start.day + 1))
    return month | parts | {"BYMONTHDAY": clamped, "BYSETPOS": "-1"}


def _text(parts: dict[str, str]) -> str:
    return ";".join(f"{name}={value}" for name, value in parts.items())


def _keywords(parts: dict[str, str]) -> dict[str, Any]:
    wanted: dict[str, Any] = {
        "freq": FREQUENCIES[parts["FREQ"]],
        "interval": _number(parts.get("INTERVAL", "1"), 1, LARGEST_INTERVAL),
    }
    for name, (low, high) in LIMITS.items():
        if name in parts:
            numbers = [_number(each, low, high) for each in parts[name].split(",")]
            if 0 in numbers:
                raise BadRule(f"has 0 in {name}")
            wanted[name.lower()] = numbers
    if "BYDAY" in parts:
        wanted["byweekday"] = [_weekday(each) for each in parts["BYDAY"].split(",")]
    if "WKST" in parts:
        wanted["wkst"] = _weekday(parts["WKST"]).weekday
    return wanted


def _number(text: str, low: int, high: int) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,4}", text) or not low <= int(text) <= high:
        raise BadRule(f"has a number that is not {low} to {high}")
    return int(text)


def _weekday(text: str) -> Any:
    found = ORDINAL_DAY.fullmatch(text)
    if not found:
        raise BadRule("has a weekday other than MO, TU, … SU, or 3TU, -1FR")
    ordinal = int(found[1]) if found[1] else None
    return weekday(WEEKDAYS.index(found[2]), ordinal)


def _until(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return datetime.strptime(text[:8], "%Y%m%d").date()  # noqa: DTZ007
    except ValueError:
        raise BadRule("must have UNTIL as YYYYMMDD") from None


class _TooFar(Exception):
    pass


class _Bounded(rrule):  # type: ignore[misc]
    """Where no day fits, dateutil goes on to the year 9999. It asks for `_byeaster` whenever a
    month (or year) begins, and there we stop it."""

    steps = 0

    @property
    def _byeaster(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise _TooFar

    @_byeaster.setter
    def _byeaster(self, value: None) -> None:
        pass


def _days(pattern: Pattern, start: date) -> Iterator[date]:
    rule = _Bounded(dtstart=datetime.combine(start, time()), **_keywords(pattern.parts))
    try:
        for moment in islice(rule, MOST_DAYS):
            if moment.date() > start + HORIZON:
                return
            yield moment.date()
    except _TooFar:
        return
