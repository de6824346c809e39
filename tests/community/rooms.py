"""Operations about rooms, for tests."""

from typing import Any

from tests.api import Person

CREATE_ROOM = """
mutation ($input: CreateRoomInput!) {
  createRoom(input: $input) { id name description isPublic memberCount messageCount version }
}
"""
ROOM = """
query (
  $id: ID!, $limit: Int, $nextToken: String, $order: MessageOrder = NEWEST_FIRST,
  $around: MessageAnchor
) {
  room(id: $id) {
    id name isPublic archivedAt memberCount messageCount unreadCount myRole
    lastMessage { id text }
    messages(limit: $limit, nextToken: $nextToken, order: $order, around: $around) {
      items { id number text userId createdAt deletedAt isRemoved replyToId expiresAt editCount }
      nextToken
    }
    members(limit: 100) { items { userId role mutedUntil user { nickname } } }
  }
}
"""
SEND = """
mutation ($input: SendMessageInput!) {
  sendMessage(input: $input) {
    id number text userId roomId createdAt replyToId expiresAt version
    replyTo { id text }
  }
}
"""
JOIN = "mutation ($id: ID!) { joinRoom(input: {roomId: $id}) { id memberCount unreadCount } }"
LEAVE = "mutation ($id: ID!) { leaveRoom(input: {roomId: $id}) { id memberCount archivedAt } }"
INVITE = """
mutation ($id: ID!, $user: ID!) {
  inviteToRoom(input: {roomId: $id, userId: $user}) { id memberCount }
}
"""
REMOVE = """
mutation ($id: ID!, $user: ID!, $reason: String) {
  removeFromRoom(input: {roomId: $id, userId: $user, reason: $reason}) { id memberCount }
}
"""
SET_ROLE = """
mutation ($id: ID!, $user: ID!, $role: RoomRole!) {
  setRoomRole(input: {roomId: $id, userId: $user, role: $role}) { id myRole }
}
"""
MARK_READ = """
mutation ($id: ID!, $message: ID) {
  markRead(input: {roomId: $id, messageId: $message}) { id unreadCount }
}
"""
EDIT = """
mutation ($input: EditMessageInput!) {
  editMessage(input: $input) { id text editedAt editCount version edits { text createdAt } }
}
"""
DELETE = """
mutation ($room: ID!, $message: ID!, $reason: String) {
  deleteMessage(input: {roomId: $room, messageId: $message, reason: $reason}) {
    id text deletedAt isRemoved userId editCount
  }
}
"""


async def new_room(owner: Person, *members: Person, **fields: object) -> str:
    wanted = {"name": "Guild hall", "memberIds": [each.id for each in members]} | fields
    return str((await owner.gql(CREATE_ROOM, input=wanted))["createRoom"]["id"])


async def send(person: Person, room: str, text: str = "Hello", **fields: object) -> Any:
    wanted = {"roomId": room, "text": text} | fields
    return (await person.gql(SEND, input=wanted))["sendMessage"]


async def read(person: Person, room: str, **arguments: object) -> Any:
    return (await person.gql(ROOM, id=room, **arguments))["room"]


async def texts(person: Person, room: str, **arguments: object) -> list[str]:
    found = await read(person, room, **arguments)
    return [each["text"] for each in found["messages"]["items"]]


async def everything(person: Person, room: str, **arguments: object) -> list[dict[str, Any]]:
    """All messages, page by page."""
    found: list[dict[str, Any]] = []
    token: str | None = None
    while True:
        page = (await read(person, room, nextToken=token, **arguments))["messages"]
        found += page["items"]
        token = page["nextToken"]
        if token is None:
            return found
