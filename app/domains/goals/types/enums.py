"""Enums of goals, tasks and projects. Their values are stored and are part of the schema."""

from enum import Enum

import strawberry

from app.core.enums import enum_type


@enum_type(
    "How urgent something is.",
    P1="The most urgent: points times 3.",
    P2="Points times 2.",
    P3="The default: points times 1.5.",
    P4="The least urgent: points times 1.",
)
class Priority(Enum):
    P1 = "P1"
    P2 = "P2"
    P3 = "P3"
    P4 = "P4"


@enum_type(
    "Where a task stands.",
    NotStarted="Nothing is done yet.",
    InProgress="It is being done.",
    Blocked="It waits for another task, or for something else.",
    OnHold="Put aside on purpose.",
    Done="Finished: its points are paid.",
    Cancelled="It will not be done; it does not count in progress.",
)
class TaskStatus(Enum):
    NotStarted = "NotStarted"
    InProgress = "InProgress"
    Blocked = "Blocked"
    OnHold = "OnHold"
    Done = "Done"
    Cancelled = "Cancelled"


@enum_type(
    "Where a goal stands, as its owner sees it.",
    Planning="Not begun.",
    Active="Being pursued.",
    OnTrack="Going as planned.",
    AtRisk="In danger of being missed.",
    Achieved="Reached.",
    Abandoned="Given up.",
)
class GoalStatus(Enum):
    Planning = "Planning"
    Active = "Active"
    OnTrack = "OnTrack"
    AtRisk = "AtRisk"
    Achieved = "Achieved"
    Abandoned = "Abandoned"


@enum_type(
    "The period that a goal is for.",
    Yearly="A year.",
    Quarterly="Three months.",
    Monthly="A month.",
    Weekly="A week.",
    Daily="A day.",
)
class TimeHorizon(Enum):
    Yearly = "Yearly"
    Quarterly = "Quarterly"
    Monthly = "Monthly"
    Weekly = "Weekly"
    Daily = "Daily"


@enum_type(
    "Where a project stands, as its owner sees it.",
    Planning="Not begun.",
    Active="Being worked on.",
    OnHold="Put aside: it has no health.",
    Completed="Finished.",
    Cancelled="Given up.",
)
class ProjectStatus(Enum):
    Planning = "Planning"
    Active = "Active"
    OnHold = "OnHold"
    Completed = "Completed"
    Cancelled = "Cancelled"


@enum_type(
    "How a project does against its dates.",
    green="At most 10 points behind what the dates expect.",
    yellow="At most 20 points behind.",
    red="Further behind, or past its end date.",
)
class Health(Enum):
    green = "green"
    yellow = "yellow"
    red = "red"


@enum_type(
    "The unit of a recurrence.",
    DAILY="Every so many days.",
    WEEKLY="Every so many weeks.",
    MONTHLY="Every so many months; days 29 to 31 become the last day of a short month.",
    YEARLY="Every so many years.",
)
class RecurrenceFrequency(Enum):
    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"


@enum_type(
    "The day from which the next occurrence is counted. DUE: the due date. COMPLETION: the day of "
    "completion, in your time zone; the weekday or day of the month of the first due date is not "
    "kept, unless an rrule names it.",
    DUE="From the due date.",
    COMPLETION="From the local day on which it was completed.",
)
class RecurrenceMode(Enum):
    DUE = "DUE"
    COMPLETION = "COMPLETION"


CLOSED_GOAL_STATUSES = (GoalStatus.Achieved, GoalStatus.Abandoned)
CLOSED_PROJECT_STATUSES = (ProjectStatus.Completed, ProjectStatus.Cancelled)
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
