"""Words that people type: one owner for all that look or read the same."""

import unicodedata
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from app.core.text import (
    ZONES,
    DocumentText,
    IdempotencyKey,
    LifeArea,
    LongText,
    Nickname,
    ShortText,
    TagName,
    TagNames,
    TimeZoneName,
    is_email,
    normalize_email,
    normalize_nickname,
    normalize_tag,
)
from app.table.entity import key_part

CYRILLIC_A = "\N{CYRILLIC SMALL LETTER A}"
WORDS = st.text(min_size=1, max_size=30)
# Of the letters and signs that a nickname may begin to be made of.
NAMES = st.text(st.characters(categories=["L", "Nd"], include_characters="._-"), max_size=6)


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def read(kind: Any, value: object) -> Any:
    return adapter(kind).validate_python(value)


def is_refused(kind: Any, value: object) -> bool:
    try:
        read(kind, value)
    except ValidationError:
        return True
    return False


def fullwidth(text: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) for letter in text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "alice"),
        ("Alice", "ALICE"),
        ("Alice", fullwidth("Alice")),
        ("\N{LATIN SMALL LIGATURE FI}sh", "FISH"),
        ("stra\N{LATIN SMALL LETTER SHARP S}e", "STRASSE"),
        ("stra\N{LATIN CAPITAL LETTER SHARP S}e", "strasse"),
        ("\N{KELVIN SIGN}arl", "karl"),
        ("\N{LATIN SMALL LETTER LONG S}am", "Sam"),
        ("Mari\N{SUPERSCRIPT TWO}", "mari2"),
        ("\N{GREEK CAPITAL LETTER SIGMA}", "\N{GREEK SMALL LETTER FINAL SIGMA}"),
        ("Ren\N{LATIN SMALL LETTER E WITH ACUTE}", "RENE\N{COMBINING ACUTE ACCENT}"),
        ("\N{HANGUL SYLLABLE GA}", "\N{HANGUL CHOSEONG KIYEOK}\N{HANGUL JUNGSEONG A}"),
    ],
)
def test_nicknames_that_read_the_same_are_one(one: str, other: str) -> None:
    assert normalize_nickname(one) == normalize_nickname(other)


@pytest.mark.parametrize(
    "nickname",
    [
        "ada",
        "Ada_Lovelace-1.5",
        "x" * 30,
        "Łukasz",
        "Ștefan",
        "Nguyễn",
        "Straße",
        "\N{LATIN CAPITAL LETTER SCHWA}li",
        "Δημήτρης",
        "λ\N{GREEK SMALL LETTER IOTA WITH DIALYTIKA AND TONOS}δη",
        "Анна_7",
        "דניאל",
        "محمد١٢",
        "علی۱۲",
        "佐々木",
        "ユーザー",
        "さくら桜",
        "한국어",
    ],
)
def test_nicknames_may_be_of_any_one_alphabet(nickname: str) -> None:
    assert read(Nickname, nickname) == nickname


@pytest.mark.parametrize(
    "nickname",
    [
        "",
        "ab",
        "x" * 31,
        "\N{LATIN SMALL LIGATURE FFI}" * 11,
        "with space",
        "a#b",
        "a/b",
        "a@b",
        "a\nb",
        "ada\n!",
        "a\0b",
        "💥💥💥",
        "zero\N{ZERO WIDTH SPACE}width",
        "zero\N{ZERO WIDTH JOINER}width",
        "admin\N{SOFT HYPHEN}",
        "admin\N{RIGHT-TO-LEFT OVERRIDE}",
        "admin\N{VARIATION SELECTOR-16}",
        "a\N{COMBINING ACUTE ACCENT}" * 3,
        f"{CYRILLIC_A}dmin",
        "adm\N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I}n",
        "adm\N{LATIN SMALL LETTER DOTLESS I}n",
        "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}stanbul",
        "\N{GREEK SMALL LETTER OMICRON}scar",
        "\N{LATIN SMALL LETTER ALPHA}dmin",
        "\N{LATIN LETTER SMALL CAPITAL A}dmin",
        "\N{LATIN SMALL LETTER SCRIPT G}uest",
        "\N{LATIN LETTER RETROFLEX CLICK}dmin",
        "b\N{TELUGU DIGIT ZERO}b",
        "b\N{ARABIC-INDIC DIGIT FIVE}b",
        "\N{HANGUL FILLER}" * 3,
        "\N{HANGUL SYLLABLE HAN}\N{HANGUL FILLER}\N{HANGUL SYLLABLE GUG}",
        "\N{HALFWIDTH HANGUL FILLER}" * 3,
        "\N{HANGUL CHOSEONG FILLER}" * 3,
    ],
    ids=ascii,
)
def test_nicknames_that_deceive_are_refused(nickname: str) -> None:
    assert is_refused(Nickname, nickname)


