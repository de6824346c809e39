"""Texts that people type: their limits and their normal forms."""

import re
import unicodedata
from typing import Annotated
from zoneinfo import available_timezones

import idna
from graphql import GraphQLError
from pydantic import AfterValidator, Field, StringConstraints

from app.core.scalars import AWSURL, SCALARS, AWSEmail, text_is_clean

# Some systems list these two; they mean a different zone on each machine, or none.
ZONES = frozenset(available_timezones() - {"localtime", "Factory"})
# Control and format characters, and spaces of all kinds.
INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
NICKNAME = re.compile(r"[\w.-]{3,30}")
EAST_ASIAN = {"CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HANGUL"}
# After this come phonetic letters and small capitals, which look like ordinary letters.
LAST_PLAIN_LATIN = "\u017f"
# The letters among them that Azeri, Hausa, Ewe and Twi use.
AFRICAN_AND_AZERI = frozenset("\u0192\u0199\u01b4\u0253\u0254\u0256\u0257\u0259\u025b\u0263\u028b")
# Letters in Unicode that look like another letter, or like nothing.
DECEPTIVE = frozenset("\N{LATIN SMALL LETTER DOTLESS I}\u115f\u1160")


def _clean_text(text: str) -> str:
    if not text_is_clean(text):
        raise ValueError("must not contain NUL characters or broken Unicode")
    return text


def _check_scheme(address: str) -> str:
    """Refuses javascript: and data:, which a page would run."""
    if not address.lower().startswith(("https://", "http://")):
        raise ValueError("must begin with https:// or http://")
    return address


def _check_time_zone(text: str) -> str:
    if text not in ZONES:
        raise ValueError("must be an IANA time zone, such as Europe/Lisbon")
    return text


def normalize_text(text: str) -> str:
    """Unicode NFC: a letter and its accent are one character."""
    return unicodedata.normalize("NFC", text.strip())


def fold_case(text: str) -> str:
    """Two texts that differ only in their letter case have the same folded text."""
    return unicodedata.normalize("NFC", normalize_text(text).casefold())


def is_same_name(one: str | None, other: str | None) -> bool:
    """Names of life areas and subcategories are compared without letter case."""
    if one is None or other is None:
        return one is other
    return fold_case(one) == fold_case(other)


def to_search_text(text: str) -> str:
    """For a search that ignores the letter case."""
    return fold_case(text)


def _visible_text(text: str) -> str:
    normal = normalize_text(_clean_text(text))
    if all(unicodedata.category(sign) in INVISIBLE for sign in normal):
        raise ValueError("must have a visible character")
    return normal


def normalize_tag(text: str) -> str:
    """#Deep Work and deep-work are one tag."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\s#]+", "-", folded.strip()).lstrip("-")


def _to_tag(text: str) -> str:
    tag = normalize_tag(_clean_text(text))
    if not 1 <= len(tag) <= 40 or not tag.isprintable():
        raise ValueError("a tag has 1 to 40 visible characters")
    return tag


def _unique(tags: list[str]) -> list[str]:
    return list(dict.fromkeys(tags))


ShortText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(_visible_text),
]
LongText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=2_000),
    AfterValidator(_clean_text),
]
DocumentText = Annotated[str, StringConstraints(max_length=50_000), AfterValidator(_clean_text)]
TimeZoneName = Annotated[str, AfterValidator(_check_time_zone)]
TagName = Annotated[str, AfterValidator(_to_tag)]
TagNames = Annotated[list[TagName], Field(max_length=20), AfterValidator(_unique)]
LifeArea = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=40, pattern=r"^[^#]+$"),
    AfterValidator(_visible_text),
]
WebAddress = Annotated[AWSURL, AfterValidator(_check_scheme)]
IdempotencyKey = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]


def is_email(value: object) -> bool:
    """Whether it is a valid AWSEmail."""
    try:
        SCALARS[AWSEmail].parse_value(value)  # type: ignore[misc]
    except GraphQLError:
        return False
    return True


def normalize_email(email: str) -> AWSEmail:
    """The unique form: lower case, the domain as in DNS (punycode)."""
    local, _, domain = email.strip().rpartition("@")
    try:
        # Not casefolded first: DNS distinguishes \N{LATIN SMALL LETTER SHARP S} and ss.
        ascii_domain = idna.encode(domain, uts46=True).decode("ascii")
    except idna.IDNAError:
        ascii_domain = domain.casefold()
    # Both are allowed in an address; # is not allowed in a key.
    plain = local.casefold().replace("%", "%25").replace("#", "%23")
    return AWSEmail(f"{plain}@{ascii_domain}")


def normalize_nickname(nickname: str) -> str:
    """The unique form: Alice, ALICE and their full-width forms are the same."""
    folded = unicodedata.normalize("NFKC", nickname).casefold()
    return unicodedata.normalize("NFKC", folded)


def _alphabet(letter: str) -> str:
    """The first word of its Unicode name: LATIN, CYRILLIC, ARABIC."""
    return re.split("[ -]", unicodedata.name(letter, "?").removeprefix("EXTENDED "))[0]


def _has_one_alphabet(text: str) -> bool:
    """A Cyrillic letter or a Telugu zero in a Latin word imitates another nickname."""
    alphabets = {_alphabet(c) for c in text if c.isalpha() or not c.isascii()}
    return len(alphabets) <= 1 or alphabets <= EAST_ASIAN


def _imitates_another(letter: str) -> bool:
    if letter in DECEPTIVE:
        return True
    base = unicodedata.normalize("NFD", letter)[0]
    special = base > LAST_PLAIN_LATIN and letter not in AFRICAN_AND_AZERI
    return special and _alphabet(letter) == "LATIN"


def _check_nickname(text: str) -> str:
    normal = normalize_nickname(text)
    if not NICKNAME.fullmatch(text) or not NICKNAME.fullmatch(normal):
        raise ValueError("must be 3 to 30 letters, digits, or the signs _ - .")
    if not _has_one_alphabet(normal) or any(_imitates_another(letter) for letter in normal):
        raise ValueError("must not mix alphabets or use letters that look like others")
    return text


Nickname = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_check_nickname)]
