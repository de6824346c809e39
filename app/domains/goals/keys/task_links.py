"""Keys of the links of tasks: projects, dependencies and tags."""

from app.domains.goals.types import ProjectTask, TaskBlocks, TaskDependency, TaskTag
from app.table.entity import Entity, Key, RangeQuery

PROJECT_TASK = Entity(
    "ProjectTask",
    ProjectTask,
    pk="PROJECT#{project_id}",
    sk="TASK#{task_id}",
    gsi6=("PROJECT#{project_id}", "TASK#{due}#{task_id}"),
)
DEPENDENCY = Entity(
    "TaskDependency", TaskDependency, pk="TASK#{task_id}", sk="DEP#{depends_on_task_id}"
)
BLOCKS = Entity("TaskBlocks", TaskBlocks, pk="TASK#{task_id}", sk="BLOCKS#{blocked_task_id}")
TASK_TAG = Entity(
    "TaskTag",
    TaskTag,
    pk="TASK#{task_id}",
    sk="TAG#{tag}",
    gsi5=("USER#{user_id}#TAG#{tag}", "Task#{task_id}"),
)


def project_task(project_id: str, task_id: str) -> Key[ProjectTask]:
    """Whether a task belongs to a project"""
    return PROJECT_TASK.key(project_id=project_id, task_id=task_id)


def tasks_of_project(project_id: str) -> RangeQuery[ProjectTask]:
    """A project's tasks"""
    return PROJECT_TASK.within(project_id=project_id)


def tasks_of_project_by_due(project_id: str) -> RangeQuery[ProjectTask]:
    """A project's tasks by due moment; those without one last"""
    return PROJECT_TASK.within("GSI6", project_id=project_id)


def dependency(task_id: str, depends_on: str) -> Key[TaskDependency]:
    """Whether a task waits for another"""
    return DEPENDENCY.key(task_id=task_id, depends_on_task_id=depends_on)


def dependencies_of_task(task_id: str) -> RangeQuery[TaskDependency]:
    """Tasks that a task waits for"""
    return DEPENDENCY.within(task_id=task_id)


def blocks(task_id: str, blocked: str) -> Key[TaskBlocks]:
    """Whether a task blocks another"""
    return BLOCKS.key(task_id=task_id, blocked_task_id=blocked)


def blocked_by_task(task_id: str) -> RangeQuery[TaskBlocks]:
    """Tasks that wait for a task"""
    return BLOCKS.within(task_id=task_id)


def task_tag(task_id: str, tag: str) -> Key[TaskTag]:
    """Whether a task has a tag"""
    return TASK_TAG.key(task_id=task_id, tag=tag)


def tasks_by_tag(user_id: str, tag: str) -> RangeQuery[TaskTag]:
    """A user's tasks with a tag"""
    return TASK_TAG.within("GSI5", user_id=user_id, tag=tag)