def test_spaces_around_a_nickname_do_not_count() -> None:
    assert read(Nickname, " \tada\n ") == "ada"


def test_every_letter_of_unicode_has_one_normal_form_that_can_stand_in_a_key() -> None:
    """Exhaustive, because exceptions are what such rules get wrong."""
    accepted = 0
    for code in range(0x110000):
        if 0xD800 <= code < 0xE000:
            continue
        nickname = chr(code) * 3
        if not nickname.isalnum() or is_refused(Nickname, nickname):
            continue
        accepted += 1
        normal = normalize_nickname(nickname)
        assert normalize_nickname(normal) == normal
        assert unicodedata.is_normalized("NFKC", normal)
        assert key_part(normal) == normal
    assert accepted > 100_000


@given(NAMES)
def test_an_accepted_nickname_is_stable_and_safe(text: str) -> None:
    if is_refused(Nickname, text):
        return
    nickname = read(Nickname, text)
    normal = normalize_nickname(nickname)
    assert normal == normalize_nickname(normal)
    assert key_part(normal) == normal
    assert read(Nickname, nickname) == nickname


@given(st.text("abcXYZ019_.-", min_size=3, max_size=30))
def test_plain_nicknames_are_accepted_and_differ_only_by_case(text: str) -> None:
    assert read(Nickname, text) == text
    assert normalize_nickname(text) == text.lower()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada@Example.COM", "ada@example.com"),
        ("ada@bücher.example", "ada@xn--bcher-kva.example"),
        ("ada@BÜCHER.example", "ada@xn--bcher-kva.example"),
        ("ada@straße.example", "ada@xn--strae-oqa.example"),
        ("ada@example\N{IDEOGRAPHIC FULL STOP}com", "ada@example.com"),
        (" ada@example.com\n", "ada@example.com"),
        ("ada@AB--CD.example", "ada@ab--cd.example"),
    ],
)
def test_one_mailbox_is_one_email(one: str, other: str) -> None:
    assert normalize_email(one) == normalize_email(other) == other


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ada@example.com", "ada+tag@example.com"),
        ("ada@example.com", "a.da@example.com"),
        ("ada@straße.example", "ada@strasse.example"),
        ("ada@example.com", "ada@example.org"),
    ],
)
def test_two_mailboxes_are_two_emails(one: str, other: str) -> None:
    assert normalize_email(one) != normalize_email(other)


@given(st.emails(), st.emails())
def test_a_normal_email_can_stand_in_a_key_and_belongs_to_one_mailbox(one: str, two: str) -> None:
    normal = normalize_email(one)
    assert normalize_email(one.upper()) == normal
    assert key_part(normal) == normal
    assert (normalize_email(two) == normal) is (one.lower() == two.lower())


