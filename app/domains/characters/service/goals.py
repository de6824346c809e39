"""Goals of characters: created, changed, deleted, and read with their progress."""

from dataclasses import replace
from datetime import date
from functools import partial

from app.core.clock import epoch_seconds
from app.core.errors import BadInput, LimitExceeded
from app.core.shards import shard_of
from app.domains.characters import keys
from app.domains.characters.inputs import (
    CreateCharacterGoalInput,
    DeleteCharacterGoalInput,
    UpdateCharacterGoalInput,
)
from app.domains.characters.repository import CharactersRepository
from app.domains.characters.rules.attributes import distinct, folded, to_attribute
from app.domains.characters.rules.filters import CharacterGoalFilter, matches_filter
from app.domains.characters.rules.forecasts import Target, forecast
from app.domains.characters.rules.progress import (
    as_achieved,
    as_open,
    as_record,
    as_sample,
    check_target,
    check_target_date,
    range_bound,
    reaches_target,
)
from app.domains.characters.rules.readings import decode_readings
from app.domains.characters.rules.schedules import first_times, next_message
from app.domains.characters.service.characters import Characters
from app.domains.characters.service.popularity import skill_count_writes
from app.domains.characters.types import (
    Character,
    CharacterGoal,
    DeletedGoal,
    Forecast,
    GoalPointer,
    LatestProgress,
    ProgressRecord,
)
from app.domains.notifications.service import Inbox
from app.domains.notifications.types import ChannelType
from app.domains.service import Decision, Service, expect_version, required, uses
from app.table.conditions import version_is
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Put, Write, put_if_absent, put_if_unchanged, stale

MOST_GOALS = 40
NEVER_NULL = ("target_value",)


