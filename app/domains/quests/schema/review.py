"""Review of submitted work: attestations, wallets, disputes, failed rewards."""

from functools import partial
from typing import Annotated

import strawberry

from app.core.scalars import AWSJSON
from app.domains.people.types import User
from app.domains.quests.inputs import (
    AttestQuestInput,
    DisputeQuestInput,
    RecordOnChainInput,
    RequestChangesInput,
    ResolveDisputeInput,
    RetryFailedRewardInput,
    SetWalletAddressInput,
)
from app.domains.quests.types import (
    FailedReward,
    FailedRewardStatus,
    Quest,
    WalletChallenge,
)
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.guards import moderators
from app.graph.paging import Limit, NextToken, Page, page

ADDRESS = "0x and 40 hex digits, in one letter case or with a valid checksum (EIP-55)."
AddressArgument = Annotated[str, strawberry.argument(description=ADDRESS)]

SignedRating = Annotated[
    int | None, strawberry.argument(description="1 to 5, as for attestQuest. Null: not signed.")
]
SignedComments = Annotated[
    str | None,
    strawberry.argument(description="As for attestQuest, with a rating. Null: none."),
]


@strawberry.type
class QuestReviewQuery:
    @query(
        description="EIP-712 typed data for attestQuest, to be signed with your wallet. It covers "
        "this quest and its present submission only. With a rating, the signature also covers the "
        "rating and the comments, and is refused with others. null if there is no such quest."
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
    async def wallet_challenge(self, info: Info, address: AddressArgument) -> WalletChallenge:
        return await info.context.wallet_addresses.challenge(address)

    @query(moderators, description="Rewards that could not be paid at completion. For moderators.")
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
class QuestReviewMutation:
    @mutation(
        description="By its creator: returns the work to the performers, for at least 72 hours."
    )
    async def request_changes(self, info: Info, input: RequestChangesInput) -> Quest:
        return await info.context.quest_reviews.request_changes(input)

    @mutation(
        description="By its creator, and with dualAttestation also by a performer; each once per "
        "submission. The last attestation completes the quest and pays the rewards."
    )
    async def attest_quest(self, info: Info, input: AttestQuestInput) -> Quest:
        return await info.context.quest_reviews.attest(input)

    @mutation(
        description="By its creator or a performer, after the submission. A moderator decides."
    )
    async def dispute_quest(self, info: Info, input: DisputeQuestInput) -> Quest:
        return await info.context.quest_reviews.dispute(input)

    @mutation(moderators, description="By a moderator who is neither creator nor performer.")
    async def resolve_dispute(self, info: Info, input: ResolveDisputeInput) -> Quest:
        return await info.context.quest_reviews.resolve(input)

    @mutation(
        description="By the attester or a moderator: records the transaction of an attestation."
    )
    async def record_on_chain(self, info: Info, input: RecordOnChainInput) -> Quest:
        return await info.context.quest_reviews.record_on_chain(input)

    @mutation(
        moderators,
        description="Tries to pay the reward now. For moderators. Takes no "
        "idempotencyKey: what is paid is never paid again.",
    )
    async def retry_failed_reward(self, info: Info, input: RetryFailedRewardInput) -> FailedReward:
        return await info.context.payouts.retry_now(input)

    @mutation(description="Sets your Ethereum address, proven by a signature of walletChallenge.")
    async def set_wallet_address(self, info: Info, input: SetWalletAddressInput) -> User:
        return await info.context.wallet_addresses.set(input)

    @mutation(
        description="Removes your Ethereum address. Earlier signatures stay. Takes no "
        "idempotencyKey: repeated, it changes nothing."
    )
    async def remove_wallet_address(self, info: Info) -> User:
        return await info.context.wallet_addresses.remove()
