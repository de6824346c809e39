"""Characters and their goals in the graph."""

from functools import partial
from typing import Annotated

import strawberry

from app.core.record import computed
from app.core.scalars import WholeNumber
from app.domains.characters.inputs import (
    AddCharacterInput,
    ArchiveCharacterInput,
    CorrectProgressInput,
    CreateCharacterGoalInput,
    DeleteCharacterGoalInput,
    DeleteCharacterInput,
    DeleteProgressInput,
    RecordProgressInput,
    RefreshCharacterInput,
    RenameCharacterInput,
    UpdateCharacterGoalInput,
)
from app.domains.characters.rules.attributes import known_attributes
from app.domains.characters.rules.filters import CharacterGoalFilter
from app.domains.characters.rules.targets import target_experience
from app.domains.characters.types import (
    Character,
    CharacterGoal,
    CharacterStats,
    Forecast,
    PopularSkill,
    ProgressRecord,
    TargetAttribute,
    TargetAttributeKind,
    TargetType,
)
from app.graph.context import Info
from app.graph.fields import fields_of, mutation, query
from app.graph.guards import readers
from app.graph.paging import Limit, NextToken, Page, page

RecordedSince = Annotated[
    str | None,
    strawberry.argument(
        name="from", description="A day or a moment in UTC, which is included; null: all."
    ),
]
RecordedUntil = Annotated[
    str | None,
    strawberry.argument(
        name="to", description="A day, which is included whole, or a moment, in UTC; null: all."
    ),
]
NewestRecordsFirst = Annotated[
    bool | None, strawberry.argument(description="true: from the newest to the oldest.")
]

IncludeArchivedCharacters = Annotated[
    bool | None, strawberry.argument(description="true: with archived characters.")
]

OfCharacter = Annotated[
    str | None,
    strawberry.argument(description="Only of this character, in any letter case; null: of all."),
]
OfAttribute = Annotated[
    str | None,
    strawberry.argument(description="Only this skill or activity, in any letter case; null: all."),
]
OfTargetType = Annotated[
    TargetType | None, strawberry.argument(description="Only goals that count this; null: all.")
]
AchievedOrNot = Annotated[
    bool | None,
    strawberry.argument(description="true: only achieved, false: only open goals; null: both."),
]
KindOfAttribute = Annotated[
    TargetAttributeKind | None, strawberry.argument(description="null: both kinds.")
]


@fields_of(Character)
class CharacterFields(Character):
    @computed(description="Its goals, the oldest first.")
    async def goals(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page["CharacterGoal"]:
        fetch = partial(info.context.character_goals.goals_of, self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(
        description="Its skills and activities as the hiscores were last read, by anyone who has a "
        "character of this name. null: not within 7 days, or without a rank."
    )
    async def stats(self, info: Info) -> CharacterStats | None:
        return await info.context.characters.stats(self)


@fields_of(ProgressRecord)
class ProgressRecordFields(ProgressRecord):
    @computed(description="The goal as it is now; null if it was deleted.")
    async def goal(self, info: Info) -> "CharacterGoal | None":
        return await info.context.character_goals.goal(self.goal_id)


@fields_of(CharacterGoal)
class CharacterGoalFields(CharacterGoal):
    @computed(description="The target as experience; null for scores, ranks and Overall levels.")
    def target_xp(self) -> WholeNumber | None:
        return target_experience(self.target_attribute, self.target_type, self.target_value)

    @computed(description="The newest record.")
    async def latest(self, info: Info) -> ProgressRecord | None:
        return await info.context.character_goals.latest(self)

    @computed(description="The oldest record.")
    async def earliest(self, info: Info) -> ProgressRecord | None:
        return await info.context.character_goals.earliest(self)

    @computed(description="null until something is recorded.")
    async def forecast(self, info: Info) -> Forecast | None:
        return await info.context.character_goals.forecast(self)

    @computed(description="Its records by time.")
    async def progress(
        self,
        info: Info,
        since: RecordedSince = None,
        until: RecordedUntil = None,
        newest_first: NewestRecordsFirst = False,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[ProgressRecord]:
        fetch = partial(
            info.context.character_goals.progress,
            self,
            since,
            until,
            newest_first=bool(newest_first),
        )
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


@strawberry.type
class CharactersQuery:
    @query(description="Your characters by name.")
    async def characters(
        self,
        info: Info,
        include_archived: IncludeArchivedCharacters = False,
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
        self,
        info: Info,
        character_name: OfCharacter = None,
        target_attribute: OfAttribute = None,
        target_type: OfTargetType = None,
        achieved: AchievedOrNot = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[CharacterGoal]:
        filter = CharacterGoalFilter(
            character_name=character_name,
            target_attribute=target_attribute,
            target_type=target_type,
            achieved=achieved,
        )
        fetch = partial(info.context.character_goals.goals, filter)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(
        readers,
        description="The skills and activities of the game that goals can be about: skills first, "
        "then activities. A name that resembles one of them but is not in the list is refused with "
        "suggestions; a goal for score or rank may have another name, of a new activity or of "
        "your own.",
    )
    def target_attributes(self, kind: KindOfAttribute = None) -> list[TargetAttribute]:
        return known_attributes(kind)

    @query(
        readers,
        description="Skills by the number of characters of all users that have goals for them.",
    )
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

    @mutation(
        description="Nothing is polled or sent for its goals any more. addCharacter restores it."
    )
    async def archive_character(self, info: Info, input: ArchiveCharacterInput) -> Character:
        return await info.context.characters.archive(input)

    @mutation(
        description="With all its goals and their records, for good. To keep them: "
        "archiveCharacter. The answer is what it was."
    )
    async def delete_character(self, info: Info, input: DeleteCharacterInput) -> Character:
        return await info.context.character_deletion.delete(input)

    @mutation(
        description="Asks the hiscores about the character and records progress for its goals. "
        "Within a minute of the last request its answer is used again. "
        "Takes no idempotencyKey: repeated, it records nothing twice."
    )
    async def refresh_character(
        self,
        info: Info,
        name: Annotated[
            str | None,
            strawberry.argument(
                description="The character's name.",
                deprecation_reason="Send input: {name: …} instead.",
            ),
        ] = None,
        input: RefreshCharacterInput | None = None,
    ) -> Character:
        return await info.context.polling.refresh(
            RefreshCharacterInput.from_argument_or_input(input, name=name)
        )

    @mutation(description="At most 40 for a character.")
    async def create_character_goal(
        self, info: Info, input: CreateCharacterGoalInput
    ) -> CharacterGoal:
        return await info.context.character_goals.create(input)

    @mutation(description="A new target may be reached at once, or no longer.")
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

    @mutation(
        description="Changes the value of a record. Its flag and that of the next record, latest, "
        "earliest, forecast and achievedAt follow from it: a goal may be achieved, or no longer."
    )
    async def correct_progress(self, info: Info, input: CorrectProgressInput) -> ProgressRecord:
        return await info.context.progress_of_goals.correct(input)

    @mutation(
        description="Deletes a record; the answer is what it was. The flag of the next record, "
        "latest, earliest, forecast and achievedAt follow from it."
    )
    async def delete_progress(self, info: Info, input: DeleteProgressInput) -> ProgressRecord:
        return await info.context.progress_of_goals.delete(input)
