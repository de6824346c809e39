"""AppSync's filters: their input types, and whether a record matches one."""

from app.web.filters.matching import choose_matching, matches_filter
from app.web.filters.types import (
    check_filter,
    condition,
    list_filter,
    sort_key_condition,
    sort_key_range,
    subscription_filter,
)

__all__ = [
    "check_filter",
    "choose_matching",
    "condition",
    "list_filter",
    "matches_filter",
    "sort_key_condition",
    "sort_key_range",
    "subscription_filter",
]
