"""What clients send about quests."""

import re
from typing import Annotated
from unicodedata import category

import strawberry
from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from app.core.ids import ClientId
from app.core.inputs import Input
from app.core.scalars import AWSDateTime
from app.core.text import IdempotencyKey, Tags
from app.domains.quests.rules import MOST_SEATS, QuestStatus

# Control signs, those that turn the order of a line around to show something else, and those that
# take no room.
DANGEROUS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)


def _plain(text: object) -> object:
    """Text stays text, '<b>' and 'a < b' too: it is never handed out as markup. What has nothing
    to see (joiners alone) is empty."""
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
    BeforeValidator(_plain),
    BeforeValidator(_one_line),
]
Description = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=10, max_length=1000),
    BeforeValidator(_plain),
]
Submission = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=5000),
    BeforeValidator(_plain),
]
Comments = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=1000), BeforeValidator(_plain)
]
Reason = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=20, max_length=1000),
    BeforeValidator(_plain),
]
Requirement = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    BeforeValidator(_plain),
]
Requirements = Annotated[list[Requirement], Field(max_length=20), AfterValidator(_distinct)]
RewardXp = Annotated[int, Field(ge=10, le=10_000)]
RewardReputation = Annotated[int, Field(ge=1, le=100)]
Seats = Annotated[int, Field(ge=1, le=MOST_SEATS)]
Rating = Annotated[int, Field(ge=1, le=5)]
CategoryName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=2, max_length=60),
    BeforeValidator(_plain),
    BeforeValidator(_one_line),
]
Address = Annotated[str, StringConstraints(pattern=r"^0x[0-9a-fA-F]{40}$")]
Signature = Annotated[str, StringConstraints(max_length=200)]
TransactionHash = Annotated[str, StringConstraints(pattern=r"^0x[0-9a-fA-F]{64}$")]
TokenId = Annotated[str, StringConstraints(pattern=r"^(0|[1-9][0-9]{0,77})$")]

LATER = "Must lie in the future."


@strawberry.input
class CreateQuestInput(Input):
    id: ClientId | None = strawberry.field(
        default=strawberry.UNSET, description="Chosen by the client; made by the server if absent."
    )
    title: Title = strawberry.field(description="3 to 100 characters.")
    description: Description = strawberry.field(description="10 to 1,000 characters.")
    reward_xp: RewardXp = strawberry.field(description="10 to 10,000.")
    reward_reputation: RewardReputation = strawberry.field(description="1 to 100.")
    tags: Tags | None = strawberry.UNSET
    requirements: Requirements | None = strawberry.field(
        default=strawberry.UNSET, description="At most 20, of 1 to 200 characters."
    )
    category_id: strawberry.ID | None = strawberry.UNSET
    expires_at: AWSDateTime | None = strawberry.field(default=strawberry.UNSET, description=LATER)
    max_performers: Seats | None = strawberry.field(
        default=strawberry.UNSET, description="1 to 20; 1 if absent."
    )
    individual_rewards: bool | None = strawberry.UNSET
    dual_attestation: bool | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class OnQuest(Input):
    quest_id: strawberry.ID
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description="Refuse with CONFLICT if the quest has another."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(
    description="Only while it is OPEN and nobody has joined. What is left out stays as it is."
)
class UpdateQuestInput(OnQuest):
    title: Title | None = strawberry.UNSET
    description: Description | None = strawberry.UNSET
    reward_xp: RewardXp | None = strawberry.UNSET
    reward_reputation: RewardReputation | None = strawberry.UNSET
    tags: Tags | None = strawberry.UNSET
    requirements: Requirements | None = strawberry.UNSET
    category_id: strawberry.ID | None = strawberry.UNSET
    expires_at: AWSDateTime | None = strawberry.field(default=strawberry.UNSET, description=LATER)
    max_performers: Seats | None = strawberry.UNSET
    individual_rewards: bool | None = strawberry.UNSET
    dual_attestation: bool | None = strawberry.UNSET


@strawberry.input
class ClaimQuestInput(OnQuest):
    goal_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="A goal of yours: the quest becomes a task of it, done when you submit, open "
        "again when changes are wanted, cancelled when you lose the quest or give it back. Claim "
        "again with it what you have claimed without.",
    )


@strawberry.input(description="The same as claimQuest: takes a free seat.")
class JoinTeamQuestInput(ClaimQuestInput):
    pass


@strawberry.input
class UnclaimQuestInput(OnQuest):
    pass


@strawberry.input
class ReleaseQuestInput(OnQuest):
    pass


@strawberry.input
class StartQuestInput(OnQuest):
    pass


