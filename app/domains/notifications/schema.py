"""Notifications in the graph."""

from functools import partial
from typing import Annotated

import strawberry

from app.core.record import computed
from app.domains.notifications.inputs import (
    DeactivateNotificationChannelInput,
    DeleteNotificationChannelInput,
    MarkNotificationsReadInput,
    SendTestNotificationInput,
    SetNotificationChannelInput,
    UpdateNotificationSettingsInput,
    VerifyNotificationChannelInput,
)
from app.domains.notifications.rules.identifiers import masked
from app.domains.notifications.types import (
    Notification,
    NotificationChannel,
    NotificationKind,
    NotificationSettings,
    OutgoingMessage,
)
from app.graph.context import Info
from app.graph.fields import fields_of, mutation, query
from app.graph.paging import Limit, NextToken, Page, page


@fields_of(NotificationChannel)
class NotificationChannelFields(NotificationChannel):
    @computed(name="identifier", description="Masked: the whole of it is never handed out.")
    def masked_identifier(self) -> str:
        return masked(self.channel_type, self.identifier)

    @computed(description="The delivery of the last code; null: no code was needed.")
    async def code_delivery(self, info: Info) -> OutgoingMessage | None:
        return await info.context.channels.code_delivery(self)


@fields_of(Notification)
class NotificationFields(Notification):
    @computed(description="Its deliveries to channels; empty: it is in the inbox only.")
    async def deliveries(self, info: Info) -> list[OutgoingMessage]:
        return await info.context.inbox.deliveries(self)


OfKinds = Annotated[
    list[NotificationKind] | None,
    strawberry.argument(description="Only messages of these kinds; null: of all."),
]
UnreadOnly = Annotated[bool | None, strawberry.argument(description="true: only unread messages.")]


@strawberry.type
class NotificationsQuery:
    @query(
        description="Your inbox, newest first. Every message is here, also those sent to channels."
    )
    async def notifications(
        self,
        info: Info,
        unread_only: UnreadOnly = False,
        kinds: OfKinds = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Notification]:
        fetch = partial(info.context.inbox.notifications, bool(unread_only), kinds)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(
        description="How many messages in your inbox are unread, for a badge. It counts up to 100: "
        "100 means 100 or more."
    )
    async def unread_notification_count(self, info: Info) -> int:
        return await info.context.inbox.unread_count()

    @query(description="Your channels.")
    async def notification_channels(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[NotificationChannel]:
        fetch = info.context.channels.channels
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="Your settings; version 0: the defaults, you have not changed them yet.")
    async def notification_settings(self, info: Info) -> NotificationSettings:
        return await info.context.inbox.settings()


@strawberry.type
class NotificationsMutation:
    @mutation(
        description="Adds a channel, or changes its address. A code is sent there; nothing else is "
        "sent until verifyNotificationChannel has confirmed it. At most 10 times an hour."
    )
    async def set_notification_channel(
        self, info: Info, input: SetNotificationChannelInput
    ) -> NotificationChannel:
        return await info.context.channels.set(input)

    @mutation(
        description="Verifies a channel by the code it received, within 15 minutes and 5 tries. "
        "A channel that is verified already is ALREADY_VERIFIED."
    )
    async def verify_notification_channel(
        self, info: Info, input: VerifyNotificationChannelInput
    ) -> NotificationChannel:
        return await info.context.channels.verify(input)

    @mutation(description="Nothing is sent to the channel until it is set again.")
    async def deactivate_notification_channel(
        self, info: Info, input: DeactivateNotificationChannelInput
    ) -> NotificationChannel:
        return await info.context.channels.deactivate(input)

    @mutation(
        description="Nothing is sent to the channel any more, and its address is forgotten. Goals "
        "that name its type go on in your inbox. To stop it for a while: "
        "deactivateNotificationChannel."
    )
    async def delete_notification_channel(
        self, info: Info, input: DeleteNotificationChannelInput
    ) -> NotificationChannel:
        return await info.context.channels.delete(input)

    @mutation(
        description="Sends a message within seconds, in quiet hours too; see its deliveries. "
        "At most 10 an hour."
    )
    async def send_test_notification(
        self, info: Info, input: SendTestNotificationInput
    ) -> Notification:
        return await info.context.inbox.send_test(input)

    @mutation(description="Changes when messages are sent to you.")
    async def update_notification_settings(
        self, info: Info, input: UpdateNotificationSettingsInput
    ) -> NotificationSettings:
        return await info.context.inbox.update_settings(input)

    @mutation(
        description="Messages that are read already stay unchanged. If one is not yours: "
        "NOT_FOUND for all."
    )
    async def mark_notifications_read(
        self, info: Info, input: MarkNotificationsReadInput
    ) -> list[Notification]:
        return await info.context.inbox.mark_read(input)