def test_signs_that_no_key_may_hold_do_not_make_two_mailboxes_one() -> None:
    spellings = ["a#b", "a%23b", "a%2523b", "a%b", "a%25b", "ab"]
    normal = [normalize_email(f"{each}@example.com") for each in spellings]
    assert len(set(normal)) == len(spellings)
    assert all(key_part(each) == each for each in normal)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("ada@example.com", True),
        ("ada+tag@example.com", True),
        ("ada@bücher.example", True),
        ("ada@example.com\n", False),
        (" ada@example.com", False),
        ("a#b@example.com", True),
        ("ada", False),
        ("@example.com", False),
        ("ada@", False),
        ("", False),
        (None, False),
        (7, False),
        (["ada@example.com"], False),
        (f"{'a' * 250}@example.com", False),
        (f"{CYRILLIC_A}da@example.com", False),
    ],
)
def test_what_is_an_email(value: object, expected: bool) -> None:
    assert is_email(value) is expected


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Deep Work", "deep-work"),
        ("#Deep Work", "deep-work"),
        ("  ##deep   WORK  ", "deep-work"),
        ("# #deep", "deep"),
        ("deep-work", "deep-work"),
        ("deep\t\nwork", "deep-work"),
        (f"{fullwidth('Deep')}\N{IDEOGRAPHIC SPACE}{fullwidth('Work')}", "deep-work"),
        ("a#b", "a-b"),
        ("Straße", "strasse"),
        ("c++", "c++"),
        ("日本語", "日本語"),
    ],
)
def test_tags_have_one_form(text: str, tag: str) -> None:
    assert read(TagName, text) == normalize_tag(text) == tag


@pytest.mark.parametrize(
    "text", ["", " ", "#", "# #", "- -", "x" * 41, "a\0b", "zero\N{ZERO WIDTH SPACE}", "a\x07"]
)
def test_tags_that_show_nothing_or_too_much_are_refused(text: str) -> None:
    assert is_refused(TagName, text)


@given(WORDS)
def test_an_accepted_tag_is_stable_and_can_stand_in_a_key(text: str) -> None:
    assume(not is_refused(TagName, text))
    tag = read(TagName, text)
    assert read(TagName, tag) == tag
    assert key_part(tag) == tag


def test_tags_are_not_repeated_and_keep_their_order() -> None:
    assert read(TagNames, ["b", "A", "#a", "B", "c"]) == ["b", "a", "c"]
    assert is_refused(TagNames, [f"tag{number}" for number in range(21)])


@pytest.mark.parametrize(
    ("kind", "fits", "not_"),
    [
        (ShortText, "x" * 200, "x" * 201),
        (ShortText, "x", "   "),
        (ShortText, "x\u200b", "\u200b \u2060"),
        (LifeArea, "x", "\u200b"),
        (LongText, "x" * 2_000, "x" * 2_001),
        (LongText, "", "a\0b"),
        (DocumentText, "x" * 50_000, "x" * 50_001),
        (LifeArea, "Health & Body", "a#b"),
        (LifeArea, "x" * 40, "x" * 41),
        (IdempotencyKey, "A-z_0.9:" + "x" * 120, "x" * 129),
        (IdempotencyKey, "x", "x\n"),
        (IdempotencyKey, "x", ""),
        (IdempotencyKey, "x", "a#b"),
        (TimeZoneName, "Europe/Lisbon", "Mars/Olympus"),
        (TimeZoneName, "UTC", "utc+1"),
        (TimeZoneName, "America/Argentina/Buenos_Aires", "../../etc/passwd"),
        (TimeZoneName, "Asia/Kathmandu", "localtime"),
    ],
    ids=range(17),
)
def test_the_limits_of_each_kind_of_text(kind: Any, fits: str, not_: str) -> None:
    assert read(kind, fits) == fits
    assert is_refused(kind, not_)


def test_spaces_around_a_line_are_dropped_but_a_document_is_kept() -> None:
    assert read(ShortText, "  a  b  ") == "a  b"
    assert read(ShortText, "Cafe\N{COMBINING ACUTE ACCENT}") == read(LifeArea, "Café") == "Café"
    assert read(DocumentText, "  a\n") == "  a\n"


def test_broken_unicode_is_refused() -> None:
    for kind in (ShortText, LongText, DocumentText, TagName, Nickname):
        assert is_refused(kind, "abc\ud800def")


def test_every_zone_can_be_loaded() -> None:
    assert len(ZONES) > 400
    assert all(ZoneInfo(zone).key == zone for zone in ZONES)
