"""The gateway on real engines: what is read, what is written, what is refused."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from botocore.exceptions import ClientError

from app.core.errors import (
    AppError,
    BadInput,
    BadToken,
    Conflict,
    NotFound,
    StaleVersion,
    Unavailable,
)
from app.table import gateway as gateway_module
from app.table.codec import CorruptItem
from app.table.conditions import Condition, absent, attr, present, version_is
from app.table.entity import RangeQuery, position_after
from app.table.gateway import CALLS, Gateway
from app.table.writes import (
    Check,
    Delete,
    Put,
    Update,
    Write,
    item_of,
    put_if_absent,
    put_if_unchanged,
)
from tests.table.things import MADE, THING, Colour, Thing, key, new_shelf, thing, things_of

LARGE = "x" * 300_000  # four of them are more than the 1 MB of one page
TOO_LARGE = "The record is larger than 400 KB. Shorten its texts."


def calls(operation: str) -> float:
    return float(CALLS.labels(operation)._value.get())


class Counted:
    """How many calls of an operation were made inside the block."""

    def __init__(self, operation: str) -> None:
        self.operation = operation

    def __enter__(self) -> "Counted":
        self._before = calls(self.operation)
        return self

    def __exit__(self, *_: object) -> None:
        self.calls = calls(self.operation) - self._before


async def fill(table: Gateway, count: int, **fields: object) -> str:
    shelf = new_shelf()
    await table.put_many(thing(shelf, number, **fields) for number in range(count))
    return shelf


async def ids(table: Gateway, query: RangeQuery[Thing]) -> list[str]:
    return [each.id async for each in table.query_all(query)]


def numbers(*run: int) -> list[str]:
    return [f"{number:04}" for number in range(*run)]


async def refused(table: Gateway, *writes: Write) -> AppError:
    with pytest.raises(AppError) as refusal:
        await table.write(*writes)
    return refusal.value


# Single reads


async def test_get_finds_what_was_written(engine_table: Gateway) -> None:
    made = thing(new_shelf(), name="ž", size=3, tags=["a"], colour=Colour.blue)
    await engine_table.write(Put(made))
    assert await engine_table.get(THING.key_of(made)) == made


async def test_get_of_what_is_not_there_is_none(engine_table: Gateway) -> None:
    assert await engine_table.get(key(new_shelf())) is None
    assert await engine_table.load(key(new_shelf())) is None


async def test_the_item_has_its_keys_its_type_and_nothing_that_is_none(
    engine_table: Gateway,
) -> None:
    shelf = new_shelf()
    await engine_table.write(Put(thing(shelf, colour=Colour.red)))
    assert [item async for item in engine_table.partition(f"SHELF#{shelf}")] == [
        {
            "PK": {"S": f"SHELF#{shelf}"},
            "SK": {"S": "THING#a"},
            "GSI1PK": {"S": f"SHELF#{shelf}#COLOUR#RED"},
            "GSI1SK": {"S": "THING#a"},
            "entityType": {"S": "Thing"},
            "createdAt": {"S": MADE},
            "updatedAt": {"S": MADE},
            "version": {"N": "1"},
            "shelf": {"S": shelf},
            "id": {"S": "a"},
            "size": {"N": "0"},
            "tags": {"L": []},
            "colour": {"S": "RED"},
        }
    ]


async def test_a_corrupt_item_is_an_error_and_not_a_missing_one(engine_table: Gateway) -> None:
    shelf = new_shelf()
    bare = {"PK": {"S": f"SHELF#{shelf}"}, "SK": {"S": "THING#a"}}
    await engine_table.client.put_item(TableName=engine_table.table, Item=bare)
    for read in (engine_table.get, engine_table.load):
        with pytest.raises(CorruptItem, match="Thing: createdAt"):
            await read(key(shelf))


# Reads that travel together


async def test_reads_of_one_moment_are_one_batch(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 40)
    with Counted("batch_get_item") as counted, Counted("get_item") as single:
        found = await engine_table.load_many(key(shelf, id) for id in numbers(40))
    assert [each and each.id for each in found] == numbers(40)
    assert (counted.calls, single.calls) == (1, 0)


async def test_duplicates_are_asked_for_once_and_everyone_is_answered(
    engine_table: Gateway,
) -> None:
    shelf = await fill(engine_table, 2)
    wanted = ["0001", "0000", "none", "0001", "none"]
    with Counted("batch_get_item") as counted:
        found = await engine_table.load_many(key(shelf, id) for id in wanted)
    assert [each and each.id for each in found] == ["0001", "0000", None, "0001", None]
    assert counted.calls == 1


@pytest.mark.parametrize(("count", "batches"), [(100, 1), (101, 2), (250, 3)])
async def test_more_than_a_batch_holds_is_several_batches(
    engine_table: Gateway, count: int, batches: int
) -> None:
    shelf = await fill(engine_table, count)
    with Counted("batch_get_item") as counted:
        found = await engine_table.load_many(key(shelf, id) for id in numbers(count))
    assert [each and each.id for each in found] == numbers(count)
    assert counted.calls == batches


async def test_a_batch_of_more_than_16_megabytes_comes_whole(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 60, name=LARGE)
    found = await engine_table.load_many(key(shelf, id) for id in numbers(60))
    assert [each and each.id for each in found] == numbers(60)


async def test_a_later_moment_reads_anew(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 1)
    first = await engine_table.load(key(shelf, "0000"))
    assert first
    await engine_table.write(Put(first.evolve(MADE, name="changed")))
    second = await engine_table.load(key(shelf, "0000"))
    assert (first.name, second and second.name) == (None, "changed")


async def test_a_cancelled_reader_does_not_cancel_the_others(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 1)
    one, other = (asyncio.create_task(engine_table.load(key(shelf, "0000"))) for _ in range(2))
    await asyncio.sleep(0)
    one.cancel()
    found = await other
    assert found
    assert found.id == "0000"
    assert one.cancelled() or one.cancelling()


# Lists


async def test_a_list_comes_in_pages_of_just_the_limit(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 10)
    query = things_of(shelf)
    first = await engine_table.query(query, limit=4)
    second = await engine_table.query(query, limit=4, start=first.next)
    third = await engine_table.query(query, limit=4, start=second.next)
    pages = [[each.id for each in rows.items] for rows in (first, second, third)]
    assert pages == [numbers(4), numbers(4, 8), numbers(8, 10)]
    assert first.next == {"PK": f"SHELF#{shelf}", "SK": "THING#0003"}
    assert third.next is None


async def test_the_limit_is_honoured_across_pages_of_a_megabyte(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 9, name=LARGE)
    with Counted("query") as counted:
        rows = await engine_table.query(things_of(shelf), limit=8)
    assert [each.id for each in rows.items] == numbers(8)
    assert counted.calls > 1
    rest = await engine_table.query(things_of(shelf), limit=8, start=rows.next)
    assert ([each.id for each in rest.items], rest.next) == (numbers(8, 9), None)


async def test_newest_first_is_the_other_way_round_page_by_page(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 5)
    query = things_of(shelf, newest_first=True)
    rows = await engine_table.query(query, limit=3)
    assert [each.id for each in rows.items] == numbers(5)[:1:-1]
    rest = await engine_table.query(query, limit=3, start=rows.next)
    assert [each.id for each in rest.items] == numbers(2)[::-1]


async def test_between_includes_both_ends(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 6)
    query = RangeQuery(THING, f"SHELF#{shelf}", between=("THING#0001", "THING#0003"))
    assert await ids(engine_table, query) == numbers(1, 4)


async def test_a_list_of_one_kind_has_nothing_else_of_the_partition(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 2)
    other = item_of(thing(shelf)) | {"SK": {"S": "THINGS#x"}}
    await engine_table.client.put_item(TableName=engine_table.table, Item=other)
    assert await ids(engine_table, things_of(shelf)) == numbers(2)


async def test_a_whole_key_finds_no_longer_one(engine_table: Gateway) -> None:
    shelf = new_shelf()
    await engine_table.put_many([thing(shelf, "ab"), thing(shelf, "abc")])
    assert await ids(engine_table, THING.within(shelf=shelf, id="ab")) == ["ab"]


async def test_an_index_lists_only_what_has_all_its_parts(engine_table: Gateway) -> None:
    shelf = new_shelf()
    colours = [Colour.red, None, Colour.red, Colour.blue]
    await engine_table.put_many(
        thing(shelf, number, colour=colour) for number, colour in enumerate(colours)
    )
    red = THING.within("GSI1", shelf=shelf, colour=Colour.red)
    assert await ids(engine_table, red) == ["0000", "0002"]
    blue = THING.within("GSI1", shelf=shelf, colour=Colour.blue)
    assert await ids(engine_table, blue) == ["0003"]


async def test_a_record_without_an_index_part_is_not_in_the_index(engine_table: Gateway) -> None:
    shelf = new_shelf()
    red = thing(shelf, colour=Colour.red)
    await engine_table.write(Put(red))
    await engine_table.write(put_if_unchanged(red.evolve(MADE, colour=None), red, "thing"))
    query = THING.within("GSI1", shelf=shelf, colour=Colour.red)
    assert await ids(engine_table, query) == []


async def test_an_index_is_read_on_from_the_position_of_a_record(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 5, colour=Colour.red)
    query = THING.within("GSI1", shelf=shelf, colour=Colour.red)
    rows = await engine_table.query(query, limit=2)
    assert rows.next == position_after(rows.items[-1], "GSI1")
    rest = await engine_table.query(query, limit=9, start=position_after(rows.items[0], "GSI1"))
    assert [each.id for each in rest.items] == numbers(1, 5)


async def test_a_position_in_another_list_is_refused(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 3)
    rows = await engine_table.query(things_of(shelf), limit=1)
    with pytest.raises(BadToken):
        await engine_table.query(things_of(new_shelf()), limit=1, start=rows.next)


async def test_a_filtered_list_has_full_pages_and_loses_nothing(engine_table: Gateway) -> None:
    shelf = new_shelf()
    await engine_table.put_many(thing(shelf, number, size=number % 3) for number in range(20))
    pages: list[list[str]] = []
    start = None
    while not pages or start:
        rows = await engine_table.query(
            things_of(shelf), limit=4, start=start, keep=lambda each: each.size == 2
        )
        pages.append([each.id for each in rows.items])
        start = rows.next
    assert pages == [numbers(2, 12, 3), numbers(14, 20, 3)]


async def test_a_filter_that_keeps_nothing_reads_only_so_far(
    engine_table: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_module, "MOST_PAGES", 2)
    monkeypatch.setattr(gateway_module, "FILTERED_PAGE", 1)
    shelf = await fill(engine_table, 10)
    rows = await engine_table.query(things_of(shelf), limit=2, keep=lambda each: False)
    assert (rows.items, rows.next) == ([], {"PK": f"SHELF#{shelf}", "SK": "THING#0005"})


@pytest.mark.parametrize("count", [0, 3, 6])
async def test_the_last_page_knows_that_it_is_the_last(engine_table: Gateway, count: int) -> None:
    shelf = await fill(engine_table, count)
    pages, start = 0, None
    while pages == 0 or start:
        rows = await engine_table.query(things_of(shelf), limit=3, start=start)
        pages, start = pages + 1, rows.next
    assert pages == max(1, count // 3)


async def test_a_span_has_both_its_ends_whole(engine_table: Gateway) -> None:
    shelf = new_shelf()
    days = ["2026-01-30T09", "2026-01-31", "2026-01-31T23", "2026-02-01", "LATEST"]
    await engine_table.put_many(thing(shelf, day) for day in days)
    run = THING.span(shelf=shelf, since="2026-01-31", until="2026-01-31")
    assert await ids(engine_table, run) == ["2026-01-31", "2026-01-31T23"]
    assert await ids(engine_table, THING.span(shelf=shelf)) == days[:4]
    latest = THING.span(shelf=shelf, since="2026-02-01", newest_first=True)
    assert await ids(engine_table, latest) == ["2026-02-01"]


async def test_a_span_of_bare_times_may_be_open_at_both_ends(engine_table: Gateway) -> None:
    shelf = new_shelf()
    days = ["2025-01-01", "2026-01-31", None]
    await engine_table.put_many(thing(shelf, n, seen=day) for n, day in enumerate(days))
    assert await ids(engine_table, THING.span("GSI2", shelf=shelf)) == numbers(2)
    until = THING.span("GSI2", shelf=shelf, until="2025-01-01")
    assert await ids(engine_table, until) == numbers(1)


async def test_a_query_over_several_kinds_reads_each_item_as_its_own_kind(
    engine_table: Gateway,
) -> None:
    shelf = await fill(engine_table, 2)
    query: RangeQuery[Thing] = RangeQuery(None, f"SHELF#{shelf}")
    rows = await engine_table.query(query, limit=5)
    assert [(type(each), each.id) for each in rows.items] == [(Thing, "0000"), (Thing, "0001")]


@pytest.mark.parametrize("page", [1, 3, 500])
async def test_query_all_yields_everything_once(engine_table: Gateway, page: int) -> None:
    shelf = await fill(engine_table, 7)
    found = [each.id async for each in engine_table.query_all(things_of(shelf), page=page)]
    assert found == numbers(7)


async def test_count_counts_across_pages(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 9, name=LARGE)
    with Counted("query") as counted:
        assert await engine_table.count(things_of(shelf)) == 9
    assert counted.calls > 1
    assert await engine_table.count(things_of(new_shelf())) == 0


async def test_partition_yields_every_item_across_pages(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 6, name=LARGE)
    found = [item["id"]["S"] async for item in engine_table.partition(f"SHELF#{shelf}", page=4)]
    assert found == numbers(6)


# Many at once


@pytest.mark.parametrize(("count", "batches"), [(0, 0), (25, 1), (26, 2), (130, 6)])
async def test_many_are_put_and_deleted_in_batches(
    engine_table: Gateway, count: int, batches: int
) -> None:
    with Counted("batch_write_item") as counted:
        shelf = await fill(engine_table, count)
    assert counted.calls == batches
    assert await ids(engine_table, things_of(shelf)) == numbers(count)
    await engine_table.write(Put(thing(shelf, "stays")))
    with Counted("batch_write_item") as counted:
        await engine_table.delete_many((f"SHELF#{shelf}", f"THING#{id}") for id in numbers(count))
    assert counted.calls == batches
    assert await ids(engine_table, things_of(shelf)) == ["stays"]


async def test_deleting_what_is_not_there_is_no_error(engine_table: Gateway) -> None:
    shelf = await fill(engine_table, 1)
    await engine_table.delete_many([(f"SHELF#{shelf}", "THING#x"), (f"SHELF#{shelf}x", "THING#x")])
    assert await ids(engine_table, things_of(shelf)) == numbers(1)


# Writes


async def test_no_writes_make_no_call(engine_table: Gateway) -> None:
    with Counted("transact_write_items") as counted:
        await engine_table.write()
    assert counted.calls == 0


async def test_a_write_is_whole(engine_table: Gateway) -> None:
    shelf = new_shelf()
    await engine_table.put_many([thing(shelf, "changed"), thing(shelf, "deleted")])
    await engine_table.write(
        put_if_absent(thing(shelf, "new"), otherwise=Conflict("there")),
        Update(key(shelf, "changed"), put={"name": "n"}, add={"version": 1}),
        Delete(key(shelf, "deleted")),
        Check(key(shelf, "checked"), when=absent(), otherwise=Conflict("there")),
    )
    assert [each async for each in engine_table.query_all(things_of(shelf))] == [
        thing(shelf, "changed", name="n", version=2),
        thing(shelf, "new"),
    ]


@pytest.mark.parametrize("position", range(4))
async def test_one_refused_write_refuses_all_and_tells_which(
    engine_table: Gateway, position: int
) -> None:
    shelf = new_shelf()
    before = [thing(shelf, "changed"), thing(shelf, "deleted")]
    await engine_table.put_many(before)
    when = [absent(), present(), present(), absent()]
    when[position] = attr("shelf").equals("another")
    errors = [Conflict(f"write {number}") for number in range(4)]
    error = await refused(
        engine_table,
        Put(thing(shelf, "new"), when=when[0], otherwise=errors[0]),
        Update(key(shelf, "changed"), put={"name": "n"}, when=when[1], otherwise=errors[1]),
        Delete(key(shelf, "deleted"), when=when[2], otherwise=errors[2]),
        Check(key(shelf, "checked"), when=when[3], otherwise=errors[3]),
    )
    assert error is errors[position]
    assert [each async for each in engine_table.query_all(things_of(shelf))] == before


async def test_of_two_refused_writes_the_first_tells(engine_table: Gateway) -> None:
    shelf = new_shelf()
    error = await refused(
        engine_table,
        Put(thing(shelf, "fine")),
        Check(key(shelf, "x"), when=present(), otherwise=NotFound("first")),
        Check(key(shelf, "y"), when=present(), otherwise=NotFound("second")),
    )
    assert error.message == "There is no such first."


async def test_the_error_gets_the_current_item(engine_table: Gateway) -> None:
    shelf = new_shelf()
    old = thing(shelf, name="old")
    await engine_table.write(Put(old.evolve(MADE, name="meanwhile")))
    seen: list[Thing | None] = []

    def otherwise(now: Thing | None) -> AppError:
        seen.append(now)
        return Conflict("changed")

    await refused(engine_table, Put(old, when=version_is(1), otherwise=otherwise))
    await refused(engine_table, Check(key(shelf, "none"), when=present(), otherwise=otherwise))
    assert seen == [thing(shelf, name="meanwhile", version=2), None]


async def test_a_stale_version_carries_the_current_one(engine_table: Gateway) -> None:
    shelf = new_shelf()
    old = thing(shelf)
    await engine_table.write(Put(old.evolve(MADE).evolve(MADE)))
    error = await refused(
        engine_table, put_if_unchanged(old.evolve(MADE, name="mine"), old, "thing")
    )
    assert isinstance(error, StaleVersion)
    assert (error.code, error.info) == ("CONFLICT", {"currentVersion": 3})
    now = await engine_table.get(key(shelf))
    assert now
    assert now.name is None


async def test_changing_what_is_gone_is_not_found(engine_table: Gateway) -> None:
    old = thing(new_shelf())
    error = await refused(engine_table, put_if_unchanged(old.evolve(MADE), old, "thing"))
    assert error.code == "NOT_FOUND"


async def test_a_failed_condition_without_a_meaning_is_a_conflict(engine_table: Gateway) -> None:
    error = await refused(engine_table, Put(thing(new_shelf()), when=present()))
    assert error.code == "CONFLICT"


async def test_a_hundred_writes_are_one_transaction_and_more_are_refused(
    engine_table: Gateway,
) -> None:
    shelf = new_shelf()
    with Counted("transact_write_items") as counted:
        await engine_table.write(*(Put(thing(shelf, number)) for number in range(100)))
    assert counted.calls == 1
    error = await refused(engine_table, *(Put(thing(shelf, number)) for number in range(100, 201)))
    assert error.code == "LIMIT_EXCEEDED"
    assert await ids(engine_table, things_of(shelf)) == numbers(100)


async def test_a_check_and_a_write_of_one_item_are_one_write(engine_table: Gateway) -> None:
    shelf = new_shelf()
    old = thing(shelf)
    there = Check(key(shelf), when=present(), otherwise=NotFound("parent"))
    error = await refused(engine_table, there, put_if_unchanged(old.evolve(MADE), old, "thing"))
    assert error.message == "There is no such parent."
    await engine_table.write(Put(old))
    await engine_table.write(there, put_if_unchanged(old.evolve(MADE), old, "thing"))
    error = await refused(engine_table, put_if_unchanged(old.evolve(MADE), old, "thing"), there)
    assert isinstance(error, StaleVersion)
    assert error.info == {"currentVersion": 2}


async def test_two_updates_of_one_item_are_one_that_does_both(engine_table: Gateway) -> None:
    shelf = new_shelf()
    await engine_table.write(Put(thing(shelf, size=1)))
    await engine_table.write(
        Update(key(shelf), add={"size": 2, "version": 1}, put={"name": "n"}),
        Update(key(shelf), add={"size": 3}, put={"tags": ["t"]}),
    )
    assert await engine_table.get(key(shelf)) == thing(
        shelf, size=6, version=2, name="n", tags=["t"]
    )


async def put_too_much(table: Gateway, shelf: str) -> None:
    await table.write(Put(thing(shelf, "new", name="x" * 410_000)), Put(thing(shelf, "other")))


async def update_to_too_much(table: Gateway, shelf: str) -> None:
    await table.write(Update(key(shelf), put={"more": LARGE}), Put(thing(shelf, "other")))


async def update_alone_to_too_much(table: Gateway, shelf: str) -> None:
    await table.update(Update(key(shelf), put={"more": LARGE}))


async def put_too_much_among_many(table: Gateway, shelf: str) -> None:
    await table.put_many([thing(shelf, "other"), thing(shelf, "new", name="x" * 410_000)])


@pytest.mark.parametrize(
    "write", [put_too_much, update_to_too_much, update_alone_to_too_much, put_too_much_among_many]
)
async def test_an_item_that_is_too_large_is_bad_input(
    engine_table: Gateway, write: Callable[[Gateway, str], Any]
) -> None:
    shelf = new_shelf()
    await engine_table.write(Put(thing(shelf, name=LARGE)))
    with pytest.raises(BadInput) as refusal:
        await write(engine_table, shelf)
    assert (refusal.value.code, refusal.value.message) == ("BAD_INPUT", TOO_LARGE)
    assert await ids(engine_table, things_of(shelf)) == ["a"]


async def test_of_fifty_concurrent_creations_one_succeeds(engine_table: Gateway) -> None:
    shelf = new_shelf()
    outcomes = await asyncio.gather(
        *(
            engine_table.write(
                put_if_absent(thing(shelf, size=number), otherwise=Conflict("taken"))
            )
            for number in range(50)
        ),
        return_exceptions=True,
    )
    winners = [number for number, outcome in enumerate(outcomes) if outcome is None]
    assert len(winners) == 1
    assert all(isinstance(outcome, Conflict) for outcome in outcomes if outcome is not None)
    now = await engine_table.get(key(shelf))
    assert now
    assert now.size == winners[0]


# Updates


async def test_an_update_answers_with_the_record_as_it_is_now(engine_table: Gateway) -> None:
    shelf = new_shelf()
    await engine_table.write(Put(thing(shelf, name="old", size=5, colour=Colour.red)))
    now = await engine_table.update(
        Update(
            key(shelf),
            put={"tags": ["a"]},
            add={"size": -2, "version": 1},
            first={"name": "not this", "colour": Colour.blue},
            remove=("nothing",),
        )
    )
    assert now == thing(shelf, name="old", size=3, tags=["a"], version=2, colour=Colour.red)
    assert await engine_table.get(key(shelf)) == now


async def test_an_update_removes_named_attributes_and_those_set_to_none(
    engine_table: Gateway,
) -> None:
    shelf = new_shelf()
    await engine_table.write(Put(thing(shelf, name="n", size=5, tags=["a"])))
    now = await engine_table.update(Update(key(shelf), put={"name": None}, remove=("size",)))
    assert now == thing(shelf, tags=["a"])
    [item] = [item async for item in engine_table.partition(f"SHELF#{shelf}")]
    assert {"name", "size"}.isdisjoint(item)


async def test_an_update_that_says_what_comes_first_starts_a_whole_item(
    engine_table: Gateway,
) -> None:
    shelf = new_shelf()
    counter = Update(
        key(shelf),
        add={"size": 1, "version": 1},
        first={"createdAt": MADE, "updatedAt": MADE, "shelf": shelf, "id": "a"},
    )
    for count in (1, 2):
        assert await engine_table.update(counter) == thing(shelf, size=count, version=count)
    [item] = [item async for item in engine_table.partition(f"SHELF#{shelf}")]
    assert item == item_of(thing(shelf, size=2, version=2))


async def test_a_new_item_of_an_update_has_the_version_that_it_is_read_with(
    engine_table: Gateway,
) -> None:
    """Not 1: it was 0 before the first attributes included the version."""
    shelf = new_shelf()
    first = {"createdAt": MADE, "updatedAt": MADE, "shelf": shelf, "id": "a", "size": 7}
    await engine_table.write(Update(key(shelf), put={"name": "n"}, first=first))
    [item] = [item async for item in engine_table.partition(f"SHELF#{shelf}")]
    assert item == item_of(thing(shelf, name="n", size=7, version=0))


async def test_any_other_update_makes_no_half_item_of_nothing(engine_table: Gateway) -> None:
    """A counter whose item is gone, by its ttl say, must not come back without its owner."""
    shelf = new_shelf()
    with pytest.raises(Conflict):
        await engine_table.update(Update(key(shelf), add={"size": 1}))
    error = await refused(
        engine_table, Update(key(shelf), put={"name": "n"}, otherwise=NotFound("thing"))
    )
    assert error.code == "NOT_FOUND"
    assert [item async for item in engine_table.partition(f"SHELF#{shelf}")] == []


async def test_a_refused_update_raises_its_error_and_tells_it_the_item(
    engine_table: Gateway,
) -> None:
    shelf = new_shelf()
    await engine_table.write(Put(thing(shelf, size=5)))

    def otherwise(now: Thing) -> AppError:
        return Conflict("too small", size=now.size)

    with pytest.raises(Conflict) as refusal:
        await engine_table.update(
            Update(key(shelf), add={"size": -6}, when=attr("size").at_least(6), otherwise=otherwise)
        )
    assert refusal.value.info == {"size": 5}
    now = await engine_table.get(key(shelf))
    assert now
    assert now.size == 5


async def test_parallel_additions_are_all_counted(engine_table: Gateway) -> None:
    shelf = new_shelf()
    await engine_table.write(Put(thing(shelf)))
    add = Update(key(shelf), add={"size": 1})
    seen = await asyncio.gather(*(engine_table.update(add) for _ in range(30)))
    assert sorted(each.size for each in seen) == list(range(1, 31))


async def test_fifty_concurrent_subtractions_never_go_below_zero(engine_table: Gateway) -> None:
    shelf = new_shelf()
    await engine_table.write(Put(thing(shelf, size=10)))
    outcomes = await asyncio.gather(
        *(
            engine_table.write(
                Update(
                    key(shelf),
                    add={"size": -3},
                    when=attr("size").at_least(3),
                    otherwise=Conflict("too few"),
                ),
                Put(thing(shelf, f"spent-{number}")),
            )
            for number in range(50)
        ),
        return_exceptions=True,
    )
    assert outcomes.count(None) == 3
    now = await engine_table.get(key(shelf))
    assert now
    assert now.size == 1
    assert await engine_table.count(things_of(shelf)) == 4


# Conditions

HOLDS: Sequence[Condition] = [
    attr("size").equals(5),
    attr("colour").equals(Colour.red),
    attr("tags").equals(["a", "b"]),
    attr("size").differs(4),
    attr("note").differs("x"),
    attr("size").below(6),
    attr("size").above(4),
    attr("size").at_least(5),
    attr("size").at_most(5),
    attr("createdAt").at_most(MADE),
    attr("name").contains("ame"),
    attr("tags").contains("b"),
    attr("name").present(),
    attr("note").absent(),
    present(),
    version_is(1),
    present() & attr("size").equals(5),
    absent() | attr("size").equals(5),
    (absent() | attr("size").equals(5)) & (attr("size").above(9) | attr("name").present()),
]
FAILS: Sequence[Condition] = [
    attr("size").equals(4),
    attr("size").equals("5"),
    attr("size").differs(5),
    attr("size").below(5),
    attr("size").above(5),
    attr("size").at_least(6),
    attr("size").at_most(4),
    attr("note").at_most("zzz"),
    attr("name").contains("x"),
    attr("tags").contains("ab"),
    attr("note").present(),
    attr("name").absent(),
    absent(),
    version_is(2),
    version_is(0),
    present() & attr("size").equals(4),
    absent() | attr("size").equals(4),
    (present() | attr("size").equals(5)) & attr("size").above(9),
    present() & absent() | attr("size").equals(4),
]


async def conditioned(engine_table: Gateway, condition: Condition) -> bool:
    shelf = new_shelf()
    made = thing(shelf, name="name", size=5, tags=["a", "b"], colour=Colour.red)
    await engine_table.write(Put(made))
    try:
        await engine_table.write(
            Check(key(shelf), when=condition, otherwise=Conflict("it does not hold"))
        )
    except Conflict:
        return False
    return True


@pytest.mark.parametrize("condition", HOLDS, ids=str)
async def test_a_condition_that_holds(engine_table: Gateway, condition: Condition) -> None:
    assert await conditioned(engine_table, condition) is True


@pytest.mark.parametrize("condition", FAILS, ids=str)
async def test_a_condition_that_does_not_hold(engine_table: Gateway, condition: Condition) -> None:
    assert await conditioned(engine_table, condition) is False


async def test_an_item_without_a_version_is_version_0(engine_table: Gateway) -> None:
    shelf = new_shelf()
    bare = item_of(thing(shelf))
    del bare["version"]
    await engine_table.client.put_item(TableName=engine_table.table, Item=bare)
    old = await engine_table.get(key(shelf))
    assert old == thing(shelf, version=0)
    await engine_table.write(put_if_unchanged(old.evolve(MADE, name="new"), old, "thing"))
    assert await engine_table.get(key(shelf)) == thing(shelf, name="new", version=1)
    with pytest.raises(StaleVersion) as late:
        await engine_table.write(put_if_unchanged(old.evolve(MADE), old, "thing"))
    assert late.value.info == {"currentVersion": 1}
    await engine_table.write(Delete(key(shelf)))
    with pytest.raises(NotFound):
        await engine_table.write(put_if_unchanged(old.evolve(MADE), old, "thing"))


@pytest.mark.parametrize("name", ["#n0", ":v0", "size = size OR PK", "name", "a.b", "a-b"])
async def test_names_and_values_are_never_read_as_expressions(
    engine_table: Gateway, name: str
) -> None:
    """Reserved words, dots and placeholders are names like any other."""
    shelf = new_shelf()
    value = "x OR attribute_exists(PK)"
    await engine_table.write(Put(thing(shelf)))
    await engine_table.write(Update(key(shelf), put={name: value}))
    same = Check(key(shelf), when=attr(name).equals(value), otherwise=Conflict("no"))
    await engine_table.write(same)
    [item] = [item async for item in engine_table.partition(f"SHELF#{shelf}")]
    assert item[name] == {"S": value}


# The table itself


async def test_ping_asks_the_table_once(
    engine_table: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, asked = engine_table.client.get_item, []

    async def get_item(**parameters: Any) -> Any:
        asked.append(parameters["TableName"])
        return await real(**parameters)

    monkeypatch.setattr(engine_table.client, "get_item", get_item)
    await engine_table.ping()
    assert asked == [engine_table.table]


async def test_ping_raises_when_it_does_not(engine_table: Gateway) -> None:
    with pytest.raises(ClientError, match="ResourceNotFound"):
        await Gateway(engine_table.client, "no_such_table").ping()


async def test_an_engine_that_is_not_there_is_unavailable_and_nothing_was_changed() -> None:
    nobody = Gateway.open(table="none", region="us-east-1", endpoint="http://127.0.0.1:9")
    async with nobody as table:
        for attempt in (table.get(key("s")), table.load(key("s")), table.write(Put(thing("s")))):
            with pytest.raises(Unavailable) as silence:
                await attempt
            assert silence.value.info == {"retryable": True}
