"""Many items in parts: which come first, how many at once, and what is left when one fails."""

import asyncio
from collections.abc import Sequence

import pytest

from app.core.errors import Unavailable
from app.table.codec import Wire
from app.table.gateway import Gateway
from app.table.item_writer import REQUESTS_AT_ONCE, BatchWriter, ItemWriter, TransactionWriter
from app.table.writes import item_of
from tests.plans.faults import calls_of
from tests.table.things import new_shelf, thing, things_of


class Sent:
    """Takes parts as the table would: each a few event-loop ticks later."""

    def __init__(self, fails: int | None = None) -> None:
        self.parts: list[list[str]] = []
        self.ended = self.now = self.most = 0
        self.fails = fails

    async def __call__(self, part: Sequence[Wire]) -> None:
        number = len(self.parts)
        self.parts.append([next(iter(each.values()))["Item"]["SK"]["S"] for each in part])
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(20 if number else 3):
            await asyncio.sleep(0)
        self.now -= 1
        self.ended += 1
        if number == self.fails:
            raise Unavailable


def items(count: int) -> list[Wire]:
    return [{"PK": {"S": "p"}, "SK": {"S": str(number)}} for number in range(count)]


async def test_the_first_hundred_is_written_before_the_rest() -> None:
    sent = Sent()
    first_ended: list[int] = []

    async def send(part: Sequence[Wire]) -> None:
        first_ended.append(sent.ended)
        await sent(part)

    await TransactionWriter("t", send).put(items(250))
    assert sent.parts[0] == [str(number) for number in range(100)]
    assert sorted(int(each) for part in sent.parts for each in part) == [*range(250)]
    assert first_ended[0] == 0
    assert all(ended >= 1 for ended in first_ended[1:])


async def test_only_so_many_at_once() -> None:
    sent = Sent()
    await TransactionWriter("t", sent).put(items(3_000))
    assert (len(sent.parts), sent.most) == (30, REQUESTS_AT_ONCE)


async def test_a_failure_is_reported_when_nothing_is_on_its_way() -> None:
    sent = Sent(fails=1)
    with pytest.raises(Unavailable):
        await TransactionWriter("t", sent).put(items(1_000))
    assert (sent.ended, sent.now) == (10, 0)


async def test_if_the_first_part_fails_nothing_else_is_sent() -> None:
    sent = Sent(fails=0)
    with pytest.raises(Unavailable):
        await TransactionWriter("t", sent).put(items(1_000))
    assert len(sent.parts) == 1


async def test_nothing_to_write() -> None:
    sent = Sent()
    await TransactionWriter("t", sent).put([])
    assert sent.parts == []


@pytest.mark.parametrize(
    ("local", "kind", "requests"), [(True, TransactionWriter, 2), (False, BatchWriter, 5)]
)
async def test_on_the_table(
    table: Gateway, local: bool, kind: type[ItemWriter], requests: int
) -> None:
    """A transaction syncs the disk of the embedded engine once; DynamoDB bills it twice."""
    gateway = Gateway(table.client, table.table, loses_tokens=local)
    assert type(gateway.items) is kind
    shelf = new_shelf()
    put = [item_of(thing(shelf, number)) for number in range(120)]
    with calls_of(gateway) as calls:
        await gateway.items.put(put)
    assert len(calls) == requests
    assert await gateway.count(things_of(shelf)) == 120
    await gateway.items.delete(put[:110])
    left = [each async for each in gateway.query_all(things_of(shelf))]
    assert left == [thing(shelf, number) for number in range(110, 120)]
