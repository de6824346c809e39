"""Lists: { items nextToken }."""

import hashlib
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Annotated, Generic, TypeVar

import orjson
import strawberry
from graphql import Undefined, value_from_ast_untyped

from app.core.errors import BadInput
from app.core.record import Record, computed
from app.graph.context import Info
from app.table.gateway import PageReader

T = TypeVar("T")
R = TypeVar("R", bound=Record)
MAX_PAGE_SIZE = 100
DEFAULT_PAGE_SIZE = 20

Limit = Annotated[int | None, strawberry.argument(description="1 to 100; null counts as 20.")]
NextToken = Annotated[
    str | None,
    strawberry.argument(description="nextToken of the page before; null: the first page."),
]


@strawberry.type(description="A part of a list.")
class Page(Generic[T]):
    items: list[T] = strawberry.field(
        description="The records of this page, in the order of the list."
    )
    next_token: str | None = strawberry.field(
        default=None,
        description="Send it with the same arguments for the next page; null: there are no more.",
    )
    counter: strawberry.Private[Callable[[], Awaitable[int | None]] | None] = None

    @computed(
        description="Number of records in the whole list. Null if this list is not counted, or if "
        "more than 5,000 records would have to be read for it. It costs as much as reading them: "
        "select it when you show it."
    )
    async def total_count(self) -> int | None:
        return await self.counter() if self.counter else None


async def page(
    info: Info,
    read: PageReader[R],
    *,
    limit: int | None,
    next_token: str | None,
    of: str = "",
    most: int = MAX_PAGE_SIZE,
    count: Callable[[], Awaitable[int | None]] | None = None,
) -> Page[R]:
    """`of`: the id of the record that the list belongs to, if it is not the caller's own list.
    `count`: of the whole list; called only if the client asks for it."""
    tokens = info.context.page_tokens
    size = page_size(limit, most)
    purpose = _purpose(info, of)
    start = tokens.open(next_token, purpose) if next_token is not None else None
    rows = await read(limit=size, start=start)
    return Page(
        items=rows.items,
        next_token=tokens.seal(rows.next, purpose) if rows.next else None,
        counter=count,
    )


def page_size(limit: int | None, most: int = MAX_PAGE_SIZE) -> int:
    size = DEFAULT_PAGE_SIZE if limit is None else limit
    if not 1 <= size <= most:
        raise BadInput(f"limit must be 1 to {most}.", field="limit")
    return size


def _purpose(info: Info, of: str) -> bytes:
    """A token is valid for one caller, field and arguments; only limit and nextToken may change."""
    raw = info._raw_info
    arguments = {
        argument.name.value: value_from_ast_untyped(argument.value, info.variable_values)
        for argument in raw.field_nodes[0].arguments or ()
        if argument.name.value not in ("limit", "nextToken")
    }
    sent = {
        name: _canonical(value)
        for name, value in arguments.items()
        if value not in (None, Undefined)
    }
    caller = info.context.caller
    parts = [caller.access.value, caller.id, raw.parent_type.name, raw.field_name, of, sent]
    text = orjson.dumps(parts, default=str, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).digest()


def _canonical(value: object) -> object:
    """The same for a literal and a variable. Enum members by name: orjson would write the value.
    Integers as text: orjson has none above 64 bits, and an id may be written as number or text."""
    if isinstance(value, dict):
        return {name: _canonical(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_canonical(each) for each in value]
    if isinstance(value, Enum):
        return value.name
    return str(value) if type(value) is int else value
