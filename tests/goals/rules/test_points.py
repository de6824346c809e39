"""Points of tasks."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domains.goals.rules.points import point_value
from app.domains.goals.types import Priority


@pytest.mark.parametrize(
    ("size", "priority", "points"),
    [
        (60, Priority.P2, 120),
        (60, Priority.P1, 180),
        (60, Priority.P3, 90),
        (60, Priority.P4, 60),
        (None, Priority.P2, 60),
        (None, Priority.P3, 45),
        (0, Priority.P1, 0),
        (1, Priority.P3, 2),
        (3, Priority.P3, 5),
    ],
)
def test_points(size: int | None, priority: Priority, points: int) -> None:
    assert point_value(size, priority) == points


@given(st.integers(0, 100_000))
def test_points_are_the_product_with_a_half_rounded_up(size: int) -> None:
    factors: dict[Priority, Fraction] = {
        Priority.P1: Fraction(3),
        Priority.P2: Fraction(2),
        Priority.P3: Fraction(3, 2),
        Priority.P4: Fraction(1),
    }
    for priority, factor in factors.items():
        assert abs(point_value(size, priority) - size * factor) <= Fraction(1, 2)
        assert point_value(size, priority) >= size * factor
