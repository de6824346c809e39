"""Background work about quests: deadlines, failed rewards, tasks that follow their quest."""

import os
import socket
from datetime import timedelta
from functools import partial

from app.core.caller import acting_for
from app.domains.quests.service.due import due_quests, due_rewards, due_task_changes
from app.domains.quests.service.performer_tasks import PerformerTasks
from app.domains.quests.types import FailedReward, PendingTaskChange, Quest
from app.jobs.due import process_due
from app.jobs.job import Job
from app.resources import Resources
from app.services import Services

EXPIRE, RETRY, FOLLOW = "expire-quests", "retry-failed-rewards", "follow-quests"


async def expire_quests(resources: Resources) -> None:
    """Writes that a quest has expired or a claim has lapsed. Readers see it before that."""

    async def apply_deadlines(quest: Quest) -> None:
        await Services(resources, acting_for(quest.creator_id)).quests.apply_deadlines(quest.id)

    await process_due(resources, EXPIRE, partial(due_quests, resources), apply_deadlines)


async def retry_failed_rewards(resources: Resources) -> None:
    worker = f"{socket.gethostname()}:{os.getpid()}"

    async def retry(owed: FailedReward) -> None:
        payouts = Services(resources, acting_for(owed.user_id)).payouts
        await payouts.retry(owed, by=worker)

    await process_due(resources, RETRY, partial(due_rewards, resources), retry)


async def follow_quests(resources: Resources) -> None:
    """Finishes changes of performers' tasks whose request was interrupted."""

    async def finish(change: PendingTaskChange) -> None:
        services = Services(resources, acting_for(change.user_id))
        await services.get(PerformerTasks).finish(change)

    await process_due(resources, FOLLOW, partial(due_task_changes, resources), finish)


JOBS = [
    Job(name=EXPIRE, every=timedelta(minutes=1), run=expire_quests),
    Job(name=RETRY, every=timedelta(seconds=30), run=retry_failed_rewards),
    Job(name=FOLLOW, every=timedelta(minutes=1), run=follow_quests),
]
