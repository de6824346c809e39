"""Decisions about people, without any I/O."""

from datetime import date
from math import isqrt

# GraphQL's Int ends a little above.
MOST_COUNTED = 2_000_000_000
YOUNGEST = 13
OLDEST = 130


def level(experience_points: int) -> int:
    """Rises with the square root: 0 → 1, 99 → 1, 100 → 2, 400 → 3, 900 → 4."""
    return isqrt(max(0, experience_points) // 100) + 1


def age(birth: date, today: date) -> int:
    return today.year - birth.year - ((today.month, today.day) < (birth.month, birth.day))


def is_plausible_birth(birth: date, today: date) -> bool:
    return birth <= today and YOUNGEST <= age(birth, today) <= OLDEST
