"""Assist threads, through HTTP."""

import asyncio
import json
from typing import Any

import pytest

from app.domains.community import keys
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.community.test_account_deletion import delete_account, traces
from tests.servers import TestClock

CREATE_GOAL = "mutation ($input: CreateGoalInput!) { createGoal(input: $input) { id } }"
OPEN = """
mutation ($input: OpenAssistThreadInput!) {
  openAssistThread(input: $input) {
    id title status isPublic memberCount subjectKind subjectId userId
  }
}
"""
THREAD = """
query ($id: ID!, $limit: Int, $nextToken: String, $order: MessageOrder = NEWEST_FIRST) {
  assistThread(id: $id) {
    id title status memberCount messageCount unreadCount resolvedAt
    subject { __typename id ... on Goal { title } }
    messages(limit: $limit, nextToken: $nextToken, order: $order) {
      items { id number text userId createdAt } nextToken
    }
    members { items { userId role rating ratingComment } }
  }
}
"""
THREADS = """
query ($scope: AssistScope = MINE) {
  assistThreads(scope: $scope, limit: 100) { items { id title unreadCount } nextToken }
}
"""
JOIN = "mutation ($id: ID!) { joinAssistThread(input: {threadId: $id}) { id memberCount } }"
LEAVE = "mutation ($id: ID!) { leaveAssistThread(input: {threadId: $id}) { id memberCount } }"
REMOVE = """
mutation ($id: ID!, $user: ID!) {
  removeFromAssistThread(input: {threadId: $id, userId: $user}) { id memberCount }
}
"""
SEND = """
mutation ($input: SendAssistMessageInput!) {
  sendAssistMessage(input: $input) { id number text userId threadId createdAt }
}
"""
EDIT = """
mutation ($thread: ID!, $message: ID!, $text: String!, $version: Int) {
  editAssistMessage(
    input: {threadId: $thread, messageId: $message, text: $text, expectedVersion: $version}
  ) { id text editedAt editCount version number createdAt edits { text createdAt } }
}
"""
DELETE = """
mutation ($thread: ID!, $message: ID!) {
  deleteAssistMessage(input: {threadId: $thread, messageId: $message}) {
    id text deletedAt number userId editCount edits { text }
  }
}
"""
RESOLVE = "mutation ($id: ID!) { resolveAssistThread(input: {threadId: $id}) { id status } }"
REOPEN = "mutation ($id: ID!) { reopenAssistThread(input: {threadId: $id}) { id status } }"
RATE = "mutation ($input: RateHelpInput!) { rateHelp(input: $input) { id } }"


async def new_goal(person: Person, title: str = "Learn to forge") -> str:
    return str((await person.gql(CREATE_GOAL, input={"title": title}))["createGoal"]["id"])


async def new_thread(person: Person, **fields: object) -> str:
    wanted = {
        "title": "How hot?",
        "subjectKind": "GOAL",
        "subjectId": fields.pop("subjectId", None) or await new_goal(person),
    } | fields
    return str((await person.gql(OPEN, input=wanted))["openAssistThread"]["id"])


async def send(person: Person, thread: str, text: str = "Hello", **fields: object) -> Any:
    wanted = {"threadId": thread, "text": text} | fields
    return (await person.gql(SEND, input=wanted))["sendAssistMessage"]


async def read(person: Person, thread: str, **arguments: object) -> Any:
    return (await person.gql(THREAD, id=thread, **arguments))["assistThread"]


async def test_a_thread_is_opened_joined_resolved_and_rated(ada: Person, bob: Person) -> None:
    goal = await new_goal(ada, "Learn to forge")
    thread = await new_thread(ada, subjectId=goal)
    outside = await read(bob, thread)
    assert (outside["title"], outside["subject"], outside["messages"]) == ("How hot?", None, None)
    assert (await bob.gql(JOIN, id=thread))["joinAssistThread"]["memberCount"] == 2
    assert (await bob.gql(JOIN, id=thread))["joinAssistThread"]["memberCount"] == 2
    assert (await read(bob, thread))["subject"] == {
        "__typename": "Goal",
        "id": goal,
        "title": "Learn to forge",
    }
    await send(bob, thread, "Orange")
    await send(ada, thread, "Thanks")
    seen = await read(bob, thread)
    assert [each["text"] for each in seen["messages"]["items"]] == ["Thanks", "Orange"]
    assert (seen["messageCount"], seen["unreadCount"]) == (2, 1)
    rating = {"threadId": thread, "userId": bob.id, "rating": 5, "comment": "Warm"}
    assert (await ada.refused(RATE, input=rating)).code == "BAD_INPUT"
    assert (await ada.gql(RESOLVE, id=thread))["resolveAssistThread"]["status"] == "RESOLVED"
    await ada.gql(RATE, input=rating)
    members = {each["userId"]: each for each in (await read(ada, thread))["members"]["items"]}
    assert (members[bob.id]["rating"], members[bob.id]["ratingComment"]) == (5, "Warm")
    assert (members[ada.id]["role"], members[bob.id]["role"]) == ("OPENER", "HELPER")


