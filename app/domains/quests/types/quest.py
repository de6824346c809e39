"""A quest, what was done to it, and whose list it stands in."""

import dataclasses
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import strawberry

from app.core.record import Node, computed
from app.core.scalars import AWSDateTime
from app.domains.people.types import User
from app.domains.quests.rules import QuestAction, QuestStatus
from app.graph.paging import Limit, NextToken, Page, page

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info

NOBODY = "(deleted)"
TO_PARTIES = "Null unless you are its creator, a performer or a moderator."


@strawberry.enum
class AttesterRole(Enum):
    CREATOR = "CREATOR"
    PERFORMER = "PERFORMER"


@strawberry.enum(description="What a wallet's signature vouches for.")
class SignatureScope(Enum):
    SUBMISSION = strawberry.enum_value(
        "SUBMISSION",
        description="That this attester accepts this submission. Rating and comments are not "
        "signed: for them only the server vouches.",
    )
    RATING = strawberry.enum_value(
        "RATING", description="That, with exactly this rating and these comments."
    )


@strawberry.type(description="That the work was done, in the words of one of those concerned.")
class Attestation:
    attester_id: strawberry.ID
    attester_username: str = strawberry.field(
        description=f"The nickname at that time; {NOBODY} if the account is gone."
    )
    role: AttesterRole = AttesterRole.CREATOR
    rating: int = strawberry.field(description="1 to 5.")
    comments: str | None = None
    timestamp: AWSDateTime
    signature: str | None = strawberry.field(
        default=None,
        description="EIP-712, by the attester's wallet, over attestationTypedData. signatureCovers "
        "says what of this attestation it vouches for.",
    )
    signer: str | None = strawberry.field(
        default=None, description="The wallet address that signed, as it was then."
    )
    rating_signed: strawberry.Private[bool] = False
    on_chain: bool = False
    transaction_hash: str | None = None
    block_number: int | None = None
    contract_address: str | None = None
    token_id: str | None = strawberry.field(default=None, description="A decimal number.")

    @computed(description="Null if there is no signature.")
    def signature_covers(self) -> SignatureScope | None:
        if self.signature is None:
            return None
        return SignatureScope.RATING if self.rating_signed else SignatureScope.SUBMISSION


@strawberry.type(description="One requirement of a quest.")
class ChecklistItem:
    text: str
    done: bool


@strawberry.type(description="Something that was done to a quest, when and by whom.")
class QuestTransition(Node):
    quest_id: strawberry.ID
    action: QuestAction
    by_user_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="Null if nobody did: a quest expired, a claim ran out, its creator left.",
    )
    from_status: QuestStatus | None = None
    to_status: QuestStatus
    note: str | None = strawberry.field(
        default=None, description=f"Submission, comment or reason that went with it. {TO_PARTIES}"
    )


@strawberry.type(description="Work that someone offers to others. Quests are public.")
class Quest(Node):
    creator_id: strawberry.ID
    title: str = strawberry.field(description="3 to 100 characters. Text, not markup.")
    description: str = strawberry.field(description="10 to 1,000 characters. Text, not markup.")
    reward_xp: int
    reward_reputation: int
    status: QuestStatus = QuestStatus.OPEN
    performer_id: strawberry.ID | None = strawberry.field(
        default=None, description="Of a team: who joined first."
    )
    performers: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="In the order in which they joined."
    )
    max_performers: int = strawberry.field(
        default=1,
        description="Seats, 1 to 20. A quest is OPEN until all are taken or it is started.",
    )
    individual_rewards: bool = strawberry.field(
        default=False,
        description="true: each performer gets the whole reward. false: they share it; what does "
        "not divide goes to whoever joined first.",
    )
    dual_attestation: bool = strawberry.field(
        default=False, description="COMPLETE only when a performer has attested, too."
    )
    claimed_at: AWSDateTime | None = None
    submitted_at: AWSDateTime | None = None
    completed_at: AWSDateTime | None = None
    expires_at: AWSDateTime | None = strawberry.field(
        default=None, description="From then on an OPEN or CLAIMED quest is EXPIRED."
    )
    submission: str | None = strawberry.field(default=None, description=TO_PARTIES)
    attestations: list[Attestation] = strawberry.field(default_factory=list)
    tags: list[str] = strawberry.field(default_factory=list)
    requirements: list[str] = strawberry.field(default_factory=list)
    category_id: strawberry.ID | None = None
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
        """When the clock will change it, if nobody does."""
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

    def overdue(self, now: str) -> QuestAction | None:
        """What the clock has to do to it by now."""
        if self.due_at is None or now < self.due_at:
            return None
        expired = self.expires_at is not None and self.expires_at <= now
        return QuestAction.EXPIRE if expired else QuestAction.LAPSE

    def as_of(self, now: AWSDateTime) -> "Quest":
        """As it is by now, whether or not that has been written yet."""
        match self.overdue(now):
            case QuestAction.EXPIRE:
                return self.vacated(status=QuestStatus.EXPIRED)
            case QuestAction.LAPSE:
                return self.vacated(status=QuestStatus.OPEN)
            case _:
                return self

    def vacated(self, *, status: QuestStatus) -> "Quest":
        """Whoever takes it next begins anew: what was attested was other work."""
        return dataclasses.replace(
            self,
            status=status,
            performers=[],
            performer_id=None,
            claimed_at=None,
            submitted_at=None,
            submission=None,
            requirements_met=[],
            attestations=[],
            stale_at=None,
            returned_at=None,
        )

    def with_performers(self, performers: list[strawberry.ID]) -> "Quest":
        first = performers[0] if performers else None
        return dataclasses.replace(self, performers=performers, performer_id=first)

    def concerns(self, user_id: str | None) -> bool:
        return user_id is not None and user_id in (self.creator_id, *self.performers)

    def has_attested(self, user_id: str, role: AttesterRole) -> bool:
        return any(e.attester_id == user_id and e.role is role for e in self.attestations)

    @computed(
        description="The requirements, and which of them the performers ticked off.",
        reads=["requirements"],
    )
    def checklist(self) -> list[ChecklistItem]:
        met = set(self.requirements_met)
        return [ChecklistItem(text=t, done=n in met) for n, t in enumerate(self.requirements)]

    @computed(description="Null if the account is gone.", reads=[])
    async def creator(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.creator_id)

    @computed(description="Null if there is none, or the account is gone.", reads=[])
    async def performer(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.performer_id) if self.performer_id else None

    @computed(description="Everything that was done to it, oldest first.", reads=[])
    async def history(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[QuestTransition]:
        fetch = partial(info.context.quests.history, self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


@strawberry.enum
class ListingRole(Enum):
    CREATED = "CREATED"
    PERFORMED = "PERFORMED"


LazyQuest = Annotated["Quest", strawberry.lazy("app.domains.quests.types")]


@strawberry.type(description="A quest in someone's own list; its id is the quest's.")
class QuestListing(Node):
    user_id: strawberry.Private[str]
    role: ListingRole

    @property
    def owned_quest_id(self) -> str | None:
        """Whoever leaves takes along what they created, not what they did for others."""
        return self.id if self.role is ListingRole.CREATED else None

    @computed(description="Null if it is gone.")
    async def quest(self, info: Info) -> LazyQuest | None:
        return await info.context.quests.quest(self.id)


@strawberry.type(description="Sign the message with your wallet (personal_sign, EIP-191).")
class WalletChallenge:
    address: str = strawberry.field(description="With the letter case of its checksum.")
    message: str
    expires_at: AWSDateTime
