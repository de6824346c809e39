"""Notifications in the graph."""

from functools import partial
from typing import Annotated

import strawberry

from app.domains.notifications.inputs import (
    DeactivateNotificationChannelInput,
    MarkNotificationsReadInput,
    SendTestNotificationInput,
    SetNotificationChannelInput,
    UpdateNotificationSettingsInput,
    VerifyNotificationChannelInput,
)
from app.domains.notifications.types import (
    Notification,
    NotificationChannel,
    NotificationSettings,
)
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page

UnreadOnly = Annotated[
    bool | None, strawberry.argument(description="true: only what you have not read.")
]


@strawberry.type
class NotificationsQuery:
    @query(description="Your inbox, newest first. Every message is here, sent elsewhere or not.")
    async def notifications(
        self,
        info: Info,
        unread_only: UnreadOnly = False,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Notification]:
        fetch = partial(info.context.inbox.notifications, bool(unread_only))
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="Where messages can be sent to you.")
    async def notification_channels(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[NotificationChannel]:
        fetch = info.context.channels.channels
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="When messages are sent to you; version 0: you have not set it yet.")
    async def notification_settings(self, info: Info) -> NotificationSettings:
        return await info.context.inbox.settings()


@strawberry.type
class NotificationsMutation:
    @mutation(
        description="Adds a channel, or changes where one leads. A code is sent there; until "
        "verifyNotificationChannel has seen it, nothing else is. 10 times an hour."
    )
    async def set_notification_channel(
        self, info: Info, input: SetNotificationChannelInput
    ) -> NotificationChannel:
        return await info.context.channels.set(input)

    @mutation(description="A code is good for 15 minutes and 5 tries.")
    async def verify_notification_channel(
        self, info: Info, input: VerifyNotificationChannelInput
    ) -> NotificationChannel:
        return await info.context.channels.verify(input)

    @mutation(description="Nothing is sent there any more, until it is set again.")
    async def deactivate_notification_channel(
        self, info: Info, input: DeactivateNotificationChannelInput
    ) -> NotificationChannel:
        return await info.context.channels.deactivate(input)

    @mutation(
        description="It is sent within seconds, in quiet hours too; deliveries says how it went. "
        "10 an hour."
    )
    async def send_test_notification(
        self, info: Info, input: SendTestNotificationInput
    ) -> Notification:
        return await info.context.inbox.send_test(input)

    @mutation()
    async def update_notification_settings(
        self, info: Info, input: UpdateNotificationSettingsInput
    ) -> NotificationSettings:
        return await info.context.inbox.update_settings(input)

    @mutation(description="Read ones stay as they are. One that is not yours: NOT_FOUND for all.")
    async def mark_notifications_read(
        self, info: Info, input: MarkNotificationsReadInput
    ) -> list[Notification]:
        return await info.context.inbox.mark_read(input)
