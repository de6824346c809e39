"""Goals of characters: made, changed, deleted, and seen with their progress."""

from datetime import date, datetime
from functools import partial
from typing import Any

from app.core.caller import Caller
from app.core.clock import epoch, instant, moment_of
from app.core.errors import BadInput, LimitExceeded, NotFound
from app.core.scalars import AWSDate, AWSDateTime
from app.core.shards import shard_of
from app.domains.characters import keys
from app.domains.characters.inputs import (
    CreateCharacterGoalInput,
    DeleteCharacterGoalInput,
    UpdateCharacterGoalInput,
)
from app.domains.characters.repository import CharactersRepository
from app.domains.characters.rules.forecasts import Outlook, Sample, Target, outlook
from app.domains.characters.rules.schedules import first_times, next_message
from app.domains.characters.rules.targets import check_value, checked_attribute, is_reached
from app.domains.characters.service.characters import Characters
from app.domains.characters.service.popularity import counted
from app.domains.characters.types import (
    Character,
    CharacterGoal,
    EarliestProgress,
    Forecast,
    GoalPlace,
    GoalRemains,
    LatestProgress,
    ProgressRecord,
)
from app.domains.notifications.service import Inbox
from app.domains.service import Decision, Service, expect_version
from app.resources import Resources
from app.table.conditions import version_is
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Put, Write, create, replace, stale

MOST_GOALS = 40
NEVER_NULL = ("target_value",)


class CharacterGoals(Service):
    def __init__(
        self, resources: Resources, caller: Caller, characters: Characters, inbox: Inbox
    ) -> None:
        super().__init__(resources, caller)
        self.characters = characters
        self.inbox = inbox
        self.repository = CharactersRepository(resources.table)

    async def goal(self, goal_id: str) -> CharacterGoal | None:
        return await self.repository.goal(self.caller.user_id, goal_id)

    async def known(self, goal_id: str) -> CharacterGoal:
        found = await self.goal(goal_id)
        if found is None:
            raise NotFound("goal")
        return found

    async def goals(self, *, limit: int, start: Position | None) -> Rows[CharacterGoal]:
        return await self.repository.goals(self.caller.user_id, limit=limit, start=start)

    async def goals_of(
        self, character: Character, *, limit: int, start: Position | None
    ) -> Rows[CharacterGoal]:
        return await self.repository.goals_of_character(
            self.caller.user_id, character.key, limit=limit, start=start
        )

    async def latest(self, goal: CharacterGoal) -> ProgressRecord | None:
        return _shown(await self.repository.latest(goal))

    async def earliest(self, goal: CharacterGoal) -> ProgressRecord | None:
        return _shown(await self.repository.earliest(goal))

    async def progress(
        self,
        goal: CharacterGoal,
        since: str | None,
        until: str | None,
        *,
        newest_first: bool,
        limit: int,
        start: Position | None,
    ) -> Rows[ProgressRecord]:
        now = epoch(self.resources.clock.now())
        return await self.repository.progress(
            goal,
            _edge(since, "from"),
            _edge(until, "to"),
            newest_first=newest_first,
            limit=limit,
            start=start,
            keep=lambda each: each.ttl is None or each.ttl > now,
        )

    async def forecast(self, goal: CharacterGoal) -> Forecast | None:
        found = await self.outlook(goal)
        if found is None:
            return None
        return Forecast(
            absolute=found.absolute,
            since_start=found.since_start,
            remaining=found.remaining,
            needed_per_day=found.needed_per_day,
            pace=found.pace,
            estimated_date=AWSDate(found.estimated.isoformat()) if found.estimated else None,
            on_track=found.on_track,
        )

    async def outlook(self, goal: CharacterGoal) -> Outlook | None:
        earliest, latest = await self.repository.bounds(goal)
        if earliest is None or latest is None:
            return None
        day = date.fromisoformat(goal.target_date) if goal.target_date else None
        return outlook(
            Target(goal.target_type, goal.target_value, day),
            _sample(earliest),
            _sample(latest),
            await self.today(),
        )

    async def today(self) -> date:
        rhythm = await self.inbox.rhythm()
        return rhythm.day(self.resources.clock.now())

    async def create(self, request: CreateCharacterGoalInput) -> CharacterGoal:
        return await self.once(request, CharacterGoal, partial(self._creating, request))

    async def _creating(self, request: CreateCharacterGoalInput) -> Decision[CharacterGoal]:
        character = await self.characters.known(request.character_name)
        if character.archived_at is not None:
            raise BadInput(
                "This character is archived: add it again first.", field="input.characterName"
            )
        goals = await self.repository.every_goal(character)
        if len(goals) >= MOST_GOALS:
            raise LimitExceeded(f"A character can have {MOST_GOALS} goals at most.")
        goal = await self._new(request, character)
        place = GoalPlace(
            created_at=self.now,
            updated_at=self.now,
            user_id=goal.user_id,
            goal_id=goal.id,
            character_key=goal.character_key,
        )
        return Decision(
            goal,
            [
                create(goal, otherwise=stale("goal")),
                create(place, otherwise=stale("goal")),
                *self._tracking(character, [*goals, goal]),
            ],
        )

    async def _new(self, request: CreateCharacterGoalInput, character: Character) -> CharacterGoal:
        given: dict[str, Any] = {k: v for k, v in request.given().items() if v is not None}
        for name in ("idempotency_key", "character_name"):
            given.pop(name, None)
        attribute = checked_attribute(request.target_attribute, request.target_type)
        number = self.resources.ids.new()
        rhythm = await self.inbox.rhythm()
        now = self.resources.clock.now()
        goal = CharacterGoal(
            id=number,
            user_id=self.caller.user_id,
            created_at=self.now,
            updated_at=self.now,
            character_key=character.key,
            character_name=character.name,
            shard=shard_of(number, self.resources.settings.shards),
            **given | {"target_attribute": attribute},
            **first_times(now, given.get("frequency"), rhythm, achieved=False),  # type: ignore[arg-type]
        )
        _check(goal)
        self._check_date(goal, rhythm.day(now))
        return goal

    def _check_date(self, goal: CharacterGoal, today: date) -> None:
        if goal.target_date and date.fromisoformat(goal.target_date) < today:
            raise BadInput("targetDate must be today or later.", field="input.targetDate")

    def _tracking(self, character: Character, goals: list[CharacterGoal]) -> list[Write]:
        """The character's list of what it tracks, and the counts of all, for these goals."""
        tracked = list(dict.fromkeys(each.target_attribute for each in goals))
        before = character.tracked_skills
        changed = character.evolve(self.now, tracked_skills=tracked)
        counts = counted(
            self.now,
            more=[each for each in tracked if each not in before],
            fewer=[each for each in before if each not in tracked],
        )
        return [
            replace(changed, character, "character"),
            *(counts if character.archived_at is None else []),
        ]

    async def update(self, request: UpdateCharacterGoalInput) -> CharacterGoal:
        async def decide() -> Decision[CharacterGoal]:
            old = await self.known(request.id)
            expect_version(request, old, "goal")
            changes = request.changes(NEVER_NULL)
            new = old.evolve(self.now, **changes)
            _check(new)
            if changes.get("target_date"):
                self._check_date(new, await self.today())
            new = await self._rescheduled(new, old)
            return Decision(new, [replace(new, old, "goal")])

        return await self.commit(decide)

    async def _rescheduled(self, new: CharacterGoal, old: CharacterGoal) -> CharacterGoal:
        """Another target may be reached already, or not any more."""
        if new.target_value != old.target_value:
            new = await self._retargeted(new)
        if new.achieved_at is None:
            now = self.resources.clock.now()
            new.send_at = next_message(now, new.frequency, await self.inbox.rhythm())
        if (await self._character_of(old)).archived_at is not None:
            new.poll_at = new.send_at = None
        return new

    async def _retargeted(self, new: CharacterGoal) -> CharacterGoal:
        latest = await self.repository.latest(new)
        if latest and is_reached(latest.progress_value, new.target_value, new.target_type):
            return achieved(new, latest.timestamp, self.now)
        new.achieved_at = None
        new.poll_at = new.poll_at or self.now
        return new

    async def _character_of(self, goal: CharacterGoal) -> Character:
        return await self.characters.known(goal.character_name)

    async def delete(self, request: DeleteCharacterGoalInput) -> CharacterGoal:
        """The goal goes at once; its many records after it, by the sweep if this is broken off."""

        async def decide() -> Decision[CharacterGoal]:
            goal = await self.known(request.id)
            character = await self._character_of(goal)
            goals = await self.repository.every_goal(character)
            left = [each for each in goals if each.id != goal.id]
            return Decision(goal, [*self._deleting(goal), *self._tracking(character, left)])

        goal = await self.commit(decide)
        await self.sweep(self._remains(goal))
        return goal

    def _deleting(self, goal: CharacterGoal) -> list[Write]:
        place = (goal.user_id, goal.character_key, goal.id)
        return [
            Delete(keys.goal(*place), when=version_is(goal.version), otherwise=stale("goal")),
            Delete(keys.goal_place(goal.user_id, goal.id)),
            Delete(keys.latest_of_goal(*place)),
            Delete(keys.earliest_of_goal(*place)),
            Put(self._remains(goal)),
        ]

    def _remains(self, goal: CharacterGoal) -> GoalRemains:
        return GoalRemains(
            created_at=self.now,
            updated_at=self.now,
            user_id=goal.user_id,
            goal_id=goal.id,
            character_key=goal.character_key,
        )

    async def sweep(self, remains: GoalRemains) -> None:
        """Without the goal no record can be added: what is there now is all."""
        await self.table.delete_many(await self.repository.places_of_records(remains))
        await self.table.write(Delete(keys.remains_of_goal(remains.user_id, remains.goal_id)))


