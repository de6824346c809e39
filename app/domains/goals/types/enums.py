"""Enums of goals, tasks and projects. Their values are stored and are part of the schema."""

from enum import Enum

import strawberry


@strawberry.enum(description="P1 is the most urgent.")
class Priority(Enum):
    P1 = "P1"
    P2 = "P2"
    P3 = "P3"
    P4 = "P4"


@strawberry.enum(description="Blocked: waits for another task, or for something else.")
class TaskStatus(Enum):
    NotStarted = "NotStarted"
    InProgress = "InProgress"
    Blocked = "Blocked"
    OnHold = "OnHold"
    Done = "Done"
    Cancelled = "Cancelled"


@strawberry.enum(description="CREATED: by creation time. DUE: by due date; tasks without one last.")
class TaskOrder(Enum):
    CREATED = "CREATED"
    DUE = "DUE"


@strawberry.enum
class GoalStatus(Enum):
    Planning = "Planning"
    Active = "Active"
    OnTrack = "OnTrack"
    AtRisk = "AtRisk"
    Achieved = "Achieved"
    Abandoned = "Abandoned"


@strawberry.enum
class TimeHorizon(Enum):
    Yearly = "Yearly"
    Quarterly = "Quarterly"
    Monthly = "Monthly"
    Weekly = "Weekly"
    Daily = "Daily"


@strawberry.enum
class ProjectStatus(Enum):
    Planning = "Planning"
    Active = "Active"
    OnHold = "OnHold"
    Completed = "Completed"
    Cancelled = "Cancelled"


@strawberry.enum
class Health(Enum):
    green = "green"
    yellow = "yellow"
    red = "red"


@strawberry.enum
class RecurrenceFrequency(Enum):
    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"


@strawberry.enum(
    description="The day from which the next occurrence is counted. DUE: the due date. "
    "COMPLETION: the day of completion, in your time zone; the weekday or day of the month of the "
    "first due date is not kept, unless an rrule names it."
)
class RecurrenceMode(Enum):
    DUE = "DUE"
    COMPLETION = "COMPLETION"


OPEN_TASK_STATUSES = (
    TaskStatus.NotStarted,
    TaskStatus.InProgress,
    TaskStatus.Blocked,
    TaskStatus.OnHold,
)


@strawberry.enum(description="What a phrase of a quick-add text says.")
class PhraseKind(Enum):
    DUE_DATE = strawberry.enum_value("DUE_DATE", description="A day, as 2026-12-24.")
    TIME = strawberry.enum_value("TIME", description="A time of day, as 17:30.")
    RECURRENCE = strawberry.enum_value("RECURRENCE", description="An RFC 5545 rule.")
    RECURRENCE_START = strawberry.enum_value(
        "RECURRENCE_START", description="The first day of the recurrence."
    )
    RECURRENCE_END = strawberry.enum_value(
        "RECURRENCE_END", description="The last day of the recurrence."
    )
    PRIORITY = strawberry.enum_value("PRIORITY", description="P1 to P4.")
    AREA = strawberry.enum_value("AREA", description="A life area: the first #word.")
    TAG = strawberry.enum_value("TAG", description="A tag: an @word, or a later #word.")
    SIZE = strawberry.enum_value("SIZE", description="Minutes.")
