"""Messages in rooms, through HTTP."""

import asyncio
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from app.core.clock import instant
from app.domains.community import keys
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.community.rooms import (
    DELETE,
    EDIT,
    REMOVE,
    SEND,
    everything,
    new_room,
    read,
    send,
    texts,
)
from tests.servers import RunningServer, TestClock

TIMELINE = """
{ timeline(types: ["Message"]) { items { id ... on Message { text replyTo { text } } } } }
"""


async def stored(table: Gateway, room: str) -> list[str]:
    return [item["SK"]["S"].split("#")[0] async for item in table.partition(f"ROOM#{room}")]


async def test_a_message_is_stored_as_typed(ada: Person) -> None:
    room = await new_room(ada)
    text = "<b>a < b</b> {{x}} \u202eabc 🦉"
    said = await send(ada, room, f"  {text}\n")
    assert (said["text"], said["number"], said["userId"], said["roomId"]) == (text, 1, ada.id, room)
    assert (said["replyToId"], said["expiresAt"], said["version"]) == (None, None, 1)


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 4001, "x" * 10_000])
async def test_a_text_has_1_to_4000_characters(ada: Person, text: str, table: Gateway) -> None:
    room = await new_room(ada)
    assert (await ada.refused(SEND, input={"roomId": room, "text": text})).code == "BAD_INPUT"
    assert "MSG" not in await stored(table, room)


async def test_the_longest_text_fits(ada: Person) -> None:
    room = await new_room(ada)
    assert (await send(ada, room, "🦉" * 4000))["text"] == "🦉" * 4000


