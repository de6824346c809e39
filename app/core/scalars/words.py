"""Texts in general, and how a refusal shows one."""

import json

ECHO = 60
# Python refuses to print an integer of more than 4300 digits.
LARGEST_SHOWN = 10**40


def text_is_clean(value: str) -> bool:
    """Whether the text can be stored and sent: no NUL and no half of a surrogate pair."""
    if "\0" in value:
        return False
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


def echo(value: object) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and abs(value) > LARGEST_SHOWN:
        return "so large a number"
    text = value if isinstance(value, str) else json.dumps(value)
    return repr(text if len(text) <= ECHO else f"{text[:ECHO]}…")
