"""People: the profile of an account, and what signing in stores."""

import dataclasses
from dataclasses import dataclass
from enum import Enum

import strawberry

from app.core.confusables import nickname_skeletons
from app.core.enums import enum_type
from app.core.record import STORED_AS, Node, Record
from app.core.scalars import AWSURL, AWSDate, AWSDateTime, AWSEmail, AWSTimestamp, WholeNumber
from app.core.text import normalize_email, normalize_nickname


@enum_type(
    "Deactivated accounts are hidden until their owner signs in again.",
    active="Everything works.",
    deactivated="Hidden until its owner signs in again.",
    deleting="Its data are being deleted.",
)
class UserStatus(Enum):
    active = "active"
    deactivated = "deactivated"
    deleting = "deleting"


@enum_type(
    "The plan that an account is on.",
    free="The default.",
    pro="Paid for.",
)
class Tier(Enum):
    free = "free"
    pro = "pro"


@strawberry.type(description="The owner's preferences. Each may be set or cleared by itself.")
class Preferences:
    theme: str | None = strawberry.field(default=None, description="e.g. light, dark, system")
    default_area: str | None = strawberry.field(
        default=None, description="The life area that new records start with, e.g. Health."
    )
    notifications: bool | None = strawberry.field(
        default=None,
        description="false: notifications appear in the inbox only. null counts as true.",
    )


@strawberry.type(description="How a level follows from experience, and how far the next one is.")
class LevelProgress:
    level: int = strawberry.field(description="The level that this experience gives.")
    experience: WholeNumber = strawberry.field(description="The experience, a whole number.")
    experience_of_level: WholeNumber = strawberry.field(description="Where this level begins.")
    experience_of_next_level: WholeNumber | None = strawberry.field(
        description="Where the next level begins; null: this is the highest."
    )
    remaining: WholeNumber | None = strawberry.field(
        description="Experience to gain for the next level; null: this is the highest."
    )
    share: float = strawberry.field(
        description="0 to 1: how much of the way from this level to the next is done. Below 1 "
        "except at the highest level."
    )


@strawberry.type(description="A user's counters of quests and rewards.")
class UserStats(Record):
    user_id: strawberry.Private[str]
    reputation: int = strawberry.field(
        default=0,
        description="Earned by quests.",
    )
    experience_points: int = strawberry.field(
        default=0,
        description="Earned by quests; they decide the level.",
    )
    quests_created: int = strawberry.field(
        default=0,
        description="How many quests the user has created.",
    )
    quests_completed: int = strawberry.field(
        default=0,
        description="How many quests the user has completed for others.",
    )
    attestations_given: int = strawberry.field(
        default=0,
        description="How often the user has attested.",
    )
    attestations_received: int = strawberry.field(
        default=0,
        description="How often the user was attested.",
    )


PRIVATE = "Null for everyone but the user."


