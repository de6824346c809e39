"""Characters of a game, what their players aim at, and how far they are."""

from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.record import Node, Record
from app.core.scalars import AWSDate, AWSDateTime, WholeNumber
from app.domains.notifications.types import ChannelType, NotificationFrequency
from app.domains.people.types import LevelProgress


@enum_type(
    "xp: experience in a skill, up to 200,000,000. level: 1 to 126. score: of an activity. rank: "
    "in the hiscores, where lower is better.",
    xp="Experience in a skill, 1 to 200,000,000 (Overall: more).",
    level="The level of a skill, 1 to 126.",
    score="The score of an activity.",
    rank="The rank in the hiscores: lower is better.",
)
class TargetType(Enum):
    xp = "xp"
    level = "level"
    score = "score"
    rank = "rank"


@enum_type(
    "What the hiscores have rows for.",
    SKILL="Trained by experience; goals for xp, level or rank.",
    ACTIVITY="A boss, minigame or clue scroll; goals for score or rank.",
)
class TargetAttributeKind(Enum):
    SKILL = "SKILL"
    ACTIVITY = "ACTIVITY"


@strawberry.type(description="A skill or an activity that a goal can be about.")
class TargetAttribute:
    name: str = strawberry.field(description="As the game spells it: send it as targetAttribute.")
    kind: TargetAttributeKind = strawberry.field(description="A skill or an activity.")
    target_types: list[TargetType] = strawberry.field(
        description="The values of targetType that it has."
    )


@enum_type(
    "The last answer of the hiscores. UNKNOWN: they were not asked yet.",
    UNKNOWN="They were not asked yet.",
    RANKED="They list the character.",
    UNRANKED="They do not list the character.",
)
class HiscoresStatus(Enum):
    UNKNOWN = "UNKNOWN"
    RANKED = "RANKED"
    UNRANKED = "UNRANKED"


@strawberry.type(description="A name that a character had before.")
class FormerName:
    name: str = strawberry.field(description="The name as it was.")
    until: AWSDateTime = strawberry.field(description="When it was changed.")


@strawberry.type(description="A character of yours.")
class Character(Node):
    """`key` is part of its goals' keys. It is the name it was added by; renaming keeps it."""

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
        default=None, description="Since then nothing is polled or sent for it; null: not archived."
    )
    hiscores_status: HiscoresStatus = strawberry.field(
        default=HiscoresStatus.UNKNOWN,
        description="What the hiscores said when they were last asked.",
    )
    polled_at: AWSDateTime | None = strawberry.field(
        default=None, description="When the hiscores last answered."
    )


@strawberry.type(description="A skill of a character, as the hiscores had it.")
class SkillStat:
    name: str = strawberry.field(description="As the game spells it.")
    rank: WholeNumber = strawberry.field(description="Among all players; 1 is the best.")
    level: int | None = strawberry.field(
        description="As the hiscores show it: 99 at most, for Overall the sum; null: not known."
    )
    xp: WholeNumber = strawberry.field(description="Experience, a whole number.")
    level_progress: LevelProgress | None = strawberry.field(
        description="The level by experience, up to 126, and how far the next one is; null for "
        "Overall."
    )


@strawberry.type(description="An activity of a character, as the hiscores had it.")
class ActivityStat:
    name: str = strawberry.field(
        description="As the game spells it; in small letters if targetAttributes does not list it."
    )
    rank: WholeNumber = strawberry.field(description="Among all players; 1 is the best.")
    score: WholeNumber = strawberry.field(description="Kills, points or what it counts.")


@strawberry.type(description="What the hiscores said of a character when they last answered.")
class CharacterStats:
    read_at: AWSDateTime = strawberry.field(
        description="When they answered; refreshCharacter asks again."
    )
    skills: list[SkillStat] = strawberry.field(
        description="In the order of targetAttributes; those without a rank are left out."
    )
    activities: list[ActivityStat] = strawberry.field(
        description="In the order of targetAttributes, then others by name; those without a rank "
        "are left out."
    )


@strawberry.type(description="What was measured at one moment.")
class ProgressRecord(Record):
    user_id: strawberry.Private[str]
    character_key: strawberry.Private[str]
    goal_id: strawberry.ID = strawberry.field(description="The goal.")
    timestamp: AWSDateTime = strawberry.field(description="When the value was measured.")
    progress_value: WholeNumber = strawberry.field(
        description="Experience, level, score or rank, as the goal counts: a whole number."
    )
    flagged: bool = strawberry.field(
        default=False,
        description="true: it is below the value that was measured just before it, which is "
        "impossible; in which order they were recorded does not matter. Perhaps one of the two is "
        "a mistake (correctProgress, deleteProgress), or another character has the name now.",
    )
    ttl: strawberry.Private[int | None] = None


