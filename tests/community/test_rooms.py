"""Rooms and their members, through HTTP."""

import asyncio
from uuid import uuid4

import pytest

from app.domains.community import keys
from app.table.gateway import CALLS, Gateway
from tests.api import Api, Failed, Person
from tests.community.rooms import (
    CREATE_ROOM,
    INVITE,
    JOIN,
    LEAVE,
    MARK_READ,
    REMOVE,
    ROOM,
    SEND,
    SET_ROLE,
    new_room,
    read,
    send,
    texts,
)

ROOMS = """
query ($limit: Int, $nextToken: String) {
  rooms(limit: $limit, nextToken: $nextToken) {
    items { id name unreadCount lastMessage { text } }
    nextToken
  }
}
"""
PUBLIC_ROOMS = """
query ($limit: Int, $nextToken: String) {
  publicRooms(limit: $limit, nextToken: $nextToken) {
    items { id name memberCount unreadCount messages { items { text } } } nextToken
  }
}
"""
UPDATE = """
mutation ($input: UpdateRoomInput!) {
  updateRoom(input: $input) { id name description isPublic version memberCount messageCount }
}
"""
ARCHIVE = "mutation ($id: ID!) { archiveRoom(input: {roomId: $id}) { id archivedAt } }"
RESTORE = "mutation ($id: ID!) { restoreRoom(input: {roomId: $id}) { id archivedAt } }"


def roles(room: dict[str, dict[str, list[dict[str, str]]]]) -> dict[str, str]:
    return {each["userId"]: each["role"] for each in room["members"]["items"]}


async def listed(person: Person) -> list[str]:
    found: list[str] = []
    token: str | None = None
    while True:
        page = (await person.gql(PUBLIC_ROOMS, limit=100, nextToken=token))["publicRooms"]
        found += [each["id"] for each in page["items"]]
        token = page["nextToken"]
        if token is None:
            return found


async def count(table: Gateway, room: str) -> tuple[int, int]:
    """The members as counted, and as they are."""
    stored = await table.get(keys.room(room))
    members = await table.count(keys.members_of_room(room))
    return (stored.member_count if stored else -1, members)


async def test_a_new_room_has_its_owner_and_first_members(ada: Person, bob: Person) -> None:
    made = (
        await ada.gql(
            CREATE_ROOM, input={"name": " Forge ", "isPublic": False, "memberIds": [bob.id, ada.id]}
        )
    )["createRoom"]
    assert (made["name"], made["isPublic"], made["memberCount"]) == ("Forge", False, 2)
    seen = await read(bob, made["id"])
    assert roles(seen) == {ada.id: "OWNER", bob.id: "MEMBER"}
    assert {each["user"]["nickname"] for each in seen["members"]["items"]} == {
        ada.nickname,
        bob.nickname,
    }
    assert (seen["unreadCount"], seen["myRole"], seen["lastMessage"]) == (0, "MEMBER", None)


@pytest.mark.parametrize("name", ["", "   ", "x" * 201])
async def test_a_room_has_a_name(ada: Person, name: str) -> None:
    assert (await ada.refused(CREATE_ROOM, input={"name": name})).code == "BAD_INPUT"


async def test_first_members_must_exist(ada: Person) -> None:
    refused = await ada.refused(CREATE_ROOM, input={"name": "x", "memberIds": ["nobody"]})
    assert refused.code == "NOT_FOUND"
    many = [f"u{i}" for i in range(51)]
    refused = await ada.refused(CREATE_ROOM, input={"name": "x", "memberIds": many})
    assert refused.code == "BAD_INPUT"
    assert (await ada.gql(ROOMS))["rooms"]["items"] == []


async def test_one_idempotency_key_creates_one_room(ada: Person) -> None:
    made = await asyncio.gather(
        *(ada.gql(CREATE_ROOM, input={"name": "x", "idempotencyKey": "k"}) for _ in range(20))
    )
    assert len({each["createRoom"]["id"] for each in made}) == 1
    assert len((await ada.gql(ROOMS))["rooms"]["items"]) == 1


async def test_an_id_chosen_by_the_client_is_used_once(ada: Person, bob: Person) -> None:
    chosen = f"room-{uuid4()}"
    assert await new_room(ada, id=chosen) == chosen
    await send(ada, chosen, "Mine")
    for person in (ada, bob):
        refused = await person.refused(CREATE_ROOM, input={"id": chosen, "name": "Taken"})
        assert refused.code == "CONFLICT"
    assert await read(bob, chosen) is None
    assert (await read(ada, chosen))["name"] == "Guild hall"
    refused = await ada.refused(CREATE_ROOM, input={"id": "a#META", "name": "x"})
    assert refused.code == "BAD_INPUT"


