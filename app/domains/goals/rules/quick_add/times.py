"""Times of day: "at 9am", "17:30", "in the morning", "in 2 hours", "3-4pm"."""

import re
from datetime import UTC, datetime, time, timedelta

from app.domains.goals.rules.quick_add.phrase import Meaning, PhraseContext, Recognizer, Strength
from app.domains.goals.rules.quick_add.vocabulary import NUMBER, PART, compile_phrase, read_number

PARTS = {
    "morning": time(9),
    "afternoon": time(15),
    "evening": time(18),
    "night": time(20),
}
END_OF_DAY = time(23, 59)
LAST_AFTERNOON_HOUR = 6
LAST_NIGHT_HOUR = 4
EVENING_PARTS = ("evening", "night")
LONGEST_WAIT = timedelta(days=31)

AT = "(?P<prefix>(?:at|by|around|due(?: at| by)?:?) |@ ?)"
HALF = r"(?P<half>[ap]\.?m\b\.?)"
HOUR = "(?P<hour>[0-9]{1,2})"
MINUTE = "(?P<minute>[0-9]{2})"


def make_time(hour: int, minute: int, half: str) -> time | None:
    """`half`: "am", "pm" or nothing."""
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half[0] == "p" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def with_half(at: time, part: str | None) -> time:
    """3 is 15:00; but "3 in the morning" is 3:00, and "7 in the evening" is 19:00."""
    if part == "night" and at.hour == 12:
        return at.replace(hour=0)
    last = 11 if part in EVENING_PARTS else LAST_AFTERNOON_HOUR
    first = LAST_NIGHT_HOUR + 1 if part == "night" else 1
    is_second_half = part != "morning" and first <= at.hour <= last
    return at.replace(hour=at.hour + 12) if is_second_half else at


def next_minutes(now: datetime, wait: timedelta) -> datetime:
    """By the clock on the wall, also when it is set forward in between."""
    return (now.astimezone(UTC) + wait).astimezone(now.tzinfo).replace(second=0, microsecond=0)


def _read_clock(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    said = match.groupdict()
    half = said.get("half") or ""
    at = make_time(int(match["hour"]), int(said.get("minute") or 0), half)
    # "03:30" is by 24 hours.
    has_half = bool(half) or match["hour"].startswith("0")
    return Meaning(at=at, has_half=has_half) if at else None


def _read_hour(match: re.Match[str], context: PhraseContext) -> Meaning | None:
    return _read_clock(match, context) if int(match["hour"]) else None


def _read_digits(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    at = make_time(int(match["hour"]), int(match["minute"]), "")
    return Meaning(at=at, has_half=True) if at else None


def _read_middle(match: re.Match[str], _: PhraseContext) -> Meaning:
    is_midnight = match["middle"] == "midnight"
    return Meaning(at=time(0 if is_midnight else 12), has_half=True, is_midnight=is_midnight)


def _read_part(match: re.Match[str], _: PhraseContext) -> Meaning:
    return Meaning(part=match["part"])


def _read_wait(match: re.Match[str], context: PhraseContext) -> Meaning | None:
    count = 0.5 if match["half_hour"] else read_number(match["count"])
    is_minutes = (match["unit"] or "h").startswith("m")
    wait = timedelta(minutes=count) if is_minutes else timedelta(hours=count)
    if not timedelta() < wait <= LONGEST_WAIT:
        return None
    moment = next_minutes(context.now, wait)
    return Meaning(due=moment.date(), at=moment.time(), has_half=True)


def _read_range(match: re.Match[str], _: PhraseContext) -> Meaning | None:
    """In "11-1pm" the first is in the morning, in "3-4pm" it is not; "9-10" is no time."""
    half, half_2 = match["half"] or "", match["half_2"] or ""
    if not half_2 and not (match["minute"] and match["minute_2"] and not half):
        return None
    end = make_time(int(match["hour_2"]), int(match["minute_2"] or 0), half_2)
    halves = [half] if half or not half_2 else [half_2, "am"]
    starts = [make_time(int(match["hour"]), int(match["minute"] or 0), each) for each in halves]
    start = next((each for each in starts if each and end and each < end), None)
    if start is None or end is None:
        return None
    minutes = (end.hour - start.hour) * 60 + end.minute - start.minute
    return Meaning(at=start, has_half=bool(half_2), size=minutes)


def clock(expression: str, strength: Strength) -> Recognizer:
    pattern = compile_phrase(f"(?:{AT})?(?:{expression})")
    return Recognizer(pattern=pattern, read=_read_clock, strength=strength)


RANGE = (
    f"{HOUR}(?::{MINUTE})? ?(?:{HALF})?(?: ?- ?| to | until | till )"
    "(?P<hour_2>[0-9]{1,2})(?::(?P<minute_2>[0-9]{2}))? ?(?:"
    + HALF.replace("half", "half_2")
    + ")?"
)

TIMES = (
    clock(rf"{HOUR}(?:[:.]{MINUTE})? ?{HALF}", Strength.OPENING),
    clock(f"{HOUR}:{MINUTE}", Strength.OPENING),
    clock(f"{HOUR} o'?clock(?: ?{HALF})?", Strength.CLAUSE),
    Recognizer(
        pattern=compile_phrase(rf"(?:at |@ ?){HOUR}(?:\.{MINUTE})?"),
        read=_read_hour,
        strength=Strength.CLAUSE,
        is_bare=False,
    ),
    Recognizer(
        pattern=compile_phrase(rf"at (?P<hour>[0-9]{{2}}){MINUTE}(?: ?(?:h|hrs|hours))?"),
        read=_read_digits,
        strength=Strength.CLAUSE,
        is_bare=False,
    ),
    Recognizer(
        pattern=compile_phrase(rf"(?P<hour>[0-9]{{2}}){MINUTE} ?(?:h|hrs|hours)"),
        read=_read_digits,
        strength=Strength.END,
    ),
    Recognizer(
        pattern=compile_phrase(rf"at {HOUR}h(?:{MINUTE})?"),
        read=_read_clock,
        strength=Strength.ANYWHERE,
        is_bare=False,
    ),
    # From 10h on: "1h30" is rather a size.
    Recognizer(
        pattern=compile_phrase(rf"(?P<hour>1[0-9]|2[0-3])h{MINUTE}"),
        read=_read_digits,
        strength=Strength.END,
    ),
    Recognizer(
        pattern=compile_phrase(f"(?:{AT})?(?P<middle>noon|midday|midnight)"),
        read=_read_middle,
        strength=Strength.END,
    ),
    Recognizer(
        pattern=compile_phrase("in the (?P<part>morning|afternoon|evening)"),
        read=_read_part,
        strength=Strength.CLAUSE,
        is_bare=False,
    ),
    Recognizer(
        pattern=compile_phrase(f"(?P<part>{PART})"), read=_read_part, strength=Strength.ATTACHED
    ),
    Recognizer(
        pattern=compile_phrase(
            f"in (?:(?P<half_hour>half an hour)|(?P<count>{NUMBER}) ?"
            "(?P<unit>h|hrs?|hours?|m|mins?|minutes?))"
        ),
        read=_read_wait,
        strength=Strength.ANYWHERE,
    ),
    Recognizer(
        pattern=compile_phrase(f"(?P<prefix>(?:from|at) )?{RANGE}"),
        read=_read_range,
        strength=Strength.OPENING,
        prefixed=Strength.OPENING,
    ),
)
