"""Lists of linked ids."""

import pytest

from app.core.errors import BadInput
from app.domains.goals.rules.links import (
    MOST_GOALS,
    add_link,
    merge_goal_ids,
    only_link,
    without_goal,
)
from tests.goals.rules.records import make_task


def test_links_have_a_limit() -> None:
    many = [str(number) for number in range(MOST_GOALS)]
    with pytest.raises(BadInput):
        add_link(many, "x", MOST_GOALS)  # type: ignore[arg-type]
    with pytest.raises(BadInput):
        merge_goal_ids(many, "x")  # type: ignore[arg-type]
    assert merge_goal_ids(["a", "b"], "a") == ["a", "b"]  # type: ignore[arg-type, list-item]


def test_an_unlinked_goal_leaves_both_lists_of_the_task() -> None:
    found = without_goal(make_task(goal_ids=["a", "b"], criterion_goal_ids=["a"]), "a")
    assert (found.goal_ids, found.criterion_goal_ids) == (["b"], [])


def test_exactly_one_link_field_is_sent() -> None:
    assert only_link({"goal_id": "g", "metric_id": "m"}) == ("metric_id", "m")
    for values in ({"goal_id": "g"}, {"task_id": "t", "habit_id": "h"}, {"task_id": ""}):
        with pytest.raises(BadInput):
            only_link(values)
