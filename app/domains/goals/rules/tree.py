"""A goal together with the goals below it."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from app.domains.goals.rules.progress import shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    id: str
    parent: str | None
    percent: int
    is_achieved: bool = False
    is_abandoned: bool = False


@dataclass(frozen=True, slots=True)
class Sum:
    percent: int
    goals: int
    achieved: int


def roll_up(root: str, branches: Iterable[Branch]) -> Sum:
    """Over everything below `root`; an abandoned goal is left out with all that is below it."""
    found = {each.id: each for each in branches}
    below: dict[str, list[Branch]] = {}
    for each in found.values():
        if each.parent is not None and not each.is_abandoned:
            below.setdefault(each.parent, []).append(each)
    members: dict[str, Branch] = {}
    waiting = [root]
    while waiting:
        news = [each for each in below.get(waiting.pop(), []) if each.id not in members]
        members |= {each.id: each for each in news}
        waiting += [each.id for each in news]
    leaves = [each for each in members.values() if not below.get(each.id)]
    achieved = sum(each.is_achieved for each in members.values())
    if not leaves:
        return Sum(found[root].percent if root in found else 0, 0, 0)
    mean = Fraction(sum(each.percent for each in leaves), len(leaves) * 100)
    return Sum(shown(mean), len(members), achieved)
