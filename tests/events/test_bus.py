"""Publish and subscribe in one process."""

import asyncio

import pytest

from app.core.errors import Unavailable
from app.events import bus as bus_module
from app.events.bus import Bus, EventsLost, TooSlow
from app.events.event import Event, channel
from app.events.observed import OBSERVED, parts_of
from app.table.entity import ENTITIES
from app.web.schema import build_schema

HERE = channel("Task", user_id="ada")


def event(number: int = 1, *channels: str) -> Event:
    return Event(channels or (HERE,), "Task", "USER#ada", f"TASK#{number}")


async def test_each_subscriber_gets_everything_in_order() -> None:
    bus = Bus()
    boxes = [await bus.subscribe(HERE) for _ in range(3)]
    bus.publish(event(n) for n in range(5))
    for box in boxes:
        assert [await box.next() for _ in range(5)] == [event(n) for n in range(5)]


async def test_only_of_its_channel() -> None:
    bus = Bus()
    box = await bus.subscribe(channel("Task", user_id="bob"))
    bus.publish([event()])
    assert box.take() is None


async def test_closing_wakes_who_waits_and_leaves_nothing() -> None:
    bus = Bus()
    box = await bus.subscribe(HERE, "Task")
    waiting = asyncio.create_task(box.next())
    await asyncio.sleep(0)
    box.close()
    box.close()
    assert await waiting is None
    assert bus.count == 0


async def test_overflow_drops_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus_module, "MOST_WAITING", 3)
    bus = Bus()
    slow, quick = await bus.subscribe(HERE), await bus.subscribe(HERE)
    for n in range(5):
        bus.publish([event(n)])
        assert await quick.next() == event(n)
    with pytest.raises(TooSlow):
        await slow.next()
    with pytest.raises(TooSlow):
        await slow.next()


async def test_an_interruption_ends_subscriptions() -> None:
    bus = Bus()
    box = await bus.subscribe(HERE)
    bus.interrupted()
    with pytest.raises(EventsLost):
        await box.next()


async def test_a_bell_only_tells_that_there_is_something() -> None:
    bus = Bus()
    bell = await bus.bell(HERE)
    bus.publish(event(n) for n in range(1000))
    assert await bell.next() is not None
    assert bell.take() is None
    bus.interrupted()
    assert await bell.next() is not None


async def test_without_its_relay_it_promises_nothing() -> None:
    class Down:
        def send(self, event: Event) -> None:
            """Into the void."""

        async def ready(self) -> bool:
            return False

    bus = Bus(Down())
    with pytest.raises(Unavailable):
        await bus.subscribe(HERE)
    assert bus.count == 0


def test_events_survive_the_way() -> None:
    full = Event((HERE, "x"), "Task", "USER#ada", "TASK#1", {"title": {"S": "ä"}}, gone=False)
    assert Event.unpacked(full.packed()) == full


def test_every_observed_name_is_a_record_with_these_attributes() -> None:
    build_schema()
    for name, seen in OBSERVED.items():
        cls = ENTITIES[name].cls
        known = {*cls.__dataclass_fields__, *dir(cls)}
        for attribute in (*(each for names in seen.by for each in names), *seen.noted_for):
            assert attribute in known, f"{name}.{attribute}"
        if seen.beside:
            partition, order = ENTITIES[seen.beside].templates[""]
            assert (len(partition.parts), order.parts) == (1, ["user_id"])


def test_a_key_is_read_back() -> None:
    build_schema()
    wallet = ENTITIES["Wallet"].key(user_id="ada")
    assert parts_of(wallet) == {"user_id": "ada"}
    log = ENTITIES["HabitLog"].key(habit_id="h1", date="2031-01-02")
    assert parts_of(log) == {"habit_id": "h1", "date": "2031-01-02"}
