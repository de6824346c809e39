"""Progress of goals."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domains.goals.rules.progress import (
    WeightedPart,
    part_of_counts,
    part_of_values,
    percent,
    to_percent,
)


def test_progress_is_the_weighted_mean() -> None:
    parts = [
        part_of_counts("criteria", 40, 1, 2),
        part_of_counts("tasks", 30, 3, 4),
        part_of_values("metrics", 20, []),
        part_of_counts("habits", 10, 80, 100),
    ]
    assert percent(parts) == 63


@pytest.mark.parametrize("override", [0, 1, 37, 100])
def test_an_override_replaces_the_progress_even_if_it_is_0(override: int) -> None:
    assert percent([part_of_counts("tasks", 30, 1, 1)], override) == override


def test_without_members_or_weights_there_is_no_progress() -> None:
    assert percent([]) == 0
    assert percent([part_of_counts("criteria", 40, 0, 0), part_of_counts("tasks", 30, 0, 0)]) == 0
    assert percent([part_of_counts("criteria", 0, 1, 2), part_of_counts("tasks", 0, 1, 1)]) == 0


def test_weights_need_not_add_up_to_a_hundred() -> None:
    assert percent([part_of_counts("criteria", 1, 1, 2), part_of_counts("tasks", 1, 1, 1)]) == 75
    assert percent([part_of_counts("criteria", 100, 1, 2), part_of_counts("tasks", 0, 1, 1)]) == 50


def test_progress_is_100_only_when_all_is_done() -> None:
    assert percent([part_of_counts("tasks", 30, 999, 1_000)]) == 99
    assert percent([part_of_counts("tasks", 30, 1_000, 1_000)]) == 100
    assert to_percent(Fraction(995, 1_000)) == 99


parts = st.builds(
    lambda weight, total, done: part_of_counts("x", weight, min(done, total), total),
    st.integers(0, 100),
    st.integers(0, 50),
    st.integers(0, 50),
)


@given(st.lists(parts, max_size=4))
def test_progress_lies_between_its_parts(found: list[WeightedPart]) -> None:
    counting = [part.value for part in found if part.total and part.weight]
    result = percent(found)
    if counting:
        low, high = min(counting) * 100, max(counting) * 100
        assert low - 1 <= result <= high + Fraction(1, 2)
    else:
        assert result == 0
