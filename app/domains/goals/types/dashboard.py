"""The dashboard of a day."""

import strawberry

from app.core.scalars import AWSDate
from app.domains.goals.types.goal import Goal
from app.domains.goals.types.project import Project
from app.domains.goals.types.task import Task
from app.domains.rewards.types import Wallet
from app.domains.tracking.types import Habit


@strawberry.type(description="The dashboard of a day. Each list has at most 50 records.")
class Dashboard:
    date: AWSDate = strawberry.field(description="The day, in your time zone.")
    due: list[Task] = strawberry.field(description="Open tasks due on this day, by time.")
    overdue: list[Task] = strawberry.field(
        description="Open tasks due on an earlier day, the oldest first."
    )
    scheduled: list[Task] = strawberry.field(description="Open tasks scheduled for this day.")
    in_progress: list[Task] = strawberry.field(description="Tasks that are InProgress.")
    completed: list[Task] = strawberry.field(description="Tasks done on this day.")
    goals: list[Goal] = strawberry.field(description="Goals that are Active, OnTrack or AtRisk.")
    projects: list[Project] = strawberry.field(description="Projects that are Active.")
    habits: list[Habit] = strawberry.field(description="Habits due on this day.")
    wallet: Wallet = strawberry.field(description="Your points.")
    points_earned: int = strawberry.field(description="Points of the tasks done on this day.")
