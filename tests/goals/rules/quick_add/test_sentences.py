"""Tasks out of plain words."""

import re
import time as clock
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domains.goals.rules.quick_add import QuickTask, Understood, read_quick_task
from app.domains.goals.types import PhraseKind
from tests.goals.rules.quick_add.sentence import Sentence
from tests.goals.rules.quick_add.sentences import LEFT_ALONE, SENTENCES

NOW = datetime(2026, 11, 16, 17, 30, tzinfo=UTC)
LONGEST_TEXT = 500
MOST_SECONDS = 0.2
FIELDS = (
    *("title", "priority", "area", "tags", "size"),
    *("due", "at", "rule", "rule_start", "rule_end"),
)
# Their titles keep a day or a priority, because another one was understood.
SAYS_MORE = {
    "Prepare talk on Friday by Thursday",
    "Email Bob tomorrow about the meeting on friday",
    "Buy milk p1 p2",
}

WORDS = sorted({word for sentence in SENTENCES for word in sentence.text.split()})
sentences_of_words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=30).map(" ".join)
texts = st.one_of(st.text(min_size=1, max_size=80), sentences_of_words)
moments = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


def read(text: str) -> QuickTask:
    return read_quick_task(text, now=NOW)


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def words_left(text: str, understood: list[Understood]) -> list[str]:
    letters = list(text)
    for each in understood:
        letters[each.start : each.end] = " " * (each.end - each.start)
    return words_of("".join(letters))


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda each: f"{each.text} ({each.language})")
def test_understands(sentence: Sentence) -> None:
    task = read_quick_task(sentence.text, now=sentence.now, language=sentence.language)
    found = {name: getattr(task, name) for name in FIELDS}
    assert found == {name: getattr(sentence, name) for name in FIELDS}


def test_the_table_is_large_and_names_each_sentence_once() -> None:
    assert len(SENTENCES) >= 180
    keys = [(each.text, each.now, each.language) for each in SENTENCES]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_reports_nothing_when_in_doubt(text: str) -> None:
    assert read(text) == QuickTask(title=text)


@pytest.mark.parametrize(
    "sentence",
    [each for each in SENTENCES if each.title != each.text and each.text not in SAYS_MORE],
    ids=lambda each: each.text,
)
def test_a_title_says_nothing_more(sentence: Sentence) -> None:
    again = read_quick_task(sentence.title, now=sentence.now, language=sentence.language)
    assert again == QuickTask(title=sentence.title)


def test_reports_what_it_understood_in_order() -> None:
    text = "Pay rent on the 1st of every month at 9 until 2026-12-24 p1 #Wealth #home ~1h"
    expected = [
        ("on the 1st of every month", PhraseKind.RECURRENCE, "FREQ=MONTHLY;BYMONTHDAY=1"),
        ("at 9", PhraseKind.TIME, "09:00"),
        ("until 2026-12-24", PhraseKind.RECURRENCE_END, "2026-12-24"),
        ("p1", PhraseKind.PRIORITY, "P1"),
        ("#Wealth", PhraseKind.AREA, "Wealth"),
        ("#home", PhraseKind.TAG, "home"),
        ("~1h", PhraseKind.SIZE, "60"),
    ]
    found = read(text).understood
    assert [(each.text, each.kind, each.value) for each in found] == expected
    assert [text[each.start : each.end] for each in found] == [each.text for each in found]


def test_reports_two_meanings_of_one_word() -> None:
    assert read("Movie tonight").understood == [
        Understood("tonight", 6, 13, PhraseKind.DUE_DATE, "2026-11-16"),
        Understood("tonight", 6, 13, PhraseKind.TIME, "20:00"),
    ]


def test_reports_a_day_and_its_time_apart() -> None:
    assert read("Call  Ann\ttomorrow MORNING").understood == [
        Understood("tomorrow", 10, 18, PhraseKind.DUE_DATE, "2026-11-17"),
        Understood("MORNING", 19, 26, PhraseKind.TIME, "09:00"),
    ]


