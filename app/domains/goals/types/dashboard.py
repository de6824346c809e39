"""A day at a glance."""

import strawberry

from app.core.scalars import AWSDate
from app.domains.goals.types.goal import Goal
from app.domains.goals.types.project import Project
from app.domains.goals.types.task import Task
from app.domains.rewards.types import Wallet
from app.domains.tracking.types import Habit


@strawberry.type(description="A day at a glance. Each list holds the first 50.")
class Dashboard:
    date: AWSDate = strawberry.field(description="The day it is for, in your time zone.")
    due: list[Task] = strawberry.field(description="Open tasks due on this day, by time.")
    overdue: list[Task] = strawberry.field(
        description="Open tasks that were due on an earlier day, the oldest first."
    )
    scheduled: list[Task] = strawberry.field(
        description="Open tasks that you mean to do on this day."
    )
    in_progress: list[Task]
    completed: list[Task] = strawberry.field(description="Tasks done on this day.")
    goals: list[Goal] = strawberry.field(description="Active, OnTrack and AtRisk.")
    projects: list[Project] = strawberry.field(description="Active.")
    habits: list[Habit] = strawberry.field(description="Habits due on this day.")
    wallet: Wallet
    points_earned: int = strawberry.field(description="By the tasks done on this day.")
