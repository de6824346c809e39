"""Words that people type: their limits and their normal forms."""

import re
import unicodedata
from typing import Annotated
from zoneinfo import available_timezones

import idna
from pydantic import AfterValidator, Field, StringConstraints

from app.core.scalars import AWSEmail, text_is_clean

ZONES = frozenset(available_timezones())
NICKNAME = re.compile(r"[\w.-]{3,30}")


def _clean(text: str) -> str:
    if not text_is_clean(text):
        raise ValueError("must not contain NUL characters or broken Unicode")
    return text


def _known_zone(text: str) -> str:
    if text not in ZONES:
        raise ValueError("must be an IANA time zone, such as Europe/Lisbon")
    return text


def normal_tag(text: str) -> str:
    """#Deep Work and deep-work are one tag."""
    folded = unicodedata.normalize("NFKC", text).casefold().strip().lstrip("#")
    return re.sub(r"[\s#]+", "-", folded.strip())


def _tag(text: str) -> str:
    tag = normal_tag(_clean(text))
    if not 1 <= len(tag) <= 40:
        raise ValueError("a tag has 1 to 40 characters")
    return tag


def _unique(tags: list[str]) -> list[str]:
    return list(dict.fromkeys(tags))


Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(_clean),
]
Paragraph = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=2_000), AfterValidator(_clean)
]
Document = Annotated[str, StringConstraints(max_length=50_000), AfterValidator(_clean)]
Zone = Annotated[str, AfterValidator(_known_zone)]
Tag = Annotated[str, AfterValidator(_tag)]
Tags = Annotated[list[Tag], Field(max_length=20), AfterValidator(_unique)]
Area = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40, pattern=r"^[^#]+$")
]
IdempotencyKey = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]


def normal_email(email: str) -> AWSEmail:
    """The form that must be unique: lower case, the domain as it stands in DNS."""
    local, _, domain = email.strip().casefold().rpartition("@")
    try:
        ascii_domain = idna.encode(domain, uts46=True).decode("ascii")
    except idna.IDNAError:
        ascii_domain = domain
    return AWSEmail(f"{local}@{ascii_domain}")


def normal_nickname(nickname: str) -> str:
    """The form that must be unique: Alice, ALICE and their full-width forms are one."""
    return unicodedata.normalize("NFKC", nickname).casefold()


def _one_alphabet(text: str) -> bool:
    """A Cyrillic letter inside a Latin word only ever serves to look like somebody else."""
    alphabets = {unicodedata.name(c, "?").split(" ")[0] for c in text if c.isalpha()}
    return len(alphabets) <= 1 or alphabets <= {"CJK", "HIRAGANA", "KATAKANA", "HANGUL"}


def _nickname(text: str) -> str:
    normal = normal_nickname(text)
    if not NICKNAME.fullmatch(text) or not NICKNAME.fullmatch(normal):
        raise ValueError("must be 3 to 30 letters, digits, or the signs _ - .")
    if "\N{LATIN SMALL LETTER DOTLESS I}" in normal or not _one_alphabet(normal):
        raise ValueError("must not mix alphabets or use letters that look like others")
    return text


Nickname = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_nickname)]
