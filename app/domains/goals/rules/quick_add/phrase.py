"""A phrase: words of the sentence, what they mean, and where they may stand to mean it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time
from enum import IntEnum

from dateutil.relativedelta import relativedelta


class Strength(IntEnum):
    """Where a phrase counts. Each place includes the ones above it."""

    ATTACHED = 0  # beside another phrase: "[friday] morning"
    END = 1  # at the end, or at the beginning before a colon or comma
    CLAUSE = 2  # before a preposition: "call mom Sunday about the cake"
    OPENING = 3  # at the beginning: "9am standup"
    ANYWHERE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseContext:
    now: datetime
    is_month_first: bool = False

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def clock(self) -> time:
        """The minute that runs counts as to come."""
        return self.now.time().replace(second=0, microsecond=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """`is_weekday`: `due` was said as a weekday only. `is_day_open`: it is today unless another day
    is said ("eod"). `has_half`: `at` was said with am or pm, or is clear without. `lasts`: how long
    a recurrence goes on."""

    due: date | None = None
    is_weekday: bool = False
    is_day_open: bool = False
    is_deadline: bool = False
    at: time | None = None
    has_half: bool = False
    is_midnight: bool = False
    part: str | None = None
    rule: str | None = None
    starts: date | None = None
    ends: date | None = None
    lasts: relativedelta | None = None
    size: int | None = None
    priority: str | None = None
    hashtag: str | None = None
    tag: str | None = None

    @property
    def is_mark(self) -> bool:
        """A priority, area, tag or size: never part of a date."""
        return not self.facts - {"size", "priority", "hashtag", "tag"}

    @property
    def facts(self) -> set[str]:
        return {name for name in FACTS if getattr(self, name) not in (None, False)}


FACTS = tuple(each.name for each in fields(Meaning))
FLAGS = {"is_weekday", "is_day_open", "is_deadline", "has_half", "is_midnight"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    start: int
    end: int
    meaning: Meaning
    strength: Strength
    is_bare: bool  # without a preposition of its own


Reader = Callable[[re.Match[str], PhraseContext], Meaning | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognizer:
    """`is_bare` and `strength` hold unless the phrase begins with a preposition, the group
    `prefix` of the pattern: then it counts at `prefixed`."""

    pattern: re.Pattern[str]
    read: Reader
    strength: Strength
    prefixed: Strength = Strength.ANYWHERE
    is_bare: bool = True

    def recognize(self, folded: str, start: int, context: PhraseContext) -> Phrase | None:
        match = self.pattern.match(folded, start)
        meaning = self.read(match, context) if match else None
        if match is None or meaning is None:
            return None
        has_prefix = bool(match.groupdict().get("prefix"))
        return Phrase(
            start=start,
            end=match.end(),
            meaning=meaning,
            strength=self.prefixed if has_prefix else self.strength,
            is_bare=self.is_bare and not has_prefix,
        )


def combine(one: Meaning, other: Meaning) -> Meaning | None:
    """Both; None if they contradict. "Thu 24 Dec" is one day if the 24th is a Thursday."""
    clash = (one.facts & other.facts) - FLAGS
    if clash - {"due"} or not _is_same_day(one, other):
        return None
    # A date says more than a weekday, and that more than "eod".
    first, last = sorted((one, other), key=_precision)
    both = replace(first, **{name: getattr(last, name) for name in last.facts})
    day = last if last.due else first
    return replace(both, is_weekday=day.is_weekday, is_day_open=day.is_day_open)


def _precision(meaning: Meaning) -> int:
    return 0 if meaning.is_day_open else 1 if meaning.is_weekday else 2


def _is_same_day(one: Meaning, other: Meaning) -> bool:
    if one.due is None or other.due is None or one.due == other.due:
        return True
    if one.is_day_open or other.is_day_open:
        return True
    is_vague = one.is_weekday != other.is_weekday
    return is_vague and one.due.weekday() == other.due.weekday()
