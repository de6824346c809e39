"""Quests in the graph."""

from functools import partial
from typing import Annotated

import strawberry

from app.core.record import computed
from app.core.scalars import AWSJSON
from app.domains.people.types import User
from app.domains.quests.inputs import (
    AttestQuestInput,
    CancelQuestInput,
    CheckRequirementInput,
    ClaimQuestInput,
    CreateQuestCategoryInput,
    CreateQuestFromTemplateInput,
    CreateQuestInput,
    CreateQuestTemplateInput,
    DeleteQuestCategoryInput,
    DeleteQuestTemplateInput,
    DisputeQuestInput,
    ExtendQuestInput,
    JoinTeamQuestInput,
    RecordOnChainInput,
    ReleaseQuestInput,
    RequestChangesInput,
    ResolveDisputeInput,
    RetryFailedRewardInput,
    SetWalletAddressInput,
    StartQuestInput,
    SubmitQuestInput,
    UnclaimQuestInput,
    UpdateQuestCategoryInput,
    UpdateQuestInput,
    UpdateQuestTemplateInput,
)
from app.domains.quests.rules import QuestStatus
from app.domains.quests.types import (
    FailedReward,
    FailedRewardStatus,
    Quest,
    QuestCategory,
    QuestTemplate,
    WalletChallenge,
)
from app.graph.context import Info
from app.graph.fields import extends, moderators, mutation, query, readers
from app.graph.paging import Limit, NextToken, Page, page
from app.graph.selection import unneeded

Status = Annotated[QuestStatus | None, strawberry.argument(description="OPEN if null or left out.")]
AnyStatus = Annotated[QuestStatus | None, strawberry.argument(description="All if null.")]
ADDRESS = "0x and 40 digits, in one letter case or with a right checksum."
Address = Annotated[str, strawberry.argument(description=ADDRESS)]

SignedRating = Annotated[
    int | None, strawberry.argument(description="1 to 5, as for attestQuest. Null: not signed.")
]
SignedComments = Annotated[
    str | None,
    strawberry.argument(description="As for attestQuest, with a rating. Null: none."),
]


