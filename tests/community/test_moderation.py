"""Reports, removals, mutes and the moderation log, through HTTP."""

import asyncio
import dataclasses
from typing import Any

import pytest

from app.core.scalars import AWSDateTime
from app.domains.community import keys
from app.domains.community.service import messages
from app.domains.community.types import ReportStatus
from app.domains.people.service.accounts import grant_group
from app.table.gateway import Gateway
from app.table.writes import Put
from tests.api import PASSWORD, Api, Failed, Person
from tests.community.rooms import (
    DELETE,
    EDIT,
    LEAVE,
    REMOVE,
    SEND,
    SET_ROLE,
    new_room,
    read,
    send,
    texts,
)
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


OPEN_REPORTS = "query ($id: ID!) { room(id: $id) { openReports { items { userId } } } }"


async def open_reports(person: Person, room: str) -> list[str]:
    found = (await person.gql(OPEN_REPORTS, id=room))["room"]["openReports"]["items"]
    return sorted(each["userId"] for each in found)


@pytest.mark.parametrize("way", ["resolveReport", "deleteMessage"])
async def test_a_removal_resolves_every_report_of_the_message(
    api: Api, ada: Person, bob: Person, table: Gateway, way: str
) -> None:
    witnesses = [await api.sign_up() for _ in range(3)]
    room = await new_room(ada, bob, *witnesses)
    rude, other = await send(bob, room, "Rude words"), await send(bob, room, "Other words")
    for person in (*witnesses, ada):
        await person.gql(REPORT, room=room, message=rude["id"])
    await witnesses[0].gql(REPORT, room=room, message=other["id"])
    if way == "resolveReport":
        await ada.gql(RESOLVE, reporter=witnesses[1].id, message=rude["id"], remove=True)
    else:
        await ada.gql(DELETE, room=room, message=rude["id"], reason="Rude")
    assert await open_reports(ada, room) == [witnesses[0].id], "of the other message"
    for person in (*witnesses, ada):
        report = await table.get(keys.report(person.id, rude["id"]))
        assert report is not None
        assert (report.status, report.resolved_at is None) == (ReportStatus.RESOLVED, False)
    assert [each["action"] for each in await log(ada, room)] == ["REMOVE_MESSAGE"]


async def test_a_dismissed_report_leaves_the_others_open(
    api: Api, ada: Person, bob: Person
) -> None:
    witnesses = [await api.sign_up() for _ in range(2)]
    room = await new_room(ada, bob, *witnesses)
    said = await send(bob, room, "Words")
    for person in witnesses:
        await person.gql(REPORT, room=room, message=said["id"])
    await ada.gql(RESOLVE, reporter=witnesses[0].id, message=said["id"], remove=False)
    assert await open_reports(ada, room) == [witnesses[1].id]


async def test_reports_that_a_removal_left_open_are_resolved_with_one_of_them(
    api: Api, ada: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transaction takes only so many. The release before left all others open."""
    monkeypatch.setattr(messages, "MOST_REPORTS", 1)
    witnesses = [await api.sign_up() for _ in range(4)]
    room = await new_room(ada, bob, *witnesses)
    said = await send(bob, room, "Rude words")
    for person in witnesses:
        await person.gql(REPORT, room=room, message=said["id"])
    left = sorted(person.id for person in witnesses)
    while left:
        reporter = left[0]
        done = await ada.gql(RESOLVE, reporter=reporter, message=said["id"], remove=True)
        assert done["resolveReport"]["status"] == "RESOLVED"
        now_left = await open_reports(ada, room)
        assert len(now_left) == max(0, len(left) - 2)
        left = now_left


async def test_reports_and_a_removal_at_once_leave_none_open(
    api: Api, ada: Person, bob: Person, table: Gateway
) -> None:
    witnesses = [await api.sign_up() for _ in range(6)]
    room = await new_room(ada, bob, *witnesses)
    said = await send(bob, room, "Rude words")
    await witnesses[0].gql(REPORT, room=room, message=said["id"])
    answers = await asyncio.gather(
        *(each.gql(REPORT, room=room, message=said["id"]) for each in witnesses[1:]),
        ada.gql(DELETE, room=room, message=said["id"]),
        return_exceptions=True,
    )
    assert {each.code for each in answers if isinstance(each, Failed)} <= {"NOT_FOUND"}
    stored = [await table.get(keys.report(each.id, said["id"])) for each in witnesses]
    made = [each for each, answer in zip(stored[1:], answers[:-1], strict=True) if each]
    assert len(made) == sum(not isinstance(each, Failed) for each in answers[:-1])


@pytest.mark.parametrize("way", ["leaves", "hands over"])
async def test_whoever_becomes_owner_is_no_longer_muted(
    ada: Person, bob: Person, table: Gateway, way: str
) -> None:
    room = await new_room(ada, bob)
    await ada.gql(MUTE, id=room, user=bob.id, minutes=60)
    if way == "leaves":
        await ada.gql(LEAVE, id=room)
    else:
        await ada.gql(SET_ROLE, id=room, user=bob.id, role="OWNER")
    await send(bob, room, "Mine now")
    (member,) = [m for m in (await read(bob, room))["members"]["items"] if m["userId"] == bob.id]
    assert (member["role"], member["mutedUntil"]) == ("OWNER", None)


async def test_a_mute_stays_with_who_becomes_moderator(ada: Person, bob: Person) -> None:
    room = await new_room(ada, bob)
    await ada.gql(MUTE, id=room, user=bob.id, minutes=60)
    await ada.gql(SET_ROLE, id=room, user=bob.id, role="MODERATOR")
    assert (await bob.refused(SEND, input={"roomId": room, "text": "Hello"})).code == "MUTED"


async def test_an_owner_whom_the_release_before_left_muted_may_write(
    ada: Person, bob: Person, table: Gateway
) -> None:
    room = await new_room(ada, bob)
    member = await table.get(keys.room_member(room, ada.id))
    assert member is not None
    later = AWSDateTime("2099-01-01T00:00:00.000Z")
    await table.write(Put(dataclasses.replace(member, muted_until=later)))
    said = await send(ada, room, "Still here")
    edited = await ada.gql(EDIT, input={"roomId": room, "messageId": said["id"], "text": "Here"})
    assert edited["editMessage"]["text"] == "Here"
