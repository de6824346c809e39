"""Orders and groupings of lists. An order that no index serves sorts at most 5,000 records."""

from enum import Enum

from app.core.enums import enum_type

SORTED = "Sorts at most 5,000 records; beyond that LIMIT_EXCEEDED."


@enum_type(
    "How tasks are sorted.",
    CREATED="By creation time; with a range of due dates by due date.",
    DUE="By due date; tasks without one last.",
    UPDATED=f"By last change. {SORTED}",
    PRIORITY=f"P1 first. {SORTED}",
    URGENCY=f"The most urgent first; open tasks only. {SORTED}",
    TITLE=f"By title, without letter case. {SORTED}",
)
class TaskOrder(Enum):
    CREATED = "CREATED"
    DUE = "DUE"
    UPDATED = "UPDATED"
    PRIORITY = "PRIORITY"
    URGENCY = "URGENCY"
    TITLE = "TITLE"


@enum_type(
    "How goals are sorted.",
    CREATED="By creation time.",
    UPDATED=f"By last change. {SORTED}",
    TARGET=f"By target date; goals without one last. {SORTED}",
    PRIORITY=f"P1 first. {SORTED}",
    PROGRESS=f"By cachedProgress. {SORTED}",
    TITLE=f"By title, without letter case. {SORTED}",
)
class GoalOrder(Enum):
    CREATED = "CREATED"
    UPDATED = "UPDATED"
    TARGET = "TARGET"
    PRIORITY = "PRIORITY"
    PROGRESS = "PROGRESS"
    TITLE = "TITLE"


@enum_type(
    "How projects are sorted.",
    CREATED="By creation time.",
    UPDATED=f"By last change. {SORTED}",
    END=f"By planned end; projects without one last. {SORTED}",
    PRIORITY=f"P1 first. {SORTED}",
    PROGRESS=f"By cachedProgress. {SORTED}",
    NAME=f"By name, without letter case. {SORTED}",
)
class ProjectOrder(Enum):
    CREATED = "CREATED"
    UPDATED = "UPDATED"
    END = "END"
    PRIORITY = "PRIORITY"
    PROGRESS = "PROGRESS"
    NAME = "NAME"


@enum_type(
    "What tasks are counted by.",
    STATUS="The key is a status.",
    AREA="The key is a life area, in the spelling that was used first.",
    PRIORITY="The key is P1 to P4.",
    DUE_DAY="The key is a day in your time zone, as 2026-12-24.",
)
class TaskGrouping(Enum):
    STATUS = "STATUS"
    AREA = "AREA"
    PRIORITY = "PRIORITY"
    DUE_DAY = "DUE_DAY"
