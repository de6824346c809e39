"""Inputs of the mutations about quests."""

import re
from typing import Annotated
from unicodedata import category

import strawberry
from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from app.core.ids import CLIENT_ID, ClientId
from app.core.inputs import Input
from app.core.scalars import AWSDateTime
from app.core.text import IdempotencyKey, TagNames
from app.domains.quests.rules.quest import MOST_SEATS
from app.domains.quests.types import QuestStatus

# Control characters, characters that change the text direction, and invisible ones.
DANGEROUS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)


def _clean(text: object) -> object:
    """Without dangerous characters. Markup stays: text is never rendered as HTML. A text without
    any visible character is empty."""
    if not isinstance(text, str):
        return text
    clean = DANGEROUS.sub("", text)
    return clean if any(category(sign)[0] not in "CZ" for sign in clean) else ""


def _one_line(text: object) -> object:
    return re.sub(r"\s+", " ", text) if isinstance(text, str) else text


def _distinct(texts: list[str]) -> list[str]:
    return list(dict.fromkeys(texts))


Title = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=3, max_length=100),
    BeforeValidator(_clean),
    BeforeValidator(_one_line),
]
Description = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=10, max_length=1000),
    BeforeValidator(_clean),
]
Submission = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=5000),
    BeforeValidator(_clean),
]
Comments = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=1000), BeforeValidator(_clean)
]
DisputeReason = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=20, max_length=1000),
    BeforeValidator(_clean),
]
Requirement = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    BeforeValidator(_clean),
]
Requirements = Annotated[list[Requirement], Field(max_length=20), AfterValidator(_distinct)]
RewardXp = Annotated[int, Field(ge=10, le=10_000)]
RewardReputation = Annotated[int, Field(ge=1, le=100)]
Seats = Annotated[int, Field(ge=1, le=MOST_SEATS)]
QuestRating = Annotated[int, Field(ge=1, le=5)]
CategoryName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=2, max_length=60),
    BeforeValidator(_clean),
    BeforeValidator(_one_line),
]
EthereumAddress = Annotated[str, StringConstraints(pattern=r"^0x[0-9a-fA-F]{40}$")]
Signature = Annotated[str, StringConstraints(max_length=200)]
TransactionHash = Annotated[str, StringConstraints(pattern=r"^0x[0-9a-fA-F]{64}$")]
TokenId = Annotated[str, StringConstraints(pattern=r"^(0|[1-9][0-9]{0,77})$")]

LATER = "Must be in the future."


@strawberry.input
class CreateQuestInput(Input):
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CLIENT_ID)
    title: Title
    description: Description
    reward_xp: RewardXp
    reward_reputation: RewardReputation
    tags: TagNames | None = strawberry.UNSET
    requirements: Requirements | None = strawberry.field(
        default=strawberry.UNSET,
        description="What has to be met; each of 1 to 200 characters.",
    )
    category_id: strawberry.ID | None = strawberry.UNSET
    expires_at: AWSDateTime | None = strawberry.field(default=strawberry.UNSET, description=LATER)
    max_performers: Seats | None = strawberry.field(
        default=strawberry.UNSET,
        description="Seats; 1 if left out.",
    )
    individual_rewards: bool | None = strawberry.UNSET
    dual_attestation: bool | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class QuestActionInput(Input):
    quest_id: strawberry.ID
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET,
        description="Refuses with CONFLICT if the quest has another version.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(
    description="Only while it is OPEN and nobody has joined. Absent fields stay unchanged."
)
class UpdateQuestInput(QuestActionInput):
    title: Title | None = strawberry.UNSET
    description: Description | None = strawberry.UNSET
    reward_xp: RewardXp | None = strawberry.UNSET
    reward_reputation: RewardReputation | None = strawberry.UNSET
    tags: TagNames | None = strawberry.UNSET
    requirements: Requirements | None = strawberry.UNSET
    category_id: strawberry.ID | None = strawberry.UNSET
    expires_at: AWSDateTime | None = strawberry.field(default=strawberry.UNSET, description=LATER)
    max_performers: Seats | None = strawberry.UNSET
    individual_rewards: bool | None = strawberry.UNSET
    dual_attestation: bool | None = strawberry.UNSET


@strawberry.input
class ClaimQuestInput(QuestActionInput):
    goal_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="A goal of yours. The quest becomes a task of it: done when you submit, "
        "reopened when changes are requested, cancelled when you lose the quest or give it back. "
        "To add a goal later, claim the quest again with it.",
    )


@strawberry.input(description="The same as claimQuest.")
class JoinTeamQuestInput(ClaimQuestInput):
    pass


@strawberry.input
class UnclaimQuestInput(QuestActionInput):
    pass


@strawberry.input
class ReleaseQuestInput(QuestActionInput):
    pass


@strawberry.input
class StartQuestInput(QuestActionInput):
    pass


@strawberry.input
class CheckRequirementInput(QuestActionInput):
    index: int = strawberry.field(description="Index of the requirement, from 0.")
    done: bool = strawberry.field(
        default=True,
        description="Whether it is met.",
    )


