"""Where goals, tasks and projects are stored, and the questions that can be asked about them."""

from dataclasses import replace
from typing import Any

from app.core.record import Node
from app.domains.goals.types import (
    Goal,
    GoalActivity,
    GoalChild,
    GoalHabit,
    GoalMetric,
    GoalProject,
    GoalTag,
    GoalTask,
    Milestone,
    Project,
    ProjectTask,
    Removal,
    Structure,
    Task,
    TaskBlocks,
    TaskDependency,
    TaskTag,
)
from app.table.entity import Entity, Key, Query

GOAL = Entity(
    Goal,
    pk="USER#{user_id}",
    sk="GOAL#{id}",
    gsi1=("USER#{user_id}", "ENTITY#Goal#{created_at}"),
    gsi2=("USER#{user_id}#GOAL", "{status}#{created_at}"),
    gsi3=("USER#{user_id}#AREA#{area}", "GOAL#{created_at}"),
    gsi6=("USER#{user_id}#HORIZON#{time_horizon}", "GOAL#{created_at}"),
    owns="GOAL#{id}",
    heavy=frozenset({"description", "notes", "success_criteria"}),
)
TASK = Entity(
    Task,
    pk="USER#{user_id}",
    sk="TASK#{id}",
    gsi1=("USER#{user_id}", "ENTITY#Task#{created_at}"),
    gsi2=("USER#{user_id}#TASK", "{status}#{created_at}"),
    gsi3=("USER#{user_id}#AREA#{area}", "TASK#{created_at}"),
    gsi4=("DUE#{due_day}[#{shard}]", "{due_at}#TASK#{id}"),
    gsi5=("USER#{user_id}#{agenda}", "{agenda_at}#{id}"),
    gsi6=("USER#{user_id}#DUE", "{due_at}#{id}"),
    owns="TASK#{id}",
    heavy=frozenset({"description", "extended_description", "notes", "nlp_plan"}),
)
PROJECT = Entity(
    Project,
    pk="USER#{user_id}",
    sk="PROJECT#{id}",
    gsi1=("USER#{user_id}", "ENTITY#Project#{created_at}"),
    gsi2=("USER#{user_id}#PROJECT", "{status}#{created_at}"),
    gsi3=("USER#{user_id}#AREA#{area}", "PROJECT#{created_at}"),
    owns="PROJECT#{id}",
    heavy=frozenset({"description", "notes"}),
)
MILESTONE = Entity(
    Milestone,
    pk="USER#{user_id}",
    sk="MILESTONE#{goal_id}#{id}",
    gsi1=("USER#{user_id}", "ENTITY#Milestone#{created_at}"),
)
ACTIVITY = Entity(GoalActivity, pk="GOAL#{goal_id}", sk="ACTIVITY#{created_at}#{id}")
GOAL_TASK = Entity(
    GoalTask,
    pk="GOAL#{goal_id}",
    sk="TASK#{task_id}",
    gsi6=("GOAL#{goal_id}", "TASK#{due}#{task_id}"),
)
GOAL_METRIC = Entity(GoalMetric, pk="GOAL#{goal_id}", sk="METRIC#{metric_id}")
GOAL_HABIT = Entity(GoalHabit, pk="GOAL#{goal_id}", sk="HABIT#{habit_id}")
GOAL_PROJECT = Entity(GoalProject, pk="GOAL#{goal_id}", sk="PROJECT#{project_id}")
GOAL_CHILD = Entity(GoalChild, pk="GOAL#{goal_id}", sk="GOAL#{child_id}")
PROJECT_TASK = Entity(
    ProjectTask,
    pk="PROJECT#{project_id}",
    sk="TASK#{task_id}",
    gsi6=("PROJECT#{project_id}", "TASK#{due}#{task_id}"),
)
DEPENDENCY = Entity(TaskDependency, pk="TASK#{task_id}", sk="DEP#{depends_on_task_id}")
BLOCKS = Entity(TaskBlocks, pk="TASK#{task_id}", sk="BLOCKS#{blocked_task_id}")
GOAL_TAG = Entity(
    GoalTag,
    pk="GOAL#{goal_id}",
    sk="TAG#{tag}",
    gsi5=("USER#{user_id}#TAG#{tag}", "Goal#{goal_id}"),
)
TASK_TAG = Entity(
    TaskTag,
    pk="TASK#{task_id}",
    sk="TAG#{tag}",
    gsi5=("USER#{user_id}#TAG#{tag}", "Task#{task_id}"),
)
STRUCTURE = Entity(Structure, pk="USER#{user_id}", sk="STRUCTURE#{kind}", secret=True)
REMOVAL = Entity(
    Removal,
    pk="USER#{user_id}",
    sk="REMOVAL#{kind}#{id}",
    gsi4=("REMOVALS", "{created_at}#{id}"),
    secret=True,
)


