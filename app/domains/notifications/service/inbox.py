"""The inbox, and how a message gets there and on its way: everything in one transaction."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from app.core.caller import Caller
from app.core.clock import instant
from app.core.errors import NotFound
from app.core.shards import shard_of
from app.domains.notifications.errors import AlreadyAnnounced
from app.domains.notifications.inputs import (
    MarkNotificationsReadInput,
    SendTestNotificationInput,
    UpdateNotificationSettingsInput,
)
from app.domains.notifications.repository import NotificationsRepository
from app.domains.notifications.rules.texts import plain_body, title_line
from app.domains.notifications.rules.times import NotificationFrequency, Rhythm
from app.domains.notifications.service.channels import Channels
from app.domains.notifications.types import (
    INBOX,
    ChannelType,
    Delivery,
    Notification,
    NotificationChannel,
    NotificationKind,
    NotificationSettings,
    Outgoing,
)
from app.domains.people.service import Profiles
from app.domains.people.types import UserStatus
from app.domains.service import Decision, Service, expect_version
from app.resources import Resources
from app.table.gateway import Position, Rows
from app.table.writes import Put, Write, create, replace, stale

NEVER_NULL = ("hour", "daily_reminder", "due_reminder", "remind_before")
MOST_CHANNELS = 5


@dataclass(frozen=True, slots=True)
class Subject:
    """What a message is about, and which of its periods."""

    id: str
    period: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    kind: NotificationKind
    title: str
    body: str
    subjects: Sequence[Subject] = ()
    channels: Sequence[NotificationChannel] = field(default_factory=list)


class Inbox(Service):
    def __init__(
        self, resources: Resources, caller: Caller, profiles: Profiles, channels: Channels
    ) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.channels = channels
        self.repository = NotificationsRepository(resources.table)

    async def notifications(
        self, unread_only: bool, *, limit: int, start: Position | None
    ) -> Rows[Notification]:
        read = self.repository.unread if unread_only else self.repository.inbox
        return await read(self.caller.user_id, limit=limit, start=start)

    async def deliveries(self, notification: Notification) -> list[Outgoing]:
        return await self.repository.outgoing_of_notification(self.caller.user_id, notification.id)

    async def mark_read(self, request: MarkNotificationsReadInput) -> list[Notification]:
        async def decide() -> Decision[list[Notification]]:
            ids = list(dict.fromkeys(request.ids))
            found = await self.repository.notifications(self.caller.user_id, ids)
            known = [each for each in found if each]
            if len(known) < len(ids):
                raise NotFound("notification")
            read = {e.id: e.evolve(self.now, read_at=self.now) for e in known if not e.read_at}
            writes = [replace(read[e.id], e, "notification") for e in known if e.id in read]
            return Decision([read.get(each.id, each) for each in known], writes)

        return await self.commit(decide)

    async def settings(self) -> NotificationSettings:
        return await self.repository.settings(self.caller.user_id) or self._first_settings()

    def _first_settings(self) -> NotificationSettings:
        return NotificationSettings(
            created_at=self.now, updated_at=self.now, version=0, user_id=self.caller.user_id
        )

    async def update_settings(
        self, request: UpdateNotificationSettingsInput
    ) -> NotificationSettings:
        async def decide() -> Decision[NotificationSettings]:
            what = "notification settings"
            found = await self.repository.settings(self.caller.user_id)
            old = found or self._first_settings()
            expect_version(request, old, what)
            new = old.evolve(self.now, **request.changes(NEVER_NULL))
            rhythm = await self._rhythm_of(new)
            new.remind_at = self._next_reminder(new, rhythm)
            write = replace(new, found, what) if found else create(new, stale(what))
            return Decision(new, [write])

        return await self.commit(decide)

    def _next_reminder(self, settings: NotificationSettings, rhythm: Rhythm) -> str | None:
        if not settings.daily_reminder:
            return None
        return instant(rhythm.next(self.resources.clock.now(), NotificationFrequency.daily))

    async def rhythm(self) -> Rhythm:
        return await self._rhythm_of(await self.settings())

    async def _rhythm_of(self, settings: NotificationSettings) -> Rhythm:
        me = await self.profiles.me()
        return Rhythm(me.time_zone or "UTC", settings.hour, settings.quiet_from, settings.quiet_to)

    async def reachable(self, channel_type: ChannelType | None = None) -> list[NotificationChannel]:
        """The channels to use; none if the user wants nothing sent, or has left for a while."""
        me, usable = await asyncio.gather(self.profiles.me(), self.channels.usable(channel_type))
        wanted = me.preferences is None or me.preferences.notifications is not False
        return usable if wanted and me.status is UserStatus.active else []

    async def reachable_for_reminders(self) -> list[NotificationChannel]:
        return [each for each in await self.reachable() if each.reminders][:MOST_CHANNELS]

    async def not_announced(self, subjects: Sequence[Subject]) -> list[Subject]:
        """Those that have not had their message of the period."""
        pairs = [(each.id, each.period) for each in subjects]
        told = await self.repository.announced(self.caller.user_id, pairs, INBOX)
        return [each for each in subjects if (each.id, each.period) not in told]

    async def announcing(self, wanted: Announcement) -> tuple[Notification, list[Write]]:
        """The message for another service's transaction: refused if a subject has had its own."""
        rhythm = await self.rhythm()
        message = Notification(
            id=self.resources.ids.new(),
            created_at=self.now,
            updated_at=self.now,
            user_id=self.caller.user_id,
            kind=wanted.kind,
            title=title_line(wanted.title),
            body=plain_body(wanted.body),
            subject_ids=[each.id for each in wanted.subjects],  # type: ignore[misc]
        )
        now = self.resources.clock.now()
        # Who asks for a test waits for it, whatever the hour.
        send_at = now if wanted.kind is NotificationKind.TEST else rhythm.after_quiet(now)
        places = [INBOX, *(each.name for each in wanted.channels)]
        return message, [
            *(self._delivery(message, subject, at) for subject in wanted.subjects for at in places),
            create(message, otherwise=AlreadyAnnounced()),
            *(self._outgoing(message, each, send_at) for each in wanted.channels),
        ]

    async def alerting(self, metric_id: str, reason: str, words: tuple[str, str]) -> list[Write]:
        """For the transaction of the log that stepped over a threshold."""
        subjects = await self.not_announced([Subject(metric_id, reason)])
        if not subjects:
            return []
        title, body = words
        _, writes = await self.announcing(
            Announcement(
                kind=NotificationKind.METRIC_ALERT,
                title=title,
                body=body,
                subjects=subjects,
                channels=await self.reachable_for_reminders(),
            )
        )
        return writes

    def _delivery(self, message: Notification, subject: Subject, channel: str) -> Write:
        delivery = Delivery(
            created_at=self.now,
            updated_at=self.now,
            user_id=self.caller.user_id,
            subject=subject.id,
            channel=channel,
            period=subject.period,
            notification_id=message.id,
        )
        return create(delivery, otherwise=AlreadyAnnounced())

    def _outgoing(self, message: Notification, channel: NotificationChannel, at: datetime) -> Write:
        number = self.resources.ids.new()
        return Put(
            Outgoing(
                id=number,
                created_at=self.now,
                updated_at=self.now,
                user_id=self.caller.user_id,
                notification_id=message.id,
                channel_type=channel.channel_type,
                label=channel.label,
                title=message.title,
                body=message.body,
                due_at=instant(at),
                shard=shard_of(number, self.resources.settings.shards),
            )
        )

    async def send_test(self, request: SendTestNotificationInput) -> Notification:
        channel = await self.channels.known_usable(request.channel_type, request.label)
        await self.resources.limiter.count(
            "test messages", self.caller.user_id, limit=10, seconds=3600
        )
        message, writes = await self.announcing(
            Announcement(
                kind=NotificationKind.TEST,
                title="Guildhall",
                body="This is a test. Messages reach you here.",
                channels=[channel],
            )
        )
        await self.table.write(*writes)
        return message
