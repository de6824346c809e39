"""A quest, its history, and its entries in the lists of users."""

import dataclasses
from enum import Enum

import orjson
import strawberry

from app.core.enums import enum_type
from app.core.record import Node, Record, computed
from app.core.scalars import AWSJSON, AWSDateTime
from app.domains.quests.types.status import QuestAction, QuestStatus

DELETED_ACCOUNT = "(deleted)"
TO_PARTIES = "Null unless you are its creator, a performer or a moderator."


@enum_type(
    "In which role somebody attests.",
    CREATOR="The creator of the quest.",
    PERFORMER="Somebody who did it.",
)
class AttesterRole(Enum):
    CREATOR = "CREATOR"
    PERFORMER = "PERFORMER"


@strawberry.enum(description="What a wallet's signature covers.")
class SignatureScope(Enum):
    SUBMISSION = strawberry.enum_value(
        "SUBMISSION",
        description="The attester accepts this submission. Rating and comments are not signed.",
    )
    RATING = strawberry.enum_value(
        "RATING",
        description="The attester accepts this submission with exactly this rating and comments.",
    )


@strawberry.type(description="A confirmation by the creator or a performer that the work was done.")
class Attestation:
    attester_id: strawberry.ID = strawberry.field(description="The user who attests.")
    attester_username: str = strawberry.field(
        description=f"The nickname at that time; {DELETED_ACCOUNT} if the account was deleted."
    )
    role: AttesterRole = strawberry.field(
        default=AttesterRole.CREATOR,
        description="In which role the attester acts.",
    )
    rating: int = strawberry.field(description="1 to 5.")
    comments: str | None = strawberry.field(
        default=None,
        description="What the attester says about the work; null: nothing.",
    )
    timestamp: AWSDateTime = strawberry.field(description="When it was given.")
    submitted_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="The submission that was attested: submittedAt of the quest at that time. Null "
        "if an earlier release stored the attestation and it is not migrated yet.",
    )
    signature: str | None = strawberry.field(
        default=None,
        description="EIP-712 signature of typedData by the attester's wallet, as 0x and 130 hex "
        "digits. signatureCovers says what it covers.",
    )
    typed_data: AWSJSON | None = strawberry.field(
        default=None,
        description="The EIP-712 typed data that was signed, as JSON: types, primaryType, domain, "
        "message. Anyone can check the signature with it: it must recover to signer. Null if there "
        "is no signature, or if an earlier release stored it and its data cannot be restored.",
    )
    signer: str | None = strawberry.field(
        default=None, description="The wallet address that signed."
    )
    rating_signed: strawberry.Private[bool] = False
    on_chain: bool = strawberry.field(
        default=False,
        description="Whether it is recorded on a blockchain.",
    )
    transaction_hash: str | None = strawberry.field(
        default=None,
        description="The hash of the recording transaction; null: not recorded.",
    )
    block_number: int | None = strawberry.field(
        default=None,
        description="The block of the recording transaction; null: not recorded.",
    )
    contract_address: str | None = strawberry.field(
        default=None,
        description="The contract that recorded it; null: not recorded.",
    )
    token_id: str | None = strawberry.field(default=None, description="A decimal number.")

    @computed(description="Null if there is no signature.")
    def signature_covers(self) -> SignatureScope | None:
        if self.signature is None:
            return None
        return SignatureScope.RATING if self.rating_signed else SignatureScope.SUBMISSION

    @computed(description="The chain that typedData names. A decimal number; null without it.")
    def chain_id(self) -> str | None:
        return self._signed_domain("chainId")

    @computed(description="The contract that typedData names, with checksum; null without it.")
    def verifying_contract(self) -> str | None:
        return self._signed_domain("verifyingContract")

    def _signed_domain(self, name: str) -> str | None:
        return str(orjson.loads(self.typed_data)["domain"][name]) if self.typed_data else None


@strawberry.type(description="An attestation of an earlier submission. It counts no more.")
class PastAttestation(Record):
    """`attester_id`, not user_id: it is erased with its quest, whoever attested."""

    quest_id: strawberry.Private[str]
    attester_id: strawberry.Private[str]
    attestation: Attestation = strawberry.field(description="The attestation as it was given.")

    @property
    def attested_at(self) -> AWSDateTime:
        return self.attestation.timestamp


@strawberry.type(description="One requirement of a quest.")
class ChecklistItem:
    text: str = strawberry.field(description="What has to be met.")
    done: bool = strawberry.field(description="Whether the performer has ticked it.")


