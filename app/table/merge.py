"""Merges several ordered queries into one list: the types of a timeline, the shards of an index."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TypeVar

from app.core.record import Record
from app.table.entity import R, RangeQuery, entity_of, position_after
from app.table.gateway import MOST_PAGES, Gateway, Position, Rows

S = TypeVar("S", bound=Record)


def merge(
    found: Mapping[str, Rows[R]],
    *,
    limit: int,
    start: Position,
    order: Callable[[R], str],
    index: str | None,
    newest_first: bool = True,
) -> Rows[R]:
    """The first records of all queries. `start` and the next position have an entry for each query:
    absent, nothing was read; null, all was read."""
    every = chain.from_iterable(rows.items for rows in found.values())
    chosen = sorted(every, key=order, reverse=newest_first)[:limit]
    chosen_ids = {id(each) for each in chosen}
    positions = {**start}
    for name, rows in found.items():
        taken = [each for each in rows.items if id(each) in chosen_ids]
        positions |= _position(name, rows, taken, index)
    unread = any(positions.get(name, {}) is not None for name in found)
    return Rows(chosen, positions if unread else None)


def _position(name: str, rows: Rows[R], taken: list[R], index: str | None) -> Position:
    if len(taken) == len(rows.items) and rows.next is None:
        return {name: None}
    return {name: position_after(taken[-1], index)} if taken else {}


async def query_merged(
    table: Gateway,
    queries: Sequence[RangeQuery[R]],
    follow: Callable[[list[R]], Awaitable[Sequence[S | None]]],
    *,
    limit: int,
    start: Position | None = None,
) -> Rows[S]:
    """As Gateway.query_through, over the shards of one list."""
    if len(queries) == 1:
        return await table.query_through(queries[0], follow, limit=limit, start=start)
    found: list[S] = []
    for _ in range(MOST_PAGES):
        rows = await _next(table, queries, limit - len(found), start or {})
        found += [each for each in await follow(rows.items) if each is not None]
        start = rows.next
        if start is None or len(found) == limit:
            break
    return Rows(found, start)


async def _next(
    table: Gateway, queries: Sequence[RangeQuery[R]], limit: int, start: Position
) -> Rows[R]:
    unread = {
        str(number): query
        for number, query in enumerate(queries)
        if start.get(str(number), {}) is not None
    }
    answers = await asyncio.gather(
        *(
            table.query(query, limit=limit, start=start.get(name) or None)
            for name, query in unread.items()
        )
    )
    index = queries[0].index
    found = dict(zip(unread, answers, strict=True))
    rows = merge(
        found,
        limit=limit,
        start=start,
        order=partial(_sort_key, index),
        index=index,
        newest_first=queries[0].newest_first,
    )
    if rows.next is None:
        return rows
    untouched = {name: query for name, query in unread.items() if name not in rows.next}
    return Rows(
        rows.items, {**_positions_of_untouched(untouched, found, rows.items[-1]), **rows.next}
    )


def _positions_of_untouched(
    queries: Mapping[str, RangeQuery[R]], found: Mapping[str, Rows[R]], last: R
) -> Position:
    """Shards from which no record was taken continue after the last record that was taken: records
    written since then would come before it."""
    positions: Position = {}
    for name, query in queries.items():
        if _sort_key(query.index, found[name].items[0]) != _sort_key(query.index, last):
            position = position_after(last, query.index)
            positions[name] = position | {f"{query.index or ''}PK": query.pk}
    return positions


def _sort_key(index: str | None, record: Record) -> str:
    entity = entity_of(record)
    return entity.index_key_of(record, index)[f"{index}SK"] if index else entity.key_of(record).sk
