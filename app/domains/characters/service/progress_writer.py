"""The writes of a change to a goal's records, and of all that follows from it, in one transaction.

Every change raises the version of LATEST, and is conditional on it: the changes of one goal follow
one another, so that each sees the records as the one before left them.
"""

from dataclasses import dataclass, replace

from app.core.errors import NotFound, StaleVersion
from app.core.scalars import AWSDateTime
from app.domains.characters import keys
from app.domains.characters.repository import CharactersRepository
from app.domains.characters.rules.progress import as_achieved, as_record, reaches_target
from app.domains.characters.rules.targets import is_drop
from app.domains.characters.service.goals import CharacterGoals
from app.domains.characters.types import (
    CharacterGoal,
    EarliestProgress,
    LatestProgress,
    ProgressRecord,
)
from app.domains.service import Decision, Service, uses
from app.table.conditions import absent, present, version_is
from app.table.entity import entity_of
from app.table.writes import (
    Check,
    Delete,
    Put,
    Write,
    delete_if_unchanged,
    put_if_absent,
    put_if_unchanged,
)

CHANGED = StaleVersion("progress", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressChange:
    """A record that is added (no `old`), corrected, or deleted (no `new`). `has_expired`: only
    LATEST or EARLIEST still holds it."""

    goal: CharacterGoal
    old: ProgressRecord | None = None
    new: ProgressRecord | None = None
    has_expired: bool = False

    @property
    def record(self) -> ProgressRecord:
        record = self.new or self.old
        assert record is not None, "one of them is given"
        return record

    @property
    def at(self) -> str:
        return self.record.timestamp


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What there is about the moment of a change: the ends of the records, and its neighbours."""

    earliest: EarliestProgress | None
    latest: LatestProgress | None
    before: ProgressRecord | None
    after: ProgressRecord | None


class ProgressWriter(Service):
    goals = uses(CharacterGoals)

    @property
    def repository(self) -> CharactersRepository:
        return CharactersRepository(self.table)

    async def to_decision(self, change: ProgressChange, **more: object) -> Decision[ProgressRecord]:
        """`more`: what else changes about the goal, such as the time of the next poll."""
        around = await self._surroundings(change)
        if change.new is not None:
            flagged = _is_flagged(change.new, around.before, change.goal)
            change = replace(change, new=replace(change.new, flagged=flagged))
        after = self._after(change, around)
        writes = [
            # First: if anything has changed meanwhile, this is the error, and all is decided anew.
            *await self._latest_writes(change, around, after),
            *_record_writes(change),
            *_after_writes(after, around.after),
            *await self._earliest_writes(change, around),
            await self._goal_write(change, more),
        ]
        return Decision(change.record, writes)

    async def _surroundings(self, change: ProgressChange) -> Surroundings:
        """Most records are newer than all others. Expired ones are deleted, but the earliest and
        the latest are remembered."""
        earliest, latest = await self.repository.earliest_and_latest(change.goal)
        if latest is not None and latest.timestamp < change.at:
            return Surroundings(earliest, latest, as_record(latest), None)
        before, after = await self.repository.neighbours(change.goal, change.at)
        if before is None and earliest is not None and earliest.timestamp < change.at:
            before = as_record(earliest)
        return Surroundings(earliest, latest, before, after)

    def _after(self, change: ProgressChange, around: Surroundings) -> ProgressRecord | None:
        """The next record, with its flag as it follows from the change."""
        old = around.after
        if old is None:
            return None
        flagged = _is_flagged(old, change.new or around.before, change.goal)
        return old if flagged == old.flagged else old.evolve(self.now, flagged=flagged)

    async def _latest_writes(
        self, change: ProgressChange, around: Surroundings, after: ProgressRecord | None
    ) -> list[Write]:
        latest, earliest = around.latest, around.earliest
        if change.new is not None and (latest is None or change.at >= latest.timestamp):
            return _bound_writes(LatestProgress, change.new, latest)
        if latest is None or latest.timestamp != change.at:
            is_next = after is not None and latest and after.timestamp == latest.timestamp
            same = as_record(latest) if latest else None
            return _bound_writes(LatestProgress, after if is_next else same, latest)
        newest = await self.repository.outermost(change.goal, other_than=change.at, newest=True)
        if newest is None and earliest is not None and earliest.timestamp != change.at:
            newest = as_record(earliest)
        return _bound_writes(LatestProgress, newest, latest)

    async def _earliest_writes(self, change: ProgressChange, around: Surroundings) -> list[Write]:
        latest, earliest = around.latest, around.earliest
        if change.new is not None and (earliest is None or change.at <= earliest.timestamp):
            return _bound_writes(EarliestProgress, change.new, earliest)
        if earliest is None or earliest.timestamp != change.at:
            return []
        oldest = await self.repository.outermost(change.goal, other_than=change.at, newest=False)
        if oldest is None and latest is not None and latest.timestamp != change.at:
            oldest = as_record(latest)
        return _bound_writes(EarliestProgress, oldest, earliest)

    async def _goal_write(self, change: ProgressChange, more: dict[str, object]) -> Write:
        """Always with the condition that the goal exists: no record is added to a deleted one."""
        goal = change.goal
        new = await self._with_achieved(change)
        if new == goal and not more:
            key = keys.goal(goal.user_id, goal.character_key, goal.id)
            return Check(key, when=present(), otherwise=NotFound("goal"))
        if new.achieved_at is None:
            new = replace(new, **more)  # type: ignore[arg-type]
        return put_if_unchanged(new.evolve(self.now), goal, "goal")

    async def _with_achieved(self, change: ProgressChange) -> CharacterGoal:
        """Achieved when the first record was measured that reaches the target."""
        goal, at = change.goal, change.at
        reaches = change.new is not None and reaches_target(goal, change.new.progress_value)
        if goal.achieved_at is None:
            return as_achieved(goal, at, self.now) if reaches else goal
        if reaches:
            return replace(goal, achieved_at=AWSDateTime(min(goal.achieved_at, at)))
        if goal.achieved_at != at:
            return goal
        first = await self.repository.first_reaching(goal, other_than=at)
        if first is None:
            return await self.goals.reopen(goal)
        return replace(goal, achieved_at=first.timestamp)


def _is_flagged(record: ProgressRecord, before: ProgressRecord | None, goal: CharacterGoal) -> bool:
    value = before.progress_value if before else None
    return is_drop(record.progress_value, before=value, target=goal.target_type)


def _after_writes(new: ProgressRecord | None, old: ProgressRecord | None) -> list[Write]:
    if new is None or old is None or new is old:
        return []
    return [put_if_unchanged(new, old, "progress")]


def _record_writes(change: ProgressChange) -> list[Write]:
    if change.has_expired:
        return []
    if change.new is None:
        return [delete_if_unchanged(change.record, "progress")]
    if change.old is None:
        return [put_if_absent(change.new, otherwise=CHANGED)]
    return [put_if_unchanged(change.new, change.old, "progress")]


def _bound_writes(
    cls: type[LatestProgress] | type[EarliestProgress],
    record: ProgressRecord | None,
    seen: LatestProgress | EarliestProgress | None,
) -> list[Write]:
    """LATEST or EARLIEST as it is to be, if it is still as it was seen. Where there is no record
    left, it is deleted."""
    when = version_is(seen.version) if seen else absent()
    if record is None:
        key = entity_of(seen).key_of(seen) if seen else None
        return [Delete(key, when=when, otherwise=CHANGED)] if key else []
    new = cls(
        created_at=seen.created_at if seen else record.created_at,
        updated_at=record.updated_at,
        version=seen.version + 1 if seen else 1,
        user_id=record.user_id,
        character_key=record.character_key,
        goal_id=record.goal_id,
        timestamp=record.timestamp,
        progress_value=record.progress_value,
        flagged=record.flagged,
        record_version=record.version,
    )
    return [Put(new, when=when, otherwise=CHANGED)]
