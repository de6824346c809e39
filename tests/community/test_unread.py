"""How many messages somebody has yet to read: those that they could read now."""

import asyncio
from dataclasses import replace

import pytest

from app.domains.community import keys
from app.domains.community.service import read_markers
from app.table.gateway import Gateway
from app.table.writes import Put
from tests.api import Api, Person
from tests.community import rooms, test_assist
from tests.community.rooms import new_room
from tests.community.test_assist import LEAVE, RESOLVE, new_thread
from tests.quests.operations import sign_in_again
from tests.servers import TestClock

MARK = """
mutation ($id: ID!, $message: ID) {
  markAssistThreadRead(input: {threadId: $id, messageId: $message}) { id unreadCount }
}
"""


async def mark(person: Person, thread: str, message: str | None = None) -> int:
    answer = await person.gql(MARK, id=thread, message=message)
    return int(answer["markAssistThreadRead"]["unreadCount"])


async def in_room(person: Person, room: str) -> int:
    return int((await rooms.read(person, room))["unreadCount"])


async def in_thread(person: Person, thread: str) -> int:
    return int((await test_assist.read(person, thread))["unreadCount"])


async def test_a_threads_messages_are_read_down(ada: Person, bob: Person) -> None:
    thread = await new_thread(ada, helperIds=[bob.id])
    said = [await test_assist.send(bob, thread, f"{n}") for n in range(5)]
    assert (await in_thread(ada, thread), await in_thread(bob, thread)) == (5, 0)
    assert await mark(ada, thread, said[1]["id"]) == 3
    assert await mark(ada, thread, said[0]["id"]) == 3, "a marker never moves back"
    assert await mark(ada, thread) == 0
    assert await in_thread(bob, thread) == 0
    await test_assist.send(bob, thread, "More")
    assert await in_thread(ada, thread) == 1


async def test_a_resolved_thread_is_read_down_too(ada: Person, bob: Person) -> None:
    thread = await new_thread(ada, helperIds=[bob.id])
    await test_assist.send(ada, thread, "Thank you")
    await ada.gql(RESOLVE, id=thread)
    assert await in_thread(bob, thread) == 1
    assert await mark(bob, thread) == 0


async def test_markers_at_once_end_at_the_last(ada: Person, bob: Person, table: Gateway) -> None:
    thread = await new_thread(ada, helperIds=[bob.id])
    said = [await test_assist.send(bob, thread, f"{n}") for n in range(6)]
    await asyncio.gather(*(mark(ada, thread, each["id"]) for each in said))
    member = await table.get(keys.assist_member(thread, ada.id))
    assert member is not None
    assert (member.read_number, member.read_at) == (6, said[5]["createdAt"])


async def test_only_participants_mark(api: Api, ada: Person, bob: Person) -> None:
    thread = await new_thread(ada, helperIds=[bob.id], isPublic=False)
    other = await new_thread(ada)
    elsewhere = await test_assist.send(ada, other, "Elsewhere")
    assert (await bob.refused(MARK, id=thread, message=elsewhere["id"])).code == "NOT_FOUND"
    assert (await bob.refused(MARK, id=thread, message="nothing")).code == "NOT_FOUND"
    stranger = await api.sign_up()
    assert (await stranger.refused(MARK, id=thread)).code == "NOT_FOUND"
    assert (await stranger.refused(MARK, id=other)).code == "NOT_A_MEMBER"
    await bob.gql(LEAVE, id=thread)
    assert (await bob.refused(MARK, id=thread)).code == "NOT_FOUND"


async def test_deleted_messages_of_a_thread_are_not_waiting(ada: Person, bob: Person) -> None:
    thread = await new_thread(ada, helperIds=[bob.id])
    said = [await test_assist.send(bob, thread, f"{n}") for n in range(4)]
    await bob.gql(test_assist.DELETE, thread=thread, message=said[2]["id"])
    assert await in_thread(ada, thread) == 3
    assert await mark(ada, thread, said[0]["id"]) == 2


