"""What a sentence says: the task, and which words said it."""

from dataclasses import dataclass, field
from datetime import date, time

from app.domains.goals.types import PhraseKind


@dataclass(frozen=True, slots=True)
class Understood:
    """`text` is `sentence[start:end]`. `value`: a day as 2026-12-24, a time as 17:30, a size in
    minutes, a recurrence as RRULE. Words with two meanings ("tonight") appear once for each."""

    text: str
    start: int
    end: int
    kind: PhraseKind
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickTask:
    """`size` in minutes; `rule` is an RRULE without DTSTART and UNTIL; days are the user's."""

    title: str
    priority: str | None = None
    area: str | None = None
    tags: list[str] = field(default_factory=list)
    size: int | None = None
    due: date | None = None
    at: time | None = None
    rule: str | None = None
    rule_start: date | None = None
    rule_end: date | None = None
    understood: list[Understood] = field(default_factory=list)
