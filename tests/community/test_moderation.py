"""Reports, removals, mutes and the moderation log, through HTTP."""

import asyncio
import dataclasses
from typing import Any

from app.domains.people.service.accounts import grant_group
from app.table.gateway import Gateway
from tests.api import PASSWORD, Api, Person
from tests.community.rooms import DELETE, REMOVE, SEND, SET_ROLE, new_room, read, send, texts
from tests.people.test_identity import sign_in
from tests.servers import RunningServer, TestClock

MUTE = """
mutation ($id: ID!, $user: ID!, $minutes: Int!, $reason: String) {
  muteInRoom(input: {roomId: $id, userId: $user, minutes: $minutes, reason: $reason}) { id }
}
"""
REPORT = """
mutation ($room: ID!, $message: ID!) {
  reportMessage(input: {roomId: $room, messageId: $message, reason: "Rude"}) {
    userId messageId reason status message { text }
  }
}
"""
REPORTS = """
query ($status: ReportStatus = OPEN, $limit: Int, $nextToken: String) {
  reports(status: $status, limit: $limit, nextToken: $nextToken) {
    items { userId messageId roomId status message { text } } nextToken
  }
}
"""
RESOLVE = """
mutation ($reporter: ID!, $message: ID!, $remove: Boolean!) {
  resolveReport(input: {reporterId: $reporter, messageId: $message, remove: $remove}) {
    status resolvedAt
  }
}
"""
LOG = """
query ($id: ID!) {
  room(id: $id) {
    moderationLog { items { action moderatorId subjectId messageId reason } }
    openReports { items { messageId } }
  }
}
"""


async def log(person: Person, room: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await person.gql(LOG, id=room))["room"]["moderationLog"]["items"]
    return found


async def moderator(api: Api, server: RunningServer, table: Gateway) -> Person:
    person = await api.sign_up()
    resources = dataclasses.replace(server.app.state.resources, table=table)
    await grant_group(resources, person.email, "moderators", remove=False)
    return await sign_in(api, person.email, PASSWORD)


