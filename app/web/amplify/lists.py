"""Pages of records that match a filter, also by values that take a service."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from app.graph.context import Info
from app.graph.paging import MAX_PAGE_SIZE, Page, page
from app.table.gateway import Position, Rows
from app.web.cost import MAX_LIST_SIZE, most_rows, row_cost
from app.web.filters import choose_matching, matches_filter
from app.web.work import FieldWork

# How often a page that is not full yet is continued: with values that take a service, each batch
# costs many reads.
MOST_BATCHES = 20

ReadRows = Callable[..., Awaitable[Rows[Any]]]
Choose = Callable[[Sequence[Any]], Awaitable[list[bool]]]


async def filtered_page(
    info: Info,
    read: ReadRows,
    filter: Any,
    *,
    limit: int | None,
    next_token: str | None,
    keep: Callable[[Any], bool] = lambda record: True,
) -> Page[Any]:
    """`read` takes `keep`, `limit` and `start`. `keep`: a condition besides the filter."""

    def may_match(record: Any) -> bool:
        return keep(record) and matches_filter(record, filter, combine=all)

    choose = partial(choose_matching, info, filter=filter, combine=all)
    fetch = partial(matching_rows, partial(read, keep=may_match), choose)
    size = _list_size(info, MAX_PAGE_SIZE if limit is None else limit)
    return await page(info, fetch, limit=size, next_token=next_token, most=MAX_LIST_SIZE)


def _list_size(info: Info, limit: int) -> int:
    if limit <= MAX_PAGE_SIZE:
        return limit
    raw = info._raw_info
    cost = row_cost(raw.field_nodes[0], raw.fragments, FieldWork(raw.schema))
    return min(limit, most_rows(cost))


async def matching_rows(
    read: ReadRows, choose: Choose, *, limit: int, start: Position | None
) -> Rows[Any]:
    found: list[Any] = []
    for _ in range(MOST_BATCHES):
        room = limit - len(found)
        rows = await read(limit=max(room, MAX_PAGE_SIZE), start=start)
        chosen = await choose(rows.items)
        matching = [number for number, matches in enumerate(chosen) if matches]
        found += [rows.items[number] for number in matching[:room]]
        if len(matching) >= room:
            last = matching[room - 1] + 1
            if last < len(rows.items):
                # The position after the last match: only a page that ends there has it.
                rows = await read(limit=last, start=start)
            return Rows(found, rows.next)
        start = rows.next
        if start is None:
            break
    return Rows(found, start)
