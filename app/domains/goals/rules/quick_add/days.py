"""Days: "by next friday", "on 24/12", "in 3 weeks"; with "until" or "from", bounds of a rule."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from app.domains.goals.rules.quick_add.phrase import Meaning, PhraseContext, Recognizer, Strength
from app.domains.goals.rules.quick_add.vocabulary import (
    DAY,
    MONTH,
    NTH,
    NUMBER,
    compile_phrase,
    month_number,
    read_number,
    read_ordinal,
    weekday_number,
)

FARTHEST_YEARS = 20
DEADLINE = "by|due(?: on| by)?:?"
END = "until|till|til|through|ending(?: on)?"
START = "starting(?: on| from)?|beginning(?: on)?|from"
PREFIX = f"(?P<prefix>on|(?P<deadline>{DEADLINE})|(?P<ends>{END})|(?P<starts>{START})) "
YEAR = "(?P<year>[0-9]{4})"
NAMED_MONTH = f"(?P<month>{MONTH})"

DayReader = Callable[[re.Match[str], PhraseContext], date | None]


def day_recognizer(
    expression: str,
    read: DayReader,
    strength: Strength,
    *,
    prefixed: Strength = Strength.ANYWHERE,
    needs_prefix: bool = False,
) -> Recognizer:
    prefix = f"(?:{PREFIX})" if needs_prefix else f"(?:{PREFIX})?"
    return Recognizer(
        pattern=compile_phrase(f"{prefix}(?:{expression})"),
        read=lambda match, context: _to_meaning(match, read(match, context), context.today),
        strength=strength,
        prefixed=prefixed,
    )


def _to_meaning(match: re.Match[str], day: date | None, today: date) -> Meaning | None:
    if day is None or not today <= day <= later(today, years=FARTHEST_YEARS):
        return None
    if match["ends"]:
        return Meaning(ends=day)
    if match["starts"]:
        return Meaning(starts=day)
    named = match.groupdict()
    is_weekday = bool(named.get("weekday") and not named.get("next"))
    return Meaning(
        due=day,
        is_weekday=is_weekday,
        is_day_open=named.get("whole") == "day" or named.get("short") == "eod",
        is_deadline=bool(match["deadline"]),
        part="night" if named.get("tonight") else named.get("part"),
    )


def make_day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def coming_day(today: date, month: int, day: int) -> date | None:
    """Today counts. 29 February may be years away."""
    years = range(today.year, today.year + 9)
    found = (make_day(year, month, day) for year in years)
    return next((each for each in found if each and each >= today), None)


def later(day: date, /, **units: int) -> date:
    """`months=1` keeps to the end of a shorter month; `day=31` is a month's last day."""
    moved: date = day + relativedelta(**units)
    return moved


def monday_of(day: date, *, weeks: int = 0) -> date:
    return day - timedelta(days=day.weekday()) + timedelta(weeks=weeks)


def _read_near(match: re.Match[str], context: PhraseContext) -> date:
    word = match["near"]
    ahead = 0 if word.endswith("today") else 2 if "after" in word else 1
    return context.today + timedelta(days=ahead)


def _read_iso(match: re.Match[str], _: PhraseContext) -> date | None:
    return make_day(int(match["year"]), int(match["month"]), int(match["day"]))


def _read_numbers(match: re.Match[str], context: PhraseContext) -> date | None:
    """A day first, or whatever fits."""
    one, other, year = int(match["one"]), int(match["other"]), _year(match)
    if match["prefix"] in (None, "by") and not year and _is_saying(one, other):
        return None
    orders = [(other, one), (one, other)]
    if context.is_month_first:
        orders.reverse()
    fitting = (_numbered_day(context.today, month, day, year) for month, day in orders)
    return next((each for each in fitting if each), None)


def _is_saying(one: int, other: int) -> bool:
    """Open 24/7; cut by 3/4."""
    return one < other <= 4 or (one, other) == (24, 7)


def _year(match: re.Match[str]) -> int | None:
    year = match.groupdict().get("year")
    if not year:
        return None
    return int(year) + (2000 if len(year) == 2 else 0)


def _numbered_day(today: date, month: int, day: int, year: int | None) -> date | None:
    return make_day(year, month, day) if year else coming_day(today, month, day)


def _read_dotted(match: re.Match[str], context: PhraseContext) -> date | None:
    """Day and month, whatever the language."""
    return _numbered_day(context.today, int(match["month"]), int(match["day"]), _year(match))


def read_month_day(match: re.Match[str], context: PhraseContext) -> date | None:
    month = month_number(match["month"])
    return _numbered_day(context.today, month, int(match["day"]), _year(match))


def _read_weekday(match: re.Match[str], context: PhraseContext) -> date:
    number = weekday_number(match["weekday"])
    if match.groupdict().get("next"):
        return monday_of(context.today, weeks=1) + timedelta(days=number)
    return context.today + timedelta(days=(number - context.today.weekday() - 1) % 7 + 1)


def _read_day_of_month(match: re.Match[str], context: PhraseContext) -> date | None:
    """The next month that has such a day."""
    day, first = read_ordinal(match["nth"]), context.today.replace(day=1)
    months = (later(first, months=ahead) for ahead in range(13))
    found = (make_day(month.year, month.month, day) for month in months)
    return next((each for each in found if each and each >= context.today), None)