@strawberry.input
class CheckRequirementInput(OnQuest):
    index: int = strawberry.field(description="Which requirement, counted from 0.")
    done: bool = True


@strawberry.input
class SubmitQuestInput(OnQuest):
    submission: Submission = strawberry.field(description="1 to 5,000 characters.")


@strawberry.input
class RequestChangesInput(OnQuest):
    comments: Comments | None = strawberry.field(
        default=strawberry.UNSET, description="What to change, in up to 1,000 characters."
    )


@strawberry.input
class AttestQuestInput(OnQuest):
    rating: Rating = strawberry.field(description="1 to 5.")
    comments: Comments | None = strawberry.UNSET
    signature: Signature | None = strawberry.field(
        default=strawberry.UNSET,
        description="By your wallet over attestationTypedData, asked for with the same rating and "
        "comments, or with none: 0x and 130 digits.",
    )


@strawberry.input
class DisputeQuestInput(OnQuest):
    reason: Reason = strawberry.field(description="20 to 1,000 characters.")


@strawberry.input
class ResolveDisputeInput(OnQuest):
    outcome: QuestStatus = strawberry.field(
        description="COMPLETE pays the reward, CLAIMED lets the work go on, CANCELLED ends it."
    )
    comments: Comments | None = strawberry.UNSET


@strawberry.input
class CancelQuestInput(OnQuest):
    pass


@strawberry.input
class ExtendQuestInput(OnQuest):
    expires_at: AWSDateTime | None = strawberry.field(
        description="Later than now and than before; null: never. A claimed quest that has no end "
        "yet may get one in 72 hours or later."
    )


@strawberry.input
class RecordOnChainInput(OnQuest):
    attester_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Whose attestation; your own if absent."
    )
    transaction_hash: TransactionHash = strawberry.field(description="0x and 64 digits.")
    block_number: Annotated[int, Field(ge=0)] | None = strawberry.UNSET
    contract_address: Address | None = strawberry.UNSET
    token_id: TokenId | None = strawberry.UNSET


@strawberry.input
class RetryFailedRewardInput(Input):
    id: strawberry.ID


@strawberry.input
class CreateQuestCategoryInput(Input):
    name: CategoryName = strawberry.field(description="2 to 60 characters.")
    description: Comments | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class UpdateQuestCategoryInput(Input):
    id: strawberry.ID
    name: CategoryName | None = strawberry.UNSET
    description: Comments | None = strawberry.UNSET
    expected_version: int | None = strawberry.UNSET


@strawberry.input
class DeleteQuestCategoryInput(Input):
    id: strawberry.ID


@strawberry.input
class DefaultRewardsInput(Input):
    xp: RewardXp
    reputation: RewardReputation


@strawberry.input
class CreateQuestTemplateInput(Input):
    title: Title
    description: Description
    default_rewards: DefaultRewardsInput
    tags: Tags | None = strawberry.UNSET
    requirements: Requirements | None = strawberry.UNSET
    category_id: strawberry.ID | None = strawberry.UNSET
    max_performers: Seats | None = strawberry.UNSET
    individual_rewards: bool | None = strawberry.UNSET
    dual_attestation: bool | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="Quests that were made from it stay as they are.")
class UpdateQuestTemplateInput(Input):
    id: strawberry.ID
    title: Title | None = strawberry.UNSET
    description: Description | None = strawberry.UNSET
    default_rewards: DefaultRewardsInput | None = strawberry.UNSET
    tags: Tags | None = strawberry.UNSET
    requirements: Requirements | None = strawberry.UNSET
    category_id: strawberry.ID | None = strawberry.UNSET
    max_performers: Seats | None = strawberry.UNSET
    individual_rewards: bool | None = strawberry.UNSET
    dual_attestation: bool | None = strawberry.UNSET
    expected_version: int | None = strawberry.UNSET


@strawberry.input
class DeleteQuestTemplateInput(Input):
    id: strawberry.ID


@strawberry.input(description="What is left out comes from the template.")
class CreateQuestFromTemplateInput(Input):
    template_id: strawberry.ID
    title: Title | None = strawberry.UNSET
    description: Description | None = strawberry.UNSET
    reward_xp: RewardXp | None = strawberry.UNSET
    reward_reputation: RewardReputation | None = strawberry.UNSET
    expires_at: AWSDateTime | None = strawberry.field(default=strawberry.UNSET, description=LATER)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class SetWalletAddressInput(Input):
    address: Address
    signature: Signature = strawberry.field(
        description="By that address over the message of walletChallenge: 0x and 130 digits."
    )
