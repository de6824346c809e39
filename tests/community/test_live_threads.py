"""Subscriptions to messages of assist threads."""

import pytest

from tests.api import Person
from tests.community.test_assist import DELETE, EDIT, new_thread, send
from tests.realtime.sockets import TransportClient

ON_MESSAGE = """
subscription ($thread: ID!) { onAssistMessageSent(threadId: $thread) { number text } }
"""


async def test_edits_and_deletions_are_not_published_as_new_messages(
    server_url: str, ada: Person, bob: Person
) -> None:
    thread = await new_thread(ada, helperIds=[bob.id])
    async with TransportClient.signed_in(server_url, bob) as socket:
        await socket.subscribe(ON_MESSAGE, thread=thread)
        await socket.silent(0.2)
        first = await send(ada, thread, "Helo")
        await ada.gql(EDIT, thread=thread, message=first["id"], text="Hello")
        await ada.gql(DELETE, thread=thread, message=first["id"])
        await send(ada, thread, "Anybody?")
        received = [(await socket.data())["onAssistMessageSent"] for _ in range(2)]
        assert received == [{"number": 1, "text": "Helo"}, {"number": 2, "text": "Anybody?"}]


@pytest.mark.parametrize(("is_public", "code"), [(True, "NOT_A_MEMBER"), (False, "NOT_FOUND")])
async def test_only_participants_can_subscribe(
    server_url: str, ada: Person, bob: Person, is_public: bool, code: str
) -> None:
    thread = await new_thread(ada, isPublic=is_public)
    async with TransportClient.signed_in(server_url, bob) as socket:
        await socket.subscribe(ON_MESSAGE, thread=thread)
        refused = await socket.expect("error")
        assert refused["payload"][0]["extensions"]["code"] == code
        await send(ada, thread, "Secret")
        await socket.silent()