def achieved(goal: CharacterGoal, at: str, now: AWSDateTime) -> CharacterGoal:
    """Reached: no more look-ups, and one last message, now."""
    goal.achieved_at = AWSDateTime(at)
    goal.poll_at, goal.send_at = None, now
    return goal


def _check(goal: CharacterGoal) -> None:
    check_value(
        goal.target_value, goal.target_attribute, goal.target_type, field="input.targetValue"
    )


def _shown(found: LatestProgress | EarliestProgress | None) -> ProgressRecord | None:
    if found is None:
        return None
    return ProgressRecord(
        created_at=found.created_at,
        updated_at=found.updated_at,
        version=found.version,
        user_id=found.user_id,
        character_key=found.character_key,
        goal_id=found.goal_id,  # type: ignore[arg-type]
        timestamp=AWSDateTime(found.timestamp),
        progress_value=found.progress_value,
        flagged=found.flagged,
    )


def _sample(found: LatestProgress | EarliestProgress) -> Sample:
    return Sample(found.progress_value, moment_of(found.timestamp))


def _edge(text: str | None, name: str) -> str | None:
    """A day stays as it is, so that it counts whole; a moment becomes UTC as in the keys."""
    if text is None:
        return None
    try:
        if len(text) == 10:
            return date.fromisoformat(text).isoformat()
        return _moment(text)
    except ValueError:
        raise BadInput(
            f"{name} must be a day (2026-01-31) or a moment (2026-01-31T10:00:00Z).", field=name
        ) from None


def _moment(text: str) -> str:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError
    return instant(moment)
