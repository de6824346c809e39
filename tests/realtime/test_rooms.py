"""Messages of rooms and threads: one order for all members, none lost, none for others."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.api import Person
from tests.community.rooms import (
    DELETE,
    EDIT,
    REMOVE,
    everything,
    new_room,
    send,
)
from tests.realtime.sockets import TransportClient
from tests.servers import RunningServer

ON_MESSAGE = """
subscription ($room: ID!) {
  onMessageSent(roomId: $room) { id number text roomId user { nickname } replyTo { text } }
}
"""
FILTERED = """
subscription ($room: ID!, $filter: ModelSubscriptionMessageFilterInput) {
  onMessageSent(roomId: $room, filter: $filter) { text }
}
"""


async def test_a_member_gets_every_selected_field(
    server_url: str, ada: Person, bob: Person
) -> None:
    room = await new_room(ada, bob)
    first = await send(ada, room, "Before")
    async with TransportClient.signed_in(server_url, bob) as socket:
        await socket.subscribe(ON_MESSAGE, room=room)
        await socket.silent(0.2)
        sent = await send(ada, room, "Hello", replyToId=first["id"])
        assert (await socket.data())["onMessageSent"] == {
            "id": sent["id"],
            "number": 2,
            "text": "Hello",
            "roomId": room,
            "user": {"nickname": ada.nickname},
            "replyTo": {"text": "Before"},
        }


async def test_a_stranger_gets_not_found(server: RunningServer, ada: Person, bob: Person) -> None:
    room = await new_room(ada)
    before = server.app.state.resources.events.subscription_count
    async with TransportClient.signed_in(server.url, bob) as socket:
        await socket.subscribe(ON_MESSAGE, room=room)
        foreign = await socket.expect("error")
        await socket.subscribe(ON_MESSAGE, room="no-such-room")
        absent = await socket.expect("error")
        assert foreign["payload"][0]["extensions"] == absent["payload"][0]["extensions"]
        assert foreign["payload"][0]["extensions"]["code"] == "NOT_FOUND"
        assert server.app.state.resources.events.subscription_count == before


async def test_editing_is_not_sending(server_url: str, ada: Person) -> None:
    room = await new_room(ada)
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe(ON_MESSAGE, room=room)
        await socket.silent(0.2)
        sent = await send(ada, room, "Helo")
        await ada.gql(EDIT, input={"roomId": room, "messageId": sent["id"], "text": "Hello"})
        assert (await socket.data())["onMessageSent"]["text"] == "Helo"
        await socket.silent()


async def test_all_see_the_same_order_without_gaps(
    server_url: str, ada: Person, bob: Person
) -> None:
    room = await new_room(ada, bob)
    async with (
        TransportClient.signed_in(server_url, ada) as hers,
        TransportClient.signed_in(server_url, bob) as his,
    ):
        for socket in (hers, his):
            await socket.subscribe(ON_MESSAGE, room=room)
        await hers.silent(0.2)
        senders = [ada, bob] * 20
        await asyncio.gather(*(send(each, room, f"{n}") for n, each in enumerate(senders)))
        seen = [[(await socket.data())["onMessageSent"] for _ in senders] for socket in (hers, his)]
    history = await everything(ada, room, order="OLDEST_FIRST", limit=100)
    for received in seen:
        assert [each["number"] for each in received] == list(range(1, 41))
        assert [each["id"] for each in received] == [each["id"] for each in history]


async def test_a_removed_member_gets_no_more_messages(
    server_url: str, ada: Person, bob: Person
) -> None:
    room = await new_room(ada, bob)
    async with TransportClient.signed_in(server_url, bob) as socket:
        await socket.subscribe(ON_MESSAGE, room=room)
        await socket.silent(0.2)
        await send(ada, room, "For all")
        assert (await socket.data())["onMessageSent"]["text"] == "For all"
        await ada.gql(REMOVE, id=room, user=bob.id)
        await send(ada, room, "Not for Bob")
        error = await socket.expect("error")
        assert error["payload"][0]["extensions"]["code"] == "NOT_FOUND"
        await send(ada, room, "Nor this")
        await socket.silent()


async def test_removal_in_the_middle_of_a_conversation(
    server_url: str, ada: Person, bob: Person
) -> None:
    room = await new_room(ada, bob)
    removed_after: list[int] = []

    async def talk() -> None:
        for n in range(30):
            number = (await send(ada, room, f"{n}"))["number"]
            if n == 14:
                await ada.gql(REMOVE, id=room, user=bob.id)
                removed_after.append(number)

    async with TransportClient.signed_in(server_url, bob) as socket:
        await socket.subscribe(ON_MESSAGE, room=room)
        await socket.silent(0.2)
        talking = asyncio.create_task(talk())
        seen = []
        while (frame := await socket.next())["type"] == "next":
            seen.append(frame["payload"]["data"]["onMessageSent"]["number"])
        await talking
    assert seen == list(range(1, len(seen) + 1))
    assert 0 < len(seen) <= removed_after[0]


async def test_a_filter_lets_some_through(server_url: str, ada: Person) -> None:
    room = await new_room(ada)
    wanted = {"or": [{"text": {"beginsWith": "!"}}, {"number": {"gt": 2}}]}
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe(FILTERED, room=room, filter=wanted)
        await socket.silent(0.2)
        for text in ("one", "!two", "three"):
            await send(ada, room, text)
        assert (await socket.data())["onMessageSent"]["text"] == "!two"
        assert (await socket.data())["onMessageSent"]["text"] == "three"


@pytest.mark.parametrize("page", [2, 100])
async def test_a_message_whose_event_was_lost_is_read(
    server: RunningServer, ada: Person, bob: Person, page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event that was lost or overtaken between servers leaves no gap."""
    monkeypatch.setattr("app.web.realtime.rooms.READ_LIMIT", page)
    room = await new_room(ada, bob)
    async with TransportClient.signed_in(server.url, bob) as socket:
        await socket.subscribe(ON_MESSAGE, room=room)
        await socket.silent(0.2)
        with without_events(server):
            for n in range(5):
                await send(ada, room, f"lost {n}")
        await send(ada, room, "heard")
        received = [(await socket.data())["onMessageSent"]["text"] for _ in range(6)]
        assert received == [*(f"lost {n}" for n in range(5)), "heard"]


