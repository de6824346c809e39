"""Words are found by prefix, whatever the letter case and accents; titles count more than notes."""

import pytest

from app.core.search import LONGEST_TEXT, MOST_WORDS, SearchedText, match, search_words

TITLE, NOTES = 10, 2


def score(query: str, title: str, notes: str = "") -> int | None:
    found = match(search_words(query), [SearchedText(title, TITLE), SearchedText(notes, NOTES)])
    return found.score if found else None


@pytest.mark.parametrize(
    ("query", "title", "expected"),
    [
        ("milk", "Buy milk", 30),
        ("mil", "Buy milk", 10),
        ("buy", "Buy milk", 40),
        ("bu", "Buy milk", 20),
        ("BUY MILK", "buy milk", 70),
        ("ilk", "Buy milk", None),
        ("milk bread", "Buy milk", None),
        ("cafe", "Café with Zoë", 40),
        ("CAFÉ", "a cafe", 30),
        ("zoe", "Café with Zoë", 30),
        ("strasse", "Straße", 40),
        ("ﬁt", "fit", 40),
        ("c", "c++", 40),
        ("mi", "Milk, mi and milo", 30),
        ("東京", "東京へ行く", 20),
    ],
)
def test_a_word_is_found_in_a_title(query: str, title: str, expected: int | None) -> None:
    assert score(query, title) == expected


def test_each_word_counts_where_it_counts_most() -> None:
    assert score("milk shop", "Buy milk", "at the shop, with milk") == 30 + NOTES * 3
    assert score("shop", "Buy milk", "at the shop") == NOTES * 3
    assert score("milk", "", "") is None


def test_special_signs_of_patterns_are_plain_signs() -> None:
    assert search_words("(a|b)* [x") == ["a", "b", "x"]
    assert search_words(" … ") == []


def test_a_search_is_bounded() -> None:
    assert len(search_words(" ".join(f"w{n}" for n in range(100)))) == MOST_WORDS
    assert score("end", "x " * LONGEST_TEXT + "end") is None


def test_the_snippet_shows_the_text_around_the_word() -> None:
    text = "word " * 40 + "needle " + "word " * 40
    found = match(["needle"], [SearchedText(text, NOTES)])
    assert found is not None
    assert found.snippet.startswith("…")
    assert found.snippet.endswith("…")
    assert "needle" in found.snippet
    assert len(found.snippet) <= 122
