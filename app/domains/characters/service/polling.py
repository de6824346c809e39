"""Looking a character up: one answer of the hiscores serves all its goals."""

from contextlib import suppress
from datetime import timedelta
from functools import partial

from app.core.caller import Caller
from app.core.clock import instant
from app.core.errors import BadInput, NotFound
from app.core.scalars import AWSDateTime
from app.domains.characters.errors import HiscoresUnavailable
from app.domains.characters.hiscores import Hiscores, Standings
from app.domains.characters.inputs import RefreshCharacterInput
from app.domains.characters.repository import CharactersRepository
from app.domains.characters.rules.readings import value_for
from app.domains.characters.rules.schedules import next_poll
from app.domains.characters.service.characters import Characters
from app.domains.characters.service.progress import TURNS, Progress, Sampled
from app.domains.characters.types import Character, LatestProgress
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.writes import replace


class Polling(Service):
    attempts = 12

    def __init__(
        self, resources: Resources, caller: Caller, characters: Characters, progress: Progress
    ) -> None:
        super().__init__(resources, caller)
        self.characters = characters
        self.progress = progress
        self.hiscores = Hiscores(resources)
        self.repository = CharactersRepository(resources.table)

    async def refresh(self, request: RefreshCharacterInput) -> Character:
        character = await self.characters.known(request.name)
        if character.archived_at is not None:
            raise BadInput("This character is archived: add it again first.", field="input.name")
        return await self._apply(character, await self.hiscores.standings(character.name_key))

    async def poll(self, name: str) -> None:
        """For background work. If the hiscores do not answer, the goals wait: no guesses."""
        character = await self.characters.character(name)
        if character is None or character.archived_at is not None:
            return
        try:
            standings = await self.hiscores.standings(character.name_key)
        except HiscoresUnavailable as unavailable:
            wait = timedelta(seconds=int(str(unavailable.info["retryAfter"])))
            await self._postpone(character, instant(self.resources.clock.now() + wait))
            return
        with suppress(NotFound):
            await self._apply(character, standings)

    async def _postpone(self, character: Character, until: str) -> None:
        for goal in await self.repository.every_goal(character):
            if goal.poll_at is not None:
                await self.commit(partial(self._waiting, goal.id, until))

    async def _waiting(self, goal_id: str, until: str) -> Decision[None]:
        goal = await self.progress.goals.goal(goal_id)
        if goal is None or goal.poll_at is None:
            return Decision(None)
        return Decision(None, [replace(goal.evolve(self.now, poll_at=until), goal, "goal")])

    async def _apply(self, character: Character, standings: Standings) -> Character:
        """What is deleted meanwhile needs no record."""
        for goal in await self.repository.every_goal(character):
            if goal.achieved_at is None:
                async with TURNS.of(goal.id):
                    with suppress(NotFound):
                        await self.commit(partial(self._measuring, goal.id, standings))
        return await self.commit(partial(self._seeing, character.name, standings))

    async def _seeing(self, name: str, standings: Standings) -> Decision[Character]:
        old = await self.characters.known(name)
        if old.polled_at is not None and old.polled_at >= standings.polled_at:
            return Decision(old)
        new = old.evolve(self.now, hiscores_status=standings.status, polled_at=standings.polled_at)
        return Decision(new, [replace(new, old, "character")])

    async def _measuring(self, goal_id: str, standings: Standings) -> Decision[None]:
        """A record, if there is something new to record; in any case the next look-up."""
        goal = await self.progress.goals.goal(goal_id)
        if goal is None or goal.achieved_at is not None:
            return Decision(None)
        then = next_poll(self.resources.clock.now(), self.resources.settings.hiscores_minutes)
        value = value_for(
            standings.readings, goal.target_attribute, goal.target_type, goal.target_value
        )
        latest = await self.repository.latest(goal)
        if value is None or not _is_news(value, standings.polled_at, latest):
            return Decision(None, [replace(goal.evolve(self.now, poll_at=then), goal, "goal")])
        sampled = Sampled(value, AWSDateTime(standings.polled_at))
        decision = await self.progress.deciding(goal, sampled, poll_at=then)
        return Decision(None, decision.writes)


def _is_news(value: int, at: str, latest: LatestProgress | None) -> bool:
    """Another value, or the first of a day: an unchanged one need not be kept every hour."""
    if latest is None:
        return True
    changed = value != latest.progress_value or at[:10] != latest.timestamp[:10]
    return changed and at > latest.timestamp
