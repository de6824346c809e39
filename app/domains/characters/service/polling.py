"""Polling the hiscores: one answer about a character serves all its goals."""

from contextlib import suppress
from datetime import timedelta
from functools import partial

from app.core.clock import instant
from app.core.errors import BadInput, NotFound
from app.core.scalars import AWSDateTime, WholeNumber
from app.domains.characters.errors import HiscoresUnavailable
from app.domains.characters.hiscores import Hiscores, HiscoresResult
from app.domains.characters.inputs import RefreshCharacterInput
from app.domains.characters.repository import CharactersRepository
from app.domains.characters.rules.progress import Measurement, is_worth_recording
from app.domains.characters.rules.readings import value_for
from app.domains.characters.rules.schedules import next_poll
from app.domains.characters.service.characters import Characters
from app.domains.characters.service.progress import LOCKS, Progress
from app.domains.characters.types import Character
from app.domains.service import Decision, Service, uses
from app.table.writes import put_if_unchanged


class Polling(Service):
    attempts = 12

    characters = uses(Characters)
    progress = uses(Progress)

    @property
    def hiscores(self) -> Hiscores:
        return Hiscores(self.resources)

    @property
    def repository(self) -> CharactersRepository:
        return CharactersRepository(self.table)

    async def refresh(self, request: RefreshCharacterInput) -> Character:
        character = await self.characters.own_character(request.name)
        if character.archived_at is not None:
            raise BadInput("This character is archived: add it again first.", field="input.name")
        return await self._apply_result(character, await self.hiscores.look_up(character.name_key))

    async def poll(self, name: str) -> None:
        """For background work. If the hiscores do not answer, the goals are postponed, and the
        error is raised, for the job to show."""
        character = await self.characters.character(name)
        if character is None or character.archived_at is not None:
            return
        try:
            result = await self.hiscores.look_up(character.name_key)
        except HiscoresUnavailable as unavailable:
            wait = timedelta(seconds=int(str(unavailable.info["retryAfter"])))
            await self._postpone(character, instant(self.resources.clock.now() + wait))
            raise
        with suppress(NotFound):
            await self._apply_result(character, result)

    async def _postpone(self, character: Character, until: str) -> None:
        for goal in await self.repository.all_goals(character):
            if goal.poll_at is not None:
                await self.commit(partial(self._postpone_goal, goal.id, until))

    async def _postpone_goal(self, goal_id: str, until: str) -> Decision[None]:
        goal = await self.progress.goals.goal(goal_id)
        if goal is None or goal.poll_at is None:
            return Decision(None)
        return Decision(
            None, [put_if_unchanged(goal.evolve(self.now, poll_at=until), goal, "goal")]
        )

    async def _apply_result(self, character: Character, result: HiscoresResult) -> Character:
        """Goals that are deleted meanwhile are skipped."""
        for goal in await self.repository.all_goals(character):
            if goal.achieved_at is None:
                async with LOCKS.hold(goal.id):
                    with suppress(NotFound):
                        await self.commit(partial(self._measure, goal.id, result))
        return await self.commit(partial(self._set_status, character.name, result))

    async def _set_status(self, name: str, result: HiscoresResult) -> Decision[Character]:
        old = await self.characters.own_character(name)
        if old.polled_at is not None and old.polled_at >= result.polled_at:
            return Decision(old)
        new = old.evolve(self.now, hiscores_status=result.status, polled_at=result.polled_at)
        return Decision(new, [put_if_unchanged(new, old, "character")])

    async def _measure(self, goal_id: str, result: HiscoresResult) -> Decision[None]:
        """A record if the value is worth one; in any case the time of the next poll."""
        goal = await self.progress.goals.goal(goal_id)
        if goal is None or goal.achieved_at is not None:
            return Decision(None)
        next_at = next_poll(self.resources.clock.now(), self.resources.settings.hiscores_minutes)
        value = value_for(
            result.readings, goal.target_attribute, goal.target_type, goal.target_value
        )
        latest = await self.progress.goals.latest_progress(goal)
        if value is None or not is_worth_recording(value, result.polled_at, latest):
            return Decision(
                None, [put_if_unchanged(goal.evolve(self.now, poll_at=next_at), goal, "goal")]
            )
        measurement = Measurement(WholeNumber(value), AWSDateTime(result.polled_at))
        decision = await self.progress.add_record(goal, measurement, poll_at=next_at)
        return Decision(None, decision.writes)
