"""Background work about quests: what the clock ends, rewards that are still owed,
tasks that are to follow their quest."""

import os
import socket
from datetime import timedelta
from functools import partial

from app.core.caller import acting_for
from app.domains.quests.service.due import due_errands, due_quests, due_rewards
from app.domains.quests.types import FailedReward, Quest, QuestErrand
from app.jobs.due import do_due
from app.jobs.job import Job
from app.resources import Resources
from app.services import Services

EXPIRE, RETRY, FOLLOW = "expire-quests", "retry-failed-rewards", "follow-quests"


async def expire_quests(resources: Resources) -> None:
    """Readers see at once that a quest has expired or a claim has run out; here it is written."""

    async def settle(quest: Quest) -> None:
        await Services(resources, acting_for(quest.creator_id)).quests.settle(quest.id)

    await do_due(resources, EXPIRE, partial(due_quests, resources), settle)


async def retry_failed_rewards(resources: Resources) -> None:
    worker = f"{socket.gethostname()}:{os.getpid()}"

    async def retry(owed: FailedReward) -> None:
        payouts = Services(resources, acting_for(owed.user_id)).payouts
        await payouts.retry(owed, by=worker)

    await do_due(resources, RETRY, partial(due_rewards, resources), retry)


async def follow_quests(resources: Resources) -> None:
    """Performers' tasks, where the request that moved their quest was broken off."""

    async def finish(errand: QuestErrand) -> None:
        claims = Services(resources, acting_for(errand.user_id)).quest_claims
        await claims.errands.finish(errand)

    await do_due(resources, FOLLOW, partial(due_errands, resources), finish)


JOBS = [
    Job(name=EXPIRE, every=timedelta(minutes=1), run=expire_quests),
    Job(name=RETRY, every=timedelta(seconds=30), run=retry_failed_rewards),
    Job(name=FOLLOW, every=timedelta(minutes=1), run=follow_quests),
]