def _read_weekend(match: re.Match[str], context: PhraseContext) -> date:
    """On a Sunday, this weekend is today."""
    weeks = 1 if match["weekend"] == "next" else 0
    saturday = monday_of(context.today, weeks=weeks) + timedelta(days=5)
    return max(saturday, context.today)


def _read_next(match: re.Match[str], context: PhraseContext) -> date:
    today = context.today
    if match["unit"] == "week":
        return monday_of(today, weeks=1)
    if match["unit"] == "month":
        return later(today.replace(day=1), months=1)
    return date(today.year + 1, 1, 1)


def _read_in(match: re.Match[str], context: PhraseContext) -> date | None:
    count, unit = read_number(match["count"]), match["unit"]
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[unit] * count
    if not 0 < days <= FARTHEST_YEARS * 366:
        return None
    return later(context.today, **{f"{unit}s": count})


def _read_end(match: re.Match[str], context: PhraseContext) -> date:
    today, unit = context.today, match["whole"] or match["short"][-1]
    if unit in ("day", "d"):
        return today
    month = today.month if unit in ("month", "m") else 12
    return later(today, month=month, day=31)


def _read_part_of_today(match: re.Match[str], context: PhraseContext) -> date | None:
    """In the evening, "this morning" is past."""
    hour = {"morning": 12, "afternoon": 18, "evening": 24}.get(match["part"] or "", 24)
    return context.today if context.now.hour < hour else None


MONTH_AND_DAY = f"{NAMED_MONTH} (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?! ?[ap]m)(?:,? {YEAR})?"
DAY_AND_MONTH = (
    rf"(?:the )?(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?{NAMED_MONTH}\.?(?:,? {YEAR})?"
)
TWO_NUMBERS = "(?P<one>[0-9]{1,2})/(?P<other>[0-9]{1,2})"
DOTTED = r"(?P<day>[0-9]{1,2})\.(?P<month>[0-9]{1,2})"
WEEKDAY = f"(?P<weekday>{DAY})"

DAYS = (
    day_recognizer(
        "(?P<near>(?:later )?today|tomorrow|tmrw?|(?:the )?day after tomorrow)",
        _read_near,
        Strength.ANYWHERE,
    ),
    day_recognizer(
        f"{YEAR}-(?P<month>[0-9]{{2}})-(?P<day>[0-9]{{2}})", _read_iso, Strength.ANYWHERE
    ),
    day_recognizer(
        f"{TWO_NUMBERS}/(?P<year>[0-9]{{4}}|[0-9]{{2}})", _read_numbers, Strength.ANYWHERE
    ),
    day_recognizer(TWO_NUMBERS, _read_numbers, Strength.END, prefixed=Strength.CLAUSE),
    day_recognizer(rf"{DOTTED}\.{YEAR}", _read_dotted, Strength.ANYWHERE),
    day_recognizer(rf"{DOTTED}\.", _read_dotted, Strength.END, prefixed=Strength.CLAUSE),
    # "24.12" alone is a number or a version.
    day_recognizer(
        DOTTED,
        _read_dotted,
        Strength.END,
        prefixed=Strength.CLAUSE,
        needs_prefix=True,
    ),
    day_recognizer(MONTH_AND_DAY, read_month_day, Strength.CLAUSE),
    day_recognizer(DAY_AND_MONTH, read_month_day, Strength.CLAUSE),
    # "sat", "sun" and "wed" are words as well: only at the end, or with a preposition.
    day_recognizer(WEEKDAY, _read_weekday, Strength.END),
    day_recognizer(
        rf"(?:(?:this )?coming |this |(?!(?:sat|sun|wed)\b)){WEEKDAY}",
        _read_weekday,
        Strength.CLAUSE,
    ),
    day_recognizer(f"(?P<next>next (?:week (?:on )?)?){WEEKDAY}", _read_weekday, Strength.ANYWHERE),
    day_recognizer(f"{WEEKDAY}(?P<next> next week)", _read_weekday, Strength.ANYWHERE),
    day_recognizer(
        f"the (?P<nth>{NTH})", _read_day_of_month, Strength.END, prefixed=Strength.CLAUSE
    ),
    day_recognizer(
        f"(?P<nth>{NTH})",
        _read_day_of_month,
        Strength.END,
        prefixed=Strength.CLAUSE,
        needs_prefix=True,
    ),
    day_recognizer(
        "(?:(?P<weekend>this|next)|(?:on|at|over) the) weekend", _read_weekend, Strength.CLAUSE
    ),
    day_recognizer("next (?P<unit>week|month|year)", _read_next, Strength.CLAUSE),
    day_recognizer(
        f"in (?P<count>{NUMBER}) (?P<unit>day|week|month|year)s?", _read_in, Strength.ANYWHERE
    ),
    day_recognizer(
        "(?:at )?(?:the )?end of (?:the |this )?(?P<whole>day|month|year)|(?P<short>eo[dmy])",
        _read_end,
        Strength.CLAUSE,
    ),
    day_recognizer(
        "(?P<tonight>tonight)|this (?P<part>morning|afternoon|evening)",
        _read_part_of_today,
        Strength.ANYWHERE,
    ),
)