async def test_a_resolved_thread_is_read_only_until_its_opener_reopens_it(
    ada: Person, bob: Person, api: Api
) -> None:
    thread = await new_thread(ada)
    await bob.gql(JOIN, id=thread)
    await send(bob, thread, "Orange")
    for mutation in (RESOLVE, REOPEN):
        assert (await bob.refused(mutation, id=thread)).code == "FORBIDDEN"
    await ada.gql(RESOLVE, id=thread)
    for person in (ada, bob):
        wanted = {"threadId": thread, "text": "More"}
        assert (await person.refused(SEND, input=wanted)).code == "THREAD_RESOLVED"
    carl = await api.sign_up()
    assert (await carl.refused(JOIN, id=thread)).code == "THREAD_RESOLVED"
    seen = await read(bob, thread)
    assert [each["text"] for each in seen["messages"]["items"]] == ["Orange"]
    assert seen["subject"] is None
    assert (await read(ada, thread))["subject"] is not None
    await ada.gql(REOPEN, id=thread)
    await send(bob, thread, "More")
    assert (await read(bob, thread))["resolvedAt"] is None


async def test_a_private_thread_is_for_its_helpers(
    ada: Person, bob: Person, api: Api, table: Gateway
) -> None:
    thread = await new_thread(ada, isPublic=False, helperIds=[bob.id])
    await send(bob, thread, "Orange")
    stranger = await api.sign_up()
    for asked in (thread, "nothing"):
        assert await read(stranger, asked) is None
        for mutation in (JOIN, LEAVE, RESOLVE, REOPEN):
            assert (await stranger.refused(mutation, id=asked)).code == "NOT_FOUND"
        wanted = {"threadId": asked, "text": "x"}
        assert (await stranger.refused(SEND, input=wanted)).code == "NOT_FOUND"
        rating = {"threadId": asked, "userId": bob.id, "rating": 1}
        assert (await stranger.refused(RATE, input=rating)).code == "NOT_FOUND"
        assert (await stranger.refused(REMOVE, id=asked, user=bob.id)).code == "NOT_FOUND"
    assert await table.count(keys.members_of_assist_thread(thread)) == 2
    assert (await read(ada, thread))["messageCount"] == 1


async def test_helpers_join_leave_and_are_removed(ada: Person, bob: Person) -> None:
    thread = await new_thread(ada)
    await bob.gql(JOIN, id=thread)
    token_page = [await send(ada, thread, f"{i}") for i in range(3)]
    assert len(token_page) == 3
    assert (await bob.refused(REMOVE, id=thread, user=ada.id)).code == "FORBIDDEN"
    assert (await ada.refused(LEAVE, id=thread)).code == "FORBIDDEN"
    token = (await read(bob, thread, limit=1))["messages"]["nextToken"]
    assert (await ada.gql(REMOVE, id=thread, user=bob.id))["removeFromAssistThread"] == {
        "id": thread,
        "memberCount": 1,
    }
    outside = await read(bob, thread, limit=1, nextToken=token)
    assert (outside["messages"], outside["subject"], outside["members"]) == (None, None, None)
    refused = await bob.refused(SEND, input={"threadId": thread, "text": "x"})
    assert refused.code == "NOT_A_MEMBER"
    await bob.gql(JOIN, id=thread)
    assert (await bob.gql(LEAVE, id=thread))["leaveAssistThread"]["memberCount"] == 1


async def test_a_thread_is_about_ones_own_record(ada: Person, bob: Person) -> None:
    goal = await new_goal(ada)
    for subject in (goal, "nothing"):
        for kind in ("GOAL", "TASK"):
            wanted = {"title": "x", "subjectKind": kind, "subjectId": subject}
            assert (await bob.refused(OPEN, input=wanted)).code == "NOT_FOUND"
    wanted = {"title": "x", "subjectKind": "QUEST", "subjectId": "nothing"}
    assert (await bob.refused(OPEN, input=wanted)).code == "NOT_FOUND"
    assert (await bob.gql(THREADS))["assistThreads"]["items"] == []