async def test_a_private_room_does_not_exist_for_others(
    ada: Person, bob: Person, table: Gateway
) -> None:
    room = await new_room(ada)
    said = await send(ada, room)
    before = [item async for item in table.partition(f"ROOM#{room}")]
    for stranger_sees in (room, "nothing"):
        assert await read(bob, stranger_sees) is None
        attempts = [
            (JOIN, {"id": stranger_sees}),
            (LEAVE, {"id": stranger_sees}),
            (INVITE, {"id": stranger_sees, "user": bob.id}),
            (REMOVE, {"id": stranger_sees, "user": ada.id}),
            (SET_ROLE, {"id": stranger_sees, "user": bob.id, "role": "OWNER"}),
            (MARK_READ, {"id": stranger_sees, "message": said["id"]}),
            (UPDATE, {"input": {"roomId": stranger_sees, "name": "Mine"}}),
            (ARCHIVE, {"id": stranger_sees}),
            (RESTORE, {"id": stranger_sees}),
            (SEND, {"input": {"roomId": stranger_sees, "text": "Hi"}}),
        ]
        for mutation, variables in attempts:
            assert (await bob.refused(mutation, **variables)).code == "NOT_FOUND", mutation
    assert [item async for item in table.partition(f"ROOM#{room}")] == before


async def test_only_members_read_a_public_rooms_messages(ada: Person, bob: Person) -> None:
    room = await new_room(ada, isPublic=True, name=f"Open {uuid4()}")
    await send(ada, room, "Welcome")
    outside = await read(bob, room)
    assert outside["name"].startswith("Open")
    hidden = ("messages", "members", "unreadCount", "myRole", "lastMessage")
    assert [outside[field] for field in hidden] == [None] * 5
    refused = await bob.refused(SEND, input={"roomId": room, "text": "Hi"})
    assert refused.code == "NOT_A_MEMBER"
    assert (await bob.gql(JOIN, id=room))["joinRoom"] == {
        "id": room,
        "memberCount": 2,
        "unreadCount": 0,
    }
    assert await texts(bob, room) == ["Welcome"]


async def test_joining_again_changes_nothing(
    ada: Person, api: Api, bob: Person, table: Gateway
) -> None:
    room = await new_room(ada, isPublic=True)
    await asyncio.gather(*(bob.gql(JOIN, id=room) for _ in range(20)))
    assert await count(table, room) == (2, 2)


async def test_concurrent_joins_and_leaves_are_counted(
    ada: Person, api: Api, table: Gateway
) -> None:
    room = await new_room(ada, isPublic=True)
    crowd = [await api.sign_up() for _ in range(20)]
    await asyncio.gather(*(each.gql(JOIN, id=room) for each in crowd))
    assert await count(table, room) == (21, 21)
    await asyncio.gather(
        *(each.gql(LEAVE, id=room) for each in crowd[:10]),
        *(ada.gql(REMOVE, id=room, user=each.id) for each in crowd[10:15]),
        *(send(each, room) for each in crowd[15:]),
    )
    assert await count(table, room) == (6, 6)


async def test_the_directory_lists_public_rooms_that_are_not_archived(
    api: Api, ada: Person, bob: Person
) -> None:
    public = await new_room(ada, isPublic=True)
    private = await new_room(ada)
    seen = await listed(bob)
    assert public in seen
    assert private not in seen
    await ada.gql(ARCHIVE, id=public)
    await ada.gql(UPDATE, input={"roomId": private, "isPublic": True})
    seen = await listed(bob)
    assert public not in seen
    assert private in seen
    assert await read(bob, public) is None
    assert (await api.post(PUBLIC_ROOMS)).json()["errors"][0]["extensions"]["code"] == (
        "UNAUTHENTICATED"
    )


