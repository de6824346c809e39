"""The words the documents use for what something is, and which of them mean that it is open."""

from enum import Enum

import strawberry


@strawberry.enum(description="P1 is the most urgent.")
class Priority(Enum):
    P1 = "P1"
    P2 = "P2"
    P3 = "P3"
    P4 = "P4"


@strawberry.enum(description="Blocked: waits for a task that it depends on, or for something else.")
class TaskStatus(Enum):
    NotStarted = "NotStarted"
    InProgress = "InProgress"
    Blocked = "Blocked"
    OnHold = "OnHold"
    Done = "Done"
    Cancelled = "Cancelled"


@strawberry.enum(description="DUE: by due date, those without one last.")
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
    description="DUE: the next day is counted from the day it was due; "
    "COMPLETION: from the day it was done."
)
class RecurrenceMode(Enum):
    DUE = "DUE"
    COMPLETION = "COMPLETION"


OPEN_TASKS = (TaskStatus.NotStarted, TaskStatus.InProgress, TaskStatus.Blocked, TaskStatus.OnHold)
OPEN_PROJECTS = (ProjectStatus.Planning, ProjectStatus.Active, ProjectStatus.OnHold)


def is_open(status: TaskStatus) -> bool:
    return status in OPEN_TASKS


def counted(status: TaskStatus | None) -> tuple[int, int]:
    """How a task counts where it belongs, as (all, done): what is cancelled leaves the count."""
    if status is None or status is TaskStatus.Cancelled:
        return 0, 0
    return 1, int(status is TaskStatus.Done)
