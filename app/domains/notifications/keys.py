"""Keys and access patterns of channels, the inbox and deliveries."""

from dataclasses import replace
from typing import Any

from app.domains.notifications.types import (
    Delivery,
    Notification,
    NotificationChannel,
    NotificationSettings,
    OutgoingMessage,
)
from app.table.entity import Entity, Key, RangeQuery

NOTIFICATION_CHANNEL = Entity(
    "NotificationChannel",
    NotificationChannel,
    pk="USER#{user_id}",
    sk="NOTIFICATION#{channel_type}[#{label}]",
    secret=True,
)
NOTIFICATION_SETTINGS = Entity(
    "NotificationSettings",
    NotificationSettings,
    pk="USER#{user_id}",
    sk="NOTIFICATION_SETTINGS",
    gsi4=("DUE#{due_day}", "{remind_at}#REMINDER#{user_id}"),
)
NOTIFICATION = Entity(
    "Notification",
    Notification,
    pk="USER#{user_id}",
    sk="INBOX#{id}",
    gsi2=("USER#{user_id}#INBOX", "{unread}#{id}"),
)
DELIVERY = Entity(
    "Delivery",
    Delivery,
    pk="USER#{user_id}",
    sk="DELIVERY#{subject}#{channel}#{period}",
    secret=True,
)
OUTGOING = Entity(
    "Outgoing",
    OutgoingMessage,
    pk="USER#{user_id}",
    sk="OUTGOING#{notification_id}#{channel}",
    gsi4=("OUTGOING[#{shard}]", "{due_at}#{id}"),
    secret=True,
)


def channel(
    user_id: str, channel_type: object, label: str | None = None
) -> Key[NotificationChannel]:
    """One channel of a user"""
    return NOTIFICATION_CHANNEL.key(user_id=user_id, channel_type=channel_type, label=label)


def channels_of_user(user_id: str) -> RangeQuery[NotificationChannel]:
    """Channels of a user"""
    return NOTIFICATION_CHANNEL.within(user_id=user_id)


def settings_of_user(user_id: str) -> Key[NotificationSettings]:
    """Notification settings of a user"""
    return NOTIFICATION_SETTINGS.key(user_id=user_id)


def reminders_due(day: str, until: str) -> RangeQuery[Any]:
    """Users whose daily reminder is due on a UTC day, up to a time; others share the partition"""
    query = NOTIFICATION_SETTINGS.span("GSI4", since="0", until=until, due_day=day)
    return replace(query, entity=None)


def notification(user_id: str, notification_id: str) -> Key[Notification]:
    """One notification of a user"""
    return NOTIFICATION.key(user_id=user_id, id=notification_id)


def inbox_of_user(user_id: str) -> RangeQuery[Notification]:
    """Notifications of a user, newest first"""
    return NOTIFICATION.within(user_id=user_id, newest_first=True)


def unread_of_user(user_id: str) -> RangeQuery[Notification]:
    """Unread notifications of a user, newest first"""
    return NOTIFICATION.within("GSI2", user_id=user_id, unread="UNREAD", newest_first=True)


def delivery(user_id: str, subject: str, channel: str, period: str) -> Key[Delivery]:
    """The mark that a record has had its message of a period"""
    return DELIVERY.key(user_id=user_id, subject=subject, channel=channel, period=period)


def outgoing(user_id: str, notification_id: str, channel: str) -> Key[OutgoingMessage]:
    """A notification's delivery to one channel"""
    return OUTGOING.key(user_id=user_id, notification_id=notification_id, channel=channel)


def outgoing_of_notification(user_id: str, notification_id: str) -> RangeQuery[OutgoingMessage]:
    """Deliveries of a notification"""
    return OUTGOING.within(user_id=user_id, notification_id=notification_id)


def outgoing_due(until: str, shard: str | None = None) -> RangeQuery[OutgoingMessage]:
    """Messages of all users that are due by now"""
    return OUTGOING.span("GSI4", since="0", until=until, shard=shard)
