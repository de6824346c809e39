"""Characters: added, renamed with their goals, archived."""

from collections.abc import Sequence
from functools import partial

from app.core.errors import LimitExceeded
from app.domains.characters import keys
from app.domains.characters.errors import CharacterExists
from app.domains.characters.inputs import (
    AddCharacterInput,
    ArchiveCharacterInput,
    RenameCharacterInput,
)
from app.domains.characters.repository import CharactersRepository
from app.domains.characters.rules.names import is_name, normal_name
from app.domains.characters.rules.readings import decode_readings
from app.domains.characters.rules.schedules import first_times
from app.domains.characters.rules.stats import to_stats
from app.domains.characters.service.popularity import skill_count_writes
from app.domains.characters.types import (
    Character,
    CharacterGoal,
    CharacterStats,
    FormerName,
    PopularSkill,
)
from app.domains.notifications.rules.times import NotificationSchedule
from app.domains.notifications.service import Inbox
from app.domains.people.service.ports import DeletedAccounts
from app.domains.service import Decision, expect_version, required, uses
from app.table.conditions import version_is
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Write, put_if_absent, put_if_unchanged, stale

MOST_CHARACTERS = 50


class Characters(DeletedAccounts):
    inbox = uses(Inbox)

    @property
    def repository(self) -> CharactersRepository:
        return CharactersRepository(self.table)

    async def character(self, name: str) -> Character | None:
        if not is_name(name):
            return None
        key = keys.character(self.caller.user_id, normal_name(name.strip()))
        return await self.table.get(key)

    async def own_character(self, name: str) -> Character:
        return required(await self.character(name), "character")

    async def characters(
        self, include_archived: bool, *, limit: int, start: Position | None
    ) -> Rows[Character]:
        return await self.table.query(
            keys.characters_of_user(self.caller.user_id),
            limit=limit,
            start=start,
            keep=lambda each: include_archived or each.archived_at is None,
        )

    async def _all_characters(self) -> list[Character]:
        query = keys.characters_of_user(self.caller.user_id)
        return [each async for each in self.table.query_all(query)]

    async def stats(self, character: Character) -> CharacterStats | None:
        """From the last answer about this name, whoever asked."""
        page = await self.table.load(keys.hiscores_page(character.name_key))
        if page is None or page.polled_at is None or not page.content:
            return None
        return to_stats(decode_readings(page.content), page.polled_at)

    async def popular_skills(self, *, limit: int, start: Position | None) -> Rows[PopularSkill]:
        found = await self.repository.popular_skills()
        found.sort(key=lambda each: (-each.count, each.skill))
        skip = int((start or {}).get("skip", 0))
        more = len(found) > skip + limit
        return Rows(found[skip : skip + limit], {"skip": skip + limit} if more else None)

    async def add(self, request: AddCharacterInput) -> Character:
        return await self.once(request, Character, partial(self._add, request))

    async def _add(self, request: AddCharacterInput) -> Decision[Character]:
        """An archived character of this name is restored."""
        every = await self._all_characters()
        name_key = normal_name(request.name)
        old = next((each for each in every if each.name_key == name_key), None)
        if old is not None:
            if old.archived_at is None:
                raise CharacterExists
            return await self._restore(old)
        if len(every) >= MOST_CHARACTERS:
            raise LimitExceeded(f"You can have {MOST_CHARACTERS} characters at most.")
        id = self.new_id()
        doomed = await self.table.get(keys.deleted_character(self.caller.user_id, name_key))
        taken = doomed is not None or any(each.key == name_key for each in every)
        character = Character(
            **self.stamp(),
            id=id,
            # A renamed character keeps the name it was added by in its goals' keys, and those of a
            # deleted one may not be deleted yet.
            key=f"{name_key}~{id}" if taken else name_key,
            name_key=name_key,
            name=request.name,
        )
        return Decision(character, [put_if_absent(character, otherwise=CharacterExists())])

    async def rename(self, request: RenameCharacterInput) -> Character:
        async def decide() -> Decision[Character]:
            old = await self.own_character(request.name)
            expect_version(request, old, "character")
            new = old.evolve(
                self.now,
                name=request.new_name,
                name_key=normal_name(request.new_name),
                former_names=[*old.former_names, FormerName(name=old.name, until=self.now)],
            )
            goals = await self.repository.all_goals(old)
            return Decision(
                new, [*self._rename_writes(old, new), *self._goal_writes(goals, new.name)]
            )

        return await self.once(request, Character, decide)

    def _rename_writes(self, old: Character, new: Character) -> list[Write]:
        if new.name_key == old.name_key:
            return [put_if_unchanged(new, old, "character")]
        gone = keys.character(old.user_id, old.name_key)
        return [
            put_if_absent(new, otherwise=CharacterExists()),
            Delete(gone, when=version_is(old.version), otherwise=stale("character")),
        ]

    def _goal_writes(self, goals: Sequence[CharacterGoal], name: str) -> list[Write]:
        return [
            put_if_unchanged(each.evolve(self.now, character_name=name), each, "goal")
            for each in goals
        ]

    async def archive(self, request: ArchiveCharacterInput) -> Character:
        """Its goals stay, but are not polled, and no messages are sent."""

        async def decide() -> Decision[Character]:
            old = await self.own_character(request.name)
            if old.archived_at is not None:
                return Decision(old)
            new = old.evolve(self.now, archived_at=self.now)
            silenced = [
                put_if_unchanged(each.evolve(self.now, poll_at=None, send_at=None), each, "goal")
                for each in await self.repository.all_goals(old)
            ]
            fewer = skill_count_writes(self.now, fewer=old.tracked_skills)
            return Decision(new, [put_if_unchanged(new, old, "character"), *silenced, *fewer])

        return await self.once(request, Character, decide)

    async def on_account_deleted(self) -> None:
        """Subtracts the characters' skills from the counters of all users."""
        for each in await self._all_characters():
            await self.archive(ArchiveCharacterInput(name=each.name))

    async def _restore(self, old: Character) -> Decision[Character]:
        new = old.evolve(self.now, archived_at=None)
        schedule = await self.inbox.schedule()
        resumed = [
            put_if_unchanged(each.evolve(self.now, **self._times(each, schedule)), each, "goal")
            for each in await self.repository.all_goals(old)
        ]
        more = skill_count_writes(self.now, more=old.tracked_skills)
        return Decision(new, [put_if_unchanged(new, old, "character"), *resumed, *more])

    def _times(self, goal: CharacterGoal, schedule: NotificationSchedule) -> dict[str, str | None]:
        now = self.resources.clock.now()
        return first_times(now, goal.frequency, schedule, achieved=goal.achieved_at is not None)
