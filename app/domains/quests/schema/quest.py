"""Queries of quests, and the mutations of creators and performers."""

from functools import partial
from typing import Annotated

import strawberry

from app.domains.quests.inputs import (
    CancelQuestInput,
    CheckRequirementInput,
    ClaimQuestInput,
    CreateQuestInput,
    ExtendQuestInput,
    JoinTeamQuestInput,
    ReleaseQuestInput,
    StartQuestInput,
    SubmitQuestInput,
    UnclaimQuestInput,
    UpdateQuestInput,
)
from app.domains.quests.types import (
    Quest,
    QuestStatus,
)
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.guards import readers
from app.graph.paging import Limit, NextToken, Page, page
from app.graph.selection import unselected_fields

OpenByDefault = Annotated[
    QuestStatus | None, strawberry.argument(description="OPEN if null or absent.")
]
AllByDefault = Annotated[QuestStatus | None, strawberry.argument(description="All if null.")]


@strawberry.type
class QuestQuery:
    @query(readers, description="null if there is none. Quests are public.")
    async def quest(self, info: Info, id: strawberry.ID) -> Quest | None:
        return await info.context.quests.quest(id, without=unselected_fields(info, Quest))

    @query(
        readers,
        description="Quests of one status, newest first. Optionally of one tag or category. A "
        "quest is EXPIRED from the instant of expiresAt on.",
    )
    async def quests(
        self,
        info: Info,
        status: OpenByDefault = None,
        tag: str | None = None,
        category_id: strawberry.ID | None = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Quest]:
        without = unselected_fields(info, Quest)
        search = partial(info.context.quests.quests, status or QuestStatus.OPEN, tag, category_id)
        fetch = partial(search, without=without)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(readers, description="Quests that a user created, newest first.")
    async def quests_by_creator(
        self,
        info: Info,
        creator_id: strawberry.ID,
        status: AllByDefault = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Quest]:
        without = unselected_fields(info, Quest)
        fetch = partial(info.context.quests.of_creator, creator_id, status, without=without)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(
        readers,
        description="Quests that a user performs or performed, the latest change first.",
    )
    async def quests_by_performer(
        self,
        info: Info,
        performer_id: strawberry.ID,
        status: AllByDefault = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Quest]:
        without = unselected_fields(info, Quest)
        fetch = partial(info.context.quests.of_performer, performer_id, status, without=without)
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class QuestMutation:
    @mutation(description="Creates a quest, open to everyone.")
    async def create_quest(self, info: Info, input: CreateQuestInput) -> Quest:
        return await info.context.quests.create(input)

    @mutation(description="By its creator, while it is OPEN and nobody has joined.")
    async def update_quest(self, info: Info, input: UpdateQuestInput) -> Quest:
        return await info.context.quests.update(input)

    @mutation(
        description="Claims an OPEN quest, or a seat of it. At most 5 quests at a time, none of "
        "your own. Claiming a quest again is no error."
    )
    async def claim_quest(self, info: Info, input: ClaimQuestInput) -> Quest:
        return await info.context.quest_claims.claim(input)

    @mutation(description="The same as claimQuest.")
    async def join_team_quest(self, info: Info, input: JoinTeamQuestInput) -> Quest:
        return await info.context.quest_claims.claim(input)

    @mutation(description="By its creator: a team starts although seats are free.")
    async def start_quest(self, info: Info, input: StartQuestInput) -> Quest:
        return await info.context.quest_claims.start(input)

    @mutation(description="By a performer, before submitting: gives the quest or seat back.")
    async def unclaim_quest(self, info: Info, input: UnclaimQuestInput) -> Quest:
        return await info.context.quest_claims.unclaim(input)

    @mutation(description="By its creator, 72 hours after it was claimed: it is OPEN again.")
    async def release_quest(self, info: Info, input: ReleaseQuestInput) -> Quest:
        return await info.context.quest_claims.release(input)

    @mutation(description="By a performer, before submitting: marks a requirement as done.")
    async def check_requirement(self, info: Info, input: CheckRequirementInput) -> Quest:
        return await info.context.quest_claims.check_requirement(input)

    @mutation(description="By a performer: submits the work for review.")
    async def submit_quest(self, info: Info, input: SubmitQuestInput) -> Quest:
        return await info.context.quest_claims.submit(input)

    @mutation(description="By its creator, while it is OPEN. CANCELLED is final.")
    async def cancel_quest(self, info: Info, input: CancelQuestInput) -> Quest:
        return await info.context.quests.cancel(input)

    @mutation(description="By its creator: sets a later end. An EXPIRED quest is OPEN again.")
    async def extend_quest(self, info: Info, input: ExtendQuestInput) -> Quest:
        return await info.context.quests.extend(input)