async def test_a_moderators_removal_is_logged(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    said = await send(bob, room, "Rude words")
    gone = await ada.gql(DELETE, room=room, message=said["id"], reason="Rude")
    assert (gone["deleteMessage"]["text"], gone["deleteMessage"]["isRemoved"]) == (None, True)
    await ada.gql(SET_ROLE, id=room, user=bob.id, role="MODERATOR")
    await ada.gql(REMOVE, id=room, user=bob.id, reason="Rude again")
    entries = await log(ada, room)
    assert [(each["action"], each["subjectId"], each["reason"]) for each in entries] == [
        ("REMOVE_MEMBER", bob.id, "Rude again"),
        ("SET_ROLE", bob.id, "MODERATOR"),
        ("REMOVE_MESSAGE", bob.id, "Rude"),
    ]
    assert {each["moderatorId"] for each in entries} == {ada.id}
    assert entries[2]["messageId"] == said["id"]


async def test_the_log_is_for_moderators(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    assert (await bob.gql(LOG, id=room))["room"] == {"moderationLog": None, "openReports": None}
    await ada.gql(SET_ROLE, id=room, user=bob.id, role="MODERATOR")
    assert len(await log(bob, room)) == 1


async def test_a_repeated_removal_is_logged_once(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    said = await send(bob, room)
    await asyncio.gather(*(ada.gql(DELETE, room=room, message=said["id"]) for _ in range(20)))
    assert len(await log(ada, room)) == 1


async def test_a_muted_member_only_reads(ada: Person, bob: Person, clock: TestClock) -> None:
    room = await new_room(ada, bob)
    said = await send(bob, room, "Before")
    await ada.gql(MUTE, id=room, user=bob.id, minutes=10, reason="Loud")
    refused = await bob.refused(SEND, input={"roomId": room, "text": "x"})
    assert (refused.code, refused.info["until"] is not None) == ("MUTED", True)
    edit = """
    mutation ($r: ID!, $m: ID!) {
      editMessage(input: {roomId: $r, messageId: $m, text: "x"}) { id }
    }
    """
    assert (await bob.refused(edit, r=room, m=said["id"])).code == "MUTED"
    assert await texts(bob, room) == ["Before"]
    clock.move(minutes=11)
    await send(bob, room, "After")
    await ada.gql(MUTE, id=room, user=bob.id, minutes=10)
    await ada.gql(MUTE, id=room, user=bob.id, minutes=0)
    await send(bob, room, "Unmuted")
    assert [each["action"] for each in await log(ada, room)] == ["UNMUTE", "MUTE", "MUTE"]


async def test_only_moderators_mute_members_of_lower_rank(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    assert (await bob.refused(MUTE, id=room, user=ada.id, minutes=5)).code == "FORBIDDEN"
    await ada.gql(SET_ROLE, id=room, user=bob.id, role="MODERATOR")
    assert (await bob.refused(MUTE, id=room, user=ada.id, minutes=5)).code == "FORBIDDEN"
    assert (await ada.refused(MUTE, id=room, user="nobody", minutes=5)).code == "NOT_FOUND"
    assert (await ada.refused(MUTE, id=room, user=bob.id, minutes=43_201)).code == "BAD_INPUT"
    assert (await ada.refused(MUTE, id=room, user=bob.id, minutes=-1)).code == "BAD_INPUT"
    await send(ada, room, "Unmuted")


async def test_a_mute_concurrent_with_messages(ada: Person, bob: Person) -> None:
    """Every acknowledged message is stored, and none is acknowledged after the mute."""
    room = await new_room(ada, bob)

    async def try_to_send(number: int) -> bool:
        answer = await bob.api.post(
            SEND, headers=bob.headers, input={"roomId": room, "text": f"{number}"}
        )
        return "errors" not in answer.json()

    sends = asyncio.gather(*(try_to_send(number) for number in range(20)))
    await ada.gql(MUTE, id=room, user=bob.id, minutes=5)
    assert not await try_to_send(99)
    assert sum(await sends) == (await read(ada, room))["messageCount"]


async def test_reports_reach_the_rooms_moderators(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    said = await send(bob, room, "Rude words")
    reporter = ada
    await asyncio.gather(*(reporter.gql(REPORT, room=room, message=said["id"]) for _ in range(5)))
    waiting = (await ada.gql(LOG, id=room))["room"]["openReports"]["items"]
    assert waiting == [{"messageId": said["id"]}]
    done = await ada.gql(RESOLVE, reporter=ada.id, message=said["id"], remove=True)
    assert done["resolveReport"]["status"] == "RESOLVED"
    assert await texts(bob, room) == [None]
    assert (await ada.gql(LOG, id=room))["room"]["openReports"]["items"] == []
    assert [each["action"] for each in await log(ada, room)] == ["REMOVE_MESSAGE"]


async def test_reports_reach_the_sites_moderators_and_no_further(
    api: Api, ada: Person, bob: Person, server: RunningServer, table: Gateway
) -> None:
    room = await new_room(ada, bob)
    said, other = await send(ada, room, "Rude words"), await send(ada, room, "Other words")
    await bob.gql(REPORT, room=room, message=said["id"])
    site = await moderator(api, server, table)
    assert await read(site, room) is None
    found: list[dict[str, Any]] = []
    token: str | None = None
    while True:
        page = (await site.gql(REPORTS, limit=100, nextToken=token))["reports"]
        found += [each for each in page["items"] if each["roomId"] == room]
        token = page["nextToken"]
        if token is None:
            break
    assert [each["message"]["text"] for each in found] == ["Rude words"]
    refused = await site.refused(RESOLVE, reporter=bob.id, message=other["id"], remove=True)
    assert refused.code == "NOT_FOUND"
    await site.gql(RESOLVE, reporter=bob.id, message=said["id"], remove=False)
    assert await texts(bob, room) == ["Other words", "Rude words"]
    assert [each["action"] for each in await log(ada, room)] == ["DISMISS_REPORT"]
    again = await site.gql(RESOLVE, reporter=bob.id, message=said["id"], remove=True)
    assert again["resolveReport"]["status"] == "DISMISSED"
    assert await texts(bob, room) == ["Other words", "Rude words"]


async def test_reporting_is_for_members_and_deciding_for_moderators(
    api: Api, ada: Person, bob: Person
) -> None:
    room = await new_room(ada, bob)
    said = await send(ada, room, "Words")
    stranger = await api.sign_up()
    for message in (said["id"], "nothing"):
        assert (await stranger.refused(REPORT, room=room, message=message)).code == "NOT_FOUND"
    assert (await bob.refused(REPORT, room=room, message="nothing")).code == "NOT_FOUND"
    assert (await ada.refused(REPORT, room=room, message=said["id"])).code == "BAD_INPUT"
    await bob.gql(REPORT, room=room, message=said["id"])
    for person in (bob, stranger):
        refused = await person.refused(RESOLVE, reporter=bob.id, message=said["id"], remove=True)
        assert refused.code == "NOT_FOUND"
        assert (await person.refused(REPORTS)).code == "FORBIDDEN"
    assert await texts(bob, room) == ["Words"]
