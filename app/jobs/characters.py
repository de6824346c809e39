"""Background work about characters: looking them up, telling how far they are, tidying up."""

from collections.abc import Sequence
from datetime import timedelta

from app.core.caller import acting_for
from app.domains.characters.service import goals_due, unfinished_deletions
from app.domains.characters.types import GoalRemains
from app.jobs.due import do_due
from app.jobs.job import Job, for_each
from app.resources import Resources
from app.services import Services

POLL, TELL, SWEEP = "poll-hiscores", "tell-goal-news", "sweep-goal-records"
AT_ONCE = 10
# A character of a user, by its name; or just a user. A goal stands in the index by whichever it
# waits for first, so each of the two jobs also keeps days open on which only the other is due.
Place = tuple[str, str]


async def poll_hiscores(resources: Resources) -> None:
    """One look-up for all goals of a character; other users of the same name share it."""

    async def fetch(day: str, now: str) -> Sequence[tuple[Place, bool]]:
        found: dict[Place, bool] = {}
        for goal in await goals_due(resources, day, now):
            place = (goal.user_id, goal.character_name)
            found[place] = found.get(place, False) or _is_by(goal.poll_at, now)
        return list(found.items())

    async def poll(followed: tuple[Place, bool]) -> None:
        (user_id, name), is_due = followed
        if is_due:
            await Services(resources, acting_for(user_id)).polling.poll(name)

    await do_due(resources, POLL, fetch, poll, at_once=AT_ONCE)


async def tell_goal_news(resources: Resources) -> None:
    """What is due of one user at one time goes out together."""

    async def fetch(day: str, now: str) -> Sequence[tuple[str, list[str]]]:
        found: dict[str, list[str]] = {}
        for goal in await goals_due(resources, day, now):
            found.setdefault(goal.user_id, [])
            if _is_by(goal.send_at, now):
                found[goal.user_id].append(goal.id)
        return list(found.items())

    async def tell(news: tuple[str, list[str]]) -> None:
        user_id, goal_ids = news
        await Services(resources, acting_for(user_id)).goal_news.announce(goal_ids)

    await do_due(resources, TELL, fetch, tell, at_once=AT_ONCE)


def _is_by(at: str | None, now: str) -> bool:
    return at is not None and at <= now


async def sweep_goal_records(resources: Resources) -> None:
    """A deletion that was broken off by a crash goes on here."""

    async def sweep(remains: GoalRemains) -> None:
        services = Services(resources, acting_for(remains.user_id))
        await services.character_goals.sweep(remains)

    await for_each(await unfinished_deletions(resources), sweep)


JOBS = [
    Job(name=POLL, every=timedelta(minutes=1), run=poll_hiscores),
    Job(name=TELL, every=timedelta(minutes=1), run=tell_goal_news),
    Job(name=SWEEP, every=timedelta(minutes=5), run=sweep_goal_records),
]
