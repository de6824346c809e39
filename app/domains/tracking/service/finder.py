"""Who looks for insights: given days and their values, says what is in them. Statistics do it here;
whoever finds more (a language model, say) takes their place by the same method."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from app.domains.tracking.types import Direction, InsightType


@dataclass(frozen=True, slots=True)
class Series:
    """A metric's values, one for each day that has one, in the order of time."""

    metric_id: str
    name: str
    unit: str
    direction: Direction
    target: float | None
    days: Sequence[date]
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Finding:
    """`content` is what JSON can hold."""

    type: InsightType
    summary: str
    confidence: float
    content: dict[str, Any] = field(default_factory=dict)


class Finder(Protocol):
    def find(
        self, kind: InsightType, series: Series, others: Sequence[Series], today: date
    ) -> list[Finding]:
        """Called in a thread: it may take its time."""
        ...
