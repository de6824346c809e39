"""A task out of plain words: "Pay rent every month on the 1st at 9 p1 #Wealth".

Each finder takes what it understands out of the sentence; what is left over is the title.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, time, timedelta

from app.domains.goals.rules.recurrence import WEEKDAYS, Pattern, days, pattern_of_rule
from app.domains.goals.rules.states import Priority

DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
UNITS = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}
ADVERBS = {"daily": "DAILY", "weekly": "WEEKLY", "monthly": "MONTHLY", "yearly": "YEARLY"}

DAY = "|".join(f"{name}|{name[:3]}" for name in DAY_NAMES) + "|tues|thur|thurs"
MONTH = "|".join(f"{name}|{name[:3]}" for name in MONTH_NAMES)
MINUTES = r"m(?:in(?:utes?|s)?)?"
NTH = r"([0-9]{1,2})(?:st|nd|rd|th)"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickTask:
    title: str
    priority: Priority | None = None
    area: str | None = None
    tags: list[str] = field(default_factory=list)
    size: int | None = None
    due: date | None = None
    at: time | None = None
    rule: str | None = None


Found = dict[str, object]
Finder = tuple[str, Callable[[re.Match[str], date], Found | None]]


def read_quick_task(text: str, *, today: date) -> QuickTask:
    """`today` is the user's."""
    rest, found = " ".join(text.split()), Found()
    for pattern, understand in FINDERS:
        rest, found = _take(rest, found, pattern, understand, today)
    rest, marks = _marks(rest)
    task = QuickTask(title=rest.strip(" ,;-") or text.strip(), **marks, **found)  # type: ignore[arg-type]
    return _first_due(task, today)


def _take(
    rest: str,
    found: Found,
    pattern: str,
    understand: Callable[[re.Match[str], date], Found | None],
    today: date,
) -> tuple[str, Found]:
    match = re.search(rf"(?<![\w#@]){pattern}(?!\w)", rest, re.IGNORECASE)
    news = understand(match, today) if match else None
    if match is None or news is None or news.keys() & found.keys():
        return rest, found
    return f"{rest[: match.start()].rstrip()} {rest[match.end() :].lstrip()}", found | news


def _marks(rest: str) -> tuple[str, Found]:
    """#Area first, then #tags; @tags."""
    hashed = re.findall(r"(?<!\S)#([^\s#@]{1,40})", rest)
    tagged = re.findall(r"(?<!\S)@([^\s#@]{1,40})", rest)
    found: Found = {"tags": [*hashed[1:], *tagged]}
    if hashed:
        found["area"] = hashed[0]
    return " ".join(re.sub(r"(?<!\S)[#@][^\s#@]{1,40}(?!\S)", "", rest).split()), found


def _first_due(task: QuickTask, today: date) -> QuickTask:
    """A rule without a day begins on its first day; a time without a day means today."""
    if task.due or not (task.rule or task.at):
        return task
    if not task.rule:
        return replace(task, due=today)
    pattern: Pattern = pattern_of_rule(task.rule, start=today, end=None)
    return replace(task, due=days(pattern, start=today, most=1)[0])


def _every_unit(match: re.Match[str], today: date) -> Found:
    return {"rule": _rule(UNITS[match[2].lower()], _interval(match[1]))}


def _every_month_on(match: re.Match[str], today: date) -> Found | None:
    return _monthly(int(match[2]), _interval(match[1]))


def _every_nth_of_month(match: re.Match[str], today: date) -> Found | None:
    return _monthly(int(match[1]), 1)


def _monthly(day: int, interval: int) -> Found | None:
    """The 29th to 31st are the last day of a month that has no such day."""
    if not 1 <= day <= 31:
        return None
    fallback = ",".join(str(each) for each in range(28, day + 1))
    which = f"BYMONTHDAY={day}" if day <= 28 else f"BYMONTHDAY={fallback};BYSETPOS=-1"
    return {"rule": f"{_rule('MONTHLY', interval)};{which}"}


def _every_days(match: re.Match[str], today: date) -> Found:
    names = re.findall(DAY, match[2], re.IGNORECASE)
    listed = ",".join(WEEKDAYS[_weekday(name)] for name in names)
    return {"rule": f"{_rule('WEEKLY', _interval(match[1]))};BYDAY={listed}"}