@strawberry.type(description="One entry in the history of a quest.")
class QuestTransition(Node):
    quest_id: strawberry.ID = strawberry.field(description="The quest.")
    action: QuestAction = strawberry.field(description="What was done.")
    by_user_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="Null if no user did it: a quest expired, a claim ran out, or an account was "
        "deleted.",
    )
    from_status: QuestStatus | None = strawberry.field(
        default=None,
        description="The status before; null: it was created.",
    )
    to_status: QuestStatus = strawberry.field(description="The status after.")
    note: str | None = strawberry.field(
        default=None, description=f"The submission, comment or reason. {TO_PARTIES}"
    )


@strawberry.type(description="Work that a user offers to others. Quests are public.")
class Quest(Node):
    creator_id: strawberry.ID = strawberry.field(description="The user who wants it done.")
    title: str = strawberry.field(
        description="What is to be done, in one line. Text, not markup.",
    )
    description: str = strawberry.field(
        description="What is to be done, in full. Text, not markup.",
    )
    reward_xp: int = strawberry.field(description="Experience points that it pays.")
    reward_reputation: int = strawberry.field(description="Reputation that it pays.")
    status: QuestStatus = strawberry.field(
        default=QuestStatus.OPEN,
        description="Where it stands.",
    )
    performer_id: strawberry.ID | None = strawberry.field(
        default=None, description="Of a team: the first who joined."
    )
    performers: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="In the order in which they joined."
    )
    max_performers: int = strawberry.field(
        default=1,
        description="Seats. A quest is OPEN until all are taken or it is started.",
    )
    individual_rewards: bool = strawberry.field(
        default=False,
        description="true: each performer gets the whole reward. false: they share it equally; the "
        "remainder goes to the first who joined.",
    )
    dual_attestation: bool = strawberry.field(
        default=False, description="true: COMPLETE only when a performer has attested, too."
    )
    claimed_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it was claimed; null: it is not claimed.",
    )
    submitted_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When the work was handed in; null: not yet.",
    )
    completed_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it was attested; null: not yet.",
    )
    expires_at: AWSDateTime | None = strawberry.field(
        default=None, description="From then on an OPEN or CLAIMED quest is EXPIRED."
    )
    submission: str | None = strawberry.field(default=None, description=TO_PARTIES)
    attestations: list[Attestation] = strawberry.field(
        default_factory=list,
        description="Those of the present submission. Those of earlier ones: pastAttestations.",
    )
    tags: list[str] = strawberry.field(
        default_factory=list,
        description="Words to find it by.",
    )
    requirements: list[str] = strawberry.field(
        default_factory=list,
        description="What has to be met, as a checklist.",
    )
    category_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="Its category; null: none.",
    )
    dispute_reason: str | None = strawberry.field(default=None, description=TO_PARTIES)
    requirements_met: strawberry.Private[list[int]] = dataclasses.field(default_factory=list)
    stale_at: strawberry.Private[str | None] = None
    returned_at: strawberry.Private[str | None] = None
    shard: strawberry.Private[str | None] = None

    @property
    def user_id(self) -> str:
        return self.creator_id

    @property
    def due_at(self) -> str | None:
        """When the quest expires or its claim lapses."""
        match self.status:
            case QuestStatus.OPEN:
                return self.expires_at
            case QuestStatus.CLAIMED:
                ends = (self.expires_at, self.stale_at)
                return min((each for each in ends if each), default=None)
            case _:
                return None

    @property
    def due_day(self) -> str | None:
        return self.due_at[:10].replace("-", "") if self.due_at else None

    @computed(
        description="The requirements, and whether each is done.",
        reads=["requirements"],
    )
    def checklist(self) -> list[ChecklistItem]:
        met = set(self.requirements_met)
        return [ChecklistItem(text=t, done=n in met) for n, t in enumerate(self.requirements)]


@enum_type(
    "What a user is for a listed quest.",
    CREATED="The creator.",
    PERFORMED="A performer.",
)
class ListingRole(Enum):
    CREATED = "CREATED"
    PERFORMED = "PERFORMED"


@strawberry.type(description="A quest in a user's own list. Its id is the quest's.")
class QuestListing(Node):
    user_id: strawberry.Private[str]
    role: ListingRole = strawberry.field(description="What the user is for this quest.")

    @property
    def owned_quest_id(self) -> str | None:
        """A deleted account erases the quests that it created, not those that it performed."""
        return self.id if self.role is ListingRole.CREATED else None


@strawberry.type(description="Sign the message with your wallet (personal_sign, EIP-191).")
class WalletChallenge:
    address: str = strawberry.field(description="In checksum letter case (EIP-55).")
    message: str = strawberry.field(description="Sign this text with your wallet (personal_sign).")
    expires_at: AWSDateTime = strawberry.field(description="Until when the signature is accepted.")
