"""Channels, the inbox, and messages on their way."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

import strawberry

from app.core.clock import instant
from app.core.enums import enum_type
from app.core.record import Node, Record, computed
from app.core.scalars import AWSDateTime

DEFAULT_HOUR = 9
# How many minutes before a task is due its reminder may be sent.
LEAD_MINUTES = (0, 5, 10, 15, 30, 60, 120, 1440)
LEAD_CHOICES = f"{', '.join(map(str, LEAD_MINUTES[:-1]))} or {LEAD_MINUTES[-1]}"
# Stands in a Delivery's key where other deliveries have the name of a channel.
INBOX = "INBOX"


@enum_type(
    "SMS: a phone number with + and country code. Discord: the address of a webhook. Email: an "
    "address. Webhook: an https address of a host that this server allows.",
    SMS="A phone number with + and country code.",
    Discord="The address of a Discord webhook.",
    Email="An e-mail address.",
    Webhook="An https address of a host that this server allows.",
)
class ChannelType(Enum):
    SMS = "SMS"
    Discord = "Discord"
    Email = "Email"
    Webhook = "Webhook"


@enum_type(
    "How often messages are sent.",
    daily="Every day at your hour.",
    weekly="On Mondays at your hour.",
    monthly="On the first of the month at your hour.",
)
class NotificationFrequency(Enum):
    daily = "daily"
    weekly = "weekly"
    monthly = "monthly"


@enum_type(
    "UNKNOWN: the channel's host did not confirm it, so it may or may not have arrived; it is "
    "not sent again.",
    PENDING="It waits to be sent.",
    SENDING="It is being sent.",
    SENT="The receiver's service took it.",
    FAILED="It could not be sent and is not tried again.",
    UNKNOWN="The service did not confirm it, so it may or may not have arrived; it is not sent "
    "again.",
)
class SendingStatus(Enum):
    PENDING = "PENDING"
    SENDING = "SENDING"
    SENT = "SENT"
    FAILED = "FAILED"
    UNKNOWN = "UNKNOWN"


def channel_name(channel_type: ChannelType, label: str | None) -> str:
    """How keys name a channel of a user."""
    return f"{channel_type.value}~{label}" if label else channel_type.value


@strawberry.type(
    description="An address that messages are sent to, once it is verified and while it is active."
)
class NotificationChannel(Record):
    user_id: strawberry.Private[str]
    channel_type: ChannelType = strawberry.field(description="How messages go out.")
    label: str | None = strawberry.field(
        default=None,
        description="Distinguishes a second channel of a type from the first, which has none.",
    )
    identifier: strawberry.Private[str]
    is_active: bool = strawberry.field(
        default=True,
        description="Whether messages go to it.",
    )
    verified_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When you confirmed its code; null: not yet, and nothing is sent to it.",
    )
    reminders: bool = strawberry.field(
        default=True,
        description="Whether reminders of tasks and habits and alerts of metrics are sent here.",
    )
    code_id: strawberry.Private[str | None] = None
    code_hash: strawberry.Private[str | None] = None
    code_until: strawberry.Private[str | None] = None
    code_tries: strawberry.Private[int] = 0

    @property
    def name(self) -> str:
        return channel_name(self.channel_type, self.label)

    @property
    def is_usable(self) -> bool:
        return self.is_active and self.verified_at is not None

    @computed(description="Whether its owner has sent the code that it received.")
    def is_verified(self) -> bool:
        return self.verified_at is not None


@strawberry.type(description="When messages are sent to you, in your own time zone.")
class NotificationSettings(Record):
    user_id: strawberry.Private[str]
    hour: int = strawberry.field(
        default=DEFAULT_HOUR,
        description="The hour at which daily messages are sent, in your time zone.",
    )
    quiet_from: int | None = strawberry.field(
        default=None,
        description="Messages wait from this hour on; null: never.",
    )
    quiet_to: int | None = strawberry.field(
        default=None,
        description="Messages wait until this hour; null: never.",
    )
    daily_reminder: bool = strawberry.field(
        default=False,
        description="One message a day about the tasks and habits that are due, if there are any.",
    )
    due_reminder: bool = strawberry.field(
        default=False, description="A message when a task with a time of day is due."
    )
    remind_before: int = strawberry.field(
        default=0, description=f"How many minutes before that time: {LEAD_CHOICES}."
    )
    remind_at: strawberry.Private[str | None] = None

    @property
    def due_day(self) -> str | None:
        return self.remind_at[:10].replace("-", "") if self.remind_at else None


@enum_type(
    "What a notification is about.",
    CHARACTER_GOALS="How the goals of your characters do.",
    GOAL_REACHED="A character goal was reached.",
    METRIC_ALERT="A metric crossed a threshold.",
    REMINDER="Something is due.",
    TEST="A test that you asked for.",
)
class NotificationKind(Enum):
    CHARACTER_GOALS = "CHARACTER_GOALS"
    GOAL_REACHED = "GOAL_REACHED"
    METRIC_ALERT = "METRIC_ALERT"
    REMINDER = "REMINDER"
    TEST = "TEST"


@strawberry.type(
    description="A message in your inbox. It is also sent to your channels, if you wish."
)
class Notification(Node):
    user_id: strawberry.Private[str]
    kind: NotificationKind = strawberry.field(description="What it is about.")
    title: str = strawberry.field(description="The headline.")
    body: str = strawberry.field(description="The text.")
    subject_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="The goals, tasks, habits or metrics that it is about."
    )
    read_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it was marked as read; null: it is unread.",
    )

    @property
    def unread(self) -> str | None:
        return None if self.read_at else "UNREAD"


@strawberry.type
class Delivery(Record):
    """A goal, task or habit has at most one message of a period on a channel: this marks it."""

    user_id: str
    subject: str
    channel: str
    period: str
    notification_id: str


@strawberry.type(name="NotificationDelivery", description="How a message was sent to one channel.")
class OutgoingMessage(Record):
    id: strawberry.Private[str]
    user_id: strawberry.Private[str]
    notification_id: strawberry.Private[str]
    channel_type: ChannelType = strawberry.field(description="The channel that was used.")
    label: str | None = strawberry.field(
        default=None,
        description="The channel's label; null: it has none.",
    )
    title: strawberry.Private[str]
    body: strawberry.Private[str]
    status: SendingStatus = strawberry.field(
        default=SendingStatus.PENDING,
        description="How far it came.",
    )
    attempts: int = strawberry.field(
        default=0,
        description="How often sending was tried.",
    )
    due_at: strawberry.Private[str | None] = None
    sent_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it was sent; null: it was not.",
    )
    error: str | None = strawberry.field(
        default=None, description="What went wrong, in words; null: nothing."
    )
    is_code: strawberry.Private[bool] = False
    shard: strawberry.Private[str | None] = None

    @property
    def channel(self) -> str:
        return channel_name(self.channel_type, self.label)


@dataclass(frozen=True, slots=True)
class AnnouncementSubject:
    """The record that a message is about, and the period for which it has only one message."""

    id: str
    period: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """A message that is still to be written."""

    kind: NotificationKind
    title: str
    body: str
    subjects: Sequence[AnnouncementSubject] = ()
    channels: Sequence[NotificationChannel] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReminderLine:
    """One task or habit in a daily reminder."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class DueTask:
    id: str
    title: str
    due_at: datetime

    @property
    def subject(self) -> AnnouncementSubject:
        """A task that is postponed to another moment gets another reminder."""
        return AnnouncementSubject(self.id, f"due-{instant(self.due_at)}")
