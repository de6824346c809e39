"""An answer of the hiscores: rows by name, -1 for unknown."""

from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from app.domains.characters.rules.attributes import OVERALL
from app.domains.characters.rules.targets import LARGEST, LEVEL_SHOWN_IN_HISCORES, level_of
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


UNRANKED = Reading()
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
    return {
        row.name.casefold(): to_reading(row.rank, row.level, row.xp, row.score)
        for row in reversed(rows)
    }


def _row(value: Any) -> _Row | None:
    """Rows of another shape are left out: the game adds new kinds now and then."""
    try:
        return _Row.model_validate(value)
    except ValidationError:
        return None


def to_reading(rank: int | None, level: int | None, xp: int | None, score: int | None) -> Reading:
    """Of a skill that is not ranked, the hiscores show level 1 beside -1: that says nothing."""
    known = Reading(_known(rank), _known(level), _known(xp), _known(score))
    is_skill = known.level is not None or known.xp is not None
    if not known.rank or (is_skill and known.xp is None):
        return UNRANKED
    return known


def _known(number: int | None) -> int | None:
    return number if number is not None and 0 <= number <= LARGEST else None


def value_for(readings: Readings, attribute: str, target: TargetType, wanted: int) -> int | None:
    """The value that a goal is about; None if the hiscores do not know it now."""
    row = readings.get(attribute.casefold())
    if row is None:
        return None
    if target is TargetType.level and wanted > LEVEL_SHOWN_IN_HISCORES and attribute != OVERALL:
        return None if row.xp is None else level_of(row.xp)
    found: int | None = getattr(row, target.value)
    return found


def encode_readings(readings: Readings) -> str:
    """As they are stored."""
    rows = {name: [r.rank, r.level, r.xp, r.score] for name, r in readings.items()}
    return orjson.dumps(rows).decode()


def decode_readings(text: str) -> Readings:
    return {name: to_reading(*row) for name, row in orjson.loads(text).items()}
