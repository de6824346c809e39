"""Progress: each record with LATEST and EARLIEST in one transaction, in any order."""

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from app.core.caller import Caller
from app.core.clock import epoch, instant, moment_of
from app.core.errors import BadInput, NotFound, StaleVersion
from app.core.scalars import AWSDateTime
from app.core.turns import Turns
from app.domains.characters import keys
from app.domains.characters.errors import ProgressExists
from app.domains.characters.inputs import RecordProgressInput
from app.domains.characters.repository import CharactersRepository
from app.domains.characters.rules.targets import check_value, is_drop, is_reached
from app.domains.characters.service.goals import CharacterGoals, achieved
from app.domains.characters.types import (
    CharacterGoal,
    EarliestProgress,
    LatestProgress,
    ProgressRecord,
)
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.conditions import absent, present, version_is
from app.table.writes import Check, Put, Write, create, replace

TURNS = Turns()
FIRST_DAY = "2001-01-01"
CLOCKS_DIFFER = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Sampled:
    value: int
    at: AWSDateTime


class Progress(Service):
    attempts = 12

    def __init__(self, resources: Resources, caller: Caller, goals: CharacterGoals) -> None:
        super().__init__(resources, caller)
        self.goals = goals
        self.repository = CharactersRepository(resources.table)

    async def record(self, request: RecordProgressInput) -> ProgressRecord:
        async with TURNS.of(request.goal_id):
            return await self.once(request, ProgressRecord, partial(self._recording, request))

    async def _recording(self, request: RecordProgressInput) -> Decision[ProgressRecord]:
        goal = await self.goals.known(request.goal_id)
        check_value(
            request.progress_value,
            goal.target_attribute,
            goal.target_type,
            field="input.progressValue",
        )
        at = self._moment(request.timestamp or None)
        earlier = await self.repository.record_at(goal, at)
        if earlier is not None:
            if earlier.progress_value != request.progress_value:
                raise ProgressExists(earlier.progress_value)
            return Decision(earlier)
        return await self.deciding(goal, Sampled(request.progress_value, at))

    def _moment(self, given: AWSDateTime | None) -> AWSDateTime:
        latest = instant(self.resources.clock.now() + CLOCKS_DIFFER)
        if given is not None and not FIRST_DAY <= given <= latest:
            raise BadInput("timestamp must be from 2001 to now.", field="input.timestamp")
        return given or self.now

    async def deciding(
        self, goal: CharacterGoal, sampled: Sampled, **more: object
    ) -> Decision[ProgressRecord]:
        """`more`: what else changes about the goal, such as the time of the next look-up."""
        earliest, latest = await self.repository.bounds(goal)
        record = ProgressRecord(
            created_at=self.now,
            updated_at=self.now,
            user_id=goal.user_id,
            character_key=goal.character_key,
            goal_id=goal.id,
            timestamp=sampled.at,
            progress_value=sampled.value,
            flagged=await self._is_flagged(goal, sampled, latest),
            ttl=_ttl(goal, sampled.at),
        )
        return Decision(
            record,
            [
                create(record, otherwise=StaleVersion("progress", None)),
                *_bound(LatestProgress, record, latest, moves=_is_newer(record, latest)),
                *_bound(EarliestProgress, record, earliest, moves=_is_older(record, earliest)),
                self._goal_write(goal, sampled, more),
            ],
        )

    async def _is_flagged(
        self, goal: CharacterGoal, sampled: Sampled, latest: LatestProgress | None
    ) -> bool:
        if latest is None:
            return False
        if sampled.at > latest.timestamp:
            return is_drop(sampled.value, before=latest.progress_value, target=goal.target_type)
        before, after = await self.repository.neighbours(goal, sampled.at)
        return is_drop(
            sampled.value,
            before=before.progress_value if before else None,
            after=after.progress_value if after else None,
            target=goal.target_type,
        )

    def _goal_write(self, goal: CharacterGoal, sampled: Sampled, more: dict[str, object]) -> Write:
        """That the goal is there is always a condition: nothing is added to a deleted one."""
        reached = goal.achieved_at is None and is_reached(
            sampled.value, goal.target_value, goal.target_type
        )
        if not reached and not more:
            key = keys.goal(goal.user_id, goal.character_key, goal.id)
            return Check(key, when=present(), otherwise=NotFound("goal"))
        new = goal.evolve(self.now, **more)
        if reached:
            new = achieved(new, sampled.at, self.now)
        return replace(new, goal, "goal")


def _is_newer(record: ProgressRecord, latest: LatestProgress | None) -> bool:
    return latest is None or record.timestamp > latest.timestamp


def _is_older(record: ProgressRecord, earliest: EarliestProgress | None) -> bool:
    return earliest is None or record.timestamp < earliest.timestamp


def _bound(
    cls: type[LatestProgress] | type[EarliestProgress],
    record: ProgressRecord,
    seen: LatestProgress | EarliestProgress | None,
    *,
    moves: bool,
) -> list[Write]:
    """It only ever moves outwards: where it does not move, nobody can make that wrong."""
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


def _ttl(goal: CharacterGoal, at: str) -> int | None:
    if goal.retention_days is None:
        return None
    return epoch(moment_of(at) + timedelta(days=goal.retention_days))
