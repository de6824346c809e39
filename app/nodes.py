"""Finds records of every kind by id: which service finds which kind."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from app.core.record import Node
from app.domains.characters.service import CharacterGoals
from app.domains.community.service import Assist, Companies, Offers, Rooms
from app.domains.goals.service import Goals, Milestones, Projects, Tasks
from app.domains.people.service import Profiles
from app.domains.quests.service import QuestCatalogue, Quests
from app.domains.rewards.service import Rewards
from app.domains.service import Scope
from app.domains.tracking.service import Habits, Metrics

Find = Callable[[Scope, str], Awaitable[Node | None]]


@dataclass(frozen=True, slots=True)
class NodeKind:
    """`public`: an API key may read it, as through the kind's own field. `searched`: the id is not
    the key of the record, so that finding it takes a query."""

    name: str
    find: Find
    public: bool = False
    searched: bool = False


_KINDS = (
    NodeKind("Goal", lambda scope, id: scope.get(Goals).goal(id)),
    NodeKind("Task", lambda scope, id: scope.get(Tasks).task(id)),
    NodeKind("Project", lambda scope, id: scope.get(Projects).project(id)),
    NodeKind(
        "Milestone", lambda scope, id: scope.get(Milestones).milestone_by_id(id), searched=True
    ),
    NodeKind("Metric", lambda scope, id: scope.get(Metrics).find(id)),
    NodeKind("Habit", lambda scope, id: scope.get(Habits).find(id)),
    NodeKind("Reward", lambda scope, id: scope.get(Rewards).reward(id)),
    NodeKind("CharacterGoal", lambda scope, id: scope.get(CharacterGoals).goal(id)),
    NodeKind("Quest", lambda scope, id: scope.get(Quests).quest(id), public=True),
    NodeKind(
        "QuestCategory", lambda scope, id: scope.get(QuestCatalogue).category(id), public=True
    ),
    NodeKind("QuestTemplate", lambda scope, id: scope.get(QuestCatalogue).template(id)),
    NodeKind("Room", lambda scope, id: scope.get(Rooms).room(id), public=True),
    NodeKind("AssistThread", lambda scope, id: scope.get(Assist).thread(id)),
    NodeKind("Company", lambda scope, id: scope.get(Companies).company(id), public=True),
    NodeKind("Offer", lambda scope, id: scope.get(Offers).offer(id), public=True),
    NodeKind("User", lambda scope, id: scope.get(Profiles).user(id), public=True),
)
KINDS = {kind.name: kind for kind in _KINDS}
_BY_UPPER_NAME = {kind.name.upper(): kind for kind in _KINDS}


def kind_by_name(name: str) -> NodeKind:
    """In any letter case: enums of kinds are in capitals."""
    return _BY_UPPER_NAME[name.upper()]


def split_id(id: str) -> tuple[NodeKind | None, str]:
    """The kind and id of `Quest:7`; no kind if the part before the colon is not the name of one."""
    name, colon, rest = id.partition(":")
    kind = KINDS.get(name) if colon else None
    return (kind, rest) if kind else (None, id)


async def find_node(scope: Scope, kinds: Iterable[NodeKind], id: str) -> Node | None:
    """The record of the first kind that has the id. Kinds read by key come first, in one batch."""
    kinds = list(kinds)
    keyed = [kind.find(scope, id) for kind in kinds if not kind.searched]
    for found in await asyncio.gather(*keyed):
        if found:
            return found
    for kind in kinds:
        if kind.searched and (found := await kind.find(scope, id)):
            return found
    return None
