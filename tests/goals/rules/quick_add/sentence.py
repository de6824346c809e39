"""One row of the table of sentences."""

from dataclasses import dataclass, field
from datetime import date, datetime, time

NOW = "2026-11-16 17:30"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    text: str
    title: str
    due: date | None
    at: time | None
    rule: str | None
    rule_start: date | None
    rule_end: date | None
    priority: str | None = None
    area: str | None = None
    tags: list[str] = field(default_factory=list)
    size: int | None = None
    now: datetime
    language: str = "en"


def says(
    text: str,
    title: str,
    *,
    due: str = "",
    at: str = "",
    rule: str = "",
    start: str = "",
    end: str = "",
    priority: str | None = None,
    area: str | None = None,
    tags: list[str] | None = None,
    size: int | None = None,
    now: str = NOW,
    language: str = "en",
) -> Sentence:
    return Sentence(
        text=text,
        title=title,
        due=_day(due),
        at=time.fromisoformat(at) if at else None,
        rule=f"FREQ={rule}" if rule else None,
        rule_start=_day(start),
        rule_end=_day(end),
        priority=priority,
        area=area,
        tags=tags or [],
        size=size,
        now=datetime.fromisoformat(f"{now}+00:00"),
        language=language,
    )


def _day(text: str) -> date | None:
    if not text:
        return None
    return date.fromisoformat(text if len(text) == 10 else f"2026-{text}")