@strawberry.type
class LatestProgress(Record):
    """The newest record of a goal, for one quick read. Its version rises with every change of the
    goal's records."""

    user_id: str
    character_key: str
    goal_id: str
    timestamp: str
    progress_value: WholeNumber
    flagged: bool = False
    record_version: int = 1


@strawberry.type
class EarliestProgress(Record):
    """The oldest record of a goal, where its progress begins. It outlives expired records."""

    user_id: str
    character_key: str
    goal_id: str
    timestamp: str
    progress_value: WholeNumber
    flagged: bool = False
    record_version: int = 1


@strawberry.type(description="The numbers that a forecast follows from.")
class ForecastParts:
    first_value: WholeNumber = strawberry.field(description="The value of the earliest record.")
    first_at: AWSDateTime = strawberry.field(description="When it was measured.")
    latest_value: WholeNumber = strawberry.field(description="The value of the latest record.")
    latest_at: AWSDateTime = strawberry.field(description="When it was measured.")
    target_value: WholeNumber = strawberry.field(description="The value to reach.")
    gained: WholeNumber = strawberry.field(
        description="From the earliest to the latest record; negative: lost. Of a rank, how many "
        "places better it is."
    )
    days: float = strawberry.field(
        description="From the earliest record to now. pace is gained divided by it."
    )
    days_to_target: float | None = strawberry.field(
        description="remaining divided by pace, from now on; null: reached, never, or not known."
    )
    days_left: int | None = strawberry.field(
        description="Whole days from today to targetDate in your time zone; negative after it; "
        "null without targetDate."
    )


@strawberry.type(description="How far a goal is, and when it will be reached at this pace.")
class Forecast:
    absolute: float = strawberry.field(
        description="0 to 1: the latest value of the target; of a rank, the target of the value."
    )
    since_start: float = strawberry.field(
        description="0 to 1: progress since the earliest record. 1 only when it is reached."
    )
    remaining: WholeNumber = strawberry.field(description="What is still to gain.")
    needed_per_day: WholeNumber | None = strawberry.field(
        description="To reach it on targetDate; null without one, or after it."
    )
    pace: float | None = strawberry.field(
        description="Gained a day, from the earliest record to now: it falls while nothing new is "
        "recorded, and is 0 at a standstill. null on the first day of the only record."
    )
    estimated_date: AWSDate | None = strawberry.field(
        description="The day, in your time zone, on which it is reached at this pace: today or "
        "later. null: reached already, never at this pace, or not known yet."
    )
    on_track: bool | None = strawberry.field(
        description="Whether that is in time, or it is reached; false at a standstill and after "
        "targetDate; null without targetDate or without a pace."
    )
    parts: ForecastParts = strawberry.field(description="Why: what the numbers follow from.")


@strawberry.type(description="Something to reach with a character.")
class CharacterGoal(Node):
    user_id: strawberry.Private[str]
    character_key: strawberry.Private[str]
    character_name: str = strawberry.field(description="The character, as its name is spelled now.")
    target_attribute: str = strawberry.field(description="A skill or an activity.")
    target_type: TargetType = strawberry.field(description="What is counted.")
    target_value: WholeNumber = strawberry.field(
        description="The value to reach, a whole number: at least 1. Up to 200,000,000 for xp of "
        "one skill, 126 for its level, 2^53 - 1 for Overall xp, scores and ranks."
    )
    target_date: AWSDate | None = strawberry.field(
        default=None,
        description="The day by which it is to be reached; null: no deadline.",
    )
    notification_channel_type: ChannelType | None = strawberry.field(
        default=None,
        description="Where messages go, beside the inbox, if you have a verified channel of this "
        "type; null: to the inbox only.",
    )
    frequency: NotificationFrequency | None = strawberry.field(
        default=None, description="How often you get a message; null: only when it is reached."
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


@strawberry.type
class GoalPointer(Record):
    """Points from a goal's id to its character, which is part of the goal's key."""

    user_id: str
    goal_id: str
    character_key: str


@strawberry.type
class DeletedGoal(Record):
    """A goal that was deleted while its records are still to be deleted."""

    user_id: str
    goal_id: str
    character_key: str


@strawberry.type
class DeletedCharacter(Record):
    """A character that was deleted while its goals are still to be deleted."""

    user_id: str
    character_key: str


@strawberry.type(description="How many characters have a goal for a skill.")
class PopularSkill(Record):
    skill: str = strawberry.field(description="The skill, as goals name it.")
    count: int = strawberry.field(
        default=0,
        description="How many goals are set for it.",
    )


@strawberry.type
class HiscoresPage(Record):
    """The last answer of the hiscores for a name, shared by all users, and when to ask again."""

    name: str
    status: HiscoresStatus = HiscoresStatus.UNKNOWN
    polled_at: AWSDateTime | None = None
    next_poll_at: AWSDateTime
    failures: int = 0
    content: str | None = None
    ttl: int
