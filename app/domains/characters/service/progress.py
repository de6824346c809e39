"""Progress: each record with LATEST and EARLIEST in one transaction, in any order."""

from functools import partial
from typing import Any

from app.core.errors import NotFound, StaleVersion
from app.core.locks import KeyedLock
from app.domains.characters import keys
from app.domains.characters.errors import ProgressExists
from app.domains.characters.inputs import RecordProgressInput
from app.domains.characters.repository import CharactersRepository
from app.domains.characters.rules.progress import (
    Measurement,
    as_achieved,
    expires_at,
    is_newer,
    is_older,
    measured_at,
    reaches_target,
)
from app.domains.characters.rules.targets import check_value, is_drop
from app.domains.characters.service.goals import CharacterGoals
from app.domains.characters.types import (
    CharacterGoal,
    EarliestProgress,
    LatestProgress,
    ProgressRecord,
)
from app.domains.service import Decision, Service, uses
from app.table.conditions import absent, present, version_is
from app.table.writes import Check, Put, Write, put_if_absent, put_if_unchanged

LOCKS = KeyedLock()


class Progress(Service):
    attempts = 12

    goals = uses(CharacterGoals)

    @property
    def repository(self) -> CharactersRepository:
        return CharactersRepository(self.table)

    async def record(self, request: RecordProgressInput) -> ProgressRecord:
        async with LOCKS.hold(request.goal_id):
            return await self.once(request, ProgressRecord, partial(self._record, request))

    async def _record(self, request: RecordProgressInput) -> Decision[ProgressRecord]:
        goal = await self.goals.own_goal(request.goal_id)
        check_value(
            request.progress_value,
            goal.target_attribute,
            goal.target_type,
            field="input.progressValue",
        )
        at = measured_at(request.timestamp or None, self.resources.clock.now())
        key = keys.progress_record(goal.user_id, goal.character_key, goal.id, at)
        earlier = await self.table.get(key)
        if earlier is not None:
            if earlier.progress_value != request.progress_value:
                raise ProgressExists(earlier.progress_value)
            return Decision(earlier)
        return await self.add_record(goal, Measurement(request.progress_value, at))

    async def add_record(
        self, goal: CharacterGoal, measured: Measurement, **more: object
    ) -> Decision[ProgressRecord]:
        """`more`: what else changes about the goal, such as the time of the next poll."""
        earliest, latest = await self.repository.earliest_and_latest(goal)
        record = ProgressRecord(
            **self.stamp(),
            character_key=goal.character_key,
            goal_id=goal.id,
            timestamp=measured.at,
            progress_value=measured.value,
            flagged=await self._is_flagged(goal, measured, latest),
            ttl=expires_at(goal, measured.at),
        )
        return Decision(
            record,
            [
                put_if_absent(record, otherwise=StaleVersion("progress", None)),
                *_bound_writes(LatestProgress, record, latest, moves=is_newer(record, latest)),
                *_bound_writes(
                    EarliestProgress, record, earliest, moves=is_older(record, earliest)
                ),
                self._goal_write(goal, measured, more),
            ],
        )

    async def _is_flagged(
        self, goal: CharacterGoal, measured: Measurement, latest: LatestProgress | None
    ) -> bool:
        if latest is None:
            return False
        if measured.at > latest.timestamp:
            return is_drop(measured.value, before=latest.progress_value, target=goal.target_type)
        before, after = await self.repository.neighbours(goal, measured.at)
        return is_drop(
            measured.value,
            before=before.progress_value if before else None,
            after=after.progress_value if after else None,
            target=goal.target_type,
        )

    def _goal_write(
        self, goal: CharacterGoal, measured: Measurement, more: dict[str, object]
    ) -> Write:
        """Always with the condition that the goal exists: no record is added to a deleted one."""
        reached = goal.achieved_at is None and reaches_target(goal, measured.value)
        if not reached and not more:
            key = keys.goal(goal.user_id, goal.character_key, goal.id)
            return Check(key, when=present(), otherwise=NotFound("goal"))
        new = goal.evolve(self.now, **more)
        if reached:
            new = as_achieved(new, measured.at, self.now)
        return put_if_unchanged(new, goal, "goal")


def _bound_writes(
    cls: type[LatestProgress] | type[EarliestProgress],
    record: ProgressRecord,
    seen: LatestProgress | EarliestProgress | None,
    *,
    moves: bool,
) -> list[Write]:
    """LATEST only moves later and EARLIEST only earlier: where it does not move, no condition is
    needed."""
    if not moves:
        return []
    new: Any = cls(
        created_at=seen.created_at if seen else record.created_at,
        updated_at=record.updated_at,
        version=seen.version + 1 if seen else 1,
        user_id=record.user_id,
        character_key=record.character_key,
        goal_id=record.goal_id,
        timestamp=record.timestamp,
        progress_value=record.progress_value,
        flagged=record.flagged,
    )
    when = version_is(seen.version) if seen else absent()
    return [Put(new, when=when, otherwise=StaleVersion("progress", None))]
