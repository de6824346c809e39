"""Reading through rows to what is behind them, and many records by their keys."""

from collections.abc import Sequence

import pytest

from app.table.gateway import CALLS, Gateway
from tests.table.things import Thing, key, new_shelf, thing, things_of


def calls() -> float:
    return sum(sample.value for sample in next(iter(CALLS.collect())).samples)


async def filled(table: Gateway, count: int) -> str:
    shelf = new_shelf()
    await table.put_many([thing(shelf, i) for i in range(count)])
    return shelf


async def every_third(rows: list[Thing]) -> Sequence[Thing | None]:
    return [row if int(row.id) % 3 == 0 else None for row in rows]


async def test_many_come_in_the_order_of_their_keys(engine_table: Gateway) -> None:
    shelf = await filled(engine_table, 3)
    wanted = [key(shelf, id) for id in ("0002", "nobody", "0000", "0002")]
    found = await engine_table.get_many(wanted)
    assert [each and each.id for each in found] == ["0002", None, "0000", "0002"]


async def test_many_are_one_call_for_each_hundred(engine_table: Gateway) -> None:
    shelf = await filled(engine_table, 101)
    before = calls()
    found = await engine_table.get_many([key(shelf, f"{i:04}") for i in range(101)])
    assert (len([each for each in found if each]), calls() - before) == (101, 2)
    assert await engine_table.get_many([]) == []


@pytest.mark.parametrize("limit", [1, 2, 7, 33, 34, 100])
async def test_pages_of_what_is_behind_are_full_and_lose_nothing(
    engine_table: Gateway, limit: int
) -> None:
    shelf = await filled(engine_table, 100)
    found: list[str] = []
    start = None
    while True:
        rows = await engine_table.query_through(
            things_of(shelf), every_third, limit=limit, start=start
        )
        found += [each.id for each in rows.items]
        start = rows.next
        if start is None:
            break
        assert len(rows.items) == limit
    assert found == [f"{i:04}" for i in range(0, 100, 3)]


async def test_if_nothing_is_left_out_the_last_page_knows_it(engine_table: Gateway) -> None:
    async def everything(rows: list[Thing]) -> Sequence[Thing]:
        return rows

    shelf = await filled(engine_table, 4)
    page = await engine_table.query_through(things_of(shelf), everything, limit=4)
    assert (len(page.items), page.next) == (4, None)