async def test_an_archived_room_is_read_only_until_it_is_restored(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    await send(bob, room, "Before")
    assert (await bob.refused(ARCHIVE, id=room)).code == "FORBIDDEN"
    assert (await ada.gql(ARCHIVE, id=room))["archiveRoom"]["archivedAt"]
    assert await texts(bob, room) == ["Before"]
    refused = await bob.refused(SEND, input={"roomId": room, "text": "Hi"})
    assert refused.code == "ROOM_ARCHIVED"
    assert (await ada.gql(RESTORE, id=room))["restoreRoom"]["archivedAt"] is None
    await send(bob, room, "After")
    assert await texts(bob, room) == ["After", "Before"]


async def test_renaming_while_messages_arrive_loses_nothing(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    await asyncio.gather(
        *(send(bob, room, f"{i}") for i in range(20)),
        *(ada.gql(UPDATE, input={"roomId": room, "name": f"Name {i}"}) for i in range(5)),
    )
    seen = await read(ada, room, limit=100)
    assert seen["messageCount"] == len(seen["messages"]["items"]) == 20
    assert seen["name"].startswith("Name ")


async def test_updates_a_room_and_detects_a_stale_version(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob, description="Old")
    after = (await ada.gql(UPDATE, input={"roomId": room, "description": None}))["updateRoom"]
    assert (after["name"], after["description"], after["version"]) == ("Guild hall", None, 2)
    refused = await ada.refused(UPDATE, input={"roomId": room, "name": "x", "expectedVersion": 1})
    assert (refused.code, refused.info["currentVersion"]) == ("CONFLICT", 2)
    refused = await ada.refused(UPDATE, input={"roomId": room, "name": None})
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.name")
    assert (await bob.refused(UPDATE, input={"roomId": room, "name": "x"})).code == "FORBIDDEN"
    assert (await read(ada, room))["name"] == "Guild hall"


async def test_invitations_to_public_and_private_rooms(ada: Person, bob: Person, api: Api) -> None:
    room = await new_room(ada, bob)
    carl = await api.sign_up()
    assert (await bob.refused(INVITE, id=room, user=carl.id)).code == "FORBIDDEN"
    assert await read(carl, room) is None
    assert (await ada.gql(INVITE, id=room, user=carl.id))["inviteToRoom"]["memberCount"] == 3
    assert (await ada.gql(INVITE, id=room, user=carl.id))["inviteToRoom"]["memberCount"] == 3
    assert (await carl.gql(JOIN, id=room))["joinRoom"]["memberCount"] == 3
    assert roles(await read(carl, room))[carl.id] == "MEMBER"
    assert (await ada.refused(INVITE, id=room, user="nobody")).code == "NOT_FOUND"


async def test_a_removed_member_sees_nothing_and_needs_an_invitation(
    ada: Person, bob: Person
) -> None:
    room = await new_room(ada, bob, isPublic=True)
    for number in range(3):
        await send(ada, room, f"{number}")
    token = (await read(bob, room, limit=1))["messages"]["nextToken"]
    assert (await ada.gql(REMOVE, id=room, user=bob.id))["removeFromRoom"]["memberCount"] == 1
    await send(ada, room, "Secret")
    outside = await read(bob, room, limit=1, nextToken=token)
    assert (outside["messages"], outside["lastMessage"], outside["members"]) == (None, None, None)
    assert (await bob.gql(ROOMS))["rooms"]["items"] == []
    assert (await bob.refused(SEND, input={"roomId": room, "text": "x"})).code == "NOT_A_MEMBER"
    assert (await bob.refused(JOIN, id=room)).code == "BANNED"
    await ada.gql(INVITE, id=room, user=bob.id)
    assert await texts(bob, room, limit=1) == ["Secret"]


async def test_a_removed_member_gets_nothing_after_the_removal(ada: Person, bob: Person) -> None:
    """Raced: whatever bob is answered after it was acknowledged has no message in it, and what
    was said afterwards never reached him."""
    room = await new_room(ada, bob)
    await send(ada, room, "Before")
    removed = asyncio.Event()
    late: list[object] = []
    seen: set[str] = set()

    async def look() -> None:
        for _ in range(15):
            after = removed.is_set()
            found = await read(bob, room, limit=100)
            if found and found["messages"]:
                seen.update(each["text"] for each in found["messages"]["items"])
            if after:
                late.append(found)

    async def remove() -> None:
        await asyncio.sleep(0)
        await ada.gql(REMOVE, id=room, user=bob.id)
        removed.set()
        await asyncio.gather(*(send(ada, room, f"After {i}") for i in range(5)))

    await asyncio.gather(remove(), *(look() for _ in range(4)))
    assert late
    assert set(late) == {None}
    assert seen <= {"Before"}


async def test_ranks(ada: Person, bob: Person, api: Api) -> None:
    carl = await api.sign_up()
    room = await new_room(ada, bob, carl)
    assert (await bob.refused(REMOVE, id=room, user=carl.id)).code == "FORBIDDEN"
    await ada.gql(SET_ROLE, id=room, user=bob.id, role="MODERATOR")
    assert (await bob.refused(REMOVE, id=room, user=ada.id)).code == "FORBIDDEN"
    assert (await bob.refused(REMOVE, id=room, user=bob.id)).code == "BAD_INPUT"
    assert (await bob.refused(SET_ROLE, id=room, user=carl.id, role="OWNER")).code == "FORBIDDEN"
    await bob.gql(REMOVE, id=room, user=carl.id)
    assert (await bob.refused(REMOVE, id=room, user=carl.id)).code == "NOT_FOUND"
    handed_over = await ada.gql(SET_ROLE, id=room, user=bob.id, role="OWNER")
    assert handed_over["setRoomRole"]["myRole"] == "MODERATOR"
    assert roles(await read(ada, room)) == {ada.id: "MODERATOR", bob.id: "OWNER"}


async def test_the_owner_is_succeeded_and_the_last_member_archives_the_room(
    ada: Person, bob: Person, api: Api
) -> None:
    carl = await api.sign_up()
    room = await new_room(ada, bob, carl, isPublic=True)
    await ada.gql(SET_ROLE, id=room, user=carl.id, role="MODERATOR")
    await ada.gql(LEAVE, id=room)
    assert roles(await read(bob, room)) == {carl.id: "OWNER", bob.id: "MEMBER"}
    assert (await ada.refused(LEAVE, id=room)).code == "NOT_A_MEMBER"
    await carl.gql(LEAVE, id=room)
    assert roles(await read(bob, room)) == {bob.id: "OWNER"}
    gone = (await bob.gql(LEAVE, id=room))["leaveRoom"]
    assert (gone["memberCount"], gone["archivedAt"] is not None) == (0, True)
    assert await read(bob, room) is None
    assert room not in await listed(bob)


async def test_all_members_leave_at_once(ada: Person, api: Api, table: Gateway) -> None:
    crowd = [await api.sign_up() for _ in range(6)]
    room = await new_room(ada, *crowd)
    await asyncio.gather(*(each.gql(LEAVE, id=room) for each in (ada, *crowd)))
    assert await count(table, room) == (0, 0)
    stored = await table.get(keys.room(room))
    assert stored is not None
    assert stored.archived_at is not None


async def test_unread_counts_follow_the_marker(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    said = [await send(ada, room, f"{i}") for i in range(5)]
    assert (await read(bob, room))["unreadCount"] == 5
    assert (await read(ada, room))["unreadCount"] == 0
    marked = (await bob.gql(MARK_READ, id=room, message=said[1]["id"]))["markRead"]
    assert marked["unreadCount"] == 3
    backwards = (await bob.gql(MARK_READ, id=room, message=said[0]["id"]))["markRead"]
    assert backwards["unreadCount"] == 3
    assert (await bob.refused(MARK_READ, id=room, message="none")).code == "NOT_FOUND"
    assert (await bob.gql(MARK_READ, id=room))["markRead"]["unreadCount"] == 0
    await send(ada, room)
    await send(bob, room)
    assert ((await read(bob, room))["unreadCount"], (await read(ada, room))["unreadCount"]) == (
        0,
        1,
    )


async def test_concurrent_read_markers_end_at_the_furthest(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    said = [await send(ada, room, f"{i}") for i in range(20)]
    await asyncio.gather(*(bob.gql(MARK_READ, id=room, message=each["id"]) for each in said[:18]))
    assert (await read(bob, room))["unreadCount"] == 2


async def calls_of(person: Person, query: str, **variables: object) -> tuple[float, object]:
    before = sum(s.value for m in CALLS.collect() for s in m.samples if s.name.endswith("_total"))
    answer = await person.gql(query, **variables)
    after = sum(s.value for m in CALLS.collect() for s in m.samples if s.name.endswith("_total"))
    return after - before, answer


async def test_my_rooms_cost_the_same_for_any_number_of_rooms(ada: Person, bob: Person) -> None:
    query = ROOMS.replace("($limit: Int, $nextToken: String)", "").replace(
        "(limit: $limit, nextToken: $nextToken)", "(limit: 50)"
    )
    for _ in range(2):
        await send(bob, await new_room(bob, ada), "Hi")
    await ada.gql(query)
    few, _ = await calls_of(ada, query)
    for _ in range(10):
        await send(bob, await new_room(bob, ada), "Hi")
    many, answer = await calls_of(ada, query)
    assert isinstance(answer, dict)
    rooms = answer["rooms"]["items"]
    assert [(each["unreadCount"], each["lastMessage"]["text"]) for each in rooms] == [
        (1, "Hi")
    ] * 12
    assert few == many <= 6


async def test_my_rooms_are_paged(ada: Person) -> None:
    made = [await new_room(ada, name=f"{i}") for i in range(5)]
    first = (await ada.gql(ROOMS, limit=3))["rooms"]
    second = (await ada.gql(ROOMS, limit=3, nextToken=first["nextToken"]))["rooms"]
    found = [each["id"] for each in (*first["items"], *second["items"])]
    assert found == made[::-1]
    assert second["nextToken"] is None


async def test_an_id_cannot_reach_into_other_keys(ada: Person) -> None:
    with pytest.raises(Failed) as failed:
        await ada.gql(ROOM, id="x#MSG")
    assert failed.value.code == "BAD_INPUT"
