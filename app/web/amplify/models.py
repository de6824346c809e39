"""The names that Amplify's `client.models` expects, for records whose mutations have them already.

Each field is another way to one that is there: the same services, the same rights.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import strawberry
from strawberry.utils.str_converters import to_snake_case

from app.core.record import Node
from app.domains.goals.types import Goal, Project, Task
from app.domains.rewards.types import Reward
from app.domains.tracking.types import Habit, Metric
from app.events.event import Event
from app.graph.context import Context, Info
from app.graph.fields import query
from app.graph.paging import MOST_PER_PAGE, NextToken, Page, page
from app.nodes import KINDS
from app.table.gateway import Rows
from app.web.filters import check, list_filter, passes, subscription_filter
from app.web.realtime.source import is_created, is_deleted, is_updated, own
from app.web.realtime.subscriptions import subscription

UNSET: Any = strawberry.UNSET
UpToAll = Annotated[
    int | None, strawberry.argument(description="1 or more; null or above 100 counts as 100.")
]
Keep = Callable[[Any], bool]
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
        """The field that it is another name of."""
        return self.name[0].lower() + self.name[1:]


async def tasks(context: Context, *, keep: Keep, **place: Any) -> Rows[Task]:
    wanted = await context.tasks.wanted(due_after=None, due_before=None, keep=keep)
    return await context.tasks.tasks(wanted, **place)


async def goals(context: Context, *, keep: Keep, **place: Any) -> Rows[Goal]:
    return await context.goals.goals(context.goals.wanted(keep=keep), **place)


async def projects(context: Context, *, keep: Keep, **place: Any) -> Rows[Project]:
    return await context.projects.projects(context.projects.wanted(keep=keep), **place)


MODELS = (
    Model(Goal, goals),
    Model(Task, tasks),
    Model(Project, projects),
    Model(Habit, lambda context, **place: context.habits.habits(None, None, None, **place)),
    Model(Metric, lambda context, **place: context.metrics.metrics(None, None, **place)),
    Model(Reward, lambda context, **place: context.rewards.rewards(None, None, **place)),
)


def _get(model: Model) -> Field:
    async def get(self: object, info: Info, id: strawberry.ID) -> Any:
        return await KINDS[model.name].find(info.context, id)

    get.__annotations__["return"] = model.record | None
    return query(description=f"The same as `{model.native}`, by the name that Amplify uses.")(get)


def _list(model: Model) -> Field:
    async def list_all(
        self: object,
        info: Info,
        filter: Any = UNSET,
        limit: UpToAll = None,
        next_token: NextToken = None,
    ) -> Any:
        check(filter)
        keep = partial(passes, filter=filter, agree=all)
        fetch = partial(model.rows, info.context, keep=keep)
        most = MOST_PER_PAGE if limit is None else min(limit, MOST_PER_PAGE)
        return await page(info, fetch, limit=most, next_token=next_token)

    list_all.__annotations__ |= {
        "filter": list_filter(model.record) | None,
        "return": Page[model.record],  # type: ignore[name-defined]
    }
    return query(
        description=f"Your {model.native}s, as `{model.native}s` lists them, by the name that "
        "Amplify uses. Every page but the last is full, whatever the filter; only where it passes "
        "over thousands of records a page may be short."
    )(list_all)


def _subscription(model: Model, word: str, when: Callable[[Event], bool]) -> Field:
    async def follow(self: object, info: Info, filter: Any = UNSET) -> AsyncIterator[Any]:
        check(filter)
        return await own(info, model.record, filter, when=when)

    follow.__annotations__ |= {
        "filter": subscription_filter(model.record) | None,
        "return": AsyncIterator[model.record | None],  # type: ignore[name-defined]
    }
    shown = "as it last was" if word == "delete" else "as it was then"
    return subscription(
        f"{word}{model.name}",
        description=f"That a {model.native} of yours was {word}d: it comes {shown}. By the name "
        "that Amplify uses.",
    )(follow)


def _queries() -> dict[str, Field]:
    found: dict[str, Field] = {}
    for model in MODELS:
        found[f"get_{to_snake_case(model.name)}"] = _get(model)
        found[f"list_{to_snake_case(model.plural)}"] = _list(model)
    return found


def _subscriptions() -> dict[str, Field]:
    moments = {"create": is_created, "update": is_updated, "delete": is_deleted}
    return {
        f"on_{word}_{to_snake_case(model.name)}": _subscription(model, word, when)
        for model in MODELS
        for word, when in moments.items()
    }


def _with(fields: dict[str, Field]) -> Callable[[type], type]:
    def add(cls: type) -> type:
        for name, field in fields.items():
            setattr(cls, name, field)
        return strawberry.type(cls)

    return add


@_with(_queries())
class ModelsQuery:
    pass


@_with(_subscriptions())
class ModelsSubscription:
    pass
