"""Messages about goals: those due for one user are sent together, each goal once a period."""

from collections.abc import Iterable, Sequence

from app.core.errors import StaleVersion
from app.domains.characters.rules.messages import digest, progress_line, reached_message
from app.domains.characters.rules.schedules import next_message
from app.domains.characters.service.goals import CharacterGoals
from app.domains.characters.types import CharacterGoal
from app.domains.notifications.errors import AlreadyAnnounced
from app.domains.notifications.rules.times import NotificationSchedule
from app.domains.notifications.service import Inbox
from app.domains.notifications.types import (
    Announcement,
    AnnouncementSubject,
    ChannelType,
    NotificationChannel,
    NotificationKind,
)
from app.domains.service import Service, uses
from app.table.writes import Write, put_if_unchanged

MOST_IN_A_DIGEST = 10


class GoalMessages(Service):
    goals = uses(CharacterGoals)
    inbox = uses(Inbox)

    async def send_due(self, goal_ids: Iterable[str]) -> None:
        """Of these goals, the ones that are due by the table: the index may lag behind."""
        found = [await self.goals.goal(each) for each in dict.fromkeys(goal_ids)]
        due = [each for each in found if each and each.send_at and each.send_at <= self.now]
        for goal in due:
            if goal.achieved_at is not None:
                await self._send([goal], NotificationKind.GOAL_REACHED)
        running = [each for each in due if each.achieved_at is None]
        for kind in dict.fromkeys(each.notification_channel_type for each in running):
            together = [each for each in running if each.notification_channel_type is kind]
            for start in range(0, len(together), MOST_IN_A_DIGEST):
                some = together[start : start + MOST_IN_A_DIGEST]
                await self._send(some, NotificationKind.CHARACTER_GOALS)

    async def _send(self, goals: Sequence[CharacterGoal], kind: NotificationKind) -> None:
        """The message and the time of the next one in one transaction. A second worker finds the
        message announced and only sets the time."""
        schedule = await self.inbox.schedule()
        rescheduled = [self._reschedule(goal, schedule) for goal in goals]
        subjects = [self._subject(goal, schedule) for goal in goals]
        fresh = {each.id for each in await self.inbox.not_announced(subjects)}
        unannounced = [goal for goal in goals if goal.id in fresh]
        writes: list[Write] = [*rescheduled]
        if unannounced:
            about = [each for each in subjects if each.id in fresh]
            writes += await self._message_writes(unannounced, about, kind)
        try:
            await self.table.write(*writes)
        except (StaleVersion, AlreadyAnnounced):
            return  # another worker was faster; what is left is due at the next run

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
        self,
        goals: Sequence[CharacterGoal],
        subjects: Sequence[AnnouncementSubject],
        kind: NotificationKind,
    ) -> list[Write]:
        channel_type = goals[0].notification_channel_type
        channels = await self._channels(channel_type)
        if kind is NotificationKind.GOAL_REACHED:
            title, body = reached_message(goals[0])
        else:
            lines = [progress_line(goal, await self.goals.forecast(goal)) for goal in goals]
            title, body = digest(goals, lines)
        _, writes = await self.inbox.announcement_writes(
            Announcement(kind=kind, title=title, body=body, subjects=subjects, channels=channels)
        )
        return writes

    async def _channels(self, channel_type: ChannelType | None) -> Sequence[NotificationChannel]:
        return await self.inbox.channels_to_use(channel_type) if channel_type else []
