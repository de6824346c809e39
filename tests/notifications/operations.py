"""Operations about notifications, for tests."""

import re
from typing import Any
from uuid import uuid4

from app.domains.notifications import keys
from app.domains.notifications.types import OutgoingMessage
from app.jobs.notifications import send_notifications
from app.resources import Resources
from tests.api import Person
from tests.remote_servers import RemoteServer

SET = """
mutation ($input: SetNotificationChannelInput!) {
  setNotificationChannel(input: $input) {
    channelType label identifier isActive isVerified verifiedAt reminders version
  }
}
"""
VERIFY = """
mutation ($input: VerifyNotificationChannelInput!) {
  verifyNotificationChannel(input: $input) { channelType label identifier isVerified }
}
"""
DEACTIVATE = """
mutation ($input: DeactivateNotificationChannelInput!) {
  deactivateNotificationChannel(input: $input) { channelType isActive }
}
"""
DELETE_CHANNEL = """
mutation ($input: DeleteNotificationChannelInput!) {
  deleteNotificationChannel(input: $input) { channelType label identifier }
}
"""
CHANNELS = """
{ notificationChannels { items { channelType label identifier isActive isVerified } nextToken } }
"""
TEST = """
mutation ($input: SendTestNotificationInput!) {
  sendTestNotification(input: $input) { id kind title body deliveries { status } }
}
"""
INBOX = """
query ($unread: Boolean, $limit: Int, $nextToken: String) {
  notifications(unreadOnly: $unread, limit: $limit, nextToken: $nextToken) {
    items {
      id kind title body readAt subjectIds
      deliveries { channelType label status attempts error sentAt }
    }
    nextToken
  }
}
"""
READ = """
mutation ($input: MarkNotificationsReadInput!) {
  markNotificationsRead(input: $input) { id readAt }
}
"""
SETTINGS = """
{ notificationSettings { hour quietFrom quietTo dailyReminder version } }
"""
UPDATE_SETTINGS = """
mutation ($input: UpdateNotificationSettingsInput!) {
  updateNotificationSettings(input: $input) { hour quietFrom quietTo dailyReminder version }
}
"""


def hook_path() -> str:
    return f"/hooks/{uuid4().hex}"


async def set_channel(person: Person, kind: str, identifier: str, **more: object) -> dict[str, Any]:
    wanted = {"channelType": kind, "identifier": identifier} | more
    return dict((await person.gql(SET, input=wanted))["setNotificationChannel"])


async def outgoing(resources: Resources, person: Person) -> list[OutgoingMessage]:
    table = resources.table
    pk = keys.channels_of_user(person.id).pk
    found = keys.OUTGOING.within(user_id=person.id)
    assert found.pk == pk
    return [each async for each in table.query_all(found)]


async def code_for(resources: Resources, person: Person) -> str:
    """The newest code that was sent, read from the message itself."""
    codes = [each for each in await outgoing(resources, person) if each.is_code]
    newest = max(codes, key=lambda each: each.id)
    found = re.match(r"[0-9]{6}", newest.body)
    assert found
    return found[0]


async def verified(
    resources: Resources, person: Person, kind: str, identifier: str, **more: object
) -> None:
    """Sets a channel and verifies it with its code."""
    await set_channel(person, kind, identifier, **more)
    label = {name: value for name, value in more.items() if name == "label"}
    wanted = {"channelType": kind, "code": await code_for(resources, person), **label}
    await person.gql(VERIFY, input=wanted)
    await send_notifications(resources)


async def with_hook(resources: Resources, person: Person, remote_server: RemoteServer) -> str:
    """Sets and verifies a webhook. Returns its path."""
    path = hook_path()
    await verified(resources, person, "Webhook", f"{remote_server.url}{path}")
    remote_server.received[:] = [each for each in remote_server.received if each.path != path]
    return path


async def inbox(person: Person, **arguments: object) -> list[dict[str, Any]]:
    return list((await person.gql(INBOX, **arguments))["notifications"]["items"])
