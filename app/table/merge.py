"""One list out of several runs that are each in order: a timeline's types, an index's shards."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TypeVar

from app.core.record import Record
from app.table.entity import Query, R, entity_of, position_of
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
    """The first of all. `start` and the next position say for each run how far it was read:
    absent, not at all; null, to its end."""
    every = chain.from_iterable(rows.items for rows in found.values())
    chosen = sorted(every, key=order, reverse=newest_first)[:limit]
    taken = {id(each) for each in chosen}
    place = {**start}
    for name, rows in found.items():
        place |= _place(name, rows, [each for each in rows.items if id(each) in taken], index)
    unread = any(place.get(name, {}) is not None for name in found)
    return Rows(chosen, place if unread else None)


def _place(name: str, rows: Rows[R], taken: list[R], index: str | None) -> Position:
    if len(taken) == len(rows.items) and rows.next is None:
        return {name: None}
    return {name: position_of(taken[-1], index)} if taken else {}


async def query_merged(
    table: Gateway,
    runs: Sequence[Query[R]],
    follow: Callable[[list[R]], Awaitable[Sequence[S | None]]],
    *,
    limit: int,
    start: Position | None = None,
) -> Rows[S]:
    """As Gateway.query_through, over the shards of one list."""
    if len(runs) == 1:
        return await table.query_through(runs[0], follow, limit=limit, start=start)
    found: list[S] = []
    for _ in range(MOST_PAGES):
        rows = await _next(table, runs, limit - len(found), start or {})
        found += [each for each in await follow(rows.items) if each is not None]
        start = rows.next
        if start is None or len(found) == limit:
            break
    return Rows(found, start)


async def _next(table: Gateway, runs: Sequence[Query[R]], limit: int, start: Position) -> Rows[R]:
    unread = {
        str(number): run
        for number, run in enumerate(runs)
        if start.get(str(number), {}) is not None
    }
    answers = await asyncio.gather(
        *(
            table.query(run, limit=limit, start=start.get(name) or None)
            for name, run in unread.items()
        )
    )
    index = runs[0].index
    found = dict(zip(unread, answers, strict=True))
    rows = merge(
        found,
        limit=limit,
        start=start,
        order=partial(_sort_key, index),
        index=index,
        newest_first=runs[0].newest_first,
    )
    if rows.next is None:
        return rows
    untouched = {name: run for name, run in unread.items() if name not in rows.next}
    return Rows(rows.items, {**_standing(untouched, found, rows.items[-1]), **rows.next})


def _standing(runs: Mapping[str, Query[R]], found: Mapping[str, Rows[R]], last: R) -> Position:
    """Shards of which nothing was taken yet go on behind the last that was taken, too: what has
    come since then stands before it."""
    places: Position = {}
    for name, run in runs.items():
        if _sort_key(run.index, found[name].items[0]) != _sort_key(run.index, last):
            places[name] = position_of(last, run.index) | {f"{run.index or ''}PK": run.pk}
    return places


def _sort_key(index: str | None, record: Record) -> str:
    entity = entity_of(record)
    return entity.index_key_of(record, index)[f"{index}SK"] if index else entity.key_of(record).sk
