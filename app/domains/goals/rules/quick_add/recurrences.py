"""Recurrences: "every mon, wed and fri", "the 31st of every month", "yearly on 24 dec"."""

import re
from datetime import date, datetime, time

from dateutil.relativedelta import relativedelta
from dateutil.rrule import rrulestr

from app.domains.goals.rules.quick_add.days import DAY_AND_MONTH, MONTH_AND_DAY
from app.domains.goals.rules.quick_add.phrase import (
    Meaning,
    PhraseContext,
    Reader,
    Recognizer,
    Strength,
)
from app.domains.goals.rules.quick_add.vocabulary import (
    DAY,
    DAY_NAMES,
    NTH,
    NUMBER,
    NUMBER_NAMES,
    ORDINAL_NAMES,
    PART,
    WEEKDAYS,
    compile_phrase,
    month_number,
    read_number,
    read_ordinal,
    weekday_number,
    weekday_numbers,
)

WORKDAYS = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
# Frequency, interval, largest interval: within five years, which the recurrence rules ask for.
UNITS = {
    "day": ("DAILY", 1, 365),
    "week": ("WEEKLY", 1, 52),
    "fortnight": ("WEEKLY", 2, 52),
    "month": ("MONTHLY", 1, 36),
    "quarter": ("MONTHLY", 3, 36),
    "year": ("YEARLY", 1, 4),
}
ADVERBS = {
    "daily": "day",
    "weekly": "week",
    "fortnightly": "fortnight",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annually": "year",
}
LONGEST_COURSE = {"day": 366, "week": 104, "month": 36, "year": 10}

EVERY = "(?:every|each)"
UNIT = "|".join(UNITS)
COUNT = f"other|second|[0-9]{{1,4}}(?:st|nd|rd|th)?|{'|'.join(NUMBER_NAMES)}"
ORDINAL = f"[1-5](?:st|nd|rd|th)|{'|'.join(ORDINAL_NAMES)}|last"
BETWEEN_DAYS = "(?: ?, ?(?:and )?| and | ?& ?| ?/ ?)"
FREQUENCY = (
    f"(?:{EVERY} (?:(?P<count>{COUNT}) )?(?P<unit>{UNIT})s?|(?P<adverb>{'|'.join(ADVERBS)}))"
)
ONE_MONTH = "(?:the|each|every) month"


def days_list(day: str, *, least: int = 1) -> str:
    return f"(?P<days>(?:{day})(?:{BETWEEN_DAYS}(?:{day})){{{least - 1},9}})"


def first_day(rule: str, start: date) -> date:
    """Without the interval: a series of every other Monday begins on the coming Monday."""
    steps = re.sub(";INTERVAL=[0-9]+", "", rule)
    occurrences = rrulestr(steps, dtstart=datetime.combine(start, time()))
    return next(iter(occurrences)).date()  # type: ignore[no-any-return]


def _make_rule(unit: str, count: int = 1) -> str | None:
    frequency, units, largest = UNITS[unit]
    interval = units * count
    if not 1 <= interval <= largest:
        return None
    return f"FREQ={frequency}" + (f";INTERVAL={interval}" if interval > 1 else "")


def _read_count(word: str | None) -> int:
    if word is None:
        return 1
    if word in ("other", "second"):
        return 2
    return read_number(re.sub("(?<=[0-9])(?:st|nd|rd|th)", "", word))


def _every(match: re.Match[str]) -> tuple[str, str | None]:
    """The unit, and the rule without its days."""
    said = match.groupdict().get
    unit = said("unit") or ADVERBS[match["adverb"]]
    return unit, _make_rule(unit, _read_count(said("count")))


def _with(rule: str | None, days: str | None) -> Meaning | None:
    return Meaning(rule=f"{rule};{days}") if rule and days else None


