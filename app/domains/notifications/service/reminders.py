"""The daily reminder, and the reminders of tasks that are due at a time of day."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from app.core.clock import instant
from app.domains.notifications import keys
from app.domains.notifications.rules.texts import (
    bullet_list,
    daily_reminder_title,
    due_reminder_title,
)
from app.domains.notifications.service.inbox import Inbox
from app.domains.notifications.types import (
    Announcement,
    AnnouncementSubject,
    DueTask,
    NotificationFrequency,
    NotificationKind,
    NotificationSettings,
    ReminderLine,
)
from app.domains.service import Decision, Service, uses
from app.resources import Resources
from app.table.writes import Write, put_if_unchanged

# Each takes a delivery for the inbox and for every channel, in one transaction.
MOST_SUBJECTS = 10


class Reminders(Service):
    attempts = 12

    inbox = uses(Inbox)

    async def is_due(self) -> bool:
        """Read from the table: the index that found the user may lag."""
        return self._is_due(await self.inbox.settings())

    def _is_due(self, settings: NotificationSettings) -> bool:
        return settings.remind_at is not None and settings.remind_at <= self.now

    async def send_daily(self, lines: Sequence[ReminderLine]) -> None:
        """The message, and the time of the next one, in one transaction. If there is nothing new
        to remind of, only the time moves on."""
        await self.commit(partial(self._send_daily, lines))

    async def _send_daily(self, lines: Sequence[ReminderLine]) -> Decision[None]:
        old = await self.inbox.settings()
        if not self._is_due(old):
            return Decision(None)
        schedule = await self.inbox.schedule()
        now, daily = self.resources.clock.now(), NotificationFrequency.daily
        new = old.evolve(self.now, remind_at=instant(schedule.next(now, daily)))
        writes: list[Write] = [put_if_unchanged(new, old, "notification settings")]
        period = schedule.period(now, daily)
        subjects = [AnnouncementSubject(each.id, period) for each in lines]
        if fresh := await self.inbox.not_announced(subjects):
            title = daily_reminder_title(len(lines))
            texts = [each.text for each in lines]
            writes += await self._reminder_writes(title, texts, fresh[:MOST_SUBJECTS])
        return Decision(None, writes)

    async def wants_due_reminders(self) -> bool:
        return (await self.inbox.settings()).due_reminder

    async def send_due(self, tasks: Sequence[DueTask]) -> None:
        """Reminds once of each task whose time has come, or as long before as the user has set."""
        settings = await self.inbox.settings()
        soon = self.resources.clock.now() + timedelta(minutes=settings.remind_before)
        due = [each for each in tasks if each.due_at <= soon]
        for start in range(0, len(due), MOST_SUBJECTS):
            await self.commit(partial(self._remind_of, due[start : start + MOST_SUBJECTS]))

    async def _remind_of(self, due: Sequence[DueTask]) -> Decision[None]:
        fresh = await self.inbox.not_announced([each.subject for each in due])
        tasks = [each for each in due if each.subject in fresh]
        if not tasks:
            return Decision(None)
        schedule, now = await self.inbox.schedule(), self.resources.clock.now()
        title = due_reminder_title([each.title for each in tasks])
        texts = [f"{each.title} ({schedule.time_of_day(each.due_at, now)})" for each in tasks]
        return Decision(None, await self._reminder_writes(title, texts, fresh))

    async def _reminder_writes(
        self, title: str, texts: Sequence[str], subjects: Sequence[AnnouncementSubject]
    ) -> list[Write]:
        _, writes = await self.inbox.announcement_writes(
            Announcement(
                kind=NotificationKind.REMINDER,
                title=title,
                body=bullet_list(texts),
                subjects=subjects,
                channels=await self.inbox.reminder_channels(),
            )
        )
        return writes


async def users_to_remind(resources: Resources, day: str, until: str) -> list[str]:
    """Those whose daily reminder is due on a UTC day (yyyymmdd), the longest due first."""
    due = resources.table.query_all(keys.reminders_due(day, until))
    return [each.user_id async for each in due if isinstance(each, NotificationSettings)]
