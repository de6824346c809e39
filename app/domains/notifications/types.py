"""Channels, what is sent through them, and the inbox."""

from enum import Enum
from typing import TYPE_CHECKING

import strawberry

from app.core.record import Node, Record, computed
from app.core.scalars import AWSDateTime
from app.domains.notifications.rules.identifiers import ChannelType, masked
from app.domains.notifications.rules.sending import SendingStatus
from app.domains.notifications.rules.times import (
    USUAL_HOUR,
    NotificationFrequency,
    shown_leads,
)

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info

__all__ = [
    "ChannelType",
    "Delivery",
    "Notification",
    "NotificationChannel",
    "NotificationFrequency",
    "NotificationKind",
    "NotificationSettings",
    "Outgoing",
    "SendingStatus",
]
INBOX = "INBOX"


@strawberry.type(
    description="Where messages can be sent to you. It is used once it is verified and while it "
    "is active."
)
class NotificationChannel(Record):
    user_id: strawberry.Private[str]
    channel_type: ChannelType
    label: str | None = strawberry.field(
        default=None, description="Tells a second channel of a type from the first, which has none."
    )
    identifier: strawberry.Private[str]
    is_active: bool = True
    verified_at: AWSDateTime | None = None
    reminders: bool = strawberry.field(
        default=True,
        description="Whether reminders of tasks and habits, and alerts of metrics, are sent here.",
    )
    code_id: strawberry.Private[str | None] = None
    code_hash: strawberry.Private[str | None] = None
    code_until: strawberry.Private[str | None] = None
    code_tries: strawberry.Private[int] = 0

    @property
    def name(self) -> str:
        """As it stands in keys."""
        return f"{self.channel_type.value}~{self.label}" if self.label else self.channel_type.value

    @property
    def is_usable(self) -> bool:
        return self.is_active and self.verified_at is not None

    @computed(name="identifier", description="Masked: the whole of it is never handed out.")
    def masked_identifier(self) -> str:
        return masked(self.channel_type, self.identifier)

    @computed(description="Whether its owner has sent the code that it received.")
    def is_verified(self) -> bool:
        return self.verified_at is not None

    @computed(description="How the last code went on its way; null: none was needed.")
    async def code_delivery(self, info: Info) -> "Outgoing | None":
        return await info.context.channels.code_delivery(self)


@strawberry.type(description="When messages are sent to you, in your own time zone.")
class NotificationSettings(Record):
    user_id: strawberry.Private[str]
    hour: int = strawberry.field(
        default=USUAL_HOUR, description="0 to 23: the hour at which what is due is sent."
    )
    quiet_from: int | None = strawberry.field(
        default=None, description="0 to 23: from this hour on messages wait; null: never."
    )
    quiet_to: int | None = strawberry.field(default=None, description="0 to 23: until this hour.")
    daily_reminder: bool = strawberry.field(
        default=False,
        description="One message a day about the tasks and habits that are due, if there are any.",
    )
    due_reminder: bool = strawberry.field(
        default=False, description="A message when a task with a time of day is due."
    )
    remind_before: int = strawberry.field(
        default=0, description=f"How many minutes before that time: {shown_leads()}."
    )
    remind_at: strawberry.Private[str | None] = None

    @property
    def due_day(self) -> str | None:
        return self.remind_at[:10].replace("-", "") if self.remind_at else None


@strawberry.enum
class NotificationKind(Enum):
    CHARACTER_GOALS = "CHARACTER_GOALS"
    GOAL_REACHED = "GOAL_REACHED"
    METRIC_ALERT = "METRIC_ALERT"
    REMINDER = "REMINDER"
    TEST = "TEST"


@strawberry.type(description="A message in your inbox, sent through your channels too if you wish.")
class Notification(Node):
    user_id: strawberry.Private[str]
    kind: NotificationKind
    title: str
    body: str
    subject_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="The goals, tasks, habits or metric that it is about."
    )
    read_at: AWSDateTime | None = None

    @property
    def unread(self) -> str | None:
        return None if self.read_at else "UNREAD"

    @computed(description="How it went on each channel; empty: it is in the inbox only.")
    async def deliveries(self, info: Info) -> list["Outgoing"]:
        return await info.context.inbox.deliveries(self)


@strawberry.type
class Delivery(Record):
    """That a goal, task or habit has its message of a period on a channel: at most one."""

    user_id: str
    subject: str
    channel: str
    period: str
    notification_id: str


@strawberry.type(name="NotificationDelivery", description="A message on its way to one channel.")
class Outgoing(Record):
    id: strawberry.Private[str]
    user_id: strawberry.Private[str]
    notification_id: strawberry.Private[str]
    channel_type: ChannelType
    label: str | None = None
    title: strawberry.Private[str]
    body: strawberry.Private[str]
    status: SendingStatus = SendingStatus.PENDING
    attempts: int = 0
    due_at: strawberry.Private[str | None] = None
    sent_at: AWSDateTime | None = None
    error: str | None = strawberry.field(default=None, description="What went wrong, in words.")
    is_code: strawberry.Private[bool] = False
    shard: strawberry.Private[str | None] = None

    @property
    def channel(self) -> str:
        return f"{self.channel_type.value}~{self.label}" if self.label else self.channel_type.value
