"""Names that look alike: the skeleton of Unicode UTS 39, and names that nobody may take.

The table is that of confusable-homoglyphs. It lists each pair in both directions: a sign that has
several counterparts is a prototype, the others lead to theirs.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

from app.core.text import normalize_nickname

# The table wraps signs of right-to-left scripts into these.
DIRECTION_MARK = "\u200e"
PLAIN = re.compile(r"[A-Za-z0-9._-]+")
SEPARATORS = re.compile(r"[._-]+")
RESERVED = frozenset(
    {
        *("abuse", "admin", "admins", "administrator", "administrators", "anonymous", "api"),
        *("deleted", "everyone", "guildhall", "help", "helpdesk", "hostmaster", "mod", "mods"),
        *("moderator", "moderators", "noreply", "nobody", "null", "official", "owner"),
        *("postmaster", "root", "security", "staff", "superuser", "support", "sysadmin", "system"),
        *("team", "undefined", "webmaster"),
    }
)


@cache
def prototypes() -> Mapping[str, str]:
    """What each sign looks like; a sign that is not in it looks like itself."""
    text = (files("confusable_homoglyphs") / "confusables.json").read_bytes()
    table = {_bare(sign): [_bare(each["c"]) for each in found] for sign, found in _items(text)}
    return {
        sign: found[0]
        for sign, found in table.items()
        if len(sign) == len(found) == 1 and _is_prototype(found[0], of=sign, table=table)
    }


def _items(text: bytes) -> Any:
    return orjson.loads(text).items()


def _bare(sign: str) -> str:
    return sign.replace(DIRECTION_MARK, "")


def _is_prototype(sign: str, *, of: str, table: Mapping[str, list[str]]) -> bool:
    """Of two that have only each other, the lower one."""
    return len(sign) > 1 or len(table.get(sign, [])) > 1 or sign < of


def skeleton(text: str) -> str:
    """Two texts that look alike have the same skeleton. It is for comparison only."""
    known = prototypes()
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(known.get(sign, sign) for sign in decomposed))


def nickname_skeletons(nickname: str) -> list[str]:
    """The forms of a nickname that no other may have: in lower case; and, if it has small letters,
    as it is written, because a capital I among them looks like an l."""
    folded = normalize_nickname(nickname)
    shown = unicodedata.normalize("NFKC", nickname)
    forms = [folded, shown] if any(sign.islower() for sign in shown) else [folded]
    return sorted({skeleton(form).casefold().replace("#", "") for form in forms})


def is_reserved(nickname: str) -> bool:
    """Also with signs between or around: _admin_, guildhall-support."""
    return any(
        form in _reserved_skeletons() or _consists_of_reserved(form)
        for each in nickname_skeletons(nickname)
        for form in (each, SEPARATORS.sub("", each))
    )


def _consists_of_reserved(text: str) -> bool:
    parts = [part for part in SEPARATORS.split(text) if part]
    return bool(parts) and all(part in _reserved_skeletons() for part in parts)


@cache
def _reserved_skeletons() -> frozenset[str]:
    return frozenset(form for name in RESERVED for form in nickname_skeletons(name))


def looks_latin(nickname: str) -> bool:
    """Whether it has letters of another script, and all of it looks like plain Latin."""
    folded = normalize_nickname(nickname)
    return not folded.isascii() and PLAIN.fullmatch(skeleton(folded)) is not None
