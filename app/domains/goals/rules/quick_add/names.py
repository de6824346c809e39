"""Names that contain words of dates or times: nothing in them is understood."""

import re

_QUOTED = r'"[^"]*"|\u201c[^\u201c\u201d]*\u201d|`[^`]*`'
_TITLES = (
    r"\b(?i:(?:usa|india|russia|psychology|history) today|(?:today|tonight) show|good morning "
    r"america|friday the 13th|saturday night live)\b"
)
# "Read John 3:16": chapter and verse of a book. "Lunch with John 3:15" is a time.
_BOOKS = (
    "Genesis|Exodus|Leviticus|Deuteronomy|Psalms?|Proverbs|Ecclesiastes|Isaiah|Jeremiah|Ezekiel|"
    "Romans|Corinthians|Galatians|Ephesians|Philippians|Colossians|Thessalonians|Hebrews|"
    "Revelation|Surah|Quran"
)
_VERSE = rf"\b(?:{_BOOKS}) [0-9]{{1,3}}:[0-9]{{1,3}}(?![0-9]| ?[ap]m)"
_READING = r"(?i:^ *(?:read|study|memori[sz]e|learn|recite|meditate on|preach)\b)"
_VERSE_OF_NAME = r"\b[A-Z]\w+ [0-9]{1,3}:[0-9]{1,3}(?![0-9]| ?[ap]m)"

_ANYWHERE = re.compile(f"{_QUOTED}|{_TITLES}|{_VERSE}")
_WHEN_READING = re.compile(_VERSE_OF_NAME)


def without_names(text: str) -> str:
    """The text with a sign that means nothing for each character of a name."""
    text = _ANYWHERE.sub(_blank, text)
    return _WHEN_READING.sub(_blank, text) if re.match(_READING, text) else text


def _blank(name: re.Match[str]) -> str:
    return '"' * len(name[0])
