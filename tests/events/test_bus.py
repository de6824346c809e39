"""Publish and subscribe in one process."""

import asyncio

import pytest

from app.core.errors import Unavailable
from app.events import bus as bus_module
from app.events.bus import Bus, EventsLost, TooSlow
from app.events.event import Event, channel
from app.events.publish_rules import PUBLISH_RULES, key_parts
from app.table.entity import ENTITIES
from app.web.schema import build_schema

HERE = channel("Task", user_id="ada")


def event(number: int = 1, *channels: str) -> Event:
    return Event(channels or (HERE,), "Task", "USER#ada", f"TASK#{number}")


async def test_each_subscriber_gets_everything_in_order() -> None:
    bus = Bus()
    queues = [await bus.subscribe(HERE) for _ in range(3)]
    bus.publish(event(n) for n in range(5))
    for queue in queues:
        assert [await queue.next() for _ in range(5)] == [event(n) for n in range(5)]


async def test_a_subscriber_gets_only_events_of_its_channel() -> None:
    bus = Bus()
    queue = await bus.subscribe(channel("Task", user_id="bob"))
    bus.publish([event()])
    assert queue.take() is None


async def test_closing_ends_the_waiting_reader_and_the_subscription() -> None:
    bus = Bus()
    queue = await bus.subscribe(HERE, "Task")
    waiting = asyncio.create_task(queue.next())
    await asyncio.sleep(0)
    queue.close()
    queue.close()
    assert await waiting is None
    assert bus.subscription_count == 0


async def test_a_slow_subscriber_is_dropped_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus_module, "MOST_UNREAD", 3)
    bus = Bus()
    slow, quick = await bus.subscribe(HERE), await bus.subscribe(HERE)
    for n in range(5):
        bus.publish([event(n)])
        assert await quick.next() == event(n)
    with pytest.raises(TooSlow):
        await slow.next()
    with pytest.raises(TooSlow):
        await slow.next()


async def test_lost_events_end_every_subscription() -> None:
    bus = Bus()
    queue = await bus.subscribe(HERE)
    bus.on_interrupted()
    with pytest.raises(EventsLost):
        await queue.next()


async def test_a_wakeup_only_signals_that_something_happened() -> None:
    bus = Bus()
    wakeup = await bus.wakeup(HERE)
    bus.publish(event(n) for n in range(1000))
    assert await wakeup.next() is not None
    assert wakeup.take() is None
    bus.on_interrupted()
    assert await wakeup.next() is not None


async def test_a_subscription_without_its_relay_is_unavailable() -> None:
    class Down:
        def send(self, event: Event) -> None:
            """Does nothing."""

        async def ready(self) -> bool:
            return False

    bus = Bus(Down())
    with pytest.raises(Unavailable):
        await bus.subscribe(HERE)
    assert bus.subscription_count == 0


def test_an_event_is_the_same_after_transport() -> None:
    full = Event((HERE, "x"), "Task", "USER#ada", "TASK#1", {"title": {"S": "ä"}}, deleted=False)
    assert Event.from_bytes(full.to_bytes()) == full


def test_every_publish_rule_names_a_record_and_its_attributes() -> None:
    build_schema()
    for name, rule in PUBLISH_RULES.items():
        cls = ENTITIES[name].cls
        known = {*cls.__dataclass_fields__, *dir(cls)}
        for attribute in (*(each for names in rule.channels for each in names), *rule.notify):
            assert attribute in known, f"{name}.{attribute}"
        if rule.also_notify:
            partition, order = ENTITIES[rule.also_notify].templates[""]
            assert (len(partition.parts), order.parts) == (1, ["user_id"])


def test_key_parts_are_read_from_a_key() -> None:
    build_schema()
    wallet = ENTITIES["Wallet"].key(user_id="ada")
    assert key_parts(wallet) == {"user_id": "ada"}
    log = ENTITIES["HabitLog"].key(habit_id="h1", date="2031-01-02")
    assert key_parts(log) == {"habit_id": "h1", "date": "2031-01-02"}
