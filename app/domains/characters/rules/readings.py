"""An answer of the hiscores: rows by name, -1 for unknown."""

from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from app.domains.characters.rules.targets import (
    LARGEST,
    LEVEL_SHOWN_IN_HISCORES,
    OVERALL,
    level_of,
)
from app.domains.characters.types import TargetType


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str
    rank: int = -1
    level: int = -1
    xp: int = -1
    score: int = -1


class _Page(BaseModel):
    model_config = ConfigDict(extra="ignore")

    skills: list[Any] = []
    activities: list[Any] = []


@dataclass(frozen=True, slots=True)
class Reading:
    """One row; what the hiscores do not know is None, never zero."""

    rank: int | None = None
    level: int | None = None
    xp: int | None = None
    score: int | None = None


Readings = dict[str, Reading]


class NotHiscores(Exception):
    """The answer is not a page of the hiscores."""


def parse_hiscores(content: bytes | str) -> Readings:
    try:
        page = _Page.model_validate(orjson.loads(content))
    except (orjson.JSONDecodeError, ValidationError) as error:
        raise NotHiscores from error
    rows = [row for each in (*page.skills, *page.activities) if (row := _row(each))]
    if not rows:
        raise NotHiscores
    return {row.name.casefold(): _reading(row) for row in reversed(rows)}


def _row(value: Any) -> _Row | None:
    """Rows of another shape are left out: the game adds new kinds now and then."""
    try:
        return _Row.model_validate(value)
    except ValidationError:
        return None


def _reading(row: _Row) -> Reading:
    return Reading(_known(row.rank), _known(row.level), _known(row.xp), _known(row.score))


def _known(number: int) -> int | None:
    return None if number < 0 else min(number, LARGEST)


def value_for(readings: Readings, attribute: str, target: TargetType, wanted: int) -> int | None:
    """The value that a goal is about; None if the hiscores do not know it now."""
    row = readings.get(attribute.casefold())
    if row is None:
        return None
    if target is TargetType.level and wanted > LEVEL_SHOWN_IN_HISCORES and attribute != OVERALL:
        return None if row.xp is None else level_of(row.xp)
    found: int | None = getattr(row, target.value)
    return found or (None if target is TargetType.rank else found)


def encode_readings(readings: Readings) -> str:
    """As they are stored."""
    rows = {name: [r.rank, r.level, r.xp, r.score] for name, r in readings.items()}
    return orjson.dumps(rows).decode()


def decode_readings(text: str) -> Readings:
    return {name: Reading(*row) for name, row in orjson.loads(text).items()}
