"""The title: what is left of the sentence, with sensible punctuation."""

from collections.abc import Sequence
from string import punctuation

SEPARATORS = (",", ";", ":", " -", " \u2013", " \u2014")
DASHES = ("- ", "\u2013 ", "\u2014 ")
BRACKETS = {"(": ")", "[": "]"}
MARKS = punctuation + "\u2013\u2014\u2026"


def title_without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The whole text rather than nothing."""
    whole = " ".join(text.split())
    starts = [0, *(end for _, end in spans)]
    ends = [*(start for start, _ in spans), len(text)]
    pieces = [" ".join(text[a:b].split()) for a, b in zip(starts, ends, strict=True)]
    title = pieces[0]
    for (_, end), piece in zip(spans, pieces[1:], strict=True):
        title = _join(title, piece, is_attached=not text[end : end + 1].isspace())
    return title if title.strip(MARKS) else whole


def _join(left: str, right: str, *, is_attached: bool) -> str:
    """What stood on both sides of a phrase. Attached: punctuation right behind the phrase."""
    if left and right and BRACKETS.get(left[-1]) == right[0]:
        return _join(left[:-1].rstrip(), right[1:].lstrip(), is_attached=False)
    if not left:
        return _without_first_separator(right)
    if is_attached or not right:
        return _without_last_separator(left) + right
    return left + right if left[-1] in BRACKETS else f"{left} {right}"


def _without_first_separator(right: str) -> str:
    right = right.lstrip(" ,;:")
    return right[2:].lstrip() if right.startswith(DASHES) else right


def _without_last_separator(left: str) -> str:
    while left.endswith(SEPARATORS):
        left = left[:-1].rstrip()
    return left
