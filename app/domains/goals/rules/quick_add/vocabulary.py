"""The words of the language, and how a phrase is compiled and bounded."""

import re

DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
NUMBER_NAMES = (
    *("one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
ORDINAL_NAMES = ("first", "second", "third", "fourth", "fifth")

DAY = "|".join(f"{name}|{name[:3]}" for name in DAY_NAMES) + "|tues|weds|thurs|thur"
MONTH = "|".join(f"{name}|{name[:3]}" for name in MONTH_NAMES) + "|sept"
NUMBER = "[0-9]{1,4}|an?|" + "|".join(NUMBER_NAMES)
NTH = "[0-9]{1,2}(?:st|nd|rd|th)"
PART = "morning|afternoon|evening|night"

PREPOSITIONS = frozenset(
    {"for", "of", "from", "since", "about", "before", "after", "until", "till", "than", "to"}
    | {"past", "between", "vs", "not", "except"}
)
# A bare phrase after one of these is about something, not a date: "last friday", "the 9am train".
PRECEDING_NOT_DATE = PREPOSITIONS | frozenset(
    {"the", "a", "an", "my", "our", "your", "their", "some", "more", "any", "every", "each"}
    | {"last", "previous", "yesterday", "in", "high", "1st", "2nd", "3rd", "4th", "5th"}
    | {"black", "good", "cyber", "easter", "ash", "palm"}
    | {"part", "page", "pages", "chapter", "step", "version", *ORDINAL_NAMES}
)
VERBS_LIKE_DAYS = ("sat", "wed")
# A new part of the sentence begins here: "Call mom Sunday about the cake".
CLAUSE_WORDS = (
    "with|about|at|near|via|re|regarding|in|for|to|from|on|by|before|after|because|then|if|when|"
    "while"
)

# One character for one, so that positions in the folded text are positions in the sentence.
_FOLDED = (
    {code: " " for code in range(0x3001) if chr(code).isspace()}
    | {code: chr(code).lower() for code in range(ord("A"), ord("Z") + 1)}
    | {ord("\u2019"): "'", ord("\u2013"): "-", ord("\u2014"): "-"}
)
# "tomorrow's", "2026-12-24.pdf", "5%" and "today-ish" are other words.
_PHRASE_END = r"(?=[,;:.!?)\]\u2026]{0,3}(?: |$))"


def fold(text: str) -> str:
    """ASCII letters become small, any white space a space. Other letters stay as they are."""
    return text.translate(_FOLDED)


def compile_phrase(expression: str) -> re.Pattern[str]:
    """For `match` at the start of a word of a folded text. A space stands for any number."""
    return re.compile(re.sub(r" (?!\?)", " +", f"(?:{expression})") + _PHRASE_END)


def weekday_number(name: str) -> int:
    return [each[:3] for each in DAY_NAMES].index(name[:3])


def weekday_numbers(names: str) -> list[int]:
    return [weekday_number(name) for name in re.findall(DAY, names)]


def month_number(name: str) -> int:
    return [each[:3] for each in MONTH_NAMES].index(name[:3]) + 1


def read_number(word: str) -> int:
    """Of a match of NUMBER."""
    if word in ("a", "an"):
        return 1
    return NUMBER_NAMES.index(word) + 1 if word in NUMBER_NAMES else int(word)


def read_ordinal(word: str) -> int:
    """Of "3rd", "third" or "last" (-1)."""
    if word == "last":
        return -1
    return ORDINAL_NAMES.index(word) + 1 if word in ORDINAL_NAMES else int(word[:-2])
