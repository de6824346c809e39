"""People: the profile that all documents share, and what belongs to signing in."""

import dataclasses
from enum import Enum
from typing import TYPE_CHECKING

import strawberry

from app.core.record import Node, Record, computed
from app.core.scalars import AWSURL, AWSDate, AWSDateTime, AWSEmail, AWSTimestamp
from app.core.text import normal_email, normal_nickname
from app.domains.people.rules import level

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info


@strawberry.enum(description="Deactivated accounts are hidden until their owner signs in again.")
class UserStatus(Enum):
    active = "active"
    deactivated = "deactivated"
    deleting = "deleting"


@strawberry.enum
class Tier(Enum):
    free = "free"
    pro = "pro"


@strawberry.type(description="How the owner likes things. Each may be set or cleared alone.")
class Preferences:
    theme: str | None = strawberry.field(default=None, description="e.g. light, dark, system")
    default_area: str | None = strawberry.field(
        default=None, description="The life area that new things start with, e.g. Health."
    )
    notifications: bool | None = strawberry.field(
        default=None,
        description="false: nothing is sent, only the inbox fills. null counts as true.",
    )


@strawberry.type(description="What someone earned and did in quests.")
class UserStats(Record):
    user_id: strawberry.Private[str]
    reputation: int = 0
    experience_points: int = 0
    quests_created: int = 0
    quests_completed: int = 0
    attestations_given: int = 0
    attestations_received: int = 0

    @computed(description="floor(√(experiencePoints / 100)) + 1")
    def level(self) -> int:
        return level(self.experience_points)


PRIVATE = "Null unless it is you."


@strawberry.type(description="Someone with an account. Private fields are null unless it is you.")
class User(Node):
    user_id: strawberry.Private[str]
    nickname: str = strawberry.field(
        description="Unique, whatever the letter case. 3 to 30 letters, digits, or _ - ."
    )
    email: AWSEmail | None = strawberry.field(default=None, description=PRIVATE)
    email_verified: bool | None = strawberry.field(default=None, description=PRIVATE)
    full_name: str | None = strawberry.field(default=None, description=PRIVATE)
    display_name: str | None = None
    birth_date: AWSDate | None = strawberry.field(default=None, description=PRIVATE)
    status: UserStatus = UserStatus.active
    country: str | None = strawberry.field(default=None, description="Two letters, e.g. PT.")
    language: str | None = strawberry.field(default=None, description="BCP 47, e.g. pt-BR.")
    gender: str | None = strawberry.field(default=None, description=PRIVATE)
    pronouns: str | None = None
    bio: str | None = None
    avatar_url: AWSURL | None = None
    tags: list[str] = strawberry.field(default_factory=list, description="At most 20.")
    tier: Tier | None = strawberry.field(default=Tier.free, description=PRIVATE)
    time_zone: str | None = strawberry.field(
        default="UTC", description=f"IANA name; decides when a day begins. {PRIVATE}"
    )
    day_start_hour: int | None = strawberry.field(
        default=0, description=f"0 to 6: the hour at which a new day begins. {PRIVATE}"
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

    @property
    def nickname_key(self) -> str:
        return normal_nickname(self.nickname)

    @property
    def email_key(self) -> str | None:
        return normal_email(self.email) if self.email else None

    @computed(description="What they earned and did in quests.")
    async def stats(self, info: Info) -> UserStats:
        return await info.context.profiles.stats(self.id)


@strawberry.type
class EmailLock(Record):
    """Whoever holds it owns the address: an index cannot promise that."""

    user_id: str
    email: str


@strawberry.type
class NicknameLock(Record):
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
    `turn` counts the refreshes; only the refresh token of the current turn is good."""

    id: str
    user_id: str
    generation: int
    turn: int = 0
    refreshed_at: AWSDateTime
    ttl: int


@strawberry.type
class Departure(Record):
    """An account was deleted: tokens from before are refused, late writes swept once more."""

    user_id: str
    sweep_after: AWSDateTime | None = None
    ttl: int


@strawberry.type
class LoginAttempts(Record):
    """How often a password was tried for one address and email, until `ttl`."""

    pair: str
    count: int
    ttl: int


@strawberry.type(description="Proof of having signed in.")
class Session:
    access_token: str = strawberry.field(description="Send it as the Authorization header.")
    refresh_token: str = strawberry.field(
        description="For refreshSession. It is replaced each time it is used."
    )
    expires_at: AWSTimestamp = strawberry.field(
        description="When the access token ends, in seconds since 1970."
    )
    user: User
