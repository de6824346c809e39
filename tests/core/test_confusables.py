"""What looks alike: the skeleton of Unicode UTS 39 over the table of a library."""

import sys
import unicodedata

import pytest

from app.core.confusables import (
    RESERVED,
    is_reserved,
    looks_latin,
    nickname_skeletons,
    prototypes,
    skeleton,
)
from app.core.text import NICKNAME
from app.table.entity import key_part

CYRILLIC_COCO = "\u0441\u043e\u0441\u043e"
CYRILLIC_SCOPE = "\u0455\u0441\u043e\u0440\u0435"
GREEK_ROO = "\u03c1\u03bf\u03bf"
OLENA = "\u041e\u043b\u0435\u043d\u0430"
ROMA = "\u0420\u043e\u043c\u0430"
NIKOS = "\u039d\u03af\u03ba\u03bf\u03c2"
YOSSI = "\u05d9\u05d5\u05e1\u05d9"
SARA = "\u0633\u0627\u0631\u0629"
SATO = "\u4f50\u85e4\u3055\u3093"


def test_the_table_covers_the_scripts_that_imitate_latin() -> None:
    table = prototypes()
    assert len(table) > 6_000
    for latin, others in {
        "a": "\u0430\u03b1\uff41",
        "c": "\u0441\u03f2",
        "e": "\u0435",
        "i": "\u0456\u03b9",
        "j": "\u0458",
        "o": "\u043e\u03bf\u0585\u0d20\u1d0f",
        "p": "\u0440\u03c1",
        "s": "\u0455\ua731",
        "x": "\u0445",
        "y": "\u0443\u03b3",
    }.items():
        assert {skeleton(each) for each in others} == {latin}
    assert (skeleton("0"), skeleton("1"), skeleton("m"), skeleton("w")) == ("O", "l", "rn", "w")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paypal", "PayPal"),
        ("paypal", "paypa1"),
        ("paypal", "paypaI"),
        ("bob", "b0b"),
        ("Ian", "lan"),
        ("tom", "torn"),
        ("coco", CYRILLIC_COCO),
        ("roo", "r0o"),
    ],
)
def test_these_look_alike(one: str, other: str) -> None:
    assert set(nickname_skeletons(one)) & set(nickname_skeletons(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("anna", "hanna"),
        ("KAI", "kal"),
        ("jose", "jos\u00e9"),
        ("ada", "ida"),
        ("a-b-c", "a.b.c"),
        (OLENA, "olena"),
        (SARA, "sara"),
    ],
)
def test_these_do_not(one: str, other: str) -> None:
    assert not set(nickname_skeletons(one)) & set(nickname_skeletons(other))


def test_a_skeleton_of_any_nickname_is_a_key() -> None:
    for code in range(sys.maxunicode + 1):
        name = chr(code) * 3
        if unicodedata.category(chr(code)) == "Cs" or not NICKNAME.fullmatch(name):
            continue
        for form in nickname_skeletons(name):
            assert key_part(form) == form


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_reserved_names_are_reserved_in_every_disguise(name: str) -> None:
    disguises = (name, name.upper(), name.title(), f"_{name}_", f"{name}-support", ".".join(name))
    for each in (*disguises, name.replace("o", "0"), name.replace("l", "1")):
        assert is_reserved(each), each
    assert not is_reserved(f"{name}x")


@pytest.mark.parametrize(
    "name", ["roots", "badmin", "guest-01k", "systems", "adminton", "u0ab", "team-9"]
)
def test_others_are_not_reserved(name: str) -> None:
    assert not is_reserved(name)


@pytest.mark.parametrize("name", [CYRILLIC_COCO, CYRILLIC_SCOPE, CYRILLIC_SCOPE.upper(), GREEK_ROO])
def test_a_name_of_another_script_that_looks_latin_is_found(name: str) -> None:
    assert looks_latin(name)


@pytest.mark.parametrize(
    "name", ["coco", "jos\u00e9", "z\u00fcrich", OLENA, ROMA, NIKOS, YOSSI, SARA, SATO]
)
def test_names_of_any_script_are_names(name: str) -> None:
    assert not looks_latin(name)
    assert not is_reserved(name)
