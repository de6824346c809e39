"""Relations of quests, and the quests of a user."""

from functools import partial

from app.core.record import computed
from app.domains.people.types import User
from app.domains.quests.types.quest import (
    PastAttestation,
    Quest,
    QuestListing,
    QuestTransition,
)
from app.domains.quests.types.rewards import QuestReward
from app.graph.context import Info
from app.graph.fields import fields_of
from app.graph.paging import Limit, NextToken, Page, page


@fields_of(Quest)
class QuestFields(Quest):
    @computed(description="Null if the account was deleted.", reads=[])
    async def creator(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.creator_id)

    @computed(description="Null if there is none, or the account was deleted.", reads=[])
    async def performer(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.performer_id) if self.performer_id else None

    @computed(description="Its history, oldest first.", reads=[])
    async def history(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[QuestTransition]:
        fetch = partial(info.context.quests.history, self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(
        description="What you get for this quest, and whether it was paid: one entry each for XP "
        "and reputation. Empty unless the quest is COMPLETE and you performed it.",
        reads=[],
    )
    async def my_rewards(self, info: Info) -> list[QuestReward]:
        return await info.context.payouts.rewards_of_caller(self)

    @computed(
        description="Attestations of earlier submissions, oldest first: the work was returned to "
        "the performers, so they count no more. They are removed with the attester's account.",
        reads=[],
    )
    async def past_attestations(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[PastAttestation]:
        fetch = partial(info.context.quests.past_attestations, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


@fields_of(QuestListing)
class QuestListingFields(QuestListing):
    @computed(description="Null if it was deleted.")
    async def quest(self, info: Info) -> Quest | None:
        return await info.context.quests.quest(self.id)


@fields_of(User)
class UserQuestFields(User):
    @computed(description="Quests that you created, newest first. Null for others.")
    async def created_quests(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Quest] | None:
        if self.id != info.context.caller.id:
            return None
        fetch = info.context.quests.created
        return await page(info, fetch, limit=limit, next_token=next_token)

    @computed(description="Quests that you claimed, newest first. Null for others.")
    async def performed_quests(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Quest] | None:
        if self.id != info.context.caller.id:
            return None
        fetch = info.context.quests.performed
        return await page(info, fetch, limit=limit, next_token=next_token)
