"""What a deleted account leaves in rooms, threads and companies of others."""

import dataclasses
import json

from app.core.caller import acting_for
from app.domains.community import keys
from app.jobs.people import finish_account_deletions
from app.services import Services
from app.table.gateway import Gateway
from tests.api import PASSWORD, Api, Person
from tests.community.rooms import EDIT, everything, new_room, read, send
from tests.community.test_market import CREATE_COMPANY, CREATE_OFFER, OFFER
from tests.people.test_accounts import PowerCut, begin_deletion, power_cut_before_call
from tests.servers import RunningServer

DELETE_ACCOUNT = """
mutation ($nickname: String!, $password: String!) {
  deleteAccount(input: {confirmNickname: $nickname, password: $password}) { id }
}
"""


async def delete_account(person: Person) -> None:
    await person.gql(DELETE_ACCOUNT, nickname=person.nickname, password=PASSWORD)


async def traces(table: Gateway, person: Person, *partitions: str) -> list[str]:
    """The items that still contain the id or the words of a person."""
    found = []
    for partition in partitions:
        async for item in table.partition(partition):
            if person.id in json.dumps(item) or "Words of mine" in json.dumps(item):
                found.append(item["SK"]["S"])
    return found


async def test_messages_lose_text_and_name_and_keep_their_place(
    ada: Person, bob: Person, table: Gateway
) -> None:
    room = await new_room(ada, bob)
    await send(ada, room, "Hello")
    said = await send(bob, room, "Words of mine")
    await bob.gql(
        EDIT, input={"roomId": room, "messageId": said["id"], "text": "Words of mine, better"}
    )
    await send(bob, room, "Words of mine for a minute", expiresIn=60)
    await delete_account(bob)
    seen = await everything(ada, room, order="OLDEST_FIRST")
    assert [(each["text"], each["userId"]) for each in seen] == [
        ("Hello", ada.id),
        (None, None),
        (None, None),
    ]
    assert [each["number"] for each in seen] == [1, 2, 3]
    assert await traces(table, bob, f"ROOM#{room}", f"USER#{bob.id}") == []
    assert (await read(ada, room))["memberCount"] == 1


async def test_a_room_survives_its_owners_account(ada: Person, bob: Person, table: Gateway) -> None:
    room = await new_room(ada, bob)
    await delete_account(ada)
    seen = await read(bob, room)
    assert (seen["myRole"], seen["memberCount"]) == ("OWNER", 1)
    assert await traces(table, ada, f"ROOM#{room}") == []


async def test_offers_of_a_company_without_members_are_closed(
    ada: Person, bob: Person, table: Gateway
) -> None:
    company = (await ada.gql(CREATE_COMPANY, input={"name": "Forge"}))["createCompany"]["id"]
    wanted = {"companyId": company, "title": "Swords", "tags": ["iron"]}
    offer = (await ada.gql(CREATE_OFFER, input=wanted))["createOffer"]["id"]
    await delete_account(ada)
    assert await bob.gql(OFFER, id=offer) == {"offer": None}
    assert await table.get(keys.tag_of_offer(offer, "iron")) is None
    assert await traces(table, ada, f"COMPANY#{company}", f"OFFER#{offer}") == []


async def test_my_messages_are_in_my_export(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    said = await send(bob, room, "Words of mine")
    await bob.gql(EDIT, input={"roomId": room, "messageId": said["id"], "text": "Better"})
    await send(ada, room, "Words of others")
    exported = json.loads((await bob.gql("{ exportData }"))["exportData"])
    assert [each["text"] for each in exported["Message"]] == ["Better"]
    assert [each["text"] for each in exported["MessageEdit"]] == ["Words of mine"]
    assert [each["roomId"] for each in exported["RoomMember"]] == [room]
    assert "Words of others" not in json.dumps(exported)


async def test_an_account_deletion_interrupted_anywhere_is_finished(
    api: Api, ada: Person, server: RunningServer, table: Gateway
) -> None:
    """Interrupted before each of its calls in turn, until it runs through."""
    resources = dataclasses.replace(server.app.state.resources, table=table)
    cuts = 0
    while True:
        leaver = await api.sign_up()
        room = await new_room(leaver, ada)
        await send(leaver, room, "Words of mine")
        await begin_deletion(table, leaver)
        accounts = Services(resources, acting_for(leaver.id)).accounts
        try:
            with power_cut_before_call(table, cuts):
                await accounts.erase(leaver.id)
            break
        except PowerCut:
            cuts += 3
        await finish_account_deletions(resources)
        assert await traces(table, leaver, f"ROOM#{room}", f"USER#{leaver.id}") == []
        assert (await read(ada, room))["memberCount"] == 1
    assert cuts >= 9
