"""Queries and subscriptions with the names that Amplify's `client.models` expects.

Each is an alias of a field with another name: it uses the same services and needs the same rights.
The mutations have these names already.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import strawberry
from strawberry.utils.str_converters import to_camel_case, to_snake_case

from app.core.record import Node
from app.domains.goals.rules.filters import GoalListFilter, ProjectListFilter, TaskListFilter
from app.domains.goals.types import Goal, Project, Task
from app.domains.rewards.types import Reward
from app.domains.tracking.types import Habit, Metric
from app.events.event import Event
from app.graph.context import Context, Info
from app.graph.fields import query
from app.graph.paging import MAX_PAGE_SIZE, NextToken, Page, page
from app.nodes import KINDS
from app.table.gateway import Rows
from app.web.filters import check_filter, list_filter, matches_filter, subscription_filter
from app.web.realtime.source_stream import is_created, is_deleted, is_updated, own_record_stream
from app.web.realtime.subscriptions import subscription

UNSET: Any = strawberry.UNSET
ListLimit = Annotated[
    int | None, strawberry.argument(description="1 or more; null or above 100 counts as 100.")
]
RecordPredicate = Callable[[Any], bool]
Field = Any


@dataclass(frozen=True, slots=True)
class Model:
    record: type[Node]
    rows: Callable[..., Awaitable[Rows[Any]]]

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


async def tasks(context: Context, *, keep: RecordPredicate, **position: Any) -> Rows[Task]:
    return await context.tasks.tasks(TaskListFilter(predicate=keep), **position)


async def goals(context: Context, *, keep: RecordPredicate, **position: Any) -> Rows[Goal]:
    return await context.goals.goals(GoalListFilter(predicate=keep), **position)


async def projects(context: Context, *, keep: RecordPredicate, **position: Any) -> Rows[Project]:
    return await context.projects.projects(ProjectListFilter(predicate=keep), **position)


MODELS = (
    Model(Goal, goals),
    Model(Task, tasks),
    Model(Project, projects),
    Model(Habit, lambda context, **position: context.habits.habits(None, None, None, **position)),
    Model(Metric, lambda context, **position: context.metrics.metrics(None, None, **position)),
    Model(Reward, lambda context, **position: context.rewards.rewards(None, None, **position)),
)


def _get(model: Model) -> Field:
    async def get(self: object, info: Info, id: strawberry.ID) -> Any:
        return await KINDS[model.name].find(info.context, id)

    get.__annotations__["return"] = model.record | None
    return query(description=f"Alias of `{model.native}`, with the name that Amplify uses.")(get)


def _list(model: Model) -> Field:
    async def list_all(
        self: object,
        info: Info,
        filter: Any = UNSET,
        limit: ListLimit = None,
        next_token: NextToken = None,
    ) -> Any:
        check_filter(filter)
        keep = partial(matches_filter, filter=filter, combine=all)
        fetch = partial(model.rows, info.context, keep=keep)
        most = MAX_PAGE_SIZE if limit is None else min(limit, MAX_PAGE_SIZE)
        return await page(info, fetch, limit=most, next_token=next_token)

    list_all.__annotations__ |= {
        "filter": list_filter(model.record) | None,
        "return": Page[model.record],  # type: ignore[name-defined]
    }
    return query(
        description=f"Alias of `{model.native}s`, with the name that Amplify uses. "
        "Every page but the last is full, whatever the filter; a page may be shorter only if the "
        "filter skips thousands of records."
    )(list_all)


def _subscription(model: Model, word: str, when: Callable[[Event], bool]) -> Field:
    async def follow(self: object, info: Info, filter: Any = UNSET) -> AsyncIterator[Any]:
        check_filter(filter)
        return await own_record_stream(info, model.record, filter, when=when)

    follow.__annotations__ |= {
        "filter": subscription_filter(model.record) | None,
        "return": AsyncIterator[model.record | None],  # type: ignore[name-defined]
    }
    state = "as it was before" if word == "delete" else "as it was at that moment"
    return subscription(
        f"{word}{model.name}",
        description=f"A {model.native} of yours that was {word}d, {state}. With the name that "
        "Amplify uses.",
    )(follow)


def _queries() -> dict[str, Field]:
    found: dict[str, Field] = {}
    for model in MODELS:
        found[f"get_{to_snake_case(model.name)}"] = _get(model)
        found[f"list_{to_snake_case(model.plural)}"] = _list(model)
    return found


def _subscriptions() -> dict[str, Field]:
    conditions = {"create": is_created, "update": is_updated, "delete": is_deleted}
    return {
        f"on_{word}_{to_snake_case(model.name)}": _subscription(model, word, when)
        for model in MODELS
        for word, when in conditions.items()
    }


ALIASES = frozenset(to_camel_case(name) for name in (*_queries(), *_subscriptions()))


def is_alias(operation: str) -> bool:
    """Whether the operation exists for `client.models` only."""
    return operation in ALIASES


def _with_fields(fields: dict[str, Field]) -> Callable[[type], type]:
    def add(cls: type) -> type:
        for name, field in fields.items():
            setattr(cls, name, field)
        return strawberry.type(cls)

    return add


@_with_fields(_queries())
class ModelsQuery:
    pass


@_with_fields(_subscriptions())
class ModelsSubscription:
    pass
