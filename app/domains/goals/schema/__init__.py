"""Goals, tasks and projects in the graph."""

import strawberry

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
