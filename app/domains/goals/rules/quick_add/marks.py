"""Priorities, areas, tags and sizes: "p1 #Health @family ~30m"."""

import re

from app.domains.goals.rules.quick_add.phrase import Meaning, PhraseContext, Recognizer, Strength
from app.domains.goals.rules.quick_add.vocabulary import NUMBER, compile_phrase, read_number

LONGEST_SIZE = 7 * 24 * 60
LONGEST_BARE_SIZE = 12 * 60
LONGEST_NAME = 40

HOURS = r"(?P<hours>[0-9]{1,2}(?:\.[0-9]{1,2})?)"
MINUTES = "(?P<minutes>[0-9]{1,2})"
SHORT = (
    f"{HOURS} ?h(?:rs?)?(?: ?{MINUTES} ?(?:m|mins?)?)?|(?P<only_minutes>[0-9]{{1,4}}) ?(?:m|mins?)"
)
LONG = (
    f"(?P<count>{NUMBER}) (?P<unit>hour|minute)s?(?P<half> and a half)?(?: (?:and )?{MINUTES} "
    "minutes?)?|(?P<half_hour>half an hour)"
)
# A letter first: "#123" is a number, "@5pm" a time.
NAME = rf"(?P<name>[^\W\d_][\w&+'/.-]{{0,{LONGEST_NAME - 1}}})(?<![.'/-])"


def _read_short_size(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    named = match.groupdict()
    hours = float(named["hours"] or 0)
    minutes = int(named.get("minutes") or named.get("only_minutes") or 0)
    return _size(round(hours * 60) + minutes)


def _read_bare_size(match: re.Match[str], context: PhraseContext) -> Meaning | None:
    found = _read_short_size(match, context)
    return found if found and (found.size or 0) <= LONGEST_BARE_SIZE else None


def _read_long_size(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    if match["half_hour"]:
        return _size(30)
    unit = 60 if match["unit"] == "hour" else 1
    half = unit // 2 if match["half"] else 0
    return _size(read_number(match["count"]) * unit + half + int(match["minutes"] or 0))


def _size(minutes: int) -> Meaning | None:
    return Meaning(size=minutes) if 0 < minutes <= LONGEST_SIZE else None


def _read_priority(match: re.Match[str], _: PhraseContext) -> Meaning:
    return Meaning(priority=f"P{match['level']}")


def _read_hashtag(match: re.Match[str], _: PhraseContext) -> Meaning:
    return Meaning(hashtag=match["name"])


def _read_tag(match: re.Match[str], _: PhraseContext) -> Meaning:
    return Meaning(tag=match["name"])


MARKS = (
    Recognizer(
        pattern=compile_phrase("(?:!{0,2}p|!{1,2})(?P<level>[1-4])"),
        read=_read_priority,
        strength=Strength.ANYWHERE,
    ),
    Recognizer(
        pattern=compile_phrase(f"(?:for |~ ?)(?:{SHORT})"),
        read=_read_short_size,
        strength=Strength.ANYWHERE,
        is_bare=False,
    ),
    Recognizer(
        pattern=compile_phrase(f"(?:for |~ ?)(?:{LONG})"),
        read=_read_long_size,
        strength=Strength.CLAUSE,
        is_bare=False,
    ),
    Recognizer(
        # Not "30m", which may be metres, nor "17h30", which may be a time.
        pattern=compile_phrase(rf"{HOURS}h(?:{MINUTES}m(?:in)?)?|(?P<only_minutes>[0-9]{{2,3}})min"),
        read=_read_bare_size,
        strength=Strength.END,
    ),
    Recognizer(
        pattern=compile_phrase(f"#{NAME}"),
        read=_read_hashtag,
        strength=Strength.ANYWHERE,
        is_bare=False,
    ),
    Recognizer(
        pattern=compile_phrase(f"@{NAME}"),
        read=_read_tag,
        strength=Strength.ANYWHERE,
        is_bare=False,
    ),
)  # fmt: skip