async def test_deleted_and_removed_messages_of_a_room_are_not_waiting(
    ada: Person, bob: Person
) -> None:
    room = await new_room(ada, bob)
    said = [await rooms.send(ada, room, f"{n}") for n in range(4)]
    mine = await rooms.send(bob, room, "Mine")
    later = [await rooms.send(ada, room, f"{n}") for n in range(3)]
    assert await in_room(bob, room) == 3
    await ada.gql(rooms.DELETE, room=room, message=later[1]["id"])
    await ada.gql(rooms.DELETE, room=room, message=said[0]["id"])
    assert await in_room(bob, room) == 2, "what was read already makes no difference"
    await ada.gql(rooms.DELETE, room=room, message=mine["id"])
    assert await in_room(bob, room) == 2


async def test_expired_messages_are_not_waiting(ada: Person, bob: Person, clock: TestClock) -> None:
    room = await new_room(ada, bob)
    await rooms.send(ada, room, "Stays")
    await rooms.send(ada, room, "Goes", expiresIn=60)
    assert await in_room(bob, room) == 2
    clock.move(seconds=61)
    await sign_in_again(bob)
    assert await in_room(bob, room) == 1
    assert (await bob.gql(rooms.MARK_READ, id=room))["markRead"]["unreadCount"] == 0


async def test_so_many_are_examined(
    ada: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of more, the oldest are all counted: the work for one room is bounded."""
    monkeypatch.setattr(read_markers, "MOST_EXAMINED", 3)
    room = await new_room(ada, bob)
    said = [await rooms.send(ada, room, f"{n}") for n in range(5)]
    await ada.gql(rooms.DELETE, room=room, message=said[4]["id"])
    assert await in_room(bob, room) == 4
    await ada.gql(rooms.DELETE, room=room, message=said[0]["id"])
    assert await in_room(bob, room) == 4
    await bob.gql(rooms.MARK_READ, id=room, message=said[1]["id"])
    assert await in_room(bob, room) == 2


@pytest.mark.parametrize("gap", [None, 0])
async def test_a_room_of_the_release_before_counts_the_same(
    ada: Person, bob: Person, table: Gateway, gap: int | None
) -> None:
    """It does not know which of its messages were deleted; a new one with none does."""
    room = await new_room(ada, bob)
    said = [await rooms.send(ada, room, f"{n}") for n in range(3)]
    stored = await table.get(keys.room(room))
    assert stored is not None
    assert stored.gap_number == 0
    await table.write(Put(replace(stored, gap_number=gap)))
    assert await in_room(bob, room) == 3
    await ada.gql(rooms.DELETE, room=room, message=said[1]["id"])
    assert await in_room(bob, room) == 2
    after = await table.get(keys.room(room))
    assert after is not None
    assert after.gap_number == (None if gap is None else 2)
    await ada.gql(rooms.DELETE, room=room, message=said[0]["id"])
    assert await in_room(bob, room) == 1


async def test_deletions_and_messages_at_once_count_right(
    ada: Person, bob: Person, table: Gateway
) -> None:
    room = await new_room(ada, bob)
    said = [await rooms.send(ada, room, f"{n}") for n in range(6)]
    await asyncio.gather(
        *(ada.gql(rooms.DELETE, room=room, message=each["id"]) for each in said[:4]),
        *(rooms.send(ada, room, f"{n}", expiresIn=3600) for n in range(3)),
        *(rooms.send(ada, room, f"{n}") for n in range(3)),
    )
    assert await in_room(bob, room) == 8
    stored = await table.get(keys.room(room))
    assert stored is not None
    assert stored.gap_number is not None
    assert 9 <= stored.gap_number <= 12


async def test_a_marker_of_before_without_a_time_counts_the_same(
    ada: Person, bob: Person, table: Gateway
) -> None:
    room = await new_room(ada, bob)
    said = [await rooms.send(ada, room, f"{n}") for n in range(4)]
    await bob.gql(rooms.MARK_READ, id=room, message=said[1]["id"])
    member = await table.get(keys.room_member(room, bob.id))
    assert member is not None
    await table.write(Put(replace(member, read_at=None)))
    assert await in_room(bob, room) == 2
