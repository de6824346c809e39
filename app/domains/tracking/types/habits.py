"""Habits and their logs."""

import dataclasses
from datetime import date
from decimal import Decimal
from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.record import Node, Record, computed
from app.core.scalars import AWSDate


@enum_type(
    "Reduce and Quit succeed by absence: their streak counts clean days.",
    Build="Something new to do regularly.",
    Maintain="Something to keep doing.",
    Reduce="Something to do less often.",
    Quit="Something to stop.",
)
class HabitType(Enum):
    Build = "Build"
    Maintain = "Maintain"
    Reduce = "Reduce"
    Quit = "Quit"


@enum_type(
    "How often a habit is due.",
    Daily="Every day, or on its weekdays.",
    Weekly="So many times a week.",
    Monthly="So many times a month.",
    Custom="Every so many days.",
)
class Frequency(Enum):
    Daily = "Daily"
    Weekly = "Weekly"
    Monthly = "Monthly"
    Custom = "Custom"


@enum_type(
    "A day of the week.",
    Mon="Monday.",
    Tue="Tuesday.",
    Wed="Wednesday.",
    Thu="Thursday.",
    Fri="Friday.",
    Sat="Saturday.",
    Sun="Sunday.",
)
class Weekday(Enum):
    Mon = "Mon"
    Tue = "Tue"
    Wed = "Wed"
    Thu = "Thu"
    Fri = "Fri"
    Sat = "Sat"
    Sun = "Sun"


@enum_type(
    "What happened on a day. DONE is for habits to build or maintain, SLIP for those to reduce or "
    "quit.",
    DONE="It was done. Only for Build and Maintain.",
    SLIP="It happened although it was to be avoided. Only for Reduce and Quit.",
    MISSED="It was not done: for Build and Maintain a due day that is lost, for Reduce and Quit a "
    "clean day.",
    SKIP="It does not count that day: neither adds to a streak nor breaks it.",
    FREEZE="A freeze that was bought kept the streak.",
)
class LogKind(Enum):
    DONE = "DONE"
    SLIP = "SLIP"
    MISSED = "MISSED"
    SKIP = "SKIP"
    FREEZE = "FREEZE"


@enum_type(
    "Paused days neither add to a streak nor break it.",
    Active="It is due by its frequency.",
    Paused="Its days neither add to a streak nor break it.",
    Archived="It takes no logs.",
)
class HabitStatus(Enum):
    Active = "Active"
    Paused = "Paused"
    Archived = "Archived"


@strawberry.type(description="The log of one day. A habit has at most one log a day.")
class HabitLog(Record):
    user_id: strawberry.Private[str]
    habit_id: strawberry.ID = strawberry.field(description="The habit.")
    date: AWSDate = strawberry.field(description="The day that it counts for.")
    # A slip is stored as DONE, as release 0.1 does: the habit's type tells them apart.
    kind: strawberry.Private[LogKind]
    completed: bool = strawberry.field(
        description="Whether it was done: true if the kind is DONE or SLIP."
    )
    notes: str | None = strawberry.field(
        default=None,
        description="Your notes about that day; null: none.",
    )

    @computed(description="The habit's id and the day.")
    def id(self) -> strawberry.ID:
        return strawberry.ID(f"{self.habit_id}:{self.date}")


@strawberry.type(description="Days on which the habit was paused.")
class Pause:
    since: AWSDate = strawberry.field(description="The first day.")
    until: AWSDate | None = strawberry.field(
        default=None, description="The last day; null: it has not ended."
    )

    @property
    def days(self) -> tuple[date, date | None]:
        until = date.fromisoformat(self.until) if self.until else None
        return date.fromisoformat(self.since), until


@dataclasses.dataclass(frozen=True)
class HabitState:
    """The state after the day `through`. `recent`: the logs that later days need."""

    through: str
    streak: int = 0
    longest: int = 0
    strength: Decimal = Decimal(0)
    recent: dict[str, str] = dataclasses.field(default_factory=dict)
    # Release 0.1 did not know the limit of a habit to reduce: every slip broke its streak.
    honours_limit: bool = False

    @property
    def logs(self) -> dict[date, LogKind]:
        return {date.fromisoformat(day): LogKind(kind) for day, kind in self.recent.items()}


@strawberry.type(description="Something that you do, or avoid, repeatedly.")
class Habit(Node):
    user_id: strawberry.Private[str]
    name: str = strawberry.field(description="What you want to do, or to stop doing.")
    description: str | None = strawberry.field(
        default=None,
        description="Why it matters to you.",
    )
    area: str | None = strawberry.field(default=None, description="Life area, e.g. Health.")
    sub_category: str | None = strawberry.field(
        default=None,
        description="A part of the area, in your own words; null: none.",
    )
    habit_type: HabitType = strawberry.field(
        default=HabitType.Build,
        description="Whether it succeeds by doing (Build, Maintain) or by not doing (Reduce, "
        "Quit).",
    )
    frequency: Frequency = strawberry.field(
        default=Frequency.Daily,
        description="Daily: every day, or on the weekdays. Weekly, Monthly: targetPerPeriod "
        "times a week (from Monday) or month. Custom: on the weekdays, or targetPerPeriod times "
        "in every intervalDays days.",
    )
    weekdays: list[Weekday] = strawberry.field(
        default_factory=list, description="The days on which it is due; empty: every day."
    )
    target_per_period: int = strawberry.field(
        default=1,
        description="How often it is due in a week, a month or intervalDays. For Reduce: the most "
        "days with a slip in such a period that keep the streak; one more breaks it. With Daily, "
        "or on weekdays, every slip of a Reduce habit breaks it; of a Quit habit it always does.",
    )
    interval_days: int | None = strawberry.field(
        default=None,
        description="Days from one to the next, for Custom without weekdays.",
    )
    start_date: AWSDate = strawberry.field(description="The first day that counts.")
    trigger: str | None = strawberry.field(
        default=None,
        description="What it follows, e.g. the morning coffee; null: not said.",
    )
    action: str | None = strawberry.field(
        default=None,
        description="What exactly you do then; null: not said.",
    )
    reward: str | None = strawberry.field(
        default=None,
        description="What you give yourself afterwards; null: not said.",
    )
    friction_up: str | None = strawberry.field(
        default=None, description="What makes a bad habit harder."
    )
    friction_down: str | None = strawberry.field(
        default=None, description="What makes a good habit easier."
    )
    status: HabitStatus = strawberry.field(
        default=HabitStatus.Active,
        description="Archived habits take no logs.",
    )
    pauses: list[Pause] = strawberry.field(
        default_factory=list,
        description="The ranges of days in which it was paused.",
    )
    goal_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="The goals it is linked to."
    )
    cached_streak: strawberry.Private[int] = 0
    cached_longest_streak: strawberry.Private[int] = 0
    state: strawberry.Private[HabitState | None] = None


@dataclasses.dataclass(frozen=True, slots=True)
class HabitCompletion:
    """How often a habit was done in the last 30 days, and how often it should have been.
    Skipped, frozen and paused days do not count; today counts once it is done."""

    done: int
    expected: int
