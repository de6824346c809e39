"""The kinds of charts."""

from enum import Enum


class ChartKind(Enum):
    """`values` is drawn by the plans domain, with the same kind of signed URL."""

    metric = "metric"
    habit = "habit"
    values = "values"