def goal(user_id: str, goal_id: str) -> Key[Goal]:
    """One of someone's goals"""
    return GOAL.key(user_id=user_id, id=goal_id)


def goals_of_user(user_id: str) -> Query[Goal]:
    """Someone's goals, as they were made"""
    return GOAL.within(user_id=user_id)


def goals_by_status(user_id: str, status: str) -> Query[Goal]:
    """Someone's goals of one status"""
    return GOAL.within("GSI2", user_id=user_id, status=status)


def goals_by_area(user_id: str, area: str) -> Query[Goal]:
    """Someone's goals in one life area"""
    return GOAL.within("GSI3", user_id=user_id, area=area)


def goals_by_horizon(user_id: str, horizon: str) -> Query[Goal]:
    """Someone's goals of one time horizon"""
    return GOAL.within("GSI6", user_id=user_id, time_horizon=horizon)


def goals_by_tag(user_id: str, tag: str) -> Query[GoalTag]:
    """Someone's goals with a tag"""
    return GOAL_TAG.within("GSI5", user_id=user_id, tag=tag)


def task(user_id: str, task_id: str) -> Key[Task]:
    """One of someone's tasks"""
    return TASK.key(user_id=user_id, id=task_id)


def tasks_of_user(user_id: str) -> Query[Task]:
    """Someone's tasks, as they were made"""
    return TASK.within(user_id=user_id)


def tasks_by_status(user_id: str, status: str) -> Query[Task]:
    """Someone's tasks of one status"""
    return TASK.within("GSI2", user_id=user_id, status=status)


def tasks_by_area(user_id: str, area: str) -> Query[Task]:
    """Someone's tasks in one life area"""
    return TASK.within("GSI3", user_id=user_id, area=area)


def tasks_by_tag(user_id: str, tag: str) -> Query[TaskTag]:
    """Someone's tasks with a tag"""
    return TASK_TAG.within("GSI5", user_id=user_id, tag=tag)


def tasks_by_due(user_id: str, since: str | None = None, until: str | None = None) -> Query[Task]:
    """Someone's tasks by the moment they are due"""
    return TASK.span("GSI6", user_id=user_id, since=since, until=until)


def agenda(
    user_id: str, since: str | None = None, until: str | None = None, newest_first: bool = False
) -> Query[Task]:
    """Someone's open tasks by the moment they are due or planned for"""
    return TASK.span(
        "GSI5", user_id=user_id, agenda="OPEN", since=since, until=until, newest_first=newest_first
    )


def done_between(user_id: str, since: str | None = None, until: str | None = None) -> Query[Task]:
    """Someone's done tasks by the moment they were done"""
    return TASK.span("GSI5", user_id=user_id, agenda="DONE", since=since, until=until)


def due_on(
    due_day: str, since: str | None = None, until: str | None = None, shard: str | None = None
) -> Query[Any]:
    """Whatever is due on a UTC day, or between two of its moments, of everyone, for reminders"""
    run = TASK.span("GSI4", since=since, until=until, due_day=due_day, shard=shard)
    return replace(run, entity=None)


def things_of_area(user_id: str, area: str) -> Query[Node]:
    """Whatever someone has in one life area, by type and date"""
    return Query(None, TASK.within("GSI3", user_id=user_id, area=area).pk, "GSI3")


def project(user_id: str, project_id: str) -> Key[Project]:
    """One of someone's projects"""
    return PROJECT.key(user_id=user_id, id=project_id)


def projects_of_user(user_id: str) -> Query[Project]:
    """Someone's projects, as they were made"""
    return PROJECT.within(user_id=user_id)


def projects_by_status(user_id: str, status: str) -> Query[Project]:
    """Someone's projects of one status"""
    return PROJECT.within("GSI2", user_id=user_id, status=status)


def projects_by_area(user_id: str, area: str) -> Query[Project]:
    """Someone's projects in one life area"""
    return PROJECT.within("GSI3", user_id=user_id, area=area)


def milestone(user_id: str, goal_id: str, milestone_id: str) -> Key[Milestone]:
    """One milestone of someone's goal"""
    return MILESTONE.key(user_id=user_id, goal_id=goal_id, id=milestone_id)


def milestones_of_goal(user_id: str, goal_id: str) -> Query[Milestone]:
    """A goal's milestones"""
    return MILESTONE.within(user_id=user_id, goal_id=goal_id)


