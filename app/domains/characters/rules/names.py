"""Names by the game's rules, and their normal form, which stands in keys."""

import re
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

NAME = re.compile(r"[A-Za-z0-9 _-]{1,12}")
SPACES = re.compile(r"[\u00a0_-]")


def normal_name(name: str) -> str:
    """Ze_Zima, ze-zima and "ze zima" are one. Always lower case: METADATA it cannot be."""
    return SPACES.sub(" ", name).lower()


def _name(text: str) -> str:
    if not NAME.fullmatch(text) or not any(letter.isalnum() for letter in text):
        raise ValueError("a name has 1 to 12 letters, digits, spaces, - or _")
    return text


CharacterName = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_name)]


def is_name(text: str) -> bool:
    try:
        _name(text.strip())
    except ValueError:
        return False
    return True
