"""Progress of goals: recorded in any order, corrected, deleted."""

from functools import partial

from app.core.locks import KeyedLock
from app.domains.characters import keys
from app.domains.characters.errors import ProgressExists
from app.domains.characters.inputs import (
    CorrectProgressInput,
    DeleteProgressInput,
    RecordProgressInput,
)
from app.domains.characters.repository import CharactersRepository
from app.domains.characters.rules.progress import Measurement, as_record, expires_at, measured_at
from app.domains.characters.rules.targets import check_progress_value
from app.domains.characters.service.goals import CharacterGoals
from app.domains.characters.service.progress_writer import ProgressChange, ProgressWriter
from app.domains.characters.types import CharacterGoal, ProgressRecord
from app.domains.service import Decision, Service, expect_version, required, uses

LOCKS = KeyedLock()


class Progress(Service):
    attempts = 12

    goals = uses(CharacterGoals)
    writer = uses(ProgressWriter)

    @property
    def repository(self) -> CharactersRepository:
        return CharactersRepository(self.table)

    async def record(self, request: RecordProgressInput) -> ProgressRecord:
        async with LOCKS.hold(request.goal_id):
            return await self.once(request, ProgressRecord, partial(self._record, request))

    async def correct(self, request: CorrectProgressInput) -> ProgressRecord:
        async with LOCKS.hold(request.goal_id):
            return await self.once(request, ProgressRecord, partial(self._correct, request))

    async def delete(self, request: DeleteProgressInput) -> ProgressRecord:
        async with LOCKS.hold(request.goal_id):
            return await self.once(request, ProgressRecord, partial(self._delete, request))

    async def _record(self, request: RecordProgressInput) -> Decision[ProgressRecord]:
        goal = await self.goals.own_goal(request.goal_id)
        check_progress_value(request.progress_value, goal.target_attribute, goal.target_type)
        at = measured_at(request.timestamp or None, self.resources.clock.now())
        earlier = await self._stored_record(goal, at)
        if earlier is not None:
            if earlier.progress_value != request.progress_value:
                raise ProgressExists(earlier.progress_value)
            return Decision(earlier)
        return await self.add_record(goal, Measurement(request.progress_value, at))

    async def _stored_record(self, goal: CharacterGoal, at: str) -> ProgressRecord | None:
        key = keys.progress_record(goal.user_id, goal.character_key, goal.id, at)
        return await self.table.get(key)

    async def add_record(
        self, goal: CharacterGoal, measured: Measurement, **more: object
    ) -> Decision[ProgressRecord]:
        """`more`: what else changes about the goal, such as the time of the next poll."""
        record = ProgressRecord(
            **self.stamp(),
            character_key=goal.character_key,
            goal_id=goal.id,
            timestamp=measured.at,
            progress_value=measured.value,
            ttl=expires_at(goal, measured.at),
        )
        return await self.writer.to_decision(ProgressChange(goal=goal, new=record), **more)

    async def _correct(self, request: CorrectProgressInput) -> Decision[ProgressRecord]:
        goal = await self.goals.own_goal(request.goal_id)
        check_progress_value(request.progress_value, goal.target_attribute, goal.target_type)
        old, has_expired = await self._existing(goal, request)
        if old.progress_value == request.progress_value:
            return Decision(old)
        new = old.evolve(self.now, progress_value=request.progress_value)
        change = ProgressChange(goal=goal, old=old, new=new, has_expired=has_expired)
        return await self.writer.to_decision(change)

    async def _delete(self, request: DeleteProgressInput) -> Decision[ProgressRecord]:
        goal = await self.goals.own_goal(request.goal_id)
        old, has_expired = await self._existing(goal, request)
        change = ProgressChange(goal=goal, old=old, has_expired=has_expired)
        return await self.writer.to_decision(change)

    async def _existing(
        self, goal: CharacterGoal, request: CorrectProgressInput | DeleteProgressInput
    ) -> tuple[ProgressRecord, bool]:
        """The record, and whether it has expired: then only LATEST or EARLIEST holds it."""
        stored = await self._stored_record(goal, request.timestamp)
        found = stored or await self._bound_at(goal, request.timestamp)
        record = required(found, "progress record")
        expect_version(request, record, "progress record")
        return record, stored is None

    async def _bound_at(self, goal: CharacterGoal, at: str) -> ProgressRecord | None:
        bounds = await self.repository.earliest_and_latest(goal)
        return next((as_record(each) for each in bounds if each and each.timestamp == at), None)
