"""Records by kind and id: the one place that knows which service finds which kind."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.record import Node

if TYPE_CHECKING:
    from app.services import Services

Find = Callable[["Services", str], Awaitable[Node | None]]


@dataclass(frozen=True, slots=True)
class Kind:
    """`public`: an API key may ask, as it may ask for the kind's own field. `searched`: the id is
    not its key, so it takes a query of its own."""

    name: str
    find: Find
    public: bool = False
    searched: bool = False


_EVERY = (
    Kind("Goal", lambda services, id: services.goals.goal(id)),
    Kind("Task", lambda services, id: services.tasks.task(id)),
    Kind("Project", lambda services, id: services.projects.project(id)),
    Kind("Milestone", lambda services, id: services.milestones.by_id(id), searched=True),
    Kind("Metric", lambda services, id: services.metrics.metric(id)),
    Kind("Habit", lambda services, id: services.habits.habit(id)),
    Kind("Reward", lambda services, id: services.rewards.reward(id)),
    Kind("CharacterGoal", lambda services, id: services.character_goals.goal(id)),
    Kind("Quest", lambda services, id: services.quests.quest(id), public=True),
    Kind("QuestCategory", lambda services, id: services.quest_catalogue.category(id), public=True),
    Kind("QuestTemplate", lambda services, id: services.quest_catalogue.template(id)),
    Kind("Room", lambda services, id: services.rooms.room(id), public=True),
    Kind("AssistThread", lambda services, id: services.assist.thread(id)),
    Kind("Company", lambda services, id: services.companies.company(id), public=True),
    Kind("Offer", lambda services, id: services.offers.offer(id), public=True),
    Kind("User", lambda services, id: services.profiles.user(id), public=True),
)
KINDS = {kind.name: kind for kind in _EVERY}
_BY_WORD = {kind.name.upper(): kind for kind in _EVERY}


def kind_called(word: str) -> Kind:
    """In any letter case: enums of kinds have capitals."""
    return _BY_WORD[word.upper()]


def split(id: str) -> tuple[Kind | None, str]:
    """Quest:7 says which kind is meant. Ids of other issuers may have a colon of their own."""
    word, colon, rest = id.partition(":")
    kind = KINDS.get(word) if colon else None
    return (kind, rest) if kind else (None, id)


async def find(services: "Services", kinds: Iterable[Kind], id: str) -> Node | None:
    """The first kind that has it. Reads by key travel together; searched is only what is left."""
    kinds = list(kinds)
    keyed = [kind.find(services, id) for kind in kinds if not kind.searched]
    for found in await asyncio.gather(*keyed):
        if found:
            return found
    for kind in kinds:
        if kind.searched and (found := await kind.find(services, id)):
            return found
    return None
