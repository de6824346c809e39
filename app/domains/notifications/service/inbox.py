"""The inbox, and how a message gets there and to channels: everything in one transaction."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import strawberry

from app.core.clock import instant
from app.core.errors import NotFound
from app.core.shards import shard_of
from app.domains.notifications import keys
from app.domains.notifications.errors import AlreadyAnnounced
from app.domains.notifications.inputs import (
    MarkNotificationsReadInput,
    SendTestNotificationInput,
    UpdateNotificationSettingsInput,
)
from app.domains.notifications.repository import NotificationsRepository
from app.domains.notifications.rules.texts import plain_body, title_line
from app.domains.notifications.rules.times import NotificationSchedule, check_quiet_hours
from app.domains.notifications.service.channels import Channels
from app.domains.notifications.types import (
    INBOX,
    Announcement,
    AnnouncementSubject,
    ChannelType,
    Delivery,
    Notification,
    NotificationChannel,
    NotificationFrequency,
    NotificationKind,
    NotificationSettings,
    OutgoingMessage,
)
from app.domains.people.service import Profiles
from app.domains.people.types import UserStatus
from app.domains.service import Decision, Service, expect_version, uses
from app.table.gateway import Position, Rows
from app.table.writes import Put, Write, put_if_absent, put_if_unchanged, stale

NEVER_NULL = ("hour", "daily_reminder", "due_reminder", "remind_before")
MOST_CHANNELS = 5
MOST_COUNTED = 100


@dataclass
class NotificationList:
    """What a receipt keeps of markNotificationsRead."""

    notifications: list[Notification]


class Inbox(Service):
    profiles = uses(Profiles)
    channels = uses(Channels)

    @property
    def repository(self) -> NotificationsRepository:
        return NotificationsRepository(self.table)

    async def notifications(
        self,
        unread_only: bool,
        kinds: Collection[NotificationKind] | None,
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[Notification]:
        """`kinds`: None for all."""

        def keep(message: Notification) -> bool:
            return kinds is None or message.kind in kinds

        me = self.caller.user_id
        if unread_only:
            return await self.repository.unread_of_user(me, keep, limit=limit, start=start)
        query = keys.inbox_of_user(me)
        keep_some = keep if kinds is not None else None
        return await self.table.query(query, limit=limit, start=start, keep=keep_some)

    async def unread_count(self) -> int:
        rows = await self.notifications(True, None, limit=MOST_COUNTED, start=None)
        return len(rows.items)

    async def deliveries(self, notification: Notification) -> list[OutgoingMessage]:
        query = keys.outgoing_of_notification(self.caller.user_id, notification.id)
        return [each async for each in self.table.query_all(query)]

    async def mark_read(self, request: MarkNotificationsReadInput) -> list[Notification]:
        async def decide() -> Decision[NotificationList]:
            ids = list(dict.fromkeys(request.ids))
            found = await self.table.get_many(
                [keys.notification(self.caller.user_id, each) for each in ids]
            )
            known = [each for each in found if each]
            if len(known) < len(ids):
                raise NotFound("notification")
            read = {e.id: e.evolve(self.now, read_at=self.now) for e in known if not e.read_at}
            writes = [
                put_if_unchanged(read[e.id], e, "notification") for e in known if e.id in read
            ]
            return Decision(NotificationList([read.get(e.id, e) for e in known]), writes)

        return (await self.once(request, NotificationList, decide)).notifications

    async def settings(self) -> NotificationSettings:
        return await self._stored_settings() or self._default_settings()

    async def _stored_settings(self) -> NotificationSettings | None:
        return await self.table.load(keys.settings_of_user(self.caller.user_id))

    def _default_settings(self) -> NotificationSettings:
        return NotificationSettings(**self.stamp(), version=0)

    async def update_settings(
        self, request: UpdateNotificationSettingsInput
    ) -> NotificationSettings:
        async def decide() -> Decision[NotificationSettings]:
            what = "notification settings"
            found = await self._stored_settings()
            old = found or self._default_settings()
            expect_version(request, old, what)
            changes = request.changes(NEVER_NULL)
            changed = old.evolve(self.now, **changes)
            if "quiet_from" in changes or "quiet_to" in changes:
                check_quiet_hours(changed.quiet_from, changed.quiet_to)
            new = replace(changed, remind_at=await self._next_reminder(changed))
            write = put_if_unchanged(new, found, what) if found else put_if_absent(new, stale(what))
            return Decision(new, [write])

        return await self.once(request, NotificationSettings, decide)

    async def _next_reminder(self, settings: NotificationSettings) -> str | None:
        schedule = await self._schedule_of(settings)
        if not settings.daily_reminder:
            return None
        return instant(schedule.next(self.resources.clock.now(), NotificationFrequency.daily))

    async def schedule(self) -> NotificationSchedule:
        return await self._schedule_of(await self.settings())

    async def _schedule_of(self, settings: NotificationSettings) -> NotificationSchedule:
        me = await self.profiles.me()
        return NotificationSchedule(
            me.time_zone or "UTC", settings.hour, settings.quiet_from, settings.quiet_to
        )

    async def channels_to_use(
        self, channel_type: ChannelType | None = None
    ) -> list[NotificationChannel]:
        """None if the user has switched notifications off, or deactivated the account."""
        me, usable = await asyncio.gather(self.profiles.me(), self.channels.usable(channel_type))
        wanted = me.preferences is None or me.preferences.notifications is not False
        return usable if wanted and me.status is UserStatus.active else []

    async def reminder_channels(self) -> list[NotificationChannel]:
        return [each for each in await self.channels_to_use() if each.reminders][:MOST_CHANNELS]

    async def not_announced(
        self, subjects: Sequence[AnnouncementSubject]
    ) -> list[AnnouncementSubject]:
        """Those that have had no message of their period."""
        me = self.caller.user_id
        found = await self.table.get_many(
            [keys.delivery(me, each.id, INBOX, each.period) for each in subjects]
        )
        return [subject for subject, each in zip(subjects, found, strict=True) if each is None]

    async def announcement_writes(
        self, announcement: Announcement
    ) -> tuple[Notification, list[Write]]:
        """The message for another service's transaction. It fails with AlreadyAnnounced if a
        subject has had its message of the period."""
        schedule = await self.schedule()
        message = Notification(
            **self.stamp(),
            id=self.new_id(),
            kind=announcement.kind,
            title=title_line(announcement.title),
            body=plain_body(announcement.body),
            subject_ids=[strawberry.ID(each.id) for each in announcement.subjects],
        )
        now = self.resources.clock.now()
        # A user who asks for a test waits for it, whatever the hour.
        is_test = announcement.kind is NotificationKind.TEST
        send_at = now if is_test else schedule.after_quiet(now)
        places = [INBOX, *(each.name for each in announcement.channels)]
        return message, [
            *(
                self._delivery(message, subject, place)
                for subject in announcement.subjects
                for place in places
            ),
            put_if_absent(message, otherwise=AlreadyAnnounced()),
            *(self._outgoing(message, each, send_at) for each in announcement.channels),
        ]

    async def metric_alert_writes(
        self, metric_id: str, reason: str, words: tuple[str, str]
    ) -> list[Write]:
        """For the transaction of the log that crossed a threshold; at most once per reason."""
        subjects = await self.not_announced([AnnouncementSubject(metric_id, reason)])
        if not subjects:
            return []
        title, body = words
        _, writes = await self.announcement_writes(
            Announcement(
                kind=NotificationKind.METRIC_ALERT,
                title=title,
                body=body,
                subjects=subjects,
                channels=await self.reminder_channels(),
            )
        )
        return writes

    def _delivery(self, message: Notification, subject: AnnouncementSubject, place: str) -> Write:
        delivery = Delivery(
            **self.stamp(),
            subject=subject.id,
            channel=place,
            period=subject.period,
            notification_id=message.id,
        )
        return put_if_absent(delivery, otherwise=AlreadyAnnounced())

    def _outgoing(self, message: Notification, channel: NotificationChannel, at: datetime) -> Write:
        outgoing_id = self.resources.ids.new()
        return Put(
            OutgoingMessage(
                **self.stamp(),
                id=outgoing_id,
                notification_id=message.id,
                channel_type=channel.channel_type,
                label=channel.label,
                title=message.title,
                body=message.body,
                due_at=instant(at),
                shard=shard_of(outgoing_id, self.resources.settings.shards),
            )
        )

    async def send_test(self, request: SendTestNotificationInput) -> Notification:
        async def decide() -> Decision[Notification]:
            channel = await self.channels.usable_channel(request.channel_type, request.label)
            announcement = Announcement(
                kind=NotificationKind.TEST,
                title="Guildhall",
                body="This is a test. Messages reach you here.",
                channels=[channel],
            )
            return Decision(*await self.announcement_writes(announcement))

        await self.resources.limiter.count(
            "test messages", self.caller.user_id, limit=10, seconds=3600
        )
        return await self.once(request, Notification, decide)
