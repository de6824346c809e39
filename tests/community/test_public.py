"""An API key sees only what is public."""

from typing import Any

import pytest

from app.settings import DEVELOPMENT_API_KEY
from tests.api import Api, Failed, Person
from tests.community.rooms import new_room, send
from tests.community.test_market import new_company, new_offer

KEY = {"x-api-key": DEVELOPMENT_API_KEY}
ROOM = """
query ($id: ID!) {
  room(id: $id) {
    name memberCount unreadCount myRole lastMessage { text }
    messages { items { text } } members { items { userId } }
    moderationLog { items { id } } openReports { items { messageId } }
  }
}
"""
PRIVATE = [
    "{ rooms { items { id } } }",
    "{ assistThreads { items { id } } }",
    '{ assistThread(id: "x") { id } }',
    "{ companies { items { id } } }",
    '{ byTag(tag: "x") { items { id } } }',
    "{ sharedWithMe { items { recordId } } }",
    "{ sharedByMe { items { recordId } } }",
    "{ reports { items { messageId } } }",
    'mutation { sendMessage(input: {roomId: "x", text: "x"}) { id } }',
    'mutation { createRoom(input: {name: "x"}) { id } }',
]


async def ask(api: Api, query: str, **variables: object) -> Any:
    return await api.gql(query, headers=KEY, **variables)


async def test_an_api_key_sees_public_rooms_without_messages(api: Api, ada: Person) -> None:
    public, private = await new_room(ada, isPublic=True), await new_room(ada)
    await send(ada, public, "Words")
    room = (await ask(api, ROOM, id=public))["room"]
    shown = {"name": "Guild hall", "memberCount": 1}
    assert room == dict.fromkeys(room) | shown
    assert (await ask(api, ROOM, id=private))["room"] is None
    listed = await ask(api, "{ publicRooms(limit: 100) { items { id } } }")
    assert {"id": public} in listed["publicRooms"]["items"]


async def test_an_api_key_sees_companies_and_open_offers(api: Api, ada: Person) -> None:
    company = await new_company(ada)
    shown, draft = await new_offer(ada, company), await new_offer(ada, company, status="DRAFT")
    query = """
    query ($c: ID!, $o: ID!, $d: ID!) {
      company(id: $c) { name myRole members { items { userId } } }
      open: offer(id: $o) { id }
      draft: offer(id: $d) { id }
      offers(companyId: $c) { items { id } }
      drafts: offers(companyId: $c, status: DRAFT) { items { id } }
    }
    """
    assert await ask(api, query, c=company, o=shown, d=draft) == {
        "company": {"name": "Forge", "myRole": None, "members": None},
        "open": {"id": shown},
        "draft": None,
        "offers": {"items": [{"id": shown}]},
        "drafts": {"items": []},
    }


@pytest.mark.parametrize("query", PRIVATE)
async def test_everything_else_needs_a_signed_in_user(api: Api, query: str) -> None:
    with pytest.raises(Failed) as failed:
        await ask(api, query)
    assert failed.value.code == "FORBIDDEN"