def milestones_of_user(user_id: str) -> Query[Milestone]:
    """All of someone's milestones"""
    return MILESTONE.within(user_id=user_id)


def activity_of_goal(goal_id: str) -> Query[GoalActivity]:
    """What happened to a goal, newest first"""
    return ACTIVITY.within(goal_id=goal_id, newest_first=True)


def tasks_of_goal(goal_id: str) -> Query[GoalTask]:
    """Which tasks serve a goal"""
    return GOAL_TASK.within(goal_id=goal_id)


def tasks_of_goal_by_due(goal_id: str) -> Query[GoalTask]:
    """Which tasks serve a goal, by the moment they are due; those without one last"""
    return GOAL_TASK.within("GSI6", goal_id=goal_id)


def goal_task(goal_id: str, task_id: str) -> Key[GoalTask]:
    """Whether a task serves a goal"""
    return GOAL_TASK.key(goal_id=goal_id, task_id=task_id)


def goal_metric(goal_id: str, metric_id: str) -> Key[GoalMetric]:
    """Whether a metric measures a goal"""
    return GOAL_METRIC.key(goal_id=goal_id, metric_id=metric_id)


def metrics_of_goal(goal_id: str) -> Query[GoalMetric]:
    """Which metrics measure a goal"""
    return GOAL_METRIC.within(goal_id=goal_id)


def goal_habit(goal_id: str, habit_id: str) -> Key[GoalHabit]:
    """Whether a habit carries a goal"""
    return GOAL_HABIT.key(goal_id=goal_id, habit_id=habit_id)


def habits_of_goal(goal_id: str) -> Query[GoalHabit]:
    """Which habits carry a goal"""
    return GOAL_HABIT.within(goal_id=goal_id)


def goal_project(goal_id: str, project_id: str) -> Key[GoalProject]:
    """Whether a project serves a goal"""
    return GOAL_PROJECT.key(goal_id=goal_id, project_id=project_id)


def projects_of_goal(goal_id: str) -> Query[GoalProject]:
    """Which projects serve a goal"""
    return GOAL_PROJECT.within(goal_id=goal_id)


def goal_child(goal_id: str, child_id: str) -> Key[GoalChild]:
    """Whether one goal is part of another"""
    return GOAL_CHILD.key(goal_id=goal_id, child_id=child_id)


def children_of_goal(goal_id: str) -> Query[GoalChild]:
    """Which goals are parts of a goal"""
    return GOAL_CHILD.within(goal_id=goal_id)


def project_task(project_id: str, task_id: str) -> Key[ProjectTask]:
    """Whether a task belongs to a project"""
    return PROJECT_TASK.key(project_id=project_id, task_id=task_id)


def tasks_of_project(project_id: str) -> Query[ProjectTask]:
    """Which tasks belong to a project"""
    return PROJECT_TASK.within(project_id=project_id)


def tasks_of_project_by_due(project_id: str) -> Query[ProjectTask]:
    """Which tasks belong to a project, by the moment they are due; those without one last"""
    return PROJECT_TASK.within("GSI6", project_id=project_id)


def dependency(task_id: str, depends_on: str) -> Key[TaskDependency]:
    """Whether a task waits for another"""
    return DEPENDENCY.key(task_id=task_id, depends_on_task_id=depends_on)


def dependencies_of_task(task_id: str) -> Query[TaskDependency]:
    """What a task waits for"""
    return DEPENDENCY.within(task_id=task_id)


def blocks(task_id: str, blocked: str) -> Key[TaskBlocks]:
    """Whether a task holds up another"""
    return BLOCKS.key(task_id=task_id, blocked_task_id=blocked)


def blocked_by_task(task_id: str) -> Query[TaskBlocks]:
    """What waits for a task"""
    return BLOCKS.within(task_id=task_id)


def goal_tag(goal_id: str, tag: str) -> Key[GoalTag]:
    """Whether a goal has a tag"""
    return GOAL_TAG.key(goal_id=goal_id, tag=tag)


def task_tag(task_id: str, tag: str) -> Key[TaskTag]:
    """Whether a task has a tag"""
    return TASK_TAG.key(task_id=task_id, tag=tag)


def structure(user_id: str, kind: str) -> Key[Structure]:
    """How often someone's goal tree or dependencies have changed"""
    return STRUCTURE.key(user_id=user_id, kind=kind)


def removal(user_id: str, kind: str, thing_id: str) -> Key[Removal]:
    """What is left to do after a deletion"""
    return REMOVAL.key(user_id=user_id, kind=kind, id=thing_id)


def unfinished_removals() -> Query[Removal]:
    """Which deletions have begun and not ended"""
    return REMOVAL.within("GSI4")
