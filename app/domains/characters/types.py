"""Characters of a game, what their players aim at, and how far they are."""

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import strawberry

from app.core.record import Node, Record, computed
from app.core.scalars import AWSDate, AWSDateTime
from app.domains.characters.rules.targets import TargetType, target_experience
from app.domains.notifications.types import ChannelType, NotificationFrequency
from app.graph.paging import Limit, NextToken, Page, page

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info

Since = Annotated[
    str | None,
    strawberry.argument(
        name="from", description="A day or a moment in UTC, which is included; null: all."
    ),
]
Until = Annotated[
    str | None,
    strawberry.argument(
        name="to", description="A day, which is included whole, or a moment, in UTC; null: all."
    ),
]
NewestFirst = Annotated[
    bool | None, strawberry.argument(description="true: from the newest to the oldest.")
]


@strawberry.enum(description="What the hiscores said last. UNKNOWN: they were not asked yet.")
class HiscoresStatus(Enum):
    UNKNOWN = "UNKNOWN"
    RANKED = "RANKED"
    UNRANKED = "UNRANKED"


@strawberry.type
class FormerName:
    name: str
    until: AWSDateTime


@strawberry.type(description="A character of yours.")
class Character(Node):
    """`key` is what its goals stand under: the name it was added by, whatever its name is now."""

    user_id: strawberry.Private[str]
    key: strawberry.Private[str]
    name_key: strawberry.Private[str]
    name: str = strawberry.field(description="As you spell it. - and _ count as spaces.")
    former_names: list[FormerName] = strawberry.field(
        default_factory=list, description="What it was called before, the oldest first."
    )
    tracked_skills: list[str] = strawberry.field(
        default_factory=list, description="What its goals are about, each once."
    )
    archived_at: AWSDateTime | None = strawberry.field(
        default=None, description="Since when nothing is looked up or sent for it; null: it is."
    )
    hiscores_status: HiscoresStatus = HiscoresStatus.UNKNOWN
    polled_at: AWSDateTime | None = strawberry.field(
        default=None, description="Of when the latest hiscores are."
    )

    @computed(description="Its goals, the oldest first.")
    async def goals(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page["CharacterGoal"]:
        fetch = partial(info.context.character_goals.goals_of, self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


@strawberry.type(description="What was measured at one moment.")
class ProgressRecord(Record):
    user_id: strawberry.Private[str]
    character_key: strawberry.Private[str]
    goal_id: strawberry.ID
    timestamp: AWSDateTime
    progress_value: int = strawberry.field(
        description="Experience, level, score or rank, as the goal counts."
    )
    flagged: bool = strawberry.field(
        default=False,
        description="true: it is below what was measured before, which cannot be; perhaps a "
        "mistake, or another character has the name now.",
    )
    ttl: strawberry.Private[int | None] = None

    @computed(description="The goal, as it stands now; null if it was deleted.")
    async def goal(self, info: Info) -> "CharacterGoal | None":
        return await info.context.character_goals.goal(self.goal_id)


@strawberry.type
class LatestProgress(Record):
    """The newest record of a goal, for one quick read."""

    user_id: str
    character_key: str
    goal_id: str
    timestamp: str
    progress_value: int
    flagged: bool = False


@strawberry.type
class EarliestProgress(Record):
    """The oldest record of a goal: what all was measured from, kept when old records go."""

    user_id: str
    character_key: str
    goal_id: str
    timestamp: str
    progress_value: int
    flagged: bool = False


@strawberry.type(description="Where a goal stands, and when it will be reached at this pace.")
class Forecast:
    absolute: float = strawberry.field(
        description="0 to 1: the latest value of the target; of a rank, the target of the value."
    )
    since_start: float = strawberry.field(
        description="0 to 1: the way since the earliest record. 1 only when it is reached."
    )
    remaining: int = strawberry.field(description="What is still to gain.")
    needed_per_day: int | None = strawberry.field(
        description="To be there on targetDate; null without one, or after it."
    )
    pace: float | None = strawberry.field(
        description="Gained a day, from the earliest to the latest record; null with one record."
    )
    estimated_date: AWSDate | None = strawberry.field(
        description="When it is reached at this pace (UTC); null: never, or not known yet."
    )
    on_track: bool | None = strawberry.field(
        description="Whether that is in time; null without targetDate or without a pace."
    )


@strawberry.type(description="Something to reach with a character.")
class CharacterGoal(Node):
    user_id: strawberry.Private[str]
    character_key: strawberry.Private[str]
    character_name: str
    target_attribute: str = strawberry.field(description="A skill or an activity.")
    target_type: TargetType
    target_value: int
    target_date: AWSDate | None = None
    notification_channel_type: ChannelType | None = strawberry.field(
        default=None,
        description="Where messages go, beside the inbox, if you have a verified channel of this "
        "type; null: to the inbox only.",
    )
    frequency: NotificationFrequency | None = strawberry.field(
        default=None, description="How often you are told; null: only when it is reached."
    )
    retention_days: int | None = strawberry.field(
        default=None,
        description="How long new records are kept; the earliest and the latest stay. "
        "null: for ever.",
    )
    achieved_at: AWSDateTime | None = strawberry.field(
        default=None, description="When the target was reached; then one last message is sent."
    )
    poll_at: strawberry.Private[str | None] = None
    send_at: strawberry.Private[str | None] = None
    shard: strawberry.Private[str | None] = None

    @property
    def just_achieved(self) -> bool:
        """Its last message is still to be sent."""
        return self.achieved_at is not None and self.send_at is not None

    @property
    def next_at(self) -> str | None:
        return min((each for each in (self.poll_at, self.send_at) if each), default=None)

    @property
    def due_day(self) -> str | None:
        return self.next_at[:10].replace("-", "") if self.next_at else None

    @computed(description="The target as experience; null for scores, ranks and Overall levels.")
    def target_xp(self) -> int | None:
        return target_experience(self.target_attribute, self.target_type, self.target_value)

    @computed(description="The newest record.")
    async def latest(self, info: Info) -> ProgressRecord | None:
        return await info.context.character_goals.latest(self)

    @computed(description="The oldest record.")
    async def earliest(self, info: Info) -> ProgressRecord | None:
        return await info.context.character_goals.earliest(self)

    @computed(description="null until something is recorded.")
    async def forecast(self, info: Info) -> Forecast | None:
        return await info.context.character_goals.forecast(self)

    @computed(description="What was measured, moment by moment.")
    async def progress(
        self,
        info: Info,
        since: Since = None,
        until: Until = None,
        newest_first: NewestFirst = False,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[ProgressRecord]:
        fetch = partial(
            info.context.character_goals.progress,
            self,
            since,
            until,
            newest_first=bool(newest_first),
        )
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


@strawberry.type
class GoalPlace(Record):
    """Which character a goal is of: its own key has the character in it, an id alone does not."""

    user_id: str
    goal_id: str
    character_key: str


@strawberry.type
class GoalRemains(Record):
    """A goal was deleted; its records are still to go."""

    user_id: str
    goal_id: str
    character_key: str


@strawberry.type(description="How many characters have a goal for a skill.")
class PopularSkill(Record):
    skill: str
    count: int = 0


@strawberry.type
class HiscoresPage(Record):
    """What the hiscores said of a name, for everyone who follows it; and when to ask again."""

    name: str
    status: HiscoresStatus = HiscoresStatus.UNKNOWN
    polled_at: AWSDateTime | None = None
    next_poll_at: AWSDateTime
    failures: int = 0
    content: str | None = None
    ttl: int
