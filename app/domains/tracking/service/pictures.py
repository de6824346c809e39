"""What is to be drawn. Kept apart from the drawing, whose library is large."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Curve:
    title: str
    unit: str
    days: Sequence[date]
    values: Sequence[float]
    target: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A year that ends with `last`; each day is done, missed, neutral or empty."""

    title: str
    last: date
    days: dict[date, str]


Picture = Curve | HeatMap
