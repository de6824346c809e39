"""One order for all: many senders at once, and readers while they send."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.community.rooms import SEND, everything, new_room, read, send
from tests.servers import RunningServer, TestClock


async def people(api: Api, count: int) -> list[Person]:
    return [await api.sign_up() for _ in range(count)]


async def test_twenty_senders_of_a_hundred_messages(api: Api, ada: Person) -> None:
    """Every acknowledged message once, each sender's in the order sent, one order for readers."""
    senders = await people(api, 20)
    room = await new_room(ada, *senders)

    async def speak(person: Person) -> list[dict[str, Any]]:
        return [
            await send(person, room, f"{person.nickname} {i}", idempotencyKey=f"k{i}")
            for i in range(100)
        ]

    acknowledged = await asyncio.gather(*(speak(person) for person in senders))
    seen = await everything(ada, room, limit=100, order="OLDEST_FIRST")
    assert [each["number"] for each in seen] == list(range(1, 2001))
    assert [each["createdAt"] for each in seen] == sorted({each["createdAt"] for each in seen})
    sent = {each["id"]: each["number"] for messages in acknowledged for each in messages}
    assert {each["id"]: each["number"] for each in seen} == sent
    for messages in acknowledged:
        numbers = [each["number"] for each in messages]
        assert numbers == sorted(numbers)
    backwards = await everything(senders[7], room, limit=100)
    assert [each["id"] for each in backwards] == [each["id"] for each in reversed(seen)]


async def test_two_servers_with_different_clocks_keep_one_order(
    ada: Person, bob: Person, start_server: Callable[..., RunningServer], clock: TestClock
) -> None:
    """The other server's process knows nothing of this one's queue, and its clock is behind."""
    room = await new_room(ada, bob)
    clock.move(seconds=30)
    await send(ada, room, "From ahead")
    clock.move(seconds=-30)
    async with Api(start_server().url) as other:
        there = Person(other, bob.session)
        sent = await asyncio.gather(
            *(send(ada, room, f"a{i}", idempotencyKey=f"a{i}") for i in range(30)),
            *(send(there, room, f"b{i}", idempotencyKey=f"b{i}") for i in range(30)),
        )
        here_seen = await everything(ada, room, limit=50)
        there_seen = await everything(there, room, limit=7)
    assert here_seen == there_seen
    assert [each["number"] for each in here_seen] == list(range(61, 0, -1))
    assert {each["id"] for each in here_seen[:-1]} == {each["id"] for each in sent}
    moments = [each["createdAt"] for each in here_seen]
    assert moments == sorted(set(moments), reverse=True)


async def test_a_frozen_clock_gives_every_message_its_own_moment(
    ada: Person, bob: Person, clock: TestClock
) -> None:
    room = await new_room(ada, bob)
    clock.freeze(clock.now() + timedelta(seconds=1))
    await asyncio.gather(*(send(each, room) for each in (ada, bob) for _ in range(15)))
    seen = await everything(ada, room, limit=100)
    assert len({each["createdAt"] for each in seen}) == len(seen) == 30


async def follow(person: Person, room: str, done: asyncio.Event) -> list[int]:
    """From the oldest on, as a client does that keeps up: from the last one it has."""
    seen: list[int] = []
    around: dict[str, object] | None = None
    while True:
        was_done = done.is_set()
        found = await everything(person, room, limit=3, order="OLDEST_FIRST", around=around)
        # The first of a page that begins at the last message is that message.
        seen += [each["number"] for each in (found[1:] if around else found)]
        if was_done:
            return seen
        around = {"messageId": found[-1]["id"]}


async def test_reading_while_messages_arrive_neither_skips_nor_repeats(
    ada: Person, bob: Person
) -> None:
    room = await new_room(ada, bob)
    for number in range(30):
        await send(ada, room, f"{number}")
    done = asyncio.Event()

    async def talk() -> None:
        for number in range(30, 90):
            await send(ada, room, f"{number}")
        done.set()

    async def go_back() -> list[int]:
        return [each["number"] for each in await everything(bob, room, limit=3)]

    talking = asyncio.create_task(talk())
    forward, *backward = await asyncio.gather(
        follow(bob, room, done), *(go_back() for _ in range(3))
    )
    await talking
    assert forward == list(range(1, 91))
    for numbers in backward:
        assert numbers == list(range(numbers[0], 0, -1))


async def test_a_refused_message_does_not_delay_the_others(
    api: Api, ada: Person, bob: Person, table: Gateway
) -> None:
    """Messages that wait together are sent together, without the refused ones of strangers."""
    room = await new_room(ada, bob)
    strangers = await people(api, 5)
    answers = await asyncio.gather(
        *(
            each.api.post(SEND, headers=each.headers, input={"roomId": room, "text": "x"})
            for _ in range(4)
            for each in (ada, bob, *strangers)
        )
    )
    refusals = [
        each.json()["errors"][0]["extensions"]["code"]
        for each in answers
        if "errors" in each.json()
    ]
    assert refusals == ["NOT_FOUND"] * 20
    assert [each["number"] for each in await everything(ada, room)] == list(range(8, 0, -1))
    assert (await read(ada, room))["messageCount"] == 8


async def test_a_sender_who_hangs_up_does_not_delay_the_others(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    leaving = [asyncio.create_task(send(ada, room, "Perhaps")) for _ in range(10)]
    staying = [asyncio.create_task(send(bob, room, "Surely")) for _ in range(10)]
    await asyncio.wait([*leaving, *staying], return_when=asyncio.FIRST_COMPLETED)
    for task in leaving:
        task.cancel()
    await asyncio.gather(*leaving, return_exceptions=True)
    sent = await asyncio.gather(*staying)
    seen = await everything(bob, room, limit=100)
    assert {each["id"] for each in sent} <= {each["id"] for each in seen}
    assert [each["number"] for each in seen] == list(range(len(seen), 0, -1))
