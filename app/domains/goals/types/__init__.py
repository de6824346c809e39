"""Goals, tasks, projects and milestones."""

from app.domains.goals.rules.states import (
    GoalStatus,
    Health,
    Priority,
    ProjectStatus,
    RecurrenceFrequency,
    RecurrenceMode,
    TaskOrder,
    TaskStatus,
    TimeHorizon,
)
from app.domains.goals.types.dashboard import Dashboard
from app.domains.goals.types.goal import (
    Goal,
    GoalProgress,
    ProgressConfig,
    ProgressPart,
    RollUp,
    SuccessCriterion,
)
from app.domains.goals.types.links import (
    GoalChild,
    GoalHabit,
    GoalMetric,
    GoalProject,
    GoalTag,
    GoalTask,
    ProjectTask,
    Removal,
    Structure,
    TaskBlocks,
    TaskDependency,
    TaskTag,
)
from app.domains.goals.types.milestone import ActivityType, GoalActivity, Milestone
from app.domains.goals.types.project import Project, ProjectHealth
from app.domains.goals.types.task import ManyTasks, RecurrenceRule, Task, TaskRefusal

__all__ = [
    "ActivityType",
    "Dashboard",
    "Goal",
    "GoalActivity",
    "GoalChild",
    "GoalHabit",
    "GoalMetric",
    "GoalProgress",
    "GoalProject",
    "GoalStatus",
    "GoalTag",
    "GoalTask",
    "Health",
    "ManyTasks",
    "Milestone",
    "Priority",
    "ProgressConfig",
    "ProgressPart",
    "Project",
    "ProjectHealth",
    "ProjectStatus",
    "ProjectTask",
    "RecurrenceFrequency",
    "RecurrenceMode",
    "RecurrenceRule",
    "Removal",
    "RollUp",
    "Structure",
    "SuccessCriterion",
    "Task",
    "TaskBlocks",
    "TaskDependency",
    "TaskOrder",
    "TaskRefusal",
    "TaskStatus",
    "TaskTag",
    "TimeHorizon",
]