@strawberry.type(description="A user. Private fields are null for everyone else.")
class User(Node):
    user_id: strawberry.Private[str]
    nickname: str = strawberry.field(
        description="Unique, ignoring letter case and signs that look alike. 3 to 30 letters, "
        "digits, or _ - ."
    )
    email: AWSEmail | None = strawberry.field(default=None, description=PRIVATE)
    email_verified: bool | None = strawberry.field(default=None, description=PRIVATE)
    full_name: str | None = strawberry.field(default=None, description=PRIVATE)
    display_name: str | None = strawberry.field(
        default=None,
        description="The name that is shown; null: the nickname is.",
    )
    birth_date: AWSDate | None = strawberry.field(default=None, description=PRIVATE)
    status: UserStatus = strawberry.field(
        default=UserStatus.active,
        description="A deactivated account is hidden from others.",
    )
    country: str | None = strawberry.field(default=None, description="Two letters, e.g. PT.")
    language: str | None = strawberry.field(default=None, description="BCP 47, e.g. pt-BR.")
    gender: str | None = strawberry.field(default=None, description=PRIVATE)
    pronouns: str | None = strawberry.field(
        default=None,
        description="As the user wants to be referred to; null: not said.",
    )
    bio: str | None = strawberry.field(
        default=None,
        description="A few words about the user; null: none.",
    )
    avatar_url: AWSURL | None = strawberry.field(
        default=None,
        description="The address of a picture; null: none. The server never fetches it.",
    )
    tags: list[str] = strawberry.field(
        default_factory=list,
        description="Words about the user.",
    )
    tier: Tier | None = strawberry.field(default=Tier.free, description=PRIVATE)
    time_zone: str | None = strawberry.field(
        default="UTC", description=f"IANA name; decides when a day begins. {PRIVATE}"
    )
    day_start_hour: int | None = strawberry.field(
        default=0,
        description="The hour at which a new day begins. Null for everyone but the user.",
    )
    wallet_address: str | None = strawberry.field(
        default=None, description="Ethereum address, proven by signature."
    )
    preferences: Preferences | None = strawberry.field(
        default_factory=Preferences, description=PRIVATE
    )
    groups: strawberry.Private[list[str]] = dataclasses.field(default_factory=list)
    deleting_since: strawberry.Private[str | None] = None
    generation: strawberry.Private[int] = 0
    signed_out_at: strawberry.Private[str | None] = None
    skeleton_locked: strawberry.Private[bool] = False

    @property
    def nickname_key(self) -> str:
        return normalize_nickname(self.nickname)

    @property
    def nickname_skeletons(self) -> list[str]:
        return nickname_skeletons(self.nickname)

    @property
    def email_key(self) -> str | None:
        return normalize_email(self.email) if self.email else None


@strawberry.type
class EmailLock(Record):
    """Makes an email unique: its holder owns the address. An index cannot guarantee that."""

    user_id: str
    email: str


@strawberry.type
class NicknameSkeletonLock(Record):
    """Makes what a nickname looks like unique."""

    user_id: str
    skeleton: str


@strawberry.type
class NicknameLock(Record):
    """Makes a nickname unique."""

    user_id: str
    nickname: str


@strawberry.type
class Credential(Record):
    user_id: str
    kind: str
    password_hash: str


@strawberry.type
class SignedInSession(Record):
    """Alive while the user's generation is the same: raising that ends all sessions in one write.
    Only the refresh token of the current `refresh_count` is good."""

    id: str
    user_id: str
    generation: int
    refresh_count: int = strawberry.field(default=0, metadata={STORED_AS: "turn"})
    refreshed_at: AWSDateTime
    ttl: int


@strawberry.type
class AccountTombstone(Record):
    """Marks a deleted account: its tokens are refused, and late writes are erased once more."""

    user_id: str
    sweep_after: AWSDateTime | None = None
    ttl: int


@strawberry.type
class LoginAttempts(Record):
    """Wrong passwords of late for one pair of network address and email.

    `failures`: when, in seconds since 1970. Servers of the release before know only `count` and
    `ttl`, and raise `count` alone.
    """

    pair: str
    count: int
    ttl: int
    failures: list[int] = dataclasses.field(default_factory=list)


@strawberry.type(description="The tokens of a signed-in user.")
class Session:
    access_token: str = strawberry.field(description="Send it as the Authorization header.")
    refresh_token: str = strawberry.field(
        description="For refreshSession. It is replaced each time it is used."
    )
    expires_at: AWSTimestamp = strawberry.field(
        description="When the access token expires, in seconds since 1970."
    )
    user: User = strawberry.field(description="Who is signed in.")


@dataclass(frozen=True, slots=True)
class RefreshToken:
    user_id: str
    session_id: str
    refresh_count: int
    signature: str


@dataclass(frozen=True, slots=True)
class AccountState:
    """What decides whether a token is still good."""

    user: User | None
    session: SignedInSession | None
    tombstone: AccountTombstone | None
