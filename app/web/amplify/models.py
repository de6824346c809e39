"""The models of Amplify's `client.models`: which records, and how their lists are read."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from strawberry.utils.str_converters import to_camel_case

from app.core.errors import BadInput
from app.core.record import Node
from app.domains.goals.rules.filters import GoalListFilter, ProjectListFilter, TaskListFilter
from app.domains.goals.types import Goal, Project, Task
from app.domains.rewards.types import Reward
from app.domains.tracking.types import Habit, Metric
from app.graph.context import Context
from app.table.gateway import Rows

RecordPredicate = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Index:
    """A list of the records with one value of `partition`, by `sort`."""

    partition: str
    sort: str

    @property
    def fields(self) -> list[str]:
        return [to_camel_case(self.partition), to_camel_case(self.sort)]

    def query_name(self, model: str) -> str:
        """As Amplify names it: listTaskByStatusAndDueDate."""
        first, second = (name[0].upper() + name[1:] for name in self.fields)
        return f"list{model}By{first}And{second}"


@dataclass(frozen=True, slots=True)
class HasMany:
    """Records of another model that name this one in their field `by`."""

    model: str
    by: str


@dataclass(frozen=True, slots=True)
class BelongsTo:
    """The record of another model that this one names in its field `by`."""

    model: str
    by: str


Relations = Mapping[str, HasMany | BelongsTo]


@dataclass(frozen=True, slots=True)
class Model:
    """`rows` reads a list; for the model's `indexes` with `partition`, `sort`, `between` (the
    smallest and largest value of `sort`, or None) and `newest_first`. `relations`: by their names
    in GraphQL."""

    record: type[Node]
    rows: Callable[..., Awaitable[Rows[Any]]]
    indexes: tuple[Index, ...] = ()
    relations: Relations = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.record.__name__

    @property
    def plural(self) -> str:
        return f"{self.name}s"

    @property
    def native(self) -> str:
        """The name of the field that `getX` is an alias of."""
        return self.name[0].lower() + self.name[1:]


async def tasks(
    context: Context,
    *,
    keep: RecordPredicate,
    sort: str | None = None,
    between: tuple[str | None, str | None] = (None, None),
    newest_first: bool = False,
    limit: int,
    start: Any,
    **partition: Any,
) -> Rows[Task]:
    by_due: dict[str, Any] = {}
    if sort == "due_date":
        first, last = (_day(each) for each in between)
        by_due = {"has_due": True, "due_after": first, "due_before": last}
    filter = TaskListFilter(predicate=keep, newest_first=newest_first, **by_due, **partition)
    return await context.tasks.tasks(filter, limit=limit, start=start)


async def goals(
    context: Context,
    *,
    keep: RecordPredicate,
    sort: str | None = None,
    between: object = None,
    newest_first: bool = False,
    limit: int,
    start: Any,
    **partition: Any,
) -> Rows[Goal]:
    filter = GoalListFilter(predicate=keep, newest_first=newest_first, **partition)
    return await context.goals.goals(filter, limit=limit, start=start)


async def projects(
    context: Context,
    *,
    keep: RecordPredicate,
    sort: str | None = None,
    between: object = None,
    newest_first: bool = False,
    limit: int,
    start: Any,
    **partition: Any,
) -> Rows[Project]:
    filter = ProjectListFilter(predicate=keep, newest_first=newest_first, **partition)
    return await context.projects.projects(filter, limit=limit, start=start)


def _day(value: str | None) -> str | None:
    try:
        return value and date.fromisoformat(value).isoformat()
    except ValueError:
        raise BadInput("dueDate is compared with days: YYYY-MM-DD.", field="dueDate") from None


BY_STATUS = Index("status", "created_at")
BY_AREA = Index("area", "created_at")
MODELS = (
    Model(
        Goal,
        goals,
        (BY_STATUS, BY_AREA, Index("time_horizon", "created_at")),
        {
            "tasks": HasMany("Task", "goalIds"),
            "children": HasMany("Goal", "parentGoalId"),
            "parent": BelongsTo("Goal", "parentGoalId"),
        },
    ),
    Model(
        Task,
        tasks,
        (Index("status", "due_date"), BY_STATUS, BY_AREA),
        {"goal": BelongsTo("Goal", "goalId")},
    ),
    Model(Project, projects, (BY_STATUS, BY_AREA), {"tasks": HasMany("Task", "projectIds")}),
    Model(Habit, lambda context, **position: context.habits.habits(None, None, None, **position)),
    Model(Metric, lambda context, **position: context.metrics.metrics(None, None, **position)),
    Model(Reward, lambda context, **position: context.rewards.rewards(None, None, **position)),
)
