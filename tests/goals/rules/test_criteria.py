"""Success criteria: order, completion and links."""

import pytest

from app.core.errors import BadInput, Conflict, NotFound
from app.domains.goals.rules.criteria import (
    MOST_CRITERIA,
    add_criterion_goal,
    check_one_criterion_per_task,
    check_unique_ids,
    criterion_with_id,
    follow_links,
    follow_metrics,
    follow_tasks,
    insert_criterion,
    reorder_criteria,
    replace_criterion,
    set_completed,
    with_orders,
)
from app.domains.goals.types import ActivityType, TaskStatus
from tests.goals.rules.records import NOW, make_criterion, make_task

THREE = [make_criterion(id) for id in "abc"]


def ids(criteria: list[object]) -> str:
    return "".join(each.id for each in criteria)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("order", "expected"), [(None, "abcx"), (1, "xabc"), (2, "axbc"), (50, "abcx")]
)
def test_a_criterion_is_inserted_at_its_order(order: int | None, expected: str) -> None:
    assert ids([*insert_criterion(THREE, make_criterion("x"), order)]) == expected


def test_the_list_has_a_limit_and_unique_ids() -> None:
    full = [make_criterion(str(number)) for number in range(MOST_CRITERIA)]
    with pytest.raises(BadInput):
        insert_criterion(full, make_criterion("x"), None)
    with pytest.raises(Conflict):
        insert_criterion(THREE, make_criterion("a"), None)
    with pytest.raises(Conflict):
        check_unique_ids([*THREE, make_criterion("a")])


@pytest.mark.parametrize(("order", "expected"), [(None, "abc"), (1, "bac"), (3, "acb")])
def test_a_replaced_criterion_keeps_its_place_or_moves(order: int | None, expected: str) -> None:
    new = make_criterion("b", text="new")
    found = replace_criterion(THREE, new, order)
    assert ids([*found]) == expected
    assert new in found


def test_reordered_criteria_come_first_and_the_others_keep_their_order() -> None:
    assert ids([*reorder_criteria(THREE, ["c"])]) == "cab"
    assert [each.order for each in with_orders(THREE)] == [1, 2, 3]
    with pytest.raises(NotFound):
        reorder_criteria(THREE, ["x"])
    with pytest.raises(NotFound):
        criterion_with_id(THREE, "x")


def test_completion_is_an_activity_only_when_it_changes() -> None:
    done, activities = set_completed(THREE[0], True, NOW)
    assert (done.is_completed, done.completed_at) == (True, NOW)
    assert [each.type for each in activities] == [ActivityType.criterion_completed]
    assert set_completed(done, True, NOW) == (done, [])
    reopened, activities = set_completed(done, False, NOW)
    assert (reopened.is_completed, reopened.completed_at) == (False, None)
    assert [each.type for each in activities] == [ActivityType.criterion_reopened]


def test_criteria_follow_their_tasks_and_lose_deleted_ones() -> None:
    criteria = [
        make_criterion("a", linked_task_id="done"),
        make_criterion("b", linked_task_id="deleted", is_completed=True),
        make_criterion("c", linked_task_id="other"),
    ]
    tasks = {"done": make_task(id="done", status=TaskStatus.Done), "deleted": None}
    found, activities = follow_tasks(criteria, tasks, NOW)
    assert [each.is_completed for each in found] == [True, True, False]
    assert [each.linked_task_id for each in found] == ["done", None, "other"]
    assert len(activities) == 1


def test_criteria_follow_only_the_named_metrics() -> None:
    criteria = [
        make_criterion("a", linked_metric_id="m"),
        make_criterion("b", linked_metric_id="n", is_completed=True),
        make_criterion("c", is_completed=True),
    ]
    found, _ = follow_links(criteria, "linked_metric_id", {"m": True, "n": False}, NOW)
    assert [each.is_completed for each in found] == [True, False, True]


def test_a_task_has_one_criterion_of_a_goal_and_criteria_of_five_goals() -> None:
    twice = [make_criterion(id, linked_task_id="t") for id in "ab"]
    with pytest.raises(BadInput):
        check_one_criterion_per_task(twice)
    check_one_criterion_per_task(twice[:1])
    assert add_criterion_goal(make_task(criterion_goal_ids=["a"]), "b") == ["a", "b"]
    with pytest.raises(BadInput):
        add_criterion_goal(make_task(criterion_goal_ids=[*"abcde"]), "f")


def test_the_link_to_a_deleted_metric_is_removed() -> None:
    criteria = [
        make_criterion("a", linked_metric_id="gone", is_completed=True),
        make_criterion("b", linked_metric_id="m"),
    ]
    found, _ = follow_metrics(criteria, {"m": True}, NOW)
    assert [(each.linked_metric_id, each.is_completed) for each in found] == [
        (None, True),
        ("m", True),
    ]
