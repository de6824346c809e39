"""Queries and mutations of goals, tasks and projects."""

import strawberry

from app.domains.goals.schema import fields as fields
from app.domains.goals.schema.goal import GoalsOnlyMutation, GoalsOnlyQuery
from app.domains.goals.schema.project import ProjectsMutation, ProjectsQuery
from app.domains.goals.schema.task import TasksMutation, TasksQuery

__all__ = ["GoalsMutation", "GoalsQuery"]


@strawberry.type
class GoalsQuery(GoalsOnlyQuery, TasksQuery, ProjectsQuery):
    pass


@strawberry.type
class GoalsMutation(GoalsOnlyMutation, TasksMutation, ProjectsMutation):
    pass