async def test_helpers_read_a_task_or_a_quest(ada: Person, bob: Person) -> None:
    goal = await new_goal(ada)
    create_task = """
    mutation ($g: ID!) { made: createTask(input: {title: "Heat", goalIds: [$g]}) { id } }
    """
    create_quest = """mutation { made: createQuest(input: {
      title: "Plant trees", description: "Ten of them, please", rewardXp: 10, rewardReputation: 1
    }) { id } }"""
    query = """
    query ($id: ID!) {
      assistThread(id: $id) {
        subject { __typename id ... on Task { title goals { id } } ... on Quest { title } }
      }
    }
    """
    heat = (await ada.gql(create_task, g=goal))["made"]["id"]
    trees = (await ada.gql(create_quest))["made"]["id"]
    expected = {
        "TASK": {"__typename": "Task", "id": heat, "title": "Heat", "goals": []},
        "QUEST": {"__typename": "Quest", "id": trees, "title": "Plant trees"},
    }
    for kind, subject in expected.items():
        thread = await new_thread(ada, subjectKind=kind, subjectId=subject["id"])
        assert (await bob.gql(query, id=thread))["assistThread"] == {"subject": None}
        await bob.gql(JOIN, id=thread)
        assert (await bob.gql(query, id=thread))["assistThread"] == {"subject": subject}
    assert await bob.gql("query ($id: ID!) { task(id: $id) { id } }", id=heat) == {"task": None}


async def test_lists(ada: Person, bob: Person) -> None:
    public, private = await new_thread(ada), await new_thread(ada, isPublic=False)
    mine = (await ada.gql(THREADS))["assistThreads"]["items"]
    assert [each["id"] for each in mine] == [private, public]
    waiting = [
        each["id"] for each in (await bob.gql(THREADS, scope="OPEN"))["assistThreads"]["items"]
    ]
    assert public in waiting
    assert private not in waiting
    await ada.gql(RESOLVE, id=public)
    waiting = [
        each["id"] for each in (await bob.gql(THREADS, scope="OPEN"))["assistThreads"]["items"]
    ]
    assert public not in waiting


async def test_messages_of_a_thread_have_one_order(ada: Person, bob: Person) -> None:
    thread = await new_thread(ada, helperIds=[bob.id])
    await asyncio.gather(
        *(send(ada, thread, f"a{i}", idempotencyKey=f"k{i // 2}") for i in range(0, 20, 2)),
        *(send(ada, thread, f"a{i}", idempotencyKey=f"k{i // 2}") for i in range(0, 20, 2)),
        *(send(bob, thread, f"b{i}") for i in range(10)),
    )
    forward = (await read(ada, thread, limit=100, order="OLDEST_FIRST"))["messages"]["items"]
    backward = (await read(bob, thread, limit=100))["messages"]["items"]
    assert forward == backward[::-1]
    assert [each["number"] for each in forward] == list(range(1, 21))


@pytest.mark.parametrize("rating", [0, 6, -1])
async def test_ratings_go_from_1_to_5(ada: Person, bob: Person, rating: int) -> None:
    thread = await new_thread(ada, helperIds=[bob.id])
    await ada.gql(RESOLVE, id=thread)
    wanted = {"threadId": thread, "userId": bob.id, "rating": rating}
    assert (await ada.refused(RATE, input=wanted)).code == "BAD_INPUT"
    wanted = {"threadId": thread, "userId": bob.id, "rating": 3}
    assert (await bob.refused(RATE, input=wanted)).code == "FORBIDDEN"
    assert (await ada.refused(RATE, input=wanted | {"userId": ada.id})).code == "BAD_INPUT"
    assert (await ada.refused(RATE, input=wanted | {"userId": "nobody"})).code == "NOT_FOUND"
    members = (await read(ada, thread))["members"]["items"]
    assert {each["rating"] for each in members} == {None}


@pytest.mark.parametrize("text", ["", " ", "x" * 4001])
async def test_texts_have_bounds(ada: Person, text: str) -> None:
    thread = await new_thread(ada)
    assert (await ada.refused(SEND, input={"threadId": thread, "text": text})).code == "BAD_INPUT"


async def test_a_message_is_stored_as_documented(ada: Person, table: Gateway) -> None:
    thread = await new_thread(ada)
    said = await send(ada, thread, "Hello")
    wanted = f"MSG#{said['createdAt']}#{said['id']}"
    (item,) = [i async for i in table.partition(f"ASSIST#{thread}") if i["SK"]["S"] == wanted]
    assert item["entityType"] == {"S": "AssistMsg"}
    assert (item["threadId"], item["userId"]) == ({"S": thread}, {"S": ada.id})


