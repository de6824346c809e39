"""Words that people type: their limits and their normal forms."""

import re
import unicodedata
from typing import Annotated
from zoneinfo import available_timezones

import idna
from graphql import GraphQLError
from pydantic import AfterValidator, Field, StringConstraints

from app.core.scalars import AWSURL, SCALARS, AWSEmail, text_is_clean

# Some systems list these two, which mean another zone on each machine, or none.
ZONES = frozenset(available_timezones() - {"localtime", "Factory"})
# Control and format characters, and spaces of all kinds.
INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
NICKNAME = re.compile(r"[\w.-]{3,30}")
EAST_ASIAN = {"CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HANGUL"}
# Past this come phonetic letters and small capitals that imitate the ordinary ones.
LAST_PLAIN_LATIN = "\u017f"
# Those among them that Azeri, Hausa, Ewe and Twi are written with.
AFRICAN_AND_AZERI = frozenset("\u0192\u0199\u01b4\u0253\u0254\u0256\u0257\u0259\u025b\u0263\u028b")
# Unicode calls these letters; a reader sees a dot too few, or nothing at all.
DECEPTIVE = frozenset("\N{LATIN SMALL LETTER DOTLESS I}\u115f\u1160")


def _clean(text: str) -> str:
    if not text_is_clean(text):
        raise ValueError("must not contain NUL characters or broken Unicode")
    return text


def _on_the_web(address: str) -> str:
    """javascript: and data: are addresses, too, and some page would open them."""
    if not address.lower().startswith(("https://", "http://")):
        raise ValueError("must begin with https:// or http://")
    return address


def _known_zone(text: str) -> str:
    if text not in ZONES:
        raise ValueError("must be an IANA time zone, such as Europe/Lisbon")
    return text


def normal_words(text: str) -> str:
    """An accent may be a sign of its own or a part of its letter: kept is the latter (NFC)."""
    return unicodedata.normalize("NFC", text.strip())


def folded(text: str) -> str:
    """For looking it up in another, whatever the letter case."""
    return normal_words(text).casefold()


def _words(text: str) -> str:
    words = normal_words(_clean(text))
    if all(unicodedata.category(sign) in INVISIBLE for sign in words):
        raise ValueError("must have a visible character")
    return words


def normal_tag(text: str) -> str:
    """#Deep Work and deep-work are one tag."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\s#]+", "-", folded.strip()).lstrip("-")


def _tag(text: str) -> str:
    tag = normal_tag(_clean(text))
    if not 1 <= len(tag) <= 40 or not tag.isprintable():
        raise ValueError("a tag has 1 to 40 visible characters")
    return tag


def _unique(tags: list[str]) -> list[str]:
    return list(dict.fromkeys(tags))


Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(_words),
]
Paragraph = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=2_000), AfterValidator(_clean)
]
Document = Annotated[str, StringConstraints(max_length=50_000), AfterValidator(_clean)]
Zone = Annotated[str, AfterValidator(_known_zone)]
Tag = Annotated[str, AfterValidator(_tag)]
Tags = Annotated[list[Tag], Field(max_length=20), AfterValidator(_unique)]
Area = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=40, pattern=r"^[^#]+$"),
    AfterValidator(_words),
]
WebAddress = Annotated[AWSURL, AfterValidator(_on_the_web)]
IdempotencyKey = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]


def is_email(value: object) -> bool:
    """Whether a client could give it as AWSEmail."""
    try:
        SCALARS[AWSEmail].parse_value(value)  # type: ignore[misc]
    except GraphQLError:
        return False
    return True


def normal_email(email: str) -> AWSEmail:
    """The form that must be unique: lower case, the domain as it stands in DNS."""
    local, _, domain = email.strip().rpartition("@")
    try:
        # Not casefolded before: DNS tells \N{LATIN SMALL LETTER SHARP S} from ss.
        ascii_domain = idna.encode(domain, uts46=True).decode("ascii")
    except idna.IDNAError:
        ascii_domain = domain.casefold()
    # Legal in an address, but not in a key.
    plain = local.casefold().replace("%", "%25").replace("#", "%23")
    return AWSEmail(f"{plain}@{ascii_domain}")


def normal_nickname(nickname: str) -> str:
    """The form that must be unique: Alice, ALICE and their full-width forms are one."""
    folded = unicodedata.normalize("NFKC", nickname).casefold()
    return unicodedata.normalize("NFKC", folded)


def _alphabet(letter: str) -> str:
    """LATIN, CYRILLIC, ARABIC: how its Unicode name begins."""
    return re.split("[ -]", unicodedata.name(letter, "?").removeprefix("EXTENDED "))[0]


def _one_alphabet(text: str) -> bool:
    """A Cyrillic letter or Telugu zero in a Latin word only serves to look like somebody else."""
    alphabets = {_alphabet(c) for c in text if c.isalpha() or not c.isascii()}
    return len(alphabets) <= 1 or alphabets <= EAST_ASIAN


def _imitates(letter: str) -> bool:
    if letter in DECEPTIVE:
        return True
    base = unicodedata.normalize("NFD", letter)[0]
    special = base > LAST_PLAIN_LATIN and letter not in AFRICAN_AND_AZERI
    return special and _alphabet(letter) == "LATIN"


def _nickname(text: str) -> str:
    normal = normal_nickname(text)
    if not NICKNAME.fullmatch(text) or not NICKNAME.fullmatch(normal):
        raise ValueError("must be 3 to 30 letters, digits, or the signs _ - .")
    if not _one_alphabet(normal) or any(_imitates(letter) for letter in normal):
        raise ValueError("must not mix alphabets or use letters that look like others")
    return text


Nickname = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_nickname)]