class CharacterGoals(Service):
    characters = uses(Characters)
    inbox = uses(Inbox)

    @property
    def repository(self) -> CharactersRepository:
        return CharactersRepository(self.table)

    async def goal(self, goal_id: str) -> CharacterGoal | None:
        return await self.repository.goal(self.caller.user_id, goal_id)

    async def own_goal(self, goal_id: str) -> CharacterGoal:
        return required(await self.goal(goal_id), "goal")

    async def goals(
        self, filter: CharacterGoalFilter, *, limit: int, start: Position | None
    ) -> Rows[CharacterGoal]:
        keep = partial(matches_filter, filter)
        return await self.repository.goals(self.caller.user_id, keep, limit=limit, start=start)

    async def goals_of(
        self, character: Character, *, limit: int, start: Position | None
    ) -> Rows[CharacterGoal]:
        query = keys.goals_of_character(self.caller.user_id, character.key)
        return await self.table.query(query, limit=limit, start=start)

    async def latest(self, goal: CharacterGoal) -> ProgressRecord | None:
        found = await self.latest_progress(goal)
        return as_record(found) if found else None

    async def latest_progress(self, goal: CharacterGoal) -> LatestProgress | None:
        key = keys.latest_of_goal(goal.user_id, goal.character_key, goal.id)
        return await self.table.load(key)

    async def earliest(self, goal: CharacterGoal) -> ProgressRecord | None:
        key = keys.earliest_of_goal(goal.user_id, goal.character_key, goal.id)
        found = await self.table.load(key)
        return as_record(found) if found else None

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
        """Without records that have expired but are not removed yet."""
        now = epoch_seconds(self.resources.clock.now())
        query = keys.progress_of_goal(
            goal.user_id,
            goal.character_key,
            goal.id,
            range_bound(since, "from"),
            range_bound(until, "to"),
            newest_first,
        )
        return await self.table.query(
            query, limit=limit, start=start, keep=lambda each: each.ttl is None or each.ttl > now
        )

    async def forecast(self, goal: CharacterGoal) -> Forecast | None:
        earliest, latest = await self.repository.earliest_and_latest(goal)
        if earliest is None or latest is None:
            return None
        day = date.fromisoformat(goal.target_date) if goal.target_date else None
        target = Target(goal.target_type, goal.target_value, day)
        schedule = await self.inbox.schedule()
        now = schedule.local(self.resources.clock.now())
        return forecast(target, as_sample(earliest), as_sample(latest), now)

    async def today(self) -> date:
        schedule = await self.inbox.schedule()
        return schedule.day(self.resources.clock.now())

    async def create(self, request: CreateCharacterGoalInput) -> CharacterGoal:
        return await self.once(request, CharacterGoal, partial(self._create, request))

    async def _create(self, request: CreateCharacterGoalInput) -> Decision[CharacterGoal]:
        character = await self.characters.own_character(request.character_name)
        if character.archived_at is not None:
            raise BadInput(
                "This character is archived: add it again first.", field="input.characterName"
            )
        await self._expect_channel(request.notification_channel_type or None)
        goals = await self.repository.all_goals(character)
        if len(goals) >= MOST_GOALS:
            raise LimitExceeded(f"A character can have {MOST_GOALS} goals at most.")
        goal = await self._new_goal(request, character)
        pointer = GoalPointer(**self.stamp(), goal_id=goal.id, character_key=goal.character_key)
        return Decision(
            goal,
            [
                put_if_absent(goal, otherwise=stale("goal")),
                put_if_absent(pointer, otherwise=stale("goal")),
                *self._tracking_writes(character, [*goals, goal]),
            ],
        )

    async def _expect_channel(self, channel_type: ChannelType | None) -> None:
        if channel_type is not None:
            field = "input.notificationChannelType"
            await self.inbox.channels.expect_channel(channel_type, field=field)

    async def _new_goal(
        self, request: CreateCharacterGoalInput, character: Character
    ) -> CharacterGoal:
        values = request.values()
        values["target_attribute"] = await self._attribute(request, character)
        values["character_name"] = character.name
        schedule = await self.inbox.schedule()
        now = self.resources.clock.now()
        id = self.new_id()
        goal = CharacterGoal(
            **self.stamp(),
            id=id,
            character_key=character.key,
            shard=shard_of(id, self.resources.settings.shards),
            **values,
            **first_times(now, values.get("frequency"), schedule, achieved=False),  # type: ignore[arg-type]
        )
        check_target(goal)
        check_target_date(goal, schedule.day(now))
        return goal

    async def _attribute(self, request: CreateCharacterGoalInput, character: Character) -> str:
        name, target = request.target_attribute, request.target_type
        page = await self.table.load(keys.hiscores_page(character.name_key))
        rows = decode_readings(page.content) if page and page.content else {}
        found = to_attribute(name, target, rows)
        used = {folded(each): each for each in character.tracked_skills}
        return used.get(folded(found), found)

    def _tracking_writes(self, character: Character, goals: list[CharacterGoal]) -> list[Write]:
        """The character's tracked skills, and the counters of all users, for these goals."""
        tracked = distinct(each.target_attribute for each in goals)
        before = character.tracked_skills
        changed = character.evolve(self.now, tracked_skills=tracked)
        counts = skill_count_writes(
            self.now,
            more=[each for each in tracked if each not in before],
            fewer=[each for each in before if each not in tracked],
        )
        return [
            put_if_unchanged(changed, character, "character"),
            *(counts if character.archived_at is None else []),
        ]

    async def update(self, request: UpdateCharacterGoalInput) -> CharacterGoal:
        async def decide() -> Decision[CharacterGoal]:
            old = await self.own_goal(request.id)
            expect_version(request, old, "goal")
            changes = request.changes(NEVER_NULL)
            new = old.evolve(self.now, **changes)
            if "target_value" in changes:
                check_target(new)
            if new.notification_channel_type is not old.notification_channel_type:
                await self._expect_channel(new.notification_channel_type)
            if changes.get("target_date"):
                check_target_date(new, await self.today())
            new = await self._reschedule(new, old)
            return Decision(new, [put_if_unchanged(new, old, "goal")])

        return await self.once(request, CharacterGoal, decide)

    async def _reschedule(self, new: CharacterGoal, old: CharacterGoal) -> CharacterGoal:
        if new.target_value != old.target_value:
            new = await self._with_new_target(new)
        if new.achieved_at is None:
            now, schedule = self.resources.clock.now(), await self.inbox.schedule()
            new = replace(new, send_at=next_message(now, new.frequency, schedule))
        character = await self.characters.own_character(old.character_name)
        if character.archived_at is not None:
            new = replace(new, poll_at=None, send_at=None)
        return new

    async def _with_new_target(self, goal: CharacterGoal) -> CharacterGoal:
        """It may be reached already, or no longer."""
        latest = await self.latest_progress(goal)
        if latest is None or not reaches_target(goal, latest.progress_value):
            return as_open(goal, self.now)
        first = await self.repository.first_reaching(goal)
        return as_achieved(goal, first.timestamp if first else latest.timestamp, self.now)

    async def reopen(self, goal: CharacterGoal) -> CharacterGoal:
        """A goal that is not achieved any more: polled, and messages are sent, as before."""
        return await self._reschedule(as_open(goal, self.now), goal)

    async def delete(self, request: DeleteCharacterGoalInput) -> CharacterGoal:
        """The goal at once, its many records afterwards. If that is interrupted, a job goes on."""

        async def decide() -> Decision[CharacterGoal]:
            goal = await self.own_goal(request.id)
            character = await self.characters.own_character(goal.character_name)
            goals = await self.repository.all_goals(character)
            left = [each for each in goals if each.id != goal.id]
            return Decision(
                goal, [*self.delete_writes(goal), *self._tracking_writes(character, left)]
            )

        goal = await self.once(request, CharacterGoal, decide)
        await self.sweep(self.deleted_goal(goal))
        return goal

    def delete_writes(self, goal: CharacterGoal) -> list[Write]:
        owner = (goal.user_id, goal.character_key, goal.id)
        return [
            Delete(keys.goal(*owner), when=version_is(goal.version), otherwise=stale("goal")),
            Delete(keys.goal_pointer(goal.user_id, goal.id)),
            Delete(keys.latest_of_goal(*owner)),
            Delete(keys.earliest_of_goal(*owner)),
            Put(self.deleted_goal(goal)),
        ]

    def deleted_goal(self, goal: CharacterGoal) -> DeletedGoal:
        return DeletedGoal(**self.stamp(), goal_id=goal.id, character_key=goal.character_key)

    async def sweep(self, goal: DeletedGoal) -> None:
        """No record can be added to a deleted goal: the existing ones are all."""
        await self.table.delete_many(await self.repository.record_keys(goal))
        await self.table.write(Delete(keys.deleted_goal(goal.user_id, goal.goal_id)))