async def test_a_message_is_edited_and_its_earlier_texts_are_kept(
    ada: Person, bob: Person, api: Api, clock: TestClock
) -> None:
    thread = await new_thread(ada, helperIds=[bob.id])
    said = await send(bob, thread, "Rde")
    at = {"thread": thread, "message": said["id"]}
    clock.move(minutes=5)
    await bob.gql(EDIT, **at, text="Rd")
    edited = (await bob.gql(EDIT, **at, text="Red"))["editAssistMessage"]
    assert (edited["text"], edited["editCount"], edited["version"]) == ("Red", 2, 3)
    assert (edited["number"], edited["createdAt"]) == (1, said["createdAt"])
    assert [each["text"] for each in edited["edits"]] == ["Rde", "Rd"]
    assert edited["edits"][0]["createdAt"] == said["createdAt"]
    assert (await bob.gql(EDIT, **at, text="Red"))["editAssistMessage"]["version"] == 3
    stale = await bob.refused(EDIT, **at, text="x", version=1)
    assert (stale.code, stale.info["currentVersion"]) == ("CONFLICT", 3)
    assert (await ada.refused(EDIT, **at, text="Mine")).code == "FORBIDDEN"
    assert (await bob.refused(EDIT, **at | {"message": "no"}, text="x")).code == "NOT_FOUND"
    stranger = await api.sign_up()
    assert (await stranger.refused(EDIT, **at, text="x")).code == "NOT_A_MEMBER"
    clock.move(minutes=11)
    assert (await bob.refused(EDIT, **at, text="Too late")).code == "EDIT_TOO_LATE"
    (seen,) = (await read(ada, thread))["messages"]["items"]
    assert seen["text"] == "Red"


async def test_a_deleted_message_keeps_its_place_and_no_text(
    ada: Person, bob: Person, table: Gateway
) -> None:
    thread = await new_thread(ada, helperIds=[bob.id])
    said = [await send(bob, thread, f"{i}") for i in range(3)]
    at = {"thread": thread, "message": said[1]["id"]}
    await bob.gql(EDIT, **at, text="Better")
    token = (await read(ada, thread, limit=1))["messages"]["nextToken"]
    assert (await ada.refused(DELETE, **at)).code == "FORBIDDEN"
    gone = (await bob.gql(DELETE, **at))["deleteAssistMessage"]
    assert (gone["text"], gone["number"], gone["userId"]) == (None, 2, bob.id)
    assert (gone["editCount"], gone["edits"]) == (0, [])
    assert (await bob.gql(DELETE, **at))["deleteAssistMessage"] == gone
    assert (await bob.refused(EDIT, **at, text="x")).code == "MESSAGE_DELETED"
    page = (await read(ada, thread, limit=5, nextToken=token))["messages"]["items"]
    assert [(each["number"], each["text"]) for each in page] == [(2, None), (1, "0")]
    assert await table.count(keys.edits_of_assist_message(thread, said[1]["id"])) == 0
    assert (await read(ada, thread))["messageCount"] == 3


async def test_in_a_resolved_thread_messages_are_deleted_but_not_edited(
    ada: Person, bob: Person
) -> None:
    thread = await new_thread(ada, helperIds=[bob.id])
    said = await send(bob, thread, "Orange")
    at = {"thread": thread, "message": said["id"]}
    await ada.gql(RESOLVE, id=thread)
    assert (await bob.refused(EDIT, **at, text="Red")).code == "THREAD_RESOLVED"
    assert (await read(ada, thread))["messages"]["items"][0]["text"] == "Orange"
    assert (await bob.gql(DELETE, **at))["deleteAssistMessage"]["text"] is None


async def test_a_removed_helper_changes_no_messages(ada: Person, bob: Person) -> None:
    thread = await new_thread(ada, isPublic=False, helperIds=[bob.id])
    said = await send(bob, thread, "Orange")
    at = {"thread": thread, "message": said["id"]}
    await ada.gql(REMOVE, id=thread, user=bob.id)
    assert (await bob.refused(EDIT, **at, text="Red")).code == "NOT_FOUND"
    assert (await bob.refused(DELETE, **at)).code == "NOT_FOUND"
    assert (await read(ada, thread))["messages"]["items"][0]["text"] == "Orange"


async def test_a_deleted_accounts_messages_lose_their_text(
    ada: Person, bob: Person, table: Gateway
) -> None:
    thread = await new_thread(ada, helperIds=[bob.id])
    said = await send(bob, thread, "Words of mine")
    await bob.gql(EDIT, thread=thread, message=said["id"], text="Words of mine, better")
    exported = json.loads((await bob.gql("{ exportData }"))["exportData"])
    assert [each["text"] for each in exported["AssistMsg"]] == ["Words of mine, better"]
    assert [each["text"] for each in exported["AssistMsgEdit"]] == ["Words of mine"]
    await delete_account(bob)
    (seen,) = (await read(ada, thread))["messages"]["items"]
    assert (seen["text"], seen["userId"], seen["number"]) == (None, None, 1)
    assert await traces(table, bob, f"ASSIST#{thread}", f"USER#{bob.id}") == []