@strawberry.type
class QuestsQuery:
    @query(readers, description="Quests are public. null if there is none.")
    async def quest(self, info: Info, id: strawberry.ID) -> Quest | None:
        return await info.context.quests.quest(id, without=unneeded(info, Quest))

    @query(readers, description="Quests of one status, newest first; by tag or category, too.")
    async def quests(
        self,
        info: Info,
        status: Status = None,
        tag: str | None = None,
        category_id: strawberry.ID | None = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Quest]:
        fetch = partial(info.context.quests.quests, status or QuestStatus.OPEN, tag, category_id)
        lean = partial(fetch, without=unneeded(info, Quest))
        return await page(info, lean, limit=limit, next_token=next_token)

    @query(readers, description="What someone offers, newest first.")
    async def quests_by_creator(
        self,
        info: Info,
        creator_id: strawberry.ID,
        status: AnyStatus = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Quest]:
        fetch = partial(info.context.quests.of_creator, creator_id, status)
        lean = partial(fetch, without=unneeded(info, Quest))
        return await page(info, lean, limit=limit, next_token=next_token)

    @query(
        readers,
        description="What someone does or did, alone or in a team, the latest change first.",
    )
    async def quests_by_performer(
        self,
        info: Info,
        performer_id: strawberry.ID,
        status: AnyStatus = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Quest]:
        fetch = partial(info.context.quests.of_performer, performer_id, status)
        lean = partial(fetch, without=unneeded(info, Quest))
        return await page(info, lean, limit=limit, next_token=next_token)

    @query(
        description="EIP-712 typed data, to be signed with your wallet for attestQuest. It is for "
        "this quest and its present submission only. With a rating, the signature is for an "
        "attestation with exactly this rating and these comments, and refused with others; "
        "without, it vouches for neither. null if there is no such quest."
    )
    async def attestation_typed_data(
        self,
        info: Info,
        quest_id: strawberry.ID,
        rating: SignedRating = None,
        comments: SignedComments = None,
    ) -> AWSJSON | None:
        return await info.context.quest_reviews.typed_data(quest_id, rating, comments)

    @query(description="A message to sign with your wallet, for setWalletAddress.")
    async def wallet_challenge(self, info: Info, address: Address) -> WalletChallenge:
        return await info.context.wallet_addresses.challenge(address)

    @query(readers, description="All categories by name.")
    async def quest_categories(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[QuestCategory]:
        fetch = info.context.quest_catalogue.categories
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(readers)
    async def quest_category(self, info: Info, id: strawberry.ID) -> QuestCategory | None:
        return await info.context.quest_catalogue.category(id)

    @query(description="Your own.")
    async def quest_templates(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[QuestTemplate]:
        fetch = info.context.quest_catalogue.templates
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="One of your own; null for all others.")
    async def quest_template(self, info: Info, id: strawberry.ID) -> QuestTemplate | None:
        return await info.context.quest_catalogue.template(id)

    @query(moderators, description="Rewards that could not be paid at once. For moderators.")
    async def failed_rewards(
        self,
        info: Info,
        status: Annotated[
            FailedRewardStatus | None, strawberry.argument(description="All if null.")
        ] = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[FailedReward]:
        fetch = partial(info.context.payouts.failed_rewards, status)
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class QuestsMutation:
    @mutation(description="Offers a quest to everyone.")
    async def create_quest(self, info: Info, input: CreateQuestInput) -> Quest:
        return await info.context.quests.create(input)

    @mutation(description="By its creator, while it is OPEN and nobody has joined.")
    async def update_quest(self, info: Info, input: UpdateQuestInput) -> Quest:
        return await info.context.quests.update(input)

    @mutation(
        description="Takes an OPEN quest, or a seat of it. At most 5 at a time, none of your own. "
        "Claiming what you have is no error."
    )
    async def claim_quest(self, info: Info, input: ClaimQuestInput) -> Quest:
        return await info.context.quest_claims.claim(input)

    @mutation(description="The same as claimQuest.")
    async def join_team_quest(self, info: Info, input: JoinTeamQuestInput) -> Quest:
        return await info.context.quest_claims.claim(input)

    @mutation(description="By its creator: a team begins though seats are free.")
    async def start_quest(self, info: Info, input: StartQuestInput) -> Quest:
        return await info.context.quest_claims.start(input)

    @mutation(description="By a performer, before submitting: gives the quest or seat back.")
    async def unclaim_quest(self, info: Info, input: UnclaimQuestInput) -> Quest:
        return await info.context.quest_claims.unclaim(input)

    @mutation(description="By its creator, 72 hours after it was claimed: it is OPEN again.")
    async def release_quest(self, info: Info, input: ReleaseQuestInput) -> Quest:
        return await info.context.quest_claims.release(input)

    @mutation(description="By a performer, before submitting: ticks a requirement off.")
    async def check_requirement(self, info: Info, input: CheckRequirementInput) -> Quest:
        return await info.context.quest_claims.check_requirement(input)

    @mutation(description="By a performer: the work is done and waits for review.")
    async def submit_quest(self, info: Info, input: SubmitQuestInput) -> Quest:
        return await info.context.quest_claims.submit(input)

    @mutation(
        description="By its creator: the submission goes back to the performers, for 72 hours at "
        "least."
    )
    async def request_changes(self, info: Info, input: RequestChangesInput) -> Quest:
        return await info.context.quest_reviews.request_changes(input)

    @mutation(
        description="By its creator, and if dualAttestation also by a performer; each once. The "
        "last one completes the quest and pays the rewards."
    )
    async def attest_quest(self, info: Info, input: AttestQuestInput) -> Quest:
        return await info.context.quest_reviews.attest(input)

    @mutation(description="By its creator or a performer, after the submission.")
    async def dispute_quest(self, info: Info, input: DisputeQuestInput) -> Quest:
        return await info.context.quest_reviews.dispute(input)

    @mutation(moderators, description="By a moderator who takes no part in the quest.")
    async def resolve_dispute(self, info: Info, input: ResolveDisputeInput) -> Quest:
        return await info.context.quest_reviews.resolve(input)

    @mutation(description="By its creator, while it is OPEN. For good.")
    async def cancel_quest(self, info: Info, input: CancelQuestInput) -> Quest:
        return await info.context.quests.cancel(input)

    @mutation(description="By its creator: more time; an EXPIRED quest is OPEN again.")
    async def extend_quest(self, info: Info, input: ExtendQuestInput) -> Quest:
        return await info.context.quests.extend(input)

    @mutation(description="By the attester or a moderator: where the attestation is on chain.")
    async def record_on_chain(self, info: Info, input: RecordOnChainInput) -> Quest:
        return await info.context.quest_reviews.record_on_chain(input)

    @mutation(moderators, description="One more attempt, now. For moderators.")
    async def retry_failed_reward(self, info: Info, input: RetryFailedRewardInput) -> FailedReward:
        return await info.context.payouts.retry_by_hand(input)

    @mutation(moderators, description="For moderators.")
    async def create_quest_category(
        self, info: Info, input: CreateQuestCategoryInput
    ) -> QuestCategory:
        return await info.context.quest_catalogue.create_category(input)

    @mutation(moderators, description="For moderators.")
    async def update_quest_category(
        self, info: Info, input: UpdateQuestCategoryInput
    ) -> QuestCategory:
        return await info.context.quest_catalogue.update_category(input)

    @mutation(moderators, description="For moderators. Refused while quests are in it.")
    async def delete_quest_category(
        self, info: Info, input: DeleteQuestCategoryInput
    ) -> QuestCategory:
        return await info.context.quest_catalogue.delete_category(input)

    @mutation()
    async def create_quest_template(
        self, info: Info, input: CreateQuestTemplateInput
    ) -> QuestTemplate:
        return await info.context.quest_catalogue.create_template(input)

    @mutation()
    async def update_quest_template(
        self, info: Info, input: UpdateQuestTemplateInput
    ) -> QuestTemplate:
        return await info.context.quest_catalogue.update_template(input)

    @mutation()
    async def delete_quest_template(
        self, info: Info, input: DeleteQuestTemplateInput
    ) -> QuestTemplate:
        return await info.context.quest_catalogue.delete_template(input)

    @mutation(description="What you give here goes before what the template says.")
    async def create_quest_from_template(
        self, info: Info, input: CreateQuestFromTemplateInput
    ) -> Quest:
        return await info.context.quests.create_from_template(input)

    @mutation(description="Your Ethereum address, proven by a signature of walletChallenge.")
    async def set_wallet_address(self, info: Info, input: SetWalletAddressInput) -> User:
        return await info.context.wallet_addresses.set(input)

    @mutation(description="Signatures that were given stay as they are.")
    async def remove_wallet_address(self, info: Info) -> User:
        return await info.context.wallet_addresses.remove()


@extends(User)
@strawberry.type
class UserQuests:
    @computed(description="Quests that you created, newest first. Null for others.")
    @staticmethod
    async def created_quests(
        user: strawberry.Parent[User], info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Quest] | None:
        if user.id != info.context.caller.id:
            return None
        fetch = info.context.quests.created
        return await page(info, fetch, limit=limit, next_token=next_token)

    @computed(description="Quests that you claimed, newest first. Null for others.")
    @staticmethod
    async def performed_quests(
        user: strawberry.Parent[User], info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Quest] | None:
        if user.id != info.context.caller.id:
            return None
        fetch = info.context.quests.performed
        return await page(info, fetch, limit=limit, next_token=next_token)