def _read_plain(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    rule = _every(match)[1]
    return Meaning(rule=rule) if rule else None


def _read_weekly(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    unit, rule = _every(match)
    return _with(rule, _by_day(match["days"])) if unit in ("week", "fortnight") else None


def _read_monthly(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    unit, rule = _every(match)
    if unit not in ("month", "quarter"):
        return None
    if match["weekday"]:
        return _with(rule, f"BYDAY={_nth_weekday(match)}")
    return _with(rule, _by_month_day([match["nth"] or match["last"]]))


def _read_yearly(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    unit, rule = _every(match)
    return _with(rule, _by_date(match)) if unit == "year" and not match["year"] else None


def _read_each_year(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    return None if match["year"] else _with("FREQ=YEARLY", _by_date(match))


def _read_weekdays(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    rule = _make_rule("week", _read_count(match.groupdict().get("count")))
    return _with(rule, _by_day(match["days"]))


def _read_weekday_range(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    first, last = weekday_number(match["first"]), weekday_number(match["last"])
    days = ",".join(WEEKDAYS[first : last + 1])
    is_work_week = (first, last) == (0, 4)
    # "Trip mon-wed" is one trip of three days.
    return _with("FREQ=WEEKLY", f"BYDAY={days}") if is_work_week or match["every"] else None


def _read_workdays(match: re.Match[str], _: PhraseContext) -> Meaning:
    return Meaning(rule=WORKDAYS)


def _read_weekends(match: re.Match[str], _: PhraseContext) -> Meaning:
    return Meaning(rule="FREQ=WEEKLY;BYDAY=SA")


def _read_days_of_month(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    return _with("FREQ=MONTHLY", _by_month_day(re.findall(f"{NTH}|first|last", match["nths"])))


def _read_weekday_of_month(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    """Not of "every second friday", which may be every other one."""
    if match["ordinal"] == "second" and not match["month"]:
        return None
    return _with("FREQ=MONTHLY", f"BYDAY={_nth_weekday(match)}")


def _read_part_of_days(match: re.Match[str], _: PhraseContext) -> Meaning:
    return Meaning(rule="FREQ=DAILY", part=match["part"])


def _read_course(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    count, unit = read_number(match["count"]), match["unit"]
    if not 1 <= count <= LONGEST_COURSE[unit]:
        return None
    return Meaning(lasts=relativedelta(**{f"{unit}s": count}))


def _by_day(names: str) -> str:
    numbers = dict.fromkeys(weekday_numbers(names))
    return "BYDAY=" + ",".join(WEEKDAYS[number] for number in numbers)


def _nth_weekday(match: re.Match[str]) -> str:
    return f"{read_ordinal(match['ordinal'])}{WEEKDAYS[weekday_number(match['weekday'])]}"


def _by_month_day(words: list[str]) -> str | None:
    """The 29th to 31st are the last day of a month that has no such day; not so in a list."""
    days = [read_ordinal(word) for word in words]
    if any(not -1 <= day <= 31 or day == 0 for day in days):
        return None
    if len(days) == 1 and days[0] > 28:
        return _clamped(days[0])
    return None if max(days) > 28 else "BYMONTHDAY=" + ",".join(str(day) for day in days)


def _clamped(day: int) -> str:
    fallback = ",".join(str(each) for each in range(28, day + 1))
    return f"BYMONTHDAY={fallback};BYSETPOS=-1"


def _by_date(match: re.Match[str]) -> str | None:
    month, day = month_number(match["month"]), int(match["day"])
    try:
        date(2028, month, day)
    except ValueError:
        return None
    days = _clamped(day) if (month, day) == (2, 29) else f"BYMONTHDAY={day}"
    return f"BYMONTH={month};{days}"


def every(
    expression: str,
    read: Reader,
    strength: Strength = Strength.ANYWHERE,
    *,
    is_bare: bool = False,
) -> Recognizer:
    pattern = compile_phrase(expression)
    return Recognizer(pattern=pattern, read=read, strength=strength, is_bare=is_bare)


NTHS = f"(?P<nths>(?:{NTH}|first|last day)(?:{BETWEEN_DAYS}{NTH}){{0,9}})"
NTH_WEEKDAY = f"(?P<ordinal>{ORDINAL}) (?P<weekday>{DAY})"
ANY_DAY = f"(?:{DAY})s?"
PLURAL_DAY = "|".join(f"{name}s" for name in DAY_NAMES)

RECURRENCES = (
    every(f"{EVERY} (?P<count>{COUNT}) (?P<unit>{UNIT})s?", _read_plain),
    every(f"{EVERY} (?P<unit>{UNIT})", _read_plain, Strength.OPENING),
    every(f"(?P<adverb>{'|'.join(ADVERBS)})", _read_plain, Strength.CLAUSE, is_bare=True),
    every(f"{FREQUENCY} on {days_list(ANY_DAY)}", _read_weekly),
    every(
        f"{FREQUENCY} on (?:the )?(?:{NTH_WEEKDAY}|(?P<nth>{NTH}|first)|(?P<last>last) day)",
        _read_monthly,
    ),
    every(f"{FREQUENCY} on (?:{MONTH_AND_DAY})", _read_yearly),
    every(f"{FREQUENCY} on (?:{DAY_AND_MONTH})", _read_yearly),
    every(f"{EVERY} (?:{MONTH_AND_DAY})", _read_each_year),
    every(f"{EVERY} (?:{DAY_AND_MONTH})", _read_each_year),
    every(f"{EVERY} (?:(?P<count>other|[0-9]{{1,2}}) )?{days_list(ANY_DAY)}", _read_weekdays),
    every(f"on {days_list(PLURAL_DAY)}", _read_weekdays),
    every(days_list(PLURAL_DAY), _read_weekdays, Strength.CLAUSE, is_bare=True),
    # Two days without "every" may be one weekend, three are a habit.
    every(f"(?:on )?{days_list(DAY, least=3)}", _read_weekdays, Strength.CLAUSE),
    every(
        f"(?P<every>{EVERY} )?(?:from )?(?P<first>{DAY})(?: ?- ?| to | through )(?P<last>{DAY})",
        _read_weekday_range,
        Strength.CLAUSE,
    ),
    every(f"{EVERY} (?:weekday|workday|(?:working|business) day)", _read_workdays),
    every("(?:on )?weekdays", _read_workdays, Strength.CLAUSE, is_bare=True),
    every(f"{EVERY} weekend", _read_weekends),
    every(f"{EVERY} {NTHS}", _read_days_of_month, Strength.CLAUSE),
    every(f"{EVERY} {NTHS} of {ONE_MONTH}", _read_days_of_month),
    every(f"(?:on )?(?:the )?{NTHS} of {EVERY} month", _read_days_of_month),
    every(f"{EVERY} {NTH_WEEKDAY}(?P<month> of {ONE_MONTH})?", _read_weekday_of_month),
    every(f"(?:on )?(?:the )?{NTH_WEEKDAY}(?P<month> of {EVERY} month)", _read_weekday_of_month),
    every(f"{EVERY} (?P<part>{PART})", _read_part_of_days, Strength.OPENING),
    every(f"for (?P<count>{NUMBER}) (?P<unit>day|week|month|year)s?", _read_course),
)
