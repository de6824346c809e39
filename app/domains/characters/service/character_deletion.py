"""Deletes a character at once, then its goals one by one. If that is interrupted, a job goes on."""

from functools import partial

from app.domains.characters import keys
from app.domains.characters.inputs import DeleteCharacterInput
from app.domains.characters.service.characters import Characters
from app.domains.characters.service.goals import CharacterGoals
from app.domains.characters.service.popularity import skill_count_writes
from app.domains.characters.types import Character, CharacterGoal, DeletedCharacter
from app.domains.service import Decision, Service, expect_version, uses
from app.resources import Resources
from app.table.writes import Delete, Put, delete_if_unchanged

MOST_AT_ONCE = 100


class CharacterDeletion(Service):
    attempts = 12

    characters = uses(Characters)
    goals = uses(CharacterGoals)

    async def delete(self, request: DeleteCharacterInput) -> Character:
        async def decide() -> Decision[Character]:
            character = await self.characters.own_character(request.name)
            expect_version(request, character, "character")
            counted = character.tracked_skills if character.archived_at is None else []
            return Decision(
                character,
                [
                    delete_if_unchanged(character, "character"),
                    Put(DeletedCharacter(**self.stamp(), character_key=character.key)),
                    *skill_count_writes(self.now, fewer=counted),
                ],
            )

        character = await self.once(request, Character, decide)
        # A repeated request may come after its end, when the name is in use again.
        pending = await self.table.get(keys.deleted_character(character.user_id, character.key))
        if pending is not None:
            await self.finish(pending)
        return character

    async def finish(self, character: DeletedCharacter) -> None:
        """Can be repeated. No goal can be added: that takes the character."""
        owner = (character.user_id, character.character_key)
        for goal in [each async for each in self.table.query_all(keys.goals_of_character(*owner))]:
            await self.commit(partial(self._delete_goal, goal))
            await self.goals.sweep(self.goals.deleted_goal(goal))
        await self.table.write(Delete(keys.deleted_character(*owner)))

    async def _delete_goal(self, goal: CharacterGoal) -> Decision[None]:
        found = await self.table.get(keys.goal(goal.user_id, goal.character_key, goal.id))
        return Decision(None, self.goals.delete_writes(found) if found else [])


async def characters_to_finish(resources: Resources) -> list[DeletedCharacter]:
    return (await resources.table.query(keys.deleted_characters(), limit=MOST_AT_ONCE)).items