def test_reports_the_start_and_length_of_a_recurrence() -> None:
    found = read("Take pills every day for 7 days starting tomorrow").understood
    assert [(each.kind, each.value) for each in found] == [
        (PhraseKind.RECURRENCE, "FREQ=DAILY"),
        (PhraseKind.RECURRENCE_END, "2026-11-23"),
        (PhraseKind.RECURRENCE_START, "2026-11-17"),
    ]


def test_takes_as_many_tags_as_a_task_may_have() -> None:
    task = read("Buy " + " ".join(f"@tag{letter}" for letter in "abcdefghijkl"))
    assert len(task.tags) == 10
    assert task.title == "Buy @tagk @tagl"


@pytest.mark.parametrize(
    ("now", "at"),
    [
        (datetime(2026, 10, 25, 1, 30), time(2, 30)),  # noqa: DTZ001  the hour from 2 to 3 comes twice
        (datetime(2026, 3, 29, 1, 30), time(4, 30)),  # noqa: DTZ001  there is none
    ],
)
def test_waits_by_the_clock_when_it_changes(now: datetime, at: time) -> None:
    task = read_quick_task("Call in 2 hours", now=now.replace(tzinfo=ZoneInfo("Europe/Berlin")))
    assert (task.due, task.at) == (now.date(), at)


@settings(deadline=None)
@given(texts, moments, st.sampled_from(["en", "en-US", "de"]))
def test_never_raises_nor_loses_a_word(text: str, now: datetime, language: str) -> None:
    task = read_quick_task(text, now=now, language=language)
    left = words_left(text, task.understood)
    assert words_of(task.title) in (left, words_of(text))
    assert words_of(task.title) == left or not left
    assert task.title == " ".join(task.title.split())
    assert task.title or not text.strip()


@settings(deadline=None)
@given(texts, moments)
def test_reports_words_as_written(text: str, now: datetime) -> None:
    spans = list(
        dict.fromkeys((each.start, each.end) for each in read_quick_task(text, now=now).understood)
    )
    assert spans == sorted(spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert all(text[a:b] == text[a:b].strip() for a, b in spans)


@settings(deadline=None)
@given(texts, moments)
def test_days_are_to_come(text: str, now: datetime) -> None:
    task = read_quick_task(text, now=now)
    assert task.due is None or now.date() <= task.due <= now.date() + timedelta(days=21 * 366)
    assert task.at is None or task.due is not None
    assert task.rule is None or task.due is not None
    assert not (task.rule_start or task.rule_end) or task.rule
    assert task.rule_end is None or (task.due is not None and task.due <= task.rule_end)


@settings(deadline=None)
@given(sentences_of_words, moments)
def test_a_rule_begins_on_one_of_its_days(text: str, now: datetime) -> None:
    task = read_quick_task(text, now=now)
    if not task.rule or any(each.kind is PhraseKind.DUE_DATE for each in task.understood):
        return
    assert task.due is not None
    start = datetime.combine(task.due, time())
    assert next(iter(rrulestr(task.rule, dtstart=start))) == start


HOSTILE = [
    *("every ", "mon, ", "every mon, ", "mon and ", "every 1st, ", "every day until ", "until "),
    *("1", "1 ", "at 1", "9:", "~1h", "for 1 ", "in ", "12/12/", "24.12.", "1-1-1-", "from 3 to "),
    *("- ", "(", '"', "\u201c", " ", ".,;:!?)]", "\u00a0", "\u0660", "\u017f", "\U0001f4aa", "\0"),
    *("tomorrow ", "today, ", "sat sun ", "on the ", "next ", "#a.", "@-", "p1 ", "a.m.", "#a p1 "),
    *("an hour and a half ", "tomorrow or ", "3pm - "),
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_takes_little_time_for_hostile_text(piece: str) -> None:
    text = (piece * LONGEST_TEXT)[:LONGEST_TEXT]
    assert cost(text) < MOST_SECONDS


def cost(text: str) -> float:
    """Processor seconds; the least of three, since a garbage collection may fall into one."""
    return min(seconds_of(text) for _ in range(3))


def seconds_of(text: str) -> float:
    start = clock.process_time()
    read(text)
    return clock.process_time() - start


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=6).map("".join))
def test_takes_little_time_for_hostile_mixtures(piece: str) -> None:
    assert cost((piece * LONGEST_TEXT)[:LONGEST_TEXT]) < MOST_SECONDS
