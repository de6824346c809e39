"""How far a goal is, and why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """`value` is 0 to 1; a part with no members (`total` 0) does not count."""

    name: str
    weight: int
    value: Fraction
    count: int
    total: int


def share(name: str, weight: int, count: int, total: int) -> Part:
    value = Fraction(count, total) if total else Fraction(0)
    return Part(name=name, weight=weight, value=value, count=count, total=total)


def average(name: str, weight: int, values: Sequence[Fraction]) -> Part:
    """`count` is how many have arrived."""
    value = sum(values, Fraction(0)) / len(values) if values else Fraction(0)
    reached = sum(each >= 1 for each in values)
    return Part(name=name, weight=weight, value=value, count=reached, total=len(values))


def clamped(value: float, *, reached: bool) -> Fraction:
    """A measured value as a part of one: whole only if the target is reached."""
    if reached:
        return Fraction(1)
    return min(max(Fraction(str(value)), Fraction(0)), Fraction(999, 1000))


def percent(parts: Iterable[Part], manual_override: int | None = None) -> int:
    """The weighted mean of the parts that have members; 0 if there are none."""
    if manual_override is not None:
        return manual_override
    counting = [part for part in parts if part.total]
    weights = sum(part.weight for part in counting)
    if not weights:
        return 0
    return shown(sum(part.weight * part.value for part in counting) / Fraction(weights))


def shown(value: Fraction) -> int:
    """As a whole percentage, a half rounded up; never 100 until it is reached."""
    return min(floor(value * 100 + Fraction(1, 2)), 100 if value >= 1 else 99)
