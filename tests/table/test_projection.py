"""Records that are read without their long texts."""

import asyncio
import dataclasses
from typing import Any

import orjson
import pytest

from app.table.codec import NotRead, NotReadError, encode_fields
from app.table.entity import Entity
from app.table.gateway import Gateway
from app.table.writes import Put
from tests.table.things import MADE, THING, Colour, Thing, key, new_shelf, thing, things_of

LONG = "x" * 20_000
NAMELESS = frozenset({"name", "tags"})


class Wire:
    """How many bytes a table's answers have."""

    def __init__(self, table: Gateway) -> None:
        self._table = table
        self._real = table._call
        self.bytes = 0
        self.requests: list[dict[str, Any]] = []

    async def _call(self, operation: str, **parameters: Any) -> Any:
        answer = await self._real(operation, **parameters)
        self.requests.append(parameters)
        self.bytes += len(orjson.dumps(answer))
        return answer

    def __enter__(self) -> "Wire":
        self._table._call = self._call  # type: ignore[method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        self._table._call = self._real  # type: ignore[method-assign]


async def stored(table: Gateway, count: int = 1) -> str:
    shelf = new_shelf()
    made = (
        thing(shelf, number, name=LONG, tags=["a"], colour=Colour.red) for number in range(count)
    )
    await table.put_many(made)
    return shelf


async def test_what_is_left_out_does_not_travel(engine_table: Gateway) -> None:
    shelf = await stored(engine_table)
    for read in (engine_table.load, lambda key: first(engine_table, key)):
        with Wire(engine_table) as wire:
            found: Any = await read(key(shelf, "0000").without(NAMELESS))
        assert (found.id, found.colour, found.size) == ("0000", Colour.red, 0)
        assert wire.bytes < 1_000
        with Wire(engine_table) as wire:
            found = await read(key(shelf, "0000"))
        assert (found.name, found.tags) == (LONG, ["a"])
        assert wire.bytes > 20_000


async def first(table: Gateway, wanted: Any) -> Any:
    return (await table.get_many([wanted]))[0]


async def test_a_list_without_long_texts(engine_table: Gateway) -> None:
    shelf = await stored(engine_table, 5)
    query = things_of(shelf).without(NAMELESS)
    with Wire(engine_table) as wire:
        rows = await engine_table.query(query, limit=3)
        rest = await engine_table.query(query, limit=3, start=rows.next)
    assert [each.id for each in (*rows.items, *rest.items)] == [f"000{n}" for n in range(5)]
    assert wire.bytes < 4_000


async def test_rows_without_long_texts_lead_through_all_pages(engine_table: Gateway) -> None:
    shelf = await stored(engine_table, 7)
    query = THING.within("GSI1", shelf=shelf, colour=Colour.red).without(NAMELESS)

    async def follow(rows: list[Thing]) -> list[Thing | None]:
        return await engine_table.get_many([key(shelf, row.id) for row in rows])

    seen: list[str] = []
    start = None
    while True:
        rows = await engine_table.query_through(query, follow, limit=3, start=start)
        assert all(each.name == LONG for each in rows.items)
        seen += [each.id for each in rows.items]
        start = rows.next
        if start is None:
            break
    assert seen == [f"000{n}" for n in range(7)]


async def test_reads_of_one_tick_each_get_their_own_attributes(engine_table: Gateway) -> None:
    """One call for all; it brings what serves everybody."""
    shelf = await stored(engine_table, 2)
    with Wire(engine_table) as wire:
        whole, part, same = await asyncio.gather(
            engine_table.load(key(shelf, "0000")),
            engine_table.load(key(shelf, "0001").without(NAMELESS)),
            engine_table.load(key(shelf, "0000").without(frozenset({"size"}))),
        )
    assert len(wire.requests) == 1
    assert whole == thing(shelf, "0000", name=LONG, tags=["a"], colour=Colour.red)
    assert same
    assert same.name == LONG
    assert part
    assert part.name is NotRead.NOT_READ  # type: ignore[comparison-overlap]


async def test_it_cannot_be_written(engine_table: Gateway) -> None:
    shelf = await stored(engine_table)
    found = await engine_table.load(key(shelf, "0000").without(NAMELESS))
    assert found
    for record in (found, found.evolve(MADE, size=2), dataclasses.replace(found, name="new")):
        with pytest.raises(NotReadError):
            await engine_table.write(Put(record))
        with pytest.raises(NotReadError):
            encode_fields(record)
    kept = await engine_table.get(key(shelf, "0000"))
    assert kept == thing(shelf, "0000", name=LONG, tags=["a"], colour=Colour.red)


def test_heavy_is_only_what_the_record_has() -> None:
    with pytest.raises(TypeError, match="Heavy has no fields \\['nmae'\\]"):
        Entity("Heavy", Thing, pk="H#{shelf}", sk="H#{id}", heavy=frozenset({"nmae"}))
