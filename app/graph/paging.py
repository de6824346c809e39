"""Lists: { items nextToken }."""

import hashlib
from collections.abc import Awaitable
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Generic, Protocol, TypeVar

import orjson
import strawberry
from graphql import Undefined, value_from_ast_untyped

from app.core.errors import BadInput
from app.core.record import Record
from app.table.gateway import Position, Rows

# Records name Page in their fields, and the context knows every record.
if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info

T = TypeVar("T")
R = TypeVar("R", bound=Record)
MOST_PER_PAGE = 100
USUAL_PER_PAGE = 20

Limit = Annotated[int | None, strawberry.argument(description="1 to 100; null counts as 20.")]
NextToken = Annotated[
    str | None,
    strawberry.argument(description="Where the page before ended; null: the first page."),
]


@strawberry.type
class Page(Generic[T]):
    items: list[T]
    next_token: str | None = strawberry.field(
        default=None, description="Ask again with it for more; null: this was all."
    )


class Fetch(Protocol[R]):
    def __call__(self, *, limit: int, start: Position | None) -> Awaitable[Rows[R]]: ...


async def page(
    info: Info, fetch: Fetch[R], *, limit: int | None, next_token: str | None, of: str = ""
) -> Page[R]:
    """`of` names the record whose list it is, for lists that are not the caller's own."""
    limit = USUAL_PER_PAGE if limit is None else limit
    if not 1 <= limit <= MOST_PER_PAGE:
        raise BadInput(f"limit must be 1 to {MOST_PER_PAGE}.", field="limit")
    tokens = info.context.page_tokens
    purpose = _purpose(info, of)
    start = tokens.open(next_token, purpose) if next_token is not None else None
    rows = await fetch(limit=limit, start=start)
    return Page(
        items=rows.items,
        next_token=tokens.seal(rows.next, purpose) if rows.next else None,
    )


def _purpose(info: Info, of: str) -> bytes:
    """The same caller, field and arguments: only limit and nextToken may differ between pages."""
    raw = info._raw_info
    arguments = {
        argument.name.value: value_from_ast_untyped(argument.value, info.variable_values)
        for argument in raw.field_nodes[0].arguments or ()
        if argument.name.value not in ("limit", "nextToken")
    }
    given = {
        name: _named(value) for name, value in arguments.items() if value not in (None, Undefined)
    }
    caller = info.context.caller
    facts = [caller.access.value, caller.id, raw.parent_type.name, raw.field_name, of, given]
    text = orjson.dumps(facts, default=str, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).digest()


def _named(value: object) -> object:
    """Enums by name, as literals have them: orjson would write a member by its value. Numbers as
    text: it knows none of more than 64 bits, and an id may be written as either."""
    if isinstance(value, dict):
        return {name: _named(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_named(each) for each in value]
    if isinstance(value, Enum):
        return value.name
    return str(value) if type(value) is int else value
