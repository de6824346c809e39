"""Roll-up of goals."""

from app.domains.goals.rules.goal_tree import roll_up
from app.domains.goals.types import Goal, GoalStatus, RollUp
from tests.goals.rules.records import make_goal


def goal(id: str, parent: str | None, percent: int, status: GoalStatus = GoalStatus.Active) -> Goal:
    return make_goal(id=id, parent_goal_id=parent, cached_progress=percent, status=status)


def test_a_roll_up_is_the_mean_of_the_leaves() -> None:
    root, b = goal("root", None, 10), goal("b", "root", 30)
    goals = [
        root,
        goal("a", "root", 0),
        goal("a1", "a", 100, GoalStatus.Achieved),
        goal("a2", "a", 50),
        b,
        goal("gone", "root", 100, GoalStatus.Abandoned),
    ]
    assert roll_up(root, goals) == RollUp(percent=60, goals=4, achieved=1)
    assert roll_up(b, goals) == RollUp(percent=30, goals=0, achieved=0)
