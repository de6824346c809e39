"""Three-way merge of values and of orders: what only one side changed is taken from it; what both
changed differently is asked for."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from app.domains.plans.errors import Clash
from app.domains.plans.types import MergeSide

EXISTS, ORDER = "exists", "order"
Choices = Mapping[tuple[str, str], MergeSide]


@dataclass(slots=True)
class Decisions:
    """`choices`: the caller's, by thing and field. `clashes`: what could not be decided."""

    choices: Choices
    clashes: list[Clash] = field(default_factory=list)

    def choose(
        self, thing: str, field: str, base: object, ours: object, theirs: object
    ) -> MergeSide:
        """Which side a value comes from: the one that changed it, or the caller's choice."""
        if ours in (base, theirs):
            return MergeSide.THEIRS
        if theirs == base:
            return MergeSide.OURS
        return self.ask(thing, field, base, ours, theirs)

    def ask(self, thing: str, field: str, base: object, ours: object, theirs: object) -> MergeSide:
        chosen = self.choices.get((thing, field))
        if chosen is None:
            self.clashes.append(Clash(thing, field, _text(base), _text(ours), _text(theirs)))
        return chosen or MergeSide.THEIRS


def merge_orders(
    decisions: Decisions, thing: str, lists: Sequence[Sequence[str]], wanted: Collection[str]
) -> list[str]:
    """`lists`: of base, ours and theirs. What only one side has follows its neighbour there."""
    common = set(lists[0]).intersection(*lists[1:]).intersection(wanted)
    base, ours, theirs = ([each for each in some if each in common] for some in lists)
    side = decisions.choose(thing, ORDER, base, ours, theirs)
    backbone, other = (lists[1], lists[2]) if side is MergeSide.OURS else (lists[2], lists[1])
    kept = [each for each in backbone if each in wanted]
    followers = _followers(kept, [each for each in other if each in wanted])
    order = [*followers.get(None, [])]
    for each in kept:
        order += [each, *followers.get(each, [])]
    return order + sorted(set(wanted).difference(order))


def _followers(kept: Sequence[str], other: Sequence[str]) -> dict[str | None, list[str]]:
    """What only the other list has, by the nearest common neighbour before it."""
    known = set(kept)
    found: dict[str | None, list[str]] = {}
    before: str | None = None
    for each in other:
        if each in known:
            before = each
        else:
            found.setdefault(before, []).append(each)
    return found


def _text(value: object) -> str | None:
    match value:
        case None:
            return None
        case bool():
            return "true" if value else "false"
        case tuple() | list():
            return ",".join(str(each) for each in value)
        case _:
            return str(value)
