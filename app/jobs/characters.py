"""Background work about characters: polling the hiscores, messages, unfinished deletions."""

from collections.abc import Sequence
from datetime import timedelta

from app.core.caller import acting_for
from app.domains.characters.service import (
    characters_to_finish,
    goals_due,
    unfinished_deletions,
)
from app.domains.characters.types import DeletedCharacter, DeletedGoal
from app.jobs.due import process_due
from app.jobs.job import Job, failures_of, raise_if_failed
from app.resources import Resources
from app.services import Services

POLL, TELL, SWEEP = "poll-hiscores", "tell-goal-news", "sweep-goal-records"
AT_ONCE = 10
# The user and the name of the character. A goal is in the index by the earlier of its next poll and
# its next message, so each of the two jobs also sees days on which only the other has work.
FollowedCharacter = tuple[str, str]


async def poll_hiscores(resources: Resources) -> None:
    """One request for all goals of a character; other users of the same name share its answer."""

    async def fetch(day: str, now: str) -> Sequence[tuple[FollowedCharacter, bool]]:
        found: dict[FollowedCharacter, bool] = {}
        async for goal in goals_due(resources, day, now):
            key = (goal.user_id, goal.character_name)
            found[key] = found.get(key, False) or _is_by(goal.poll_at, now)
        return list(found.items())

    async def poll(followed: tuple[FollowedCharacter, bool]) -> None:
        (user_id, name), is_due = followed
        if is_due:
            await Services(resources, acting_for(user_id)).polling.poll(name)

    await process_due(resources, POLL, fetch, poll, at_once=AT_ONCE)


async def send_goal_messages(resources: Resources) -> None:
    """Those due for one user are sent together."""

    async def fetch(day: str, now: str) -> Sequence[tuple[str, list[str]]]:
        found: dict[str, list[str]] = {}
        async for goal in goals_due(resources, day, now):
            found.setdefault(goal.user_id, [])
            if _is_by(goal.send_at, now):
                found[goal.user_id].append(goal.id)
        return list(found.items())

    async def send(due: tuple[str, list[str]]) -> None:
        user_id, goal_ids = due
        await Services(resources, acting_for(user_id)).goal_messages.send_due(goal_ids)

    await process_due(resources, TELL, fetch, send, at_once=AT_ONCE)


def _is_by(at: str | None, now: str) -> bool:
    return at is not None and at <= now


async def sweep_goal_records(resources: Resources) -> None:
    """Goes on with deletions of characters and goals that were interrupted."""

    async def finish(character: DeletedCharacter) -> None:
        services = Services(resources, acting_for(character.user_id))
        await services.character_deletion.finish(character)

    async def sweep(goal: DeletedGoal) -> None:
        services = Services(resources, acting_for(goal.user_id))
        await services.character_goals.sweep(goal)

    failures = await failures_of(await characters_to_finish(resources), finish)
    failures += await failures_of(await unfinished_deletions(resources), sweep)
    raise_if_failed(failures)


JOBS = [
    Job(name=POLL, every=timedelta(minutes=1), run=poll_hiscores),
    Job(name=TELL, every=timedelta(minutes=1), run=send_goal_messages),
    Job(name=SWEEP, every=timedelta(minutes=5), run=sweep_goal_records),
]
