"""News of goals: what is due of one user goes out together, each goal once a period."""

from collections.abc import Iterable, Sequence

from app.core.caller import Caller
from app.core.errors import StaleVersion
from app.domains.characters.repository import CharactersRepository
from app.domains.characters.rules.messages import digest, last_words, line
from app.domains.characters.rules.schedules import next_message
from app.domains.characters.service.goals import CharacterGoals
from app.domains.characters.types import CharacterGoal
from app.domains.notifications.errors import AlreadyAnnounced
from app.domains.notifications.rules.times import Rhythm
from app.domains.notifications.service import Announcement, Inbox, Subject
from app.domains.notifications.types import ChannelType, NotificationChannel, NotificationKind
from app.domains.service import Service
from app.resources import Resources
from app.table.writes import Write, replace

MOST_IN_A_DIGEST = 10


class GoalNews(Service):
    def __init__(
        self, resources: Resources, caller: Caller, goals: CharacterGoals, inbox: Inbox
    ) -> None:
        super().__init__(resources, caller)
        self.goals = goals
        self.inbox = inbox
        self.repository = CharactersRepository(resources.table)

    async def announce(self, goal_ids: Iterable[str]) -> None:
        """Those of them that are due by the table: the index that named them may lag."""
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
        """The message and the time of the next one in one transaction. Whoever comes second, a
        worker that took over say, finds the message there and only moves the time on."""
        rhythm = await self.inbox.rhythm()
        moved = [self._moved(goal, rhythm) for goal in goals]
        subjects = [self._subject(goal, rhythm) for goal in goals]
        fresh = {each.id for each in await self.inbox.not_announced(subjects)}
        news = [goal for goal in goals if goal.id in fresh]
        writes: list[Write] = [*moved]
        if news:
            about = [each for each in subjects if each.id in fresh]
            writes += await self._message(news, about, kind)
        try:
            await self.table.write(*writes)
        except (StaleVersion, AlreadyAnnounced):
            return  # somebody else was faster; what is left is due at the next look

    def _moved(self, goal: CharacterGoal, rhythm: Rhythm) -> Write:
        now = self.resources.clock.now()
        over = goal.achieved_at is not None
        at = None if over else next_message(now, goal.frequency, rhythm)
        return replace(goal.evolve(self.now, send_at=at), goal, "goal")

    def _subject(self, goal: CharacterGoal, rhythm: Rhythm) -> Subject:
        if goal.achieved_at is not None or goal.frequency is None:
            return Subject(goal.id, f"achieved-{goal.achieved_at}")
        return Subject(goal.id, rhythm.period(self.resources.clock.now(), goal.frequency))

    async def _message(
        self, goals: Sequence[CharacterGoal], subjects: Sequence[Subject], kind: NotificationKind
    ) -> list[Write]:
        channel_type = goals[0].notification_channel_type
        channels = await self._channels(channel_type)
        if kind is NotificationKind.GOAL_REACHED:
            title, body = last_words(goals[0])
        else:
            lines = [line(goal, await self.goals.outlook(goal)) for goal in goals]
            title, body = digest(goals, lines)
        _, writes = await self.inbox.announcing(
            Announcement(kind=kind, title=title, body=body, subjects=subjects, channels=channels)
        )
        return writes

    async def _channels(self, channel_type: ChannelType | None) -> Sequence[NotificationChannel]:
        return await self.inbox.reachable(channel_type) if channel_type else []