async def test_one_idempotency_key_sends_once(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    sent = await asyncio.gather(
        *(send(ada, room, "Once", idempotencyKey="k") for _ in range(20)),
        *(send(bob, room, "Mine", idempotencyKey="k") for _ in range(5)),
    )
    assert len({each["id"] for each in sent}) == 2
    assert sorted(await texts(ada, room)) == ["Mine", "Once"]
    again = await send(ada, room, "Once", idempotencyKey="k")
    assert again == sent[0]
    refused = await ada.refused(SEND, input={"roomId": room, "text": "x", "idempotencyKey": "k"})
    assert refused.code == "IDEMPOTENCY_MISMATCH"


async def test_a_repeated_request_gets_the_message_as_it_is_now(
    ada: Person, table: Gateway
) -> None:
    room = await new_room(ada)
    said = await send(ada, room, "Words of mine", idempotencyKey="k")
    change = {"roomId": room, "messageId": said["id"], "text": "Better words"}
    await ada.gql(EDIT, input=change)
    again = await send(ada, room, "Words of mine", idempotencyKey="k")
    assert (again["id"], again["text"]) == (said["id"], "Better words")
    await ada.gql(DELETE, room=room, message=said["id"])
    again = await send(ada, room, "Words of mine", idempotencyKey="k")
    assert (again["id"], again["text"]) == (said["id"], None)
    assert await texts(ada, room) == [None]
    kept = [
        item["SK"]["S"]
        async for item in table.partition(f"USER#{ada.id}")
        if "words" in json.dumps(item).lower()
    ]
    assert kept == []


async def test_replies(ada: Person, bob: Person) -> None:
    room, other = await new_room(ada, bob), await new_room(ada)
    question = await send(ada, room, "When?")
    answer = await send(bob, room, "Now", replyToId=question["id"])
    assert answer["replyTo"] == {"id": question["id"], "text": "When?"}
    for wrong in ("nothing", (await send(ada, other))["id"]):
        wanted = {"roomId": room, "text": "x", "replyToId": wrong}
        assert (await ada.refused(SEND, input=wanted)).code == "NOT_FOUND"
    await ada.gql(DELETE, room=room, message=question["id"])
    wanted = {"roomId": room, "text": "x", "replyToId": question["id"]}
    assert (await bob.refused(SEND, input=wanted)).code == "MESSAGE_DELETED"
    assert await texts(ada, room) == ["Now", None]


async def test_history_in_both_directions(ada: Person) -> None:
    room = await new_room(ada)
    for number in range(7):
        await send(ada, room, f"{number}")
    newest = [each["text"] for each in await everything(ada, room, limit=3)]
    oldest = [each["text"] for each in await everything(ada, room, limit=3, order="OLDEST_FIRST")]
    assert newest == oldest[::-1] == ["6", "5", "4", "3", "2", "1", "0"]
    assert len(await everything(ada, room, limit=7)) == 7
    assert (await read(ada, room, limit=7))["messages"]["nextToken"] is None


async def test_history_around_an_anchor(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    said = [await send(ada, room, f"{number}") for number in range(6)]

    async def seen(order: str, **around: object) -> str:
        """Page by page."""
        found = await everything(bob, room, limit=2, order=order, around=around)
        return "".join(each["text"] for each in found)

    third = said[2]
    assert await seen("OLDEST_FIRST", messageId=third["id"]) == "2345"
    assert await seen("NEWEST_FIRST", messageId=third["id"]) == "210"
    assert await seen("OLDEST_FIRST", date=third["createdAt"]) == "2345"
    assert await seen("NEWEST_FIRST", date=third["createdAt"]) == "210"
    assert await seen("NEWEST_FIRST", date="2001-01-01T00:00:00Z") == ""
    assert await seen("OLDEST_FIRST", date="2001-01-01T00:00:00Z") == "012345"
    assert await seen("OLDEST_FIRST", firstUnread=True) == "012345"
    assert await seen("NEWEST_FIRST", firstUnread=True) == ""
    mark = "mutation ($id: ID!, $m: ID) { markRead(input: {roomId: $id, messageId: $m}) { id } }"
    await bob.gql(mark, id=room, m=third["id"])
    assert await seen("OLDEST_FIRST", firstUnread=True) == "345"
    assert await seen("NEWEST_FIRST", firstUnread=True) == "210"
    assert await seen("NEWEST_FIRST", firstUnread=False) == "543210"


async def test_reading_on_while_the_marker_moves(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    for number in range(6):
        await send(ada, room, f"{number}")
    unread = {"order": "OLDEST_FIRST", "around": {"firstUnread": True}, "limit": 2}
    first = (await read(bob, room, **unread))["messages"]
    mark = "mutation ($id: ID!) { markRead(input: {roomId: $id}) { id } }"
    await bob.gql(mark, id=room)
    second = await read(bob, room, nextToken=first["nextToken"], **unread)
    assert [each["text"] for each in second["messages"]["items"]] == ["2", "3"]


@pytest.mark.parametrize(
    "around", [{"messageId": "nothing"}, {"messageId": "x", "firstUnread": True}, {"date": None}]
)
async def test_invalid_anchors(ada: Person, around: dict[str, object]) -> None:
    room = await new_room(ada)
    query = """
    query ($id: ID!, $around: MessageAnchor) {
      room(id: $id) { messages(around: $around) { items { id } } }
    }
    """
    assert (await ada.refused(query, id=room, around=around)).code == "BAD_INPUT"


async def test_a_page_token_is_its_readers_own(ada: Person, bob: Person, api: Api) -> None:
    room, other = await new_room(ada, bob), await new_room(ada, bob)
    for place in (room, other):
        for number in range(3):
            await send(ada, place, f"{number}")
    token = (await read(ada, room, limit=1))["messages"]["nextToken"]
    assert (await bob.refused(*_page(room, token)[:1], **_page(room, token)[1])).code == "BAD_TOKEN"
    refused = await ada.refused(*_page(other, token)[:1], **_page(other, token)[1])
    assert refused.code == "BAD_TOKEN"
    stranger = await api.sign_up()
    query, variables = _page(room, token)
    assert await stranger.gql(query, **variables) == {"room": None}
    for is_public, from_outside in ((True, {"messages": None}), (False, None)):
        change = {"roomId": room, "isPublic": is_public}
        await ada.gql("mutation ($i: UpdateRoomInput!) { updateRoom(input: $i) { id } }", i=change)
        assert await stranger.gql(query, **variables) == {"room": from_outside}
    assert (await stranger.refused(SEND, input={"roomId": room, "text": "x"})).code == "NOT_FOUND"


def _page(room: str, token: str) -> tuple[str, dict[str, Any]]:
    query = """
    query ($id: ID!, $token: String) {
      room(id: $id) { messages(limit: 1, nextToken: $token) { items { text } } }
    }
    """
    return query, {"id": room, "token": token}


async def test_editing_keeps_the_earlier_texts(ada: Person, bob: Person, clock: TestClock) -> None:
    room = await new_room(ada, bob)
    said = await send(ada, room, "Frist")
    change = {"roomId": room, "messageId": said["id"]}
    clock.move(minutes=5)
    edited = (await ada.gql(EDIT, input=change | {"text": "Frst"}))["editMessage"]
    clock.move(minutes=5)
    edited = (await ada.gql(EDIT, input=change | {"text": "First"}))["editMessage"]
    assert (edited["text"], edited["editCount"], edited["version"]) == ("First", 2, 3)
    assert [each["text"] for each in edited["edits"]] == ["Frist", "Frst"]
    assert edited["edits"][0]["createdAt"] == said["createdAt"]
    same = (await ada.gql(EDIT, input=change | {"text": "First"}))["editMessage"]
    assert same["version"] == 3
    (seen,) = (await read(bob, room))["messages"]["items"]
    assert (seen["text"], seen["createdAt"], seen["number"]) == ("First", said["createdAt"], 1)


async def test_editing_ends_after_15_minutes(ada: Person, clock: TestClock) -> None:
    room = await new_room(ada)
    said = await send(ada, room, "Old")
    change = {"roomId": room, "messageId": said["id"], "text": "New"}
    clock.move(minutes=14, seconds=50)
    await ada.gql(EDIT, input=change)
    clock.move(seconds=11)
    refused = await ada.refused(EDIT, input=change | {"text": "Newer"})
    assert refused.code == "EDIT_TOO_LATE"
    assert await texts(ada, room) == ["New"]


async def test_only_its_sender_edits_a_message(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    said = await send(bob, room, "Mine")
    change = {"roomId": room, "messageId": said["id"], "text": "Yours"}
    assert (await ada.refused(EDIT, input=change)).code == "FORBIDDEN"
    refused = await bob.refused(EDIT, input=change | {"expectedVersion": 7})
    assert (refused.code, refused.info["currentVersion"]) == ("CONFLICT", 1)
    refused = await bob.refused(EDIT, input=change | {"messageId": "nothing"})
    assert refused.code == "NOT_FOUND"
    await ada.gql(REMOVE, id=room, user=bob.id)
    assert (await bob.refused(EDIT, input=change)).code == "NOT_FOUND"
    assert await texts(ada, room) == ["Mine"]


async def test_a_message_is_edited_20_times_at_most(ada: Person) -> None:
    room = await new_room(ada)
    said = await send(ada, room, "0")
    change = {"roomId": room, "messageId": said["id"]}
    for number in range(1, 21):
        await ada.gql(EDIT, input=change | {"text": f"{number}"})
    refused = await ada.refused(EDIT, input=change | {"text": "21"})
    assert refused.code == "LIMIT_EXCEEDED"
    gone = (await ada.gql(DELETE, room=room, message=said["id"]))["deleteMessage"]
    assert (gone["text"], gone["editCount"]) == (None, 0)


async def test_concurrent_edits_are_all_kept(ada: Person) -> None:
    room = await new_room(ada)
    said = await send(ada, room, "Start")
    change = {"roomId": room, "messageId": said["id"]}

    async def edit(number: int) -> bool:
        answer = await ada.api.post(EDIT, headers=ada.headers, input=change | {"text": f"{number}"})
        return "errors" not in answer.json()

    done = await asyncio.gather(*(edit(number) for number in range(10)))
    query = """
    query ($id: ID!) { room(id: $id) { lastMessage { text editCount edits { text } } } }
    """
    last = (await ada.gql(query, id=room))["room"]["lastMessage"]
    assert last["editCount"] == len(last["edits"]) == sum(done)
    assert len({last["text"], *(each["text"] for each in last["edits"])}) == sum(done) + 1


async def test_deleting_leaves_the_place_and_no_text(
    ada: Person, bob: Person, table: Gateway
) -> None:
    room = await new_room(ada, bob)
    said = [await send(ada, room, f"{number}") for number in range(4)]
    await ada.gql(EDIT, input={"roomId": room, "messageId": said[2]["id"], "text": "two"})
    token = (await read(bob, room, limit=2))["messages"]["nextToken"]
    assert (await bob.refused(DELETE, room=room, message=said[2]["id"])).code == "FORBIDDEN"
    gone = (await ada.gql(DELETE, room=room, message=said[2]["id"]))["deleteMessage"]
    assert (gone["text"], gone["isRemoved"], gone["userId"]) == (None, False, ada.id)
    assert gone["deletedAt"]
    again = (await ada.gql(DELETE, room=room, message=said[2]["id"]))["deleteMessage"]
    assert again == gone
    on = (await read(bob, room, limit=2, nextToken=token))["messages"]["items"]
    assert [each["text"] for each in on] == ["1", "0"]
    around = {"messageId": said[2]["id"]}
    assert await texts(bob, room, order="OLDEST_FIRST", around=around) == [None, "3"]
    assert "EDIT" not in await stored(table, room)
    change = {"roomId": room, "messageId": said[2]["id"], "text": "Back"}
    assert (await ada.refused(EDIT, input=change)).code == "MESSAGE_DELETED"


async def test_an_expired_message_is_hidden(
    ada: Person, bob: Person, clock: TestClock, table: Gateway
) -> None:
    room = await new_room(ada, bob)
    await send(ada, room, "Stays")
    said = await send(ada, room, "Goes", expiresIn=60)
    assert said["expiresAt"] == pytest.approx(clock.now().timestamp() + 60, abs=5)
    assert await texts(bob, room) == ["Goes", "Stays"]
    clock.move(seconds=61)
    seen = await read(bob, room)
    assert [each["text"] for each in seen["messages"]["items"]] == ["Stays"]
    assert seen["lastMessage"] is None
    assert (await stored(table, room)).count("MSG") == 2, "DynamoDB has not deleted it yet"
    timeline = (await ada.gql(TIMELINE))["timeline"]["items"]
    assert [each["text"] for each in timeline] == ["Stays"]
    for attempt in (
        ada.refused(DELETE, room=room, message=said["id"]),
        ada.refused(EDIT, input={"roomId": room, "messageId": said["id"], "text": "x"}),
        ada.refused(SEND, input={"roomId": room, "text": "x", "replyToId": said["id"]}),
    ):
        assert (await attempt).code == "NOT_FOUND"
    await send(bob, room, "Next")
    assert await texts(bob, room) == ["Next", "Stays"]


async def test_an_expired_message_is_in_no_list(ada: Person, bob: Person, clock: TestClock) -> None:
    """Before the table removes it."""
    room = await new_room(ada, bob)
    said = await send(ada, room, "Secret", expiresIn=60)
    answer = await send(bob, room, "What?", replyToId=said["id"])
    assert "Secret" in (await ada.gql("{ exportData }"))["exportData"]
    clock.move(minutes=2)
    assert "Secret" not in (await ada.gql("{ exportData }"))["exportData"]
    timeline = '{ timeline(types: ["Message"]) { items { id } } }'
    assert (await ada.gql(timeline))["timeline"]["items"] == []
    assert await texts(bob, room) == ["What?"]
    query = "query ($id: ID!) { room(id: $id) { lastMessage { id replyToId replyTo { id } } } }"
    last = (await bob.gql(query, id=room))["room"]["lastMessage"]
    assert last == {"id": answer["id"], "replyToId": said["id"], "replyTo": None}
    change = {"roomId": room, "messageId": said["id"], "text": "x"}
    assert (await ada.refused(EDIT, input=change)).code == "NOT_FOUND"
    gone = await ada.refused(DELETE, room=room, message=said["id"])
    assert gone.code == "NOT_FOUND"


async def test_the_earlier_texts_of_an_ephemeral_message_expire_with_it(
    ada: Person, table: Gateway
) -> None:
    room = await new_room(ada)
    said = await send(ada, room, "Secret", expiresIn=600)
    await ada.gql(EDIT, input={"roomId": room, "messageId": said["id"], "text": "Less so"})
    (kept,) = [each async for each in table.query_all(keys.edits_of_message(room, said["id"]))]
    assert (kept.text, kept.ttl) == ("Secret", said["expiresAt"])


@pytest.mark.parametrize("seconds", [0, -1, 2_592_001])
async def test_ephemeral_times_have_bounds(ada: Person, seconds: int) -> None:
    room = await new_room(ada)
    wanted = {"roomId": room, "text": "x", "expiresIn": seconds}
    assert (await ada.refused(SEND, input=wanted)).code == "BAD_INPUT"


async def test_thirty_messages_a_minute(
    ada: Person, start_server: Callable[..., RunningServer], clock: TestClock, bob: Person
) -> None:
    room, other = await new_room(ada, bob), await new_room(ada)
    clock.set((clock.now() + timedelta(minutes=1)).replace(second=1))
    async with Api(start_server(rate_factor=1).url) as strict:
        limited = Person(strict, ada.session)
        for number in range(30):
            await send(limited, other if number % 2 else room)
        refused = await limited.refused(SEND, input={"roomId": room, "text": "x"})
        assert refused.code == "RATE_LIMITED"
        assert 0 < refused.info["retryAfter"] <= 60
        await send(Person(strict, bob.session), room, "Others may")
        clock.move(minutes=1)
        await send(limited, room, "Again")
    assert (await texts(bob, room))[:2] == ["Again", "Others may"]


async def test_my_timeline_shows_no_replied_message_of_a_room_i_left(
    ada: Person, bob: Person
) -> None:
    room = await new_room(ada, bob)
    question = await send(ada, room, "Ask")
    await send(bob, room, "Answer", replyToId=question["id"])
    (mine,) = (await bob.gql(TIMELINE))["timeline"]["items"]
    assert (mine["text"], mine["replyTo"]) == ("Answer", {"text": "Ask"})
    await ada.gql(REMOVE, id=room, user=bob.id)
    (mine,) = (await bob.gql(TIMELINE))["timeline"]["items"]
    assert (mine["text"], mine["replyTo"]) == ("Answer", None)


async def test_a_message_is_stored_as_documented(ada: Person, table: Gateway) -> None:
    room = await new_room(ada)
    said = await send(ada, room, "Hello")
    key = keys.message(room, said["createdAt"], said["id"])
    assert (key.pk, key.sk) == (f"ROOM#{room}", f"MSG#{said['createdAt']}#{said['id']}")
    (item,) = [i async for i in table.partition(f"ROOM#{room}") if i["SK"]["S"] == key.sk]
    plain = {name: next(iter(value.values())) for name, value in item.items()}
    expected = {
        "entityType": "Message",
        "id": said["id"],
        "roomId": room,
        "userId": ada.id,
        "text": "Hello",
        "createdAt": said["createdAt"],
        "GSI1PK": f"USER#{ada.id}",
        "GSI1SK": f"ENTITY#Message#{said['createdAt']}",
    }
    assert {name: plain[name] for name in expected} == expected


async def test_a_clock_that_is_behind_keeps_the_order(ada: Person, clock: TestClock) -> None:
    room = await new_room(ada)
    clock.move(hours=1)
    first = await send(ada, room, "From a clock ahead")
    clock.move(hours=-1)
    second = await send(ada, room, "From a clock behind")
    assert second["createdAt"] > first["createdAt"] > instant(clock.now())
    assert await texts(ada, room) == ["From a clock behind", "From a clock ahead"]
