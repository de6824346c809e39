"""Queries and subscriptions with the names that Amplify's `client.models` expects.

Each is an alias of a field with another name: it uses the same services and needs the same rights.
The mutations have these names already.
"""

from collections.abc import AsyncIterator, Callable
from enum import Enum
from functools import partial
from typing import Annotated, Any

import strawberry
from strawberry.types import get_object_definition
from strawberry.types.base import StrawberryOptional
from strawberry.types.enum import StrawberryEnumDefinition
from strawberry.utils.str_converters import to_camel_case, to_snake_case

from app.core.enums import enum_type
from app.core.text import normalize_text
from app.events.event import Event
from app.graph.context import Info
from app.graph.fields import query
from app.graph.paging import NextToken, Page
from app.nodes import KINDS
from app.web.amplify.lists import filtered_page
from app.web.amplify.models import MODELS, Index, Model
from app.web.filters import (
    check_filter,
    list_filter,
    sort_key_condition,
    sort_key_range,
    subscription_filter,
)
from app.web.filters.matching import operators_hold
from app.web.realtime.source_stream import is_created, is_deleted, is_updated, own_record_stream
from app.web.realtime.subscriptions import subscription

UNSET: Any = strawberry.UNSET
ListLimit = Annotated[
    int | None,
    strawberry.argument(
        description="1 or more; null counts as 100, above 1000 as 1000. Above 100 a page may be "
        "shorter, also if it is not the last: it holds about 15,000 values."
    ),
]
Field = Any


@enum_type("The order of a list by its sort key.", ASC="Rising.", DESC="Falling.")
class ModelSortDirection(Enum):
    ASC = "ASC"
    DESC = "DESC"


SortDirection = Annotated[
    ModelSortDirection | None, strawberry.argument(description="Null counts as ASC.")
]


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
        read = partial(model.rows, info.context)
        return await filtered_page(info, read, filter, limit=limit, next_token=next_token)

    list_all.__annotations__ |= {
        "filter": list_filter(model.record) | None,
        "return": Page[model.record],  # type: ignore[name-defined]
    }
    return query(
        description=f"Alias of `{model.native}s`, with the name that Amplify uses. "
        "Every page but the last is full, whatever the filter; a page may be shorter only if the "
        "filter skips thousands of records."
    )(list_all)


def _index(model: Model, index: Index) -> Field:
    async def list_by_index(
        self: object,
        info: Info,
        partition: Any,
        sort: Any = UNSET,
        sort_direction: SortDirection = None,
        filter: Any = UNSET,
        limit: ListLimit = None,
        next_token: NextToken = None,
    ) -> Any:
        check_filter(filter)
        value = normalize_text(partition) if isinstance(partition, str) else partition
        read = partial(
            model.rows,
            info.context,
            sort=index.sort,
            between=sort_key_range(sort, field=index.fields[1]),
            newest_first=sort_direction is ModelSortDirection.DESC,
            **{index.partition: value},
        )

        def keep(record: Any) -> bool:
            if sort is None or sort is UNSET:
                return True
            return operators_hold(getattr(record, index.sort), sort, all)

        return await filtered_page(
            info, read, filter, limit=limit, next_token=next_token, keep=keep
        )

    partition_name, sort_name = index.fields
    list_by_index.__annotations__ |= {
        "partition": Annotated[
            _required_type(model.record, index.partition),
            strawberry.argument(name=partition_name, description="The value they have."),
        ],
        "sort": Annotated[
            sort_key_condition() | None,
            strawberry.argument(name=sort_name, description="Null: all of them."),
        ],
        "filter": list_filter(model.record) | None,
        "return": Page[model.record],  # type: ignore[name-defined]
    }
    return query(
        description=f"Your {model.native}s with this {partition_name} and a {sort_name}, by it. "
        "With the name that Amplify uses for an index."
    )(list_by_index)


def _required_type(record: type, name: str) -> Any:
    fields = get_object_definition(record, strict=True).fields
    kind: Any = next(each.type for each in fields if each.python_name == name)
    while isinstance(kind, StrawberryOptional):
        kind = kind.of_type
    return kind.wrapped_cls if isinstance(kind, StrawberryEnumDefinition) else kind


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
        for index in model.indexes:
            found[to_snake_case(index.query_name(model.name))] = _index(model, index)
    return found


def _subscriptions() -> dict[str, Field]:
    conditions = {"create": is_created, "update": is_updated, "delete": is_deleted}
    return {
        f"on_{word}_{to_snake_case(model.name)}": _subscription(model, word, when)
        for model in MODELS
        for word, when in conditions.items()
    }


def _with_fields(fields: dict[str, Field]) -> Callable[[type], type]:
    def add(cls: type) -> type:
        for name, field in fields.items():
            setattr(cls, name, field)
        return strawberry.type(cls)

    return add


QUERIES, SUBSCRIPTIONS = _queries(), _subscriptions()
ALIASES = frozenset(to_camel_case(name) for name in (*QUERIES, *SUBSCRIPTIONS))


def is_alias(operation: str) -> bool:
    """Whether the operation exists for `client.models` only."""
    return operation in ALIASES


@_with_fields(QUERIES)
class ModelsQuery:
    pass


@_with_fields(SUBSCRIPTIONS)
class ModelsSubscription:
    pass
