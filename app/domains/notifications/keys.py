"""Where channels and messages are stored, and what can be asked about them."""

from dataclasses import replace
from typing import Any

from app.domains.notifications.types import (
    Delivery,
    Notification,
    NotificationChannel,
    NotificationSettings,
    Outgoing,
)
from app.table.entity import Entity, Key, Query

NOTIFICATION_CHANNEL = Entity(
    NotificationChannel,
    pk="USER#{user_id}",
    sk="NOTIFICATION#{channel_type}[#{label}]",
    secret=True,
)
NOTIFICATION_SETTINGS = Entity(
    NotificationSettings,
    pk="USER#{user_id}",
    sk="NOTIFICATION_SETTINGS",
    gsi4=("DUE#{due_day}", "{remind_at}#REMINDER#{user_id}"),
)
NOTIFICATION = Entity(
    Notification,
    pk="USER#{user_id}",
    sk="INBOX#{id}",
    gsi2=("USER#{user_id}#INBOX", "{unread}#{id}"),
)
DELIVERY = Entity(
    Delivery, pk="USER#{user_id}", sk="DELIVERY#{subject}#{channel}#{period}", secret=True
)
OUTGOING = Entity(
    Outgoing,
    pk="USER#{user_id}",
    sk="OUTGOING#{notification_id}#{channel}",
    gsi4=("OUTGOING[#{shard}]", "{due_at}#{id}"),
    secret=True,
)


def channel(
    user_id: str, channel_type: object, label: str | None = None
) -> Key[NotificationChannel]:
    """One of someone's channels"""
    return NOTIFICATION_CHANNEL.key(user_id=user_id, channel_type=channel_type, label=label)


def channels_of_user(user_id: str) -> Query[NotificationChannel]:
    """Where messages to someone can be sent"""
    return NOTIFICATION_CHANNEL.within(user_id=user_id)


def settings_of_user(user_id: str) -> Key[NotificationSettings]:
    """When messages are sent to someone"""
    return NOTIFICATION_SETTINGS.key(user_id=user_id)


def reminders_due(day: str, until: str) -> Query[Any]:
    """Whom to remind on a UTC day, up to a time; the day also holds what others have due"""
    run = NOTIFICATION_SETTINGS.span("GSI4", since="0", until=until, due_day=day)
    return replace(run, entity=None)


def notification(user_id: str, notification_id: str) -> Key[Notification]:
    """One message in someone's inbox"""
    return NOTIFICATION.key(user_id=user_id, id=notification_id)


def inbox_of_user(user_id: str) -> Query[Notification]:
    """Someone's inbox, newest first"""
    return NOTIFICATION.within(user_id=user_id, newest_first=True)


def unread_of_user(user_id: str) -> Query[Notification]:
    """What someone has not read, newest first"""
    return NOTIFICATION.within("GSI2", user_id=user_id, unread="UNREAD", newest_first=True)


def delivery(user_id: str, subject: str, channel: str, period: str) -> Key[Delivery]:
    """Has this goal, task or habit had its message of a period"""
    return DELIVERY.key(user_id=user_id, subject=subject, channel=channel, period=period)


def outgoing(user_id: str, notification_id: str, channel: str) -> Key[Outgoing]:
    """How a message went on one channel"""
    return OUTGOING.key(user_id=user_id, notification_id=notification_id, channel=channel)


def outgoing_of_notification(user_id: str, notification_id: str) -> Query[Outgoing]:
    """How a message went on each channel"""
    return OUTGOING.within(user_id=user_id, notification_id=notification_id)


def outgoing_due(until: str, shard: str | None = None) -> Query[Outgoing]:
    """What is to be sent by now, of everyone"""
    return OUTGOING.span("GSI4", since="0", until=until, shard=shard)
