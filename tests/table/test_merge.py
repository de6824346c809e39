"""Lists that lie in several shards, and keys whose shard may be left out."""

from collections.abc import Iterator, Sequence
from uuid import uuid4

import pytest
import strawberry

from app.core.errors import BadToken
from app.core.record import Record
from app.core.scalars import AWSDateTime
from app.table.entity import ENTITIES, Entity, RangeQuery
from app.table.gateway import Gateway, Position
from app.table.merge import query_merged
from app.table.writes import put_if_absent
from tests.table.things import MADE, apart


@strawberry.type
class Leaflet(Record):
    stand: str
    id: str
    shard: str | None = None


LEAFLET = apart(
    Entity(
        "Leaflet",
        Leaflet,
        pk="LEAFLET#{id}",
        sk="LEAFLET",
        gsi1=("STAND#{stand}[#{shard}]", "{created_at}#{id}"),
    )
)


@pytest.fixture(autouse=True)
def leaflets_are_known() -> Iterator[None]:
    ENTITIES[LEAFLET.name] = LEAFLET
    yield
    del ENTITIES[LEAFLET.name]


def leaflet(stand: str, number: int, shard: str | None) -> Leaflet:
    made = AWSDateTime(MADE.replace("10:00", f"{number // 60:02}:{number % 60:02}"))
    return Leaflet(
        created_at=made, updated_at=made, stand=stand, id=f"{stand}-{number}", shard=shard
    )


def runs(stand: str, *shards: str | None, newest_first: bool = True) -> list[RangeQuery[Leaflet]]:
    return [
        LEAFLET.within("GSI1", stand=stand, shard=shard, newest_first=newest_first)
        for shard in shards
    ]


async def all_of(rows: list[Leaflet]) -> Sequence[Leaflet | None]:
    return rows


def test_an_optional_part_is_left_out() -> None:
    bare, sharded = leaflet("s", 1, None), leaflet("s", 1, "3")
    assert LEAFLET.index_keys_of(bare)["GSI1PK"] == "STAND#s"
    assert LEAFLET.index_keys_of(sharded)["GSI1PK"] == "STAND#s#3"
    assert [each.pk for each in runs("s", None, "3")] == ["STAND#s", "STAND#s#3"]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 40])
@pytest.mark.parametrize("newest_first", [True, False])
async def test_shards_are_read_as_one_list(
    engine_table: Gateway, limit: int, newest_first: bool
) -> None:
    stand = uuid4().hex
    shards = [None, "0", "1", "2"]
    for number in range(15):
        record = leaflet(stand, number, shards[number * number % 4])
        await engine_table.write(put_if_absent(record, otherwise=BadToken()))
    seen: list[str] = []
    start: Position | None = None
    pages = 0
    while pages == 0 or start is not None:
        rows = await query_merged(
            engine_table,
            runs(stand, *shards, newest_first=newest_first),
            all_of,
            limit=limit,
            start=start,
        )
        pages, start = pages + 1, rows.next
        assert len(rows.items) == limit or start is None
        seen += [each.id for each in rows.items]
    expected = [f"{stand}-{number}" for number in range(15)]
    assert seen == (expected[::-1] if newest_first else expected)


async def test_what_is_left_out_is_made_up_for(engine_table: Gateway) -> None:
    stand = uuid4().hex
    for number in range(12):
        record = leaflet(stand, number, str(number % 3))
        await engine_table.write(put_if_absent(record, otherwise=BadToken()))

    async def every_third(rows: list[Leaflet]) -> Sequence[Leaflet | None]:
        return [each if int(each.id.rpartition("-")[2]) % 3 == 0 else None for each in rows]

    rows = await query_merged(engine_table, runs(stand, "0", "1", "2"), every_third, limit=3)
    assert [each.id.rpartition("-")[2] for each in rows.items] == ["9", "6", "3"]
    rest = await query_merged(
        engine_table, runs(stand, "0", "1", "2"), every_third, limit=3, start=rows.next
    )
    assert [each.id.rpartition("-")[2] for each in rest.items] == ["0"]
    assert rest.next is None


@pytest.mark.parametrize("shard", [None, "0", "1", "2"])
async def test_what_comes_later_does_not_come_in_between(
    engine_table: Gateway, shard: str | None
) -> None:
    """Not even in a shard of which nothing has been shown yet."""
    stand = uuid4().hex
    shards = [None, "0", "1", "2"]
    for number in range(12):
        record = leaflet(stand, number, shards[number // 3])
        await engine_table.write(put_if_absent(record, otherwise=BadToken()))
    rows = await query_merged(engine_table, runs(stand, *shards), all_of, limit=2)
    await engine_table.write(put_if_absent(leaflet(stand, 12, shard), otherwise=BadToken()))
    seen = [each.id for each in rows.items]
    while rows.next is not None:
        rows = await query_merged(
            engine_table, runs(stand, *shards), all_of, limit=3, start=rows.next
        )
        seen += [each.id for each in rows.items]
    assert seen == [f"{stand}-{number}" for number in reversed(range(12))]