def _every_weekday(match: re.Match[str], today: date) -> Found:
    return {"rule": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"}


def _every_nth(match: re.Match[str], today: date) -> Found | None:
    ordinal, day = int(match[1]), WEEKDAYS[_weekday(match[2])]
    return {"rule": f"FREQ=MONTHLY;BYDAY={ordinal}{day}"} if 1 <= ordinal <= 5 else None


def _adverb(match: re.Match[str], today: date) -> Found:
    return {"rule": _rule(ADVERBS[match[1].lower()], 1)}


def _rule(frequency: str, interval: int) -> str:
    return f"FREQ={frequency}" + (f";INTERVAL={interval}" if interval > 1 else "")


def _interval(word: str | None) -> int:
    if word is None:
        return 1
    return 2 if word.strip().lower() == "other" else max(int(word), 1)


def _priority(match: re.Match[str], today: date) -> Found:
    return {"priority": Priority(match[1].upper())}


def _size(match: re.Match[str], today: date) -> Found | None:
    minutes = int(match[1] or 0) * 60 + int(match[2] or 0)
    return {"size": minutes} if 0 < minutes <= 10_080 else None


def _clock_time(match: re.Match[str], today: date) -> Found | None:
    hour, minute = int(match[1]), int(match[2] or 0)
    half = (match[3] or "").lower()
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    return {"at": time(hour, minute)} if hour < 24 and minute < 60 else None


def _near_day(match: re.Match[str], today: date) -> Found:
    return {"due": today + timedelta(days=("today", "tomorrow").index(match[1].lower()))}


def _in_some(match: re.Match[str], today: date) -> Found | None:
    size = {"day": 1, "week": 7}[match[2].lower()]
    return {"due": today + timedelta(days=int(match[1]) * size)}


def _iso_day(match: re.Match[str], today: date) -> Found | None:
    try:
        return {"due": date.fromisoformat(match[1])}
    except ValueError:
        return None


def _named_day(match: re.Match[str], today: date) -> Found:
    ahead = (_weekday(match[1]) - today.weekday() - 1) % 7 + 1
    return {"due": today + timedelta(days=ahead)}


def _month_day(match: re.Match[str], today: date) -> Found | None:
    return _coming(today, match[1], int(match[2]))


def _day_month(match: re.Match[str], today: date) -> Found | None:
    return _coming(today, match[2], int(match[1]))


def _coming(today: date, month_name: str, day: int) -> Found | None:
    month = [name[:3] for name in MONTH_NAMES].index(month_name[:3].lower()) + 1
    for year in range(today.year, today.year + 5):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found >= today:
            return {"due": found}
    return None


def _nth_of_month(match: re.Match[str], today: date) -> Found | None:
    day = int(match[1])
    for months in range(13):
        year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
        try:
            found = date(year, month + 1, day)
        except ValueError:
            continue
        if found >= today:
            return {"due": found}
    return None


def _weekday(name: str) -> int:
    return [each[:3] for each in DAY_NAMES].index(name[:3].lower())


# The longer the phrase, the earlier it is looked for. What comes after a rule may still say a day.
FINDERS: tuple[Finder, ...] = (
    (rf"every ([0-9]{{1,2}} |other )?months? on (?:the )?{NTH}", _every_month_on),
    (rf"every {NTH}(?: of (?:the|each|every) month)?(?! (?:{DAY}))", _every_nth_of_month),
    (rf"every {NTH} ({DAY})", _every_nth),
    (r"every weekday", _every_weekday),
    (rf"every ([0-9]{{1,2}} |other )?((?:{DAY})(?:(?:,| and|, and) ?(?:{DAY}))*)", _every_days),
    (r"every ([0-9]{1,2} |other )?(day|week|month|year)s?", _every_unit),
    (rf"({'|'.join(ADVERBS)})", _adverb),
    (r"!?(p[1-4])", _priority),
    (rf"(?:for |~)(?:([0-9]{{1,2}}) ?h(?:ours?|rs?)?(?: ?([0-9]{{1,2}})(?: ?{MINUTES})?)?)", _size),
    (rf"(?:for |~)()([0-9]{{1,4}}) ?{MINUTES}", _size),
    (r"(?:at )?([0-9]{1,2}):([0-9]{2}) ?(am|pm)?", _clock_time),
    (r"(?:at )?([0-9]{1,2})() ?(am|pm)", _clock_time),
    (r"at ([0-9]{1,2})()()(?!:)", _clock_time),
    (r"(today|tomorrow)", _near_day),
    (r"in ([0-9]{1,3}) (day|week)s?", _in_some),
    (r"(?:on |by |due )?([0-9]{4}-[0-9]{2}-[0-9]{2})", _iso_day),
    (rf"(?:on |by |due )?({MONTH}) ([0-9]{{1,2}})(?:st|nd|rd|th)?", _month_day),
    (rf"(?:on |by |due )?(?:the )?([0-9]{{1,2}})(?:st|nd|rd|th)? (?:of )?({MONTH})", _day_month),
    (rf"(?:on |by |next |due )({DAY})", _named_day),
    (rf"(?:on |by |due )(?:the )?{NTH}", _nth_of_month),
)  # fmt: skip