@strawberry.input
class SubmitQuestInput(QuestActionInput):
    submission: Submission = strawberry.field(
        description="What was done, and where it can be seen.",
    )


@strawberry.input
class RequestChangesInput(QuestActionInput):
    comments: Comments | None = strawberry.field(
        default=strawberry.UNSET,
        description="What to change.",
    )


@strawberry.input
class AttestQuestInput(QuestActionInput):
    rating: QuestRating = strawberry.field(description="How good the work is.")
    comments: Comments | None = strawberry.field(
        default=strawberry.UNSET,
        description="What you say about the work.",
    )
    signature: Signature | None = strawberry.field(
        default=strawberry.UNSET,
        description="Of attestationTypedData by your wallet: 0x and 130 hex digits. Request the "
        "data with the same rating and comments, or with neither.",
    )


@strawberry.input
class DisputeQuestInput(QuestActionInput):
    reason: DisputeReason = strawberry.field(
        description="What you disagree with.",
    )


@strawberry.input
class ResolveDisputeInput(QuestActionInput):
    outcome: QuestStatus = strawberry.field(
        description="COMPLETE pays the reward, CLAIMED lets the work continue, CANCELLED ends it."
    )
    comments: Comments | None = strawberry.field(
        default=strawberry.UNSET,
        description="Why you decide so, for both parties.",
    )


@strawberry.input
class CancelQuestInput(QuestActionInput):
    pass


@strawberry.input
class ExtendQuestInput(QuestActionInput):
    expires_at: AWSDateTime | None = strawberry.field(
        description="Later than now and than the present end; null: no end. A claimed quest "
        "without an end can get one in 72 hours or later."
    )


@strawberry.input
class RecordOnChainInput(QuestActionInput):
    attester_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="The attester; yourself if absent."
    )
    transaction_hash: TransactionHash = strawberry.field(description="0x and 64 hex digits.")
    block_number: Annotated[int, Field(ge=0)] | None = strawberry.field(
        default=strawberry.UNSET,
        description="The block of the recording transaction.",
    )
    contract_address: EthereumAddress | None = strawberry.field(
        default=strawberry.UNSET,
        description="The contract that recorded it.",
    )
    token_id: TokenId | None = strawberry.field(
        default=strawberry.UNSET,
        description="The id of the token that was issued.",
    )


@strawberry.input
class RetryFailedRewardInput(Input):
    id: strawberry.ID


@strawberry.input
class CreateQuestCategoryInput(Input):
    name: CategoryName
    description: Comments | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class UpdateQuestCategoryInput(Input):
    id: strawberry.ID
    name: CategoryName | None = strawberry.UNSET
    description: Comments | None = strawberry.UNSET
    expected_version: int | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteQuestCategoryInput(Input):
    id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="What quests made from a template pay.")
class DefaultRewardsInput(Input):
    xp: RewardXp = strawberry.field(
        description="Experience points that a quest from this template pays."
    )
    reputation: RewardReputation = strawberry.field(
        description="Reputation that a quest from this template pays."
    )


@strawberry.input
class CreateQuestTemplateInput(Input):
    title: Title
    description: Description
    default_rewards: DefaultRewardsInput
    tags: TagNames | None = strawberry.UNSET
    requirements: Requirements | None = strawberry.UNSET
    category_id: strawberry.ID | None = strawberry.UNSET
    max_performers: Seats | None = strawberry.UNSET
    individual_rewards: bool | None = strawberry.UNSET
    dual_attestation: bool | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="Quests that were created from it stay unchanged.")
class UpdateQuestTemplateInput(Input):
    id: strawberry.ID
    title: Title | None = strawberry.UNSET
    description: Description | None = strawberry.UNSET
    default_rewards: DefaultRewardsInput | None = strawberry.UNSET
    tags: TagNames | None = strawberry.UNSET
    requirements: Requirements | None = strawberry.UNSET
    category_id: strawberry.ID | None = strawberry.UNSET
    max_performers: Seats | None = strawberry.UNSET
    individual_rewards: bool | None = strawberry.UNSET
    dual_attestation: bool | None = strawberry.UNSET
    expected_version: int | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteQuestTemplateInput(Input):
    id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="Absent fields come from the template.")
class CreateQuestFromTemplateInput(Input):
    template_id: strawberry.ID = strawberry.field(description="Your template.")
    title: Title | None = strawberry.UNSET
    description: Description | None = strawberry.UNSET
    reward_xp: RewardXp | None = strawberry.UNSET
    reward_reputation: RewardReputation | None = strawberry.UNSET
    expires_at: AWSDateTime | None = strawberry.field(default=strawberry.UNSET, description=LATER)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class SetWalletAddressInput(Input):
    address: EthereumAddress = strawberry.field(description="The address of your Ethereum wallet.")
    signature: Signature = strawberry.field(
        description="Of the message of walletChallenge by that address: 0x and 130 hex digits."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
