"""Messages about goals: those due for one user are sent together, each goal once a period."""

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial

from app.domains.characters.rules.messages import (
    digest,
    is_same_message,
    progress_line,
    reached_message,
)
from app.domains.characters.rules.schedules import next_message
from app.domains.characters.service.goals import CharacterGoals
from app.domains.characters.types import CharacterGoal
from app.domains.notifications.rules.times import NotificationSchedule
from app.domains.notifications.service import Inbox
from app.domains.notifications.types import (
    Announcement,
    AnnouncementSubject,
    ChannelType,
    NotificationChannel,
    NotificationKind,
)
from app.domains.service import Decision, Service, uses
from app.table.writes import Write, put_if_unchanged

MOST_IN_A_DIGEST = 10


class GoalMessages(Service):
    attempts = 12

    goals = uses(CharacterGoals)
    inbox = uses(Inbox)

    async def send_due(self, goal_ids: Iterable[str]) -> None:
        """One message after another, until none of these goals is due any more."""
        left = list(dict.fromkeys(goal_ids))
        while left:
            left = await self.commit(partial(self._send_next, left))

    async def _send_next(self, goal_ids: Sequence[str]) -> Decision[list[str]]:
        """A message and the time of the next one in one transaction; answers which goals are left.
        What another worker has announced only gets its next time."""
        due = await self._due(goal_ids)
        goals = [each for each in due if is_same_message(each, due[0])][:MOST_IN_A_DIGEST]
        schedule = await self.inbox.schedule()
        writes: list[Write] = [self._reschedule(goal, schedule) for goal in goals]
        fresh = await self.inbox.not_announced([self._subject(goal, schedule) for goal in goals])
        fresh_ids = {each.id for each in fresh}
        if unannounced := [goal for goal in goals if goal.id in fresh_ids]:
            writes += await self._message_writes(unannounced, fresh)
        return Decision([each.id for each in due if each not in goals], writes)

    async def _due(self, goal_ids: Sequence[str]) -> list[CharacterGoal]:
        """By the table: the index that found them may lag, and polls change the same goals."""
        found = await asyncio.gather(*map(self.goals.goal, goal_ids))
        return [each for each in found if each and each.send_at and each.send_at <= self.now]

    def _reschedule(self, goal: CharacterGoal, schedule: NotificationSchedule) -> Write:
        now = self.resources.clock.now()
        is_last = goal.achieved_at is not None
        at = None if is_last else next_message(now, goal.frequency, schedule)
        return put_if_unchanged(goal.evolve(self.now, send_at=at), goal, "goal")

    def _subject(self, goal: CharacterGoal, schedule: NotificationSchedule) -> AnnouncementSubject:
        if goal.achieved_at is not None or goal.frequency is None:
            return AnnouncementSubject(goal.id, f"achieved-{goal.achieved_at}")
        return AnnouncementSubject(
            goal.id, schedule.period(self.resources.clock.now(), goal.frequency)
        )

    async def _message_writes(
        self, goals: Sequence[CharacterGoal], subjects: Sequence[AnnouncementSubject]
    ) -> list[Write]:
        if goals[0].achieved_at is not None:
            kind = NotificationKind.GOAL_REACHED
            title, body = reached_message(goals[0])
        else:
            kind = NotificationKind.CHARACTER_GOALS
            lines = [progress_line(goal, await self.goals.forecast(goal)) for goal in goals]
            title, body = digest(goals, lines)
        channels = await self._channels(goals[0].notification_channel_type)
        _, writes = await self.inbox.announcement_writes(
            Announcement(kind=kind, title=title, body=body, subjects=subjects, channels=channels)
        )
        return writes

    async def _channels(self, channel_type: ChannelType | None) -> Sequence[NotificationChannel]:
        return await self.inbox.channels_to_use(channel_type) if channel_type else []
