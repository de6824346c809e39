"""Characters and their goals in the graph."""

from functools import partial
from typing import Annotated

import strawberry

from app.domains.characters.inputs import (
    AddCharacterInput,
    ArchiveCharacterInput,
    CreateCharacterGoalInput,
    DeleteCharacterGoalInput,
    RecordProgressInput,
    RefreshCharacterInput,
    RenameCharacterInput,
    UpdateCharacterGoalInput,
)
from app.domains.characters.types import Character, CharacterGoal, PopularSkill, ProgressRecord
from app.graph.context import Info
from app.graph.fields import mutation, query, readers
from app.graph.paging import Limit, NextToken, Page, page

IncludeArchived = Annotated[
    bool | None, strawberry.argument(description="true: those that rest as well.")
]


@strawberry.type
class CharactersQuery:
    @query(description="Your characters by name.")
    async def characters(
        self,
        info: Info,
        include_archived: IncludeArchived = False,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Character]:
        fetch = partial(info.context.characters.characters, bool(include_archived))
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="One of your characters; null if you have none of this name.")
    async def character(self, info: Info, name: str) -> Character | None:
        return await info.context.characters.character(name)

    @query(description="One of your character goals; null if you have none with this id.")
    async def character_goal(self, info: Info, id: strawberry.ID) -> CharacterGoal | None:
        return await info.context.character_goals.goal(id)

    @query(description="The goals of all your characters, the oldest first.")
    async def character_goals(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[CharacterGoal]:
        fetch = info.context.character_goals.goals
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(readers, description="What most characters of all users have goals for.")
    async def popular_skills(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[PopularSkill]:
        fetch = info.context.characters.popular_skills
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class CharactersMutation:
    @mutation(description="An archived character of this name comes back, with its goals.")
    async def add_character(self, info: Info, input: AddCharacterInput) -> Character:
        return await info.context.characters.add(input)

    @mutation(description="Its goals and their records stay; formerNames remembers the old name.")
    async def rename_character(self, info: Info, input: RenameCharacterInput) -> Character:
        return await info.context.characters.rename(input)

    @mutation(description="Its goals rest: nothing is looked up or sent. addCharacter ends that.")
    async def archive_character(self, info: Info, input: ArchiveCharacterInput) -> Character:
        return await info.context.characters.archive(input)

    @mutation(
        description="Looks the character up in the hiscores and records what its goals count. "
        "Within a minute of the last look-up, what that one said is used. Give either argument."
    )
    async def refresh_character(
        self, info: Info, name: str | None = None, input: RefreshCharacterInput | None = None
    ) -> Character:
        return await info.context.polling.refresh(RefreshCharacterInput.said(input, name=name))

    @mutation(description="At most 40 for a character.")
    async def create_character_goal(
        self, info: Info, input: CreateCharacterGoalInput
    ) -> CharacterGoal:
        return await info.context.character_goals.create(input)

    @mutation(description="With another target it may be reached at once, or not any more.")
    async def update_character_goal(
        self, info: Info, input: UpdateCharacterGoalInput
    ) -> CharacterGoal:
        return await info.context.character_goals.update(input)

    @mutation(description="With all its records.")
    async def delete_character_goal(
        self, info: Info, input: DeleteCharacterGoalInput
    ) -> CharacterGoal:
        return await info.context.character_goals.delete(input)

    @mutation(
        description="The same value of the same moment again changes nothing; another value of "
        "that moment is PROGRESS_EXISTS."
    )
    async def record_progress(self, info: Info, input: RecordProgressInput) -> ProgressRecord:
        return await info.context.progress_of_goals.record(input)