@pytest.mark.parametrize("page", [2, 100])
async def test_a_message_of_a_thread_whose_event_was_lost_is_read(
    server: RunningServer, ada: Person, bob: Person, page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.realtime.rooms.READ_LIMIT", page)
    thread = await new_thread(ada, bob)
    async with TransportClient.signed_in(server.url, bob) as socket:
        await socket.subscribe(ON_ASSIST, t=thread)
        await socket.silent(0.2)
        with without_events(server):
            for n in range(5):
                await ada.gql(SAY, input={"threadId": thread, "text": f"lost {n}"})
        await ada.gql(SAY, input={"threadId": thread, "text": "heard"})
        received = [(await socket.data())["onAssistMessageSent"]["text"] for _ in range(6)]
        assert received == [*(f"lost {n}" for n in range(5)), "heard"]


@contextmanager
def without_events(server: RunningServer) -> Iterator[None]:
    events = server.app.state.resources.events
    deliver, events.deliver = events.deliver, lambda event: None
    yield
    events.deliver = deliver


ON_ASSIST = """
subscription ($t: ID!) { onAssistMessageSent(threadId: $t) { number text threadId } }
"""
SAY = "mutation ($input: SendAssistMessageInput!) { sendAssistMessage(input: $input) { id } }"


async def new_thread(asking: Person, helper: Person) -> str:
    task = await asking.gql('mutation { createTask(input: {title: "Hard"}) { id } }')
    wanted = {
        "title": "Help",
        "subjectKind": "TASK",
        "subjectId": task["createTask"]["id"],
        "isPublic": False,
        "helperIds": [helper.id],
    }
    opened = await asking.gql(
        "mutation ($input: OpenAssistThreadInput!) { openAssistThread(input: $input) { id } }",
        input=wanted,
    )
    return str(opened["openAssistThread"]["id"])


async def test_a_thread_sends_messages_until_the_member_is_removed(
    server_url: str, ada: Person, bob: Person
) -> None:
    thread, say = await new_thread(ada, bob), SAY
    async with TransportClient.signed_in(server_url, bob) as socket:
        await socket.subscribe(ON_ASSIST, t=thread)
        await socket.silent(0.2)
        await ada.gql(say, input={"threadId": thread, "text": "How?"})
        received = (await socket.data())["onAssistMessageSent"]
        assert received == {"number": 1, "text": "How?", "threadId": thread}
        await ada.gql(
            "mutation ($t: ID!, $u: ID!) { "
            "removeFromAssistThread(input: {threadId: $t, userId: $u}) { id } }",
            t=thread,
            u=bob.id,
        )
        await ada.gql(say, input={"threadId": thread, "text": "Not for Bob"})
        error = await socket.expect("error")
        assert error["payload"][0]["extensions"]["code"] == "NOT_FOUND"


RESUMED = """
subscription ($room: ID!, $since: ID, $filter: ModelSubscriptionMessageFilterInput) {
  onMessageSent(roomId: $room, since: $since, filter: $filter) { id number text }
}
"""


async def test_continues_after_a_message_without_gaps_or_repeats(
    server_url: str, ada: Person, bob: Person
) -> None:
    room = await new_room(ada, bob)
    known = [await send(ada, room, f"{n}") for n in range(3)][-1]["id"]
    for n in range(3, 110):
        await send(ada, room, f"{n}")
    async with TransportClient.signed_in(server_url, bob) as socket:
        await socket.subscribe(RESUMED, room=room, since=known)
        talking = asyncio.gather(*(send(ada, room, f"{n}") for n in range(110, 130)))
        received = [(await socket.data())["onMessageSent"] for _ in range(3, 130)]
        await talking
        assert [each["number"] for each in received] == list(range(4, 131))
        await send(bob, room, "live")
        assert (await socket.data())["onMessageSent"]["text"] == "live"
        await socket.silent(0.2)


async def test_continues_after_the_last_or_a_deleted_message(server_url: str, ada: Person) -> None:
    room = await new_room(ada)
    first, last = await send(ada, room, "first"), await send(ada, room, "last")
    await ada.gql(DELETE, room=room, message=first["id"])
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe(RESUMED, room=room, since=last["id"], id="from-last")
        await socket.silent(0.2)
        await socket.subscribe(RESUMED, room=room, since=first["id"].lower(), id="from-first")
        frame = await socket.expect("next")
        assert frame["id"] == "from-first"
        assert frame["payload"]["data"]["onMessageSent"]["text"] == "last"
        await socket.silent(0.1)


async def test_missed_messages_are_filtered(server_url: str, ada: Person) -> None:
    room = await new_room(ada)
    sent = [await send(ada, room, text) for text in ("a", "b", "c", "b")]
    async with TransportClient.signed_in(server_url, ada) as socket:
        filter = {"text": {"eq": "b"}}
        await socket.subscribe(RESUMED, room=room, since=sent[0]["id"], filter=filter)
        received = [(await socket.data())["onMessageSent"]["number"] for _ in range(2)]
        await send(ada, room, "c")
        await send(ada, room, "b")
        received.append((await socket.data())["onMessageSent"]["number"])
        assert received == [2, 4, 6]
        await socket.silent(0.1)


async def test_since_is_refused_for_non_members(server_url: str, ada: Person, bob: Person) -> None:
    room = await new_room(ada)
    sent = await send(ada, room, "secret")
    async with TransportClient.signed_in(server_url, bob) as socket:
        await socket.subscribe(RESUMED, room=room, since=sent["id"])
        assert (await socket.expect("error"))["payload"][0]["extensions"]["code"] == "NOT_FOUND"


@pytest.mark.parametrize("since", ["", "no-id", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ"])
async def test_since_must_be_the_id_of_a_message(server_url: str, ada: Person, since: str) -> None:
    room = await new_room(ada)
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe(RESUMED, room=room, since=since)
        error = (await socket.expect("error"))["payload"][0]["extensions"]
        assert (error["code"], error["field"]) == ("BAD_INPUT", "since")
