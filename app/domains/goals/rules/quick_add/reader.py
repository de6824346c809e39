"""Reads a sentence: recognizes its phrases, selects those that are meant, builds the task."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import reduce

from app.domains.goals.rules.quick_add.days import DAYS
from app.domains.goals.rules.quick_add.marks import MARKS
from app.domains.goals.rules.quick_add.names import without_names
from app.domains.goals.rules.quick_add.phrase import Meaning, Phrase, PhraseContext, combine
from app.domains.goals.rules.quick_add.recurrences import RECURRENCES, first_day
from app.domains.goals.rules.quick_add.selection import select_phrases
from app.domains.goals.rules.quick_add.task import QuickTask, Understood
from app.domains.goals.rules.quick_add.times import (
    END_OF_DAY,
    LAST_NIGHT_HOUR,
    PARTS,
    TIMES,
    with_half,
)
from app.domains.goals.rules.quick_add.title import title_without
from app.domains.goals.rules.quick_add.vocabulary import fold
from app.domains.goals.types import PhraseKind

KINDS = {
    "rule": PhraseKind.RECURRENCE,
    "starts": PhraseKind.RECURRENCE_START,
    "ends": PhraseKind.RECURRENCE_END,
    "lasts": PhraseKind.RECURRENCE_END,
    "due": PhraseKind.DUE_DATE,
    "at": PhraseKind.TIME,
    "part": PhraseKind.TIME,
    "priority": PhraseKind.PRIORITY,
    "size": PhraseKind.SIZE,
}
TASK_FIELDS = {"starts": "rule_start", "ends": "rule_end", "lasts": "rule_end", "part": "at"}
RECOGNIZERS = (*RECURRENCES, *DAYS, *TIMES, *MARKS)
_PHRASE_START = re.compile(r"(?:^|(?<=[ (\[]))[^ (\[]")


def read_quick_task(text: str, *, now: datetime, language: str = "en") -> QuickTask:
    """`now` is aware, in the user's zone. A month comes before its day in en-US only."""
    is_month_first = language.replace("_", "-").lower() == "en-us"
    context = PhraseContext(now=now, is_month_first=is_month_first)
    folded = fold(text)
    phrases = list(_recognize(fold(without_names(text)), context))
    task = _build(text, select_phrases(phrases, folded), context)
    if task.rule_end and task.due and task.rule_end < task.due:
        endless = [phrase for phrase in phrases if not phrase.meaning.ends]
        return _build(text, select_phrases(endless, folded), context)
    return task


def _recognize(folded: str, context: PhraseContext) -> Iterator[Phrase]:
    """The longest phrase at each word, from left to right."""
    position = 0
    while start := _PHRASE_START.search(folded, position):
        position = start.end()
        found = (each.recognize(folded, start.start(), context) for each in RECOGNIZERS)
        phrases = [phrase for phrase in found if phrase]
        if phrases:
            longest = max(phrases, key=lambda phrase: (phrase.end, phrase.strength))
            position = longest.end
            yield longest


def _build(text: str, phrases: Sequence[Phrase], context: PhraseContext) -> QuickTask:
    said = reduce(_add, (phrase.meaning for phrase in phrases), Meaning())
    at = _time_of(said, context)
    due = _due_of(said, at, context)
    area, tags = _names(text, phrases)
    task = QuickTask(
        title=title_without(text, [(phrase.start, phrase.end) for phrase in phrases]),
        priority=said.priority,
        area=area,
        tags=tags,
        size=said.size,
        due=due,
        at=at,
        rule=said.rule,
        rule_start=said.starts,
        rule_end=due + said.lasts - timedelta(days=1) if due and said.lasts else said.ends,
    )
    return replace(task, understood=list(_understood(text, phrases, task)))


def _add(one: Meaning, other: Meaning) -> Meaning:
    """Of selected phrases, which contradict each other in names only."""
    return combine(one, replace(other, hashtag=None, tag=None)) or one


def _time_of(said: Meaning, context: PhraseContext) -> time | None:
    if said.at is None:
        return _time_of_part(said, context)
    if said.is_midnight and (said.due or "BYDAY" in (said.rule or "")):
        # "Friday at midnight" ends the Friday.
        return END_OF_DAY
    return said.at if said.has_half else with_half(said.at, said.part)


def _time_of_part(said: Meaning, context: PhraseContext) -> time | None:
    """Late in the evening, "tonight" is today without a time."""
    at = PARTS[said.part] if said.part else None
    is_over = at and said.due == context.today and at < context.clock
    return None if is_over else at


def _due_of(said: Meaning, at: time | None, context: PhraseContext) -> date | None:
    """Of a rule, its first day; of a time alone, the day when it comes next."""
    if said.due:
        is_after_midnight = said.part == "night" and at and at.hour <= LAST_NIGHT_HOUR
        return said.due + timedelta(days=1 if is_after_midnight else 0)
    if not said.rule and at is None:
        return None
    start = said.starts or context.today
    if at and start == context.today and at < context.clock:
        start += timedelta(days=1)
    return first_day(said.rule, start) if said.rule else start


def _names(text: str, phrases: Sequence[Phrase]) -> tuple[str | None, list[str]]:
    """The area is the first #word, the tags are the other ones and all @words."""
    area, tags = None, list[str]()
    for phrase in phrases:
        name = text[phrase.start + 1 : phrase.end]
        if phrase.meaning.hashtag and area is None:
            area = name
        elif phrase.meaning.hashtag or phrase.meaning.tag:
            tags.append(name)
    return area, list(dict.fromkeys(tags))


def _understood(text: str, phrases: Sequence[Phrase], task: QuickTask) -> Iterator[Understood]:
    has_area = False
    for phrase in phrases:
        words = text[phrase.start : phrase.end]
        for kind, value in _values(phrase.meaning, words, task, has_area=has_area):
            has_area = has_area or kind is PhraseKind.AREA
            yield Understood(words, phrase.start, phrase.end, kind, value)


def _values(
    said: Meaning, words: str, task: QuickTask, *, has_area: bool
) -> Iterator[tuple[PhraseKind, str]]:
    if said.hashtag or said.tag:
        yield PhraseKind.AREA if said.hashtag and not has_area else PhraseKind.TAG, words[1:]
    for fact, kind in KINDS.items():
        value = getattr(task, TASK_FIELDS.get(fact, fact)) if fact in said.facts else None
        if value is not None:
            yield kind, value.strftime("%H:%M") if isinstance(value, time) else str(value)
