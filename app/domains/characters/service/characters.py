"""Characters: added, renamed with their goals, laid to rest."""

from collections.abc import Sequence
from functools import partial

from app.core.caller import Caller
from app.core.errors import LimitExceeded, NotFound
from app.domains.characters import keys
from app.domains.characters.errors import CharacterExists
from app.domains.characters.inputs import (
    AddCharacterInput,
    ArchiveCharacterInput,
    RenameCharacterInput,
)
from app.domains.characters.repository import CharactersRepository
from app.domains.characters.rules.names import is_name, normal_name
from app.domains.characters.rules.schedules import first_times
from app.domains.characters.service.popularity import counted
from app.domains.characters.types import Character, CharacterGoal, FormerName, PopularSkill
from app.domains.notifications.rules.times import Rhythm
from app.domains.notifications.service import Inbox
from app.domains.service import Decision, Service, expect_version
from app.resources import Resources
from app.table.conditions import version_is
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Write, create, replace, stale

MOST_CHARACTERS = 50


class Characters(Service):
    def __init__(self, resources: Resources, caller: Caller, inbox: Inbox) -> None:
        super().__init__(resources, caller)
        self.inbox = inbox
        self.repository = CharactersRepository(resources.table)

    async def character(self, name: str) -> Character | None:
        if not is_name(name):
            return None
        return await self.repository.character(self.caller.user_id, normal_name(name.strip()))

    async def known(self, name: str) -> Character:
        found = await self.character(name)
        if found is None:
            raise NotFound("character")
        return found

    async def characters(
        self, include_archived: bool, *, limit: int, start: Position | None
    ) -> Rows[Character]:
        return await self.repository.characters(
            self.caller.user_id,
            limit=limit,
            start=start,
            keep=lambda each: include_archived or each.archived_at is None,
        )

    async def popular_skills(self, *, limit: int, start: Position | None) -> Rows[PopularSkill]:
        found = await self.repository.popular_skills()
        found.sort(key=lambda each: (-each.count, each.skill))
        skip = int((start or {}).get("skip", 0))
        more = len(found) > skip + limit
        return Rows(found[skip : skip + limit], {"skip": skip + limit} if more else None)

    async def add(self, request: AddCharacterInput) -> Character:
        return await self.once(request, Character, partial(self._adding, request))

    async def _adding(self, request: AddCharacterInput) -> Decision[Character]:
        """An archived one comes back."""
        every = await self.repository.every_character(self.caller.user_id)
        name_key = normal_name(request.name)
        old = next((each for each in every if each.name_key == name_key), None)
        if old is not None:
            if old.archived_at is None:
                raise CharacterExists
            return await self._restoring(old)
        if len(every) >= MOST_CHARACTERS:
            raise LimitExceeded(f"You can have {MOST_CHARACTERS} characters at most.")
        number = self.resources.ids.new()
        taken = any(each.key == name_key for each in every)
        character = Character(
            id=number,
            user_id=self.caller.user_id,
            created_at=self.now,
            updated_at=self.now,
            # The goals of a renamed one still stand under the name that it was added by.
            key=f"{name_key}~{number}" if taken else name_key,
            name_key=name_key,
            name=request.name,
        )
        return Decision(character, [create(character, otherwise=CharacterExists())])

    async def rename(self, request: RenameCharacterInput) -> Character:
        async def decide() -> Decision[Character]:
            old = await self.known(request.name)
            expect_version(request, old, "character")
            new = old.evolve(
                self.now,
                name=request.new_name,
                name_key=normal_name(request.new_name),
                former_names=[*old.former_names, FormerName(name=old.name, until=self.now)],
            )
            goals = await self.repository.every_goal(old)
            return Decision(new, [*self._moving(old, new), *self._renaming(goals, new.name)])

        return await self.commit(decide)

    def _moving(self, old: Character, new: Character) -> list[Write]:
        if new.name_key == old.name_key:
            return [replace(new, old, "character")]
        gone = keys.character(old.user_id, old.name_key)
        return [
            create(new, otherwise=CharacterExists()),
            Delete(gone, when=version_is(old.version), otherwise=stale("character")),
        ]

    def _renaming(self, goals: Sequence[CharacterGoal], name: str) -> list[Write]:
        return [replace(each.evolve(self.now, character_name=name), each, "goal") for each in goals]

    async def archive(self, request: ArchiveCharacterInput) -> Character:
        """Its goals stay, but are neither looked up nor told about."""

        async def decide() -> Decision[Character]:
            old = await self.known(request.name)
            if old.archived_at is not None:
                return Decision(old)
            new = old.evolve(self.now, archived_at=self.now)
            resting = [
                replace(each.evolve(self.now, poll_at=None, send_at=None), each, "goal")
                for each in await self.repository.every_goal(old)
            ]
            fewer = counted(self.now, fewer=old.tracked_skills)
            return Decision(new, [replace(new, old, "character"), *resting, *fewer])

        return await self.commit(decide)

    async def leave(self) -> None:
        """With the account: what it added to the counts of all goes."""
        for each in await self.repository.every_character(self.caller.user_id):
            await self.archive(ArchiveCharacterInput(name=each.name))

    async def _restoring(self, old: Character) -> Decision[Character]:
        new = old.evolve(self.now, archived_at=None)
        rhythm = await self.inbox.rhythm()
        awake = [
            replace(each.evolve(self.now, **self._times(each, rhythm)), each, "goal")
            for each in await self.repository.every_goal(old)
        ]
        more = counted(self.now, more=old.tracked_skills)
        return Decision(new, [replace(new, old, "character"), *awake, *more])

    def _times(self, goal: CharacterGoal, rhythm: Rhythm) -> dict[str, str | None]:
        now = self.resources.clock.now()
        return first_times(now, goal.frequency, rhythm, achieved=goal.achieved_at is not None)
