"""Habits and their logs."""

import dataclasses
from datetime import date
from decimal import Decimal
from enum import Enum

import strawberry

from app.core.record import Node, Record, computed
from app.core.scalars import AWSDate


@strawberry.enum(description="Reduce and Quit succeed by absence: their streak counts clean days.")
class HabitType(Enum):
    Build = "Build"
    Maintain = "Maintain"
    Reduce = "Reduce"
    Quit = "Quit"


@strawberry.enum
class Frequency(Enum):
    Daily = "Daily"
    Weekly = "Weekly"
    Monthly = "Monthly"
    Custom = "Custom"


@strawberry.enum
class Weekday(Enum):
    Mon = "Mon"
    Tue = "Tue"
    Wed = "Wed"
    Thu = "Thu"
    Fri = "Fri"
    Sat = "Sat"
    Sun = "Sun"


@strawberry.enum(
    description="DONE: it was done (for Reduce and Quit: a slip). MISSED: it was not. SKIP and "
    "FREEZE neither add to a streak nor break it; FREEZE uses up a freeze that was bought."
)
class LogKind(Enum):
    DONE = "DONE"
    MISSED = "MISSED"
    SKIP = "SKIP"
    FREEZE = "FREEZE"


@strawberry.enum(description="Paused days neither add to a streak nor break it.")
class HabitStatus(Enum):
    Active = "Active"
    Paused = "Paused"
    Archived = "Archived"


@strawberry.type(description="The log of one day. A habit has at most one log a day.")
class HabitLog(Record):
    user_id: strawberry.Private[str]
    habit_id: strawberry.ID
    date: AWSDate
    kind: LogKind
    completed: bool = strawberry.field(description="true if the kind is DONE.")
    notes: str | None = None

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

    @property
    def logs(self) -> dict[date, LogKind]:
        return {date.fromisoformat(day): LogKind(kind) for day, kind in self.recent.items()}


@strawberry.type(description="Something that you do, or avoid, repeatedly.")
class Habit(Node):
    user_id: strawberry.Private[str]
    name: str
    description: str | None = None
    area: str | None = strawberry.field(default=None, description="Life area, e.g. Health.")
    sub_category: str | None = None
    habit_type: HabitType = HabitType.Build
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
        default=1, description="How often it is due in a week, a month or intervalDays."
    )
    interval_days: int | None = strawberry.field(default=None, description="2 to 31, for Custom.")
    start_date: AWSDate
    trigger: str | None = None
    action: str | None = None
    reward: str | None = None
    friction_up: str | None = strawberry.field(
        default=None, description="What makes a bad habit harder."
    )
    friction_down: str | None = strawberry.field(
        default=None, description="What makes a good habit easier."
    )
    status: HabitStatus = HabitStatus.Active
    pauses: list[Pause] = strawberry.field(default_factory=list)
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
