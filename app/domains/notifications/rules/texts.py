"""The words of a message, made safe for where they go."""

import re

LONGEST_TITLE, LONGEST_BODY = 120, 1_800
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def title_line(text: str) -> str:
    """One line: a subject with a line break would be another header of the mail."""
    return _cut(" ".join(CONTROLS.sub(" ", text).split()), LONGEST_TITLE)


def plain_body(text: str) -> str:
    return _cut(CONTROLS.sub(" ", text), LONGEST_BODY)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
