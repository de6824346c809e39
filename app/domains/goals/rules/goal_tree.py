"""Roll-up of a goal over the goals below it."""

from collections.abc import Iterable
from fractions import Fraction

from app.domains.goals.rules.progress import to_percent
from app.domains.goals.types import Goal, GoalStatus, RollUp


def roll_up(root: Goal, goals: Iterable[Goal]) -> RollUp:
    """Over all goals below `root`. An abandoned goal is left out, with all goals below it."""
    children: dict[str, list[Goal]] = {}
    for each in goals:
        if each.parent_goal_id is not None and each.status is not GoalStatus.Abandoned:
            children.setdefault(each.parent_goal_id, []).append(each)
    descendants = _descendants(root.id, children)
    leaves = [each for each in descendants if not children.get(each.id)]
    if not leaves:
        return RollUp(percent=root.cached_progress, goals=0, achieved=0)
    mean = Fraction(sum(each.cached_progress for each in leaves), len(leaves) * 100)
    achieved = sum(each.status is GoalStatus.Achieved for each in descendants)
    return RollUp(percent=to_percent(mean), goals=len(descendants), achieved=achieved)


def _descendants(root_id: str, children: dict[str, list[Goal]]) -> list[Goal]:
    found: dict[str, Goal] = {}
    pending = [root_id]
    while pending:
        unseen = [each for each in children.get(pending.pop(), []) if each.id not in found]
        found |= {each.id: each for each in unseen}
        pending += [each.id for each in unseen]
    return list(found.values())
