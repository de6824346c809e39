"""What changes of tasks mean for the goals and projects they belong to, collected, then written as
one: a transaction may touch each of them once, however many tasks it changes."""

from dataclasses import dataclass, field, replace

from app.core.scalars import AWSDateTime
from app.domains.goals import keys
from app.domains.goals.rules.states import TaskStatus, counted
from app.domains.goals.service.base import Stamp, there
from app.domains.goals.service.progress import GoalKeeper, Happened
from app.domains.goals.service.project_health import ProjectKeeper
from app.domains.goals.types import (
    ActivityType,
    Goal,
    GoalTask,
    ProjectTask,
    SuccessCriterion,
    Task,
    TaskTag,
)
from app.table.writes import Delete, Put, Write

# Of the hundred a transaction holds: a receipt and another domain may want a few.
MOST_WRITES = 94


@dataclass(slots=True)
class News:
    """How the counts of a goal or project change, and by which tasks."""

    total: int = 0
    done: int = 0
    is_new: bool = False
    tasks: dict[str, Task | None] = field(default_factory=dict)
    happened: list[Happened] = field(default_factory=list)


class Ripples:
    def __init__(
        self, goals: GoalKeeper, projects: ProjectKeeper, stamp: Stamp, why: str | None = None
    ) -> None:
        self.goals = goals
        self.projects = projects
        self.stamp = stamp
        self.why = why
        self.goal_news: dict[str, News] = {}
        self.project_news: dict[str, News] = {}
        self.writes: list[Write] = []

    def task(self, old: Task | None, new: Task | None) -> None:
        """A task was made (no `old`), changed, or deleted (no `new`)."""
        self._tags(old, new)
        self._goals(old, new)
        self._projects(old, new)

    async def settle(self, *, beside: int = 0) -> list[Write]:
        """Everything, with the goals and projects as they are now; the transaction has as many
        writes `beside`."""
        goals = await self.goals.repository.goals_by_ids(self.goal_news)
        room = self._room_for_milestones(beside)
        for news, goal in zip(self.goal_news.values(), goals, strict=True):
            if news.is_new:
                there(goal, "goal")
            if goal is not None:
                changed = moved(goal, news, self.stamp.now)
                self.writes += (await self.goals.change(goal, *changed, room))[1]
        projects = await self.projects.repository.projects_by_ids(self.project_news)
        for news, project in zip(self.project_news.values(), projects, strict=True):
            if news.is_new:
                there(project, "project")
            if project is not None:
                self.writes += await self.projects.count(
                    project, total=news.total, done=news.done, tasks=news.tasks
                )
        return self.writes

    def _room_for_milestones(self, beside: int) -> int:
        """How many each goal may achieve now: each takes two writes, as many as are left over when
        every goal has itself and three activities."""
        goals = len(self.goal_news)
        if not goals:
            return 0
        taken = beside + len(self.writes) + len(self.project_news) + 4 * goals
        return max(0, (MOST_WRITES - taken) // (2 * goals))

    def _tags(self, old: Task | None, new: Task | None) -> None:
        before, after = set(old.tags if old else []), set(new.tags if new else [])
        task_id = _either(old, new).id
        for tag in sorted(after - before):
            self.writes.append(Put(TaskTag(**self.stamp(), task_id=task_id, tag=tag)))  # type: ignore[arg-type]
        self.writes += [Delete(keys.task_tag(task_id, tag)) for tag in sorted(before - after)]

    def _goals(self, old: Task | None, new: Task | None) -> None:
        task = _either(old, new)
        before, after = _ids(old, "goal_ids"), _ids(new, "goal_ids")
        for goal_id in sorted({*before, *after, *task.criterion_goal_ids}):
            was_there, is_there = goal_id in before, goal_id in after
            self._goal_link(goal_id, old if was_there else None, new if is_there else None)
            happened = [
                replace(each, description=self.why)
                for each in _story(old, new, was_there=was_there, is_there=is_there)
            ]
            hangs_on_it = goal_id in task.criterion_goal_ids and _is_done(old) != _is_done(new)
            if not happened and not hangs_on_it and new is not None:
                continue
            news = self.goal_news.setdefault(goal_id, News())
            _count(news, old if was_there else None, new if is_there else None)
            news.happened += happened
            news.tasks[task.id] = new

    def _goal_link(self, goal_id: str, old: Task | None, new: Task | None) -> None:
        if new and _moves(old, new):
            link = GoalTask(**self.stamp(), goal_id=goal_id, task_id=new.id, due=place_of(new))  # type: ignore[arg-type]
            self.writes.append(Put(link))
        elif old and not new:
            self.writes.append(Delete(keys.goal_task(goal_id, old.id)))

    def _projects(self, old: Task | None, new: Task | None) -> None:
        task = _either(old, new)
        before, after = _ids(old, "project_ids"), _ids(new, "project_ids")
        for project_id in sorted({*before, *after}):
            was = old if project_id in before else None
            now = new if project_id in after else None
            if not _matters(was, now):
                continue
            self._project_link(project_id, was, now)
            news = self.project_news.setdefault(project_id, News())
            _count(news, was, now)
            news.tasks[task.id] = now

    def _project_link(self, project_id: str, old: Task | None, new: Task | None) -> None:
        if new and _moves(old, new):
            link = ProjectTask(
                **self.stamp(),  # type: ignore[arg-type]
                project_id=project_id,
                task_id=new.id,
                due=place_of(new),
            )
            self.writes.append(Put(link))
        elif old and not new:
            self.writes.append(Delete(keys.project_task(project_id, old.id)))


def moved(goal: Goal, news: News, now: AWSDateTime) -> tuple[Goal, list[Happened]]:
    """The goal with its counts and the criteria that hang on tasks, and the whole story."""
    criteria, also = follow_tasks(goal.success_criteria, news.tasks, now)
    changed = goal.evolve(
        now,
        tasks_total=goal.tasks_total + news.total,
        tasks_done=goal.tasks_done + news.done,
        success_criteria=criteria,
    )
    return changed, [*news.happened, *also]


def follow_tasks(
    criteria: list[SuccessCriterion], tasks: dict[str, Task | None], now: AWSDateTime
) -> tuple[list[SuccessCriterion], list[Happened]]:
    """A criterion is completed while its task is done; of a deleted task it lets go."""
    result: list[SuccessCriterion] = []
    happened: list[Happened] = []
    for each in criteria:
        if each.linked_task_id is None or each.linked_task_id not in tasks:
            result.append(each)
            continue
        task = tasks[each.linked_task_id]
        if task is None:
            result.append(replace(each, linked_task_id=None))
            continue
        changed, story = completed(each, task.is_done, now)
        result.append(changed)
        happened += story
    return result, happened


def completed(
    criterion: SuccessCriterion, is_completed: bool, now: AWSDateTime
) -> tuple[SuccessCriterion, list[Happened]]:
    if criterion.is_completed == is_completed:
        return criterion, []
    kind = ActivityType.criterion_completed if is_completed else ActivityType.criterion_reopened
    story = Happened(type=kind, title=criterion.text, entity="Criterion", id=criterion.id)
    at = now if is_completed else None
    return replace(criterion, is_completed=is_completed, completed_at=at), [story]


def _either(old: Task | None, new: Task | None) -> Task:
    task = new or old
    assert task is not None, "a task before or after"
    return task


def _ids(task: Task | None, name: str) -> list[str]:
    return list(getattr(task, name)) if task else []


def _is_done(task: Task | None) -> bool:
    return task is not None and task.is_done


def _count(news: News, old: Task | None, new: Task | None) -> None:
    before = counted(old.status if old else None)
    after = counted(new.status if new else None)
    news.total += after[0] - before[0]
    news.done += after[1] - before[1]
    news.is_new = news.is_new or (old is None and new is not None)


def _moves(old: Task | None, new: Task) -> bool:
    """Among the tasks of a goal or project: a link is written when it is new or its place is."""
    return old is None or old.due_at != new.due_at


def place_of(task: Task | None) -> str:
    """Last without a due date: no time begins with this sign."""
    return (task.due_at if task else None) or "~"


def _matters(old: Task | None, new: Task | None) -> bool:
    """To a project: its counts, and what is overdue."""
    return old is None or new is None or (old.status, old.due_at) != (new.status, new.due_at)


def _story(
    old: Task | None, new: Task | None, *, was_there: bool, is_there: bool
) -> list[Happened]:
    """What a goal tells of a task that served it, or serves it now."""
    task = _either(old, new)
    kinds: list[ActivityType | None] = []
    if was_there and not is_there:
        kinds.append(ActivityType.task_unlinked if new else ActivityType.task_deleted)
    elif is_there and not was_there:
        kinds.append(ActivityType.task_linked)
    if is_there and new:
        kinds.append(_turn(old.status if old else None, new.status))
    return [
        Happened(type=kind, title=task.title, entity="Task", id=task.id) for kind in kinds if kind
    ]


def _turn(before: TaskStatus | None, after: TaskStatus) -> ActivityType | None:
    if before is after:
        return None
    if after is TaskStatus.Done:
        return ActivityType.task_completed
    if after is TaskStatus.Cancelled:
        return ActivityType.task_cancelled
    closed = before in (TaskStatus.Done, TaskStatus.Cancelled)
    return ActivityType.task_reopened if closed else None
