"""The daily reminder: whom to remind now, and when next; and what is due at a time of day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.core.caller import Caller
from app.core.clock import instant
from app.core.errors import StaleVersion
from app.domains.notifications.errors import AlreadyAnnounced
from app.domains.notifications.repository import NotificationsRepository
from app.domains.notifications.repository import reminders_due as settings_due
from app.domains.notifications.rules.times import NotificationFrequency
from app.domains.notifications.service.inbox import Announcement, Inbox, Subject
from app.domains.notifications.types import NotificationKind, NotificationSettings
from app.domains.service import Service
from app.resources import Resources
from app.table.writes import Write, replace

MOST_SUBJECTS = 10
MOST_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Due:
    """Something that is due at a moment."""

    id: str
    words: str
    at: datetime

    @property
    def subject(self) -> Subject:
        """Put off to another moment, it is told of again."""
        return Subject(self.id, f"due-{instant(self.at)}")


class Reminders(Service):
    def __init__(self, resources: Resources, caller: Caller, inbox: Inbox) -> None:
        super().__init__(resources, caller)
        self.inbox = inbox
        self.repository = NotificationsRepository(resources.table)

    async def is_due(self) -> bool:
        """By the table: the index that named the user may lag."""
        settings = await self.inbox.settings()
        return settings.remind_at is not None and settings.remind_at <= self.now

    async def remind(self, things: Sequence[tuple[str, str]]) -> None:
        """`things`: id and words. The message, and the time of the next one, in one transaction;
        with nothing to say, only the time moves on."""
        old = await self.inbox.settings()
        rhythm = await self.inbox.rhythm()
        now = self.resources.clock.now()
        period = rhythm.period(now, NotificationFrequency.daily)
        new = old.evolve(self.now, remind_at=instant(rhythm.next(now, NotificationFrequency.daily)))
        writes: list[Write] = [replace(new, old, "notification settings")]
        fresh = await self._not_told(things, period)
        if fresh:
            _, sending = await self.inbox.announcing(
                Announcement(
                    kind=NotificationKind.REMINDER,
                    title=_title(len(things)),
                    body="\n".join(f"- {words}" for _, words in things),
                    subjects=[Subject(each, period) for each in fresh[:MOST_SUBJECTS]],
                    channels=await self.inbox.reachable_for_reminders(),
                )
            )
            writes += sending
        await self._write(writes)

    async def wants_moments(self) -> bool:
        return (await self.inbox.settings()).due_reminder

    async def remind_of(self, things: Sequence[Due]) -> None:
        """Those whose time it is, as the user has set it: each once."""
        settings = await self.inbox.settings()
        soon = self.resources.clock.now() + timedelta(minutes=settings.remind_before)
        due = [each for each in things if each.at <= soon]
        fresh = await self.inbox.not_announced([each.subject for each in due])
        news = [each for each in due if each.subject in fresh]
        for start in range(0, len(news), MOST_SUBJECTS):
            await self._tell(news[start : start + MOST_SUBJECTS])

    async def _tell(self, things: Sequence[Due]) -> None:
        rhythm, now = await self.inbox.rhythm(), self.resources.clock.now()
        lines = [f"{each.words} ({rhythm.time_of_day(each.at, now)})" for each in things]
        _, writes = await self.inbox.announcing(
            Announcement(
                kind=NotificationKind.REMINDER,
                title=things[0].words if len(things) == 1 else f"{len(things)} tasks are due",
                body="\n".join(f"- {line}" for line in lines),
                subjects=[each.subject for each in things],
                channels=await self.inbox.reachable_for_reminders(),
            )
        )
        await self._write(writes)

    async def _write(self, writes: Sequence[Write]) -> None:
        try:
            await self.table.write(*writes)
        except (StaleVersion, AlreadyAnnounced):
            return  # somebody else was faster; what is left is due at the next look

    async def _not_told(self, things: Sequence[tuple[str, str]], period: str) -> list[str]:
        subjects = [Subject(each, period) for each, _ in things]
        return [each.id for each in await self.inbox.not_announced(subjects)]


def _title(count: int) -> str:
    return "One thing is due today" if count == 1 else f"{count} things are due today"


async def reminders_due(resources: Resources, day: str, until: str) -> list[NotificationSettings]:
    return await settings_due(resources.table, day, until, most=MOST_AT_ONCE)
