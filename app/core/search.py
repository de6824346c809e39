"""Matches words with texts: by prefix, without regard to letter case and accents."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_WORDS = 8
# Of a longer text only the beginning is searched.
LONGEST_TEXT = 20_000
SNIPPET_BEFORE, SNIPPET_AFTER = 30, 90
WORD = re.compile(r"\w+")
WHOLE_WORD, FIRST_WORD = 2, 1


@dataclass(frozen=True, slots=True)
class SearchedText:
    """`weight`: how much a word counts that is found here."""

    text: str
    weight: int


@dataclass(frozen=True, slots=True)
class Match:
    score: int
    snippet: str


def fold(text: str) -> str:
    """Of the same length for ASCII; otherwise accents are dropped: Café and CAFE are one."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def search_words(text: str) -> list[str]:
    return list(dict.fromkeys(WORD.findall(fold(text))))[:MOST_WORDS]


def match(words: Sequence[str], texts: Iterable[SearchedText]) -> Match | None:
    """None unless every word is the beginning of a word in one of the texts."""
    searched = [(each, fold(each.text[:LONGEST_TEXT])) for each in texts if each.text]
    score, snippet = 0, ""
    for word in words:
        places = [(_score(word, folded, each.weight), each) for each, folded in searched]
        best, place = max(places, key=lambda found: found[0], default=(0, None))
        if place is None or best == 0:
            return None
        score += best
        snippet = snippet or _snippet(word, place.text)
    return Match(score, snippet)


def _score(word: str, folded: str, weight: int) -> int:
    """0 if no word of the text begins so; more for a whole word and for the first word."""
    # Nearly every text ends here, without the slower search for the beginnings of words.
    if word not in folded:
        return 0
    best = 0
    for found in re.finditer(rf"\b{re.escape(word)}(\w?)", folded):
        is_whole, is_first = not found[1], found.start() == 0
        best = max(best, weight * (1 + WHOLE_WORD * is_whole + FIRST_WORD * is_first))
        if is_whole:
            break
    return best


def _snippet(word: str, text: str) -> str:
    """The part of the text around the word. Without ASCII its place is approximate."""
    at = max(fold(text).find(word), 0)
    start, end = max(at - SNIPPET_BEFORE, 0), at + SNIPPET_AFTER
    part = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{part}{'…' if end < len(text) else ''}"
