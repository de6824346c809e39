"""The clock's part: expired quests, stale claims; and rewards that are tried again."""

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from app.core.caller import MODERATORS, Access, Caller, acting_for
from app.core.clock import instant
from app.core.scalars import AWSDateTime
from app.domains.quests import keys
from app.domains.quests.inputs import (
    AttestQuestInput,
    ClaimQuestInput,
    RetryFailedRewardInput,
    SubmitQuestInput,
)
from app.domains.quests.types import FailedReward, FailedRewardStatus, QuestStatus
from app.jobs.keys import sweep_of_job
from app.jobs.quests import EXPIRE, JOBS, RETRY, expire_quests, retry_failed_rewards
from app.jobs.runner import run_due
from app.resources import Resources
from app.services import Services
from app.table.gateway import Gateway
from app.table.writes import Delete, Put, item_of
from tests.api import Person
from tests.quests.missing_counters import remove_counters, restore_counters
from tests.quests.operations import (
    create,
    do,
    get,
    grants,
    history,
    mutation,
    quest_input,
    resources_of,
    sign_in_again,
    stats,
    stored,
    submitted,
)
from tests.quests.test_lists import read
from tests.servers import RunningServer, TestClock

FAILED = """
query ($status: FailedRewardStatus, $limit: Int, $nextToken: String) {
  failedRewards(status: $status, limit: $limit, nextToken: $nextToken) {
    items { id questId userId rewardType rewardAmount reason attemptCount status createdAt
      lastAttemptAt nextAttemptAt errorDetails processedAt processedBy }
    nextToken
  }
}
"""


@pytest.fixture
async def resources(server: RunningServer, table: Gateway) -> AsyncIterator[Resources]:
    """With sweeps that start anew: other tests have moved the clock."""
    yield resources_of(server, table)
    await table.write(Delete(sweep_of_job(EXPIRE)), Delete(sweep_of_job(RETRY)))


async def owed(table: Gateway, quest_id: str) -> dict[str, FailedReward]:
    rows = table.query_all(keys.failed_rewards())
    return {e.reward_type.value: e async for e in rows if e.quest_id == quest_id}


async def seen(judge: Person, quest_id: str, status: str | None = None) -> list[Any]:
    found: list[Any] = []
    token = None
    while True:
        page = (await judge.gql(FAILED, status=status, limit=100, nextToken=token))["failedRewards"]
        found += [each for each in page["items"] if each["questId"] == quest_id]
        token = page["nextToken"]
        if token is None:
            return found


async def test_expired_quests_are_written_down(
    ada: Person, bob: Person, table: Gateway, clock: TestClock, resources: Resources
) -> None:
    until = instant(clock.now() + timedelta(days=3))
    one, two = await create(ada, expiresAt=until), await create(ada, expiresAt=until)
    kept = await create(ada, expiresAt=instant(clock.now() + timedelta(days=9)))
    await do(bob, "claimQuest", questId=two["id"])
    await expire_quests(resources)
    assert (await stored(table, one["id"])).status is QuestStatus.OPEN
    clock.move(days=5)
    await expire_quests(resources)
    for quest in (one, two):
        record = await stored(table, quest["id"])
        assert (record.status, record.performers) == (QuestStatus.EXPIRED, [])
        last = (await history(table, quest["id"]))[-1]
        assert (last.action.value, last.by_user_id) == ("EXPIRE", None)
    assert (await stored(table, kept["id"])).status is QuestStatus.OPEN
    versions = [(await stored(table, quest["id"])).version for quest in (one, two)]
    await expire_quests(resources)
    assert [(await stored(table, quest["id"])).version for quest in (one, two)] == versions


async def test_what_cannot_be_read_does_not_keep_the_clock_from_the_rest(
    ada: Person, table: Gateway, clock: TestClock, resources: Resources
) -> None:
    """One that is broken, and one of a kind that only a later release knows."""
    quest = await create(ada, expiresAt=instant(clock.now() + timedelta(hours=1)))
    due = item_of(await stored(table, quest["id"]))
    for kind in ("Quest", "Unheard"):
        place = {"PK": {"S": "BROKEN"}, "SK": {"S": kind}, "entityType": {"S": kind}}
        index = {name: due[name] for name in ("GSI4PK", "GSI4SK")}
        await table.client.put_item(TableName=table.table, Item=place | index)
    clock.move(hours=2)
    try:
        await expire_quests(resources)
    finally:
        await table.delete_many([("BROKEN", "Quest"), ("BROKEN", "Unheard")])
    assert (await stored(table, quest["id"])).status is QuestStatus.EXPIRED


async def test_a_worker_that_was_away_for_weeks_catches_up(
    ada: Person, table: Gateway, clock: TestClock, resources: Resources
) -> None:
    quest = await create(ada, expiresAt=instant(clock.now() + timedelta(hours=1)))
    await expire_quests(resources)
    clock.move(days=70)
    await expire_quests(resources)
    assert (await stored(table, quest["id"])).status is QuestStatus.EXPIRED


async def test_stale_claims_are_released(
    ada: Person, bob: Person, table: Gateway, clock: TestClock, resources: Resources
) -> None:
    quest = await create(ada)
    await do(bob, "claimQuest", questId=quest["id"])
    clock.move(days=15)
    await expire_quests(resources)
    record = await stored(table, quest["id"])
    assert (record.status, record.performer_id) == (QuestStatus.OPEN, None)
    assert (await history(table, quest["id"]))[-1].action.value == "LAPSE"


async def test_two_workers_expire_once(
    ada: Person, table: Gateway, clock: TestClock, resources: Resources
) -> None:
    quest = await create(ada, expiresAt=instant(clock.now() + timedelta(hours=1)))
    clock.move(hours=2)
    await asyncio.gather(*(expire_quests(resources) for _ in range(20)))
    actions = [each.action.value for each in await history(table, quest["id"])]
    assert actions == ["CREATE", "EXPIRE"]


async def test_what_cannot_be_paid_is_kept_and_paid_later(
    ada: Person,
    bob: Person,
    judge: Person,
    table: Gateway,
    clock: TestClock,
    resources: Resources,
) -> None:
    quest = await submitted(ada, bob)
    away = await remove_counters(table, bob)
    done = await do(ada, "attestQuest", questId=quest["id"], rating=5)
    assert done["status"] == "COMPLETE"
    assert await grants(table, bob.id) == {}
    waiting = await seen(judge, quest["id"], "PENDING")
    assert [(e["rewardType"], e["rewardAmount"], e["attemptCount"]) for e in waiting] == [
        ("REPUTATION", 5, 1),
        ("XP", 100, 1),
    ]
    assert {e["userId"] for e in waiting} == {bob.id}
    await retry_failed_rewards(resources)
    assert [e["attemptCount"] for e in await seen(judge, quest["id"])] == [1, 1], "not due yet"
    await restore_counters(table, away)
    clock.move(seconds=75)
    await retry_failed_rewards(resources)
    paid = await seen(judge, quest["id"], "COMPLETED")
    assert [(e["rewardType"], e["attemptCount"]) for e in paid] == [("REPUTATION", 2), ("XP", 2)]
    assert all(e["processedAt"] and e["processedBy"] and not e["nextAttemptAt"] for e in paid)
    earned = await stats(bob)
    assert (earned["experiencePoints"], earned["reputation"]) == (100, 5)
    assert (earned["questsCompleted"], earned["attestationsReceived"]) == (1, 1)
    assert (await stats(ada))["attestationsGiven"] == 1
    await retry_failed_rewards(resources)
    assert await stats(bob) == earned


async def test_backs_off_then_gives_up_until_a_moderator_retries(
    ada: Person,
    bob: Person,
    judge: Person,
    table: Gateway,
    clock: TestClock,
    resources: Resources,
) -> None:
    quest = await submitted(ada, bob)
    away = await remove_counters(table, bob)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    start = clock.now()
    clock.freeze(start)
    for attempt, minutes in ((2, 2), (3, 4), (4, 8), (5, 16)):
        before = (await owed(table, quest["id"]))["XP"]
        assert before.next_attempt_at is not None
        clock.freeze(clock.now() + timedelta(minutes=minutes / 2 * 1.2, seconds=5))
        await retry_failed_rewards(resources)
        after = (await owed(table, quest["id"]))["XP"]
        assert (after.status, after.attempt_count) == (FailedRewardStatus.PENDING, attempt)
        least = instant(clock.now() + timedelta(minutes=minutes))
        most = instant(clock.now() + timedelta(minutes=minutes * 1.2))
        assert least <= str(after.next_attempt_at) <= most
    clock.freeze(clock.now() + timedelta(minutes=20))
    await retry_failed_rewards(resources)
    rows = await owed(table, quest["id"])
    assert {(e.status, e.attempt_count) for e in rows.values()} == {(FailedRewardStatus.FAILED, 6)}
    assert json.loads(str(rows["XP"].error_details))["code"] == "REWARD_UNDELIVERABLE"
    clock.freeze(clock.now() + timedelta(days=2))
    await retry_failed_rewards(resources)
    assert (await owed(table, quest["id"]))["XP"].attempt_count == 6, "given up"
    await sign_in_again(judge, ada, bob)
    query = mutation("retryFailedReward", "status attemptCount processedBy rewardType")
    (xp,) = [e for e in await seen(judge, quest["id"], "FAILED") if e["rewardType"] == "XP"]
    still = (await judge.gql(query, input={"id": xp["id"]}))["retryFailedReward"]
    assert (still["status"], still["attemptCount"]) == ("FAILED", 7)
    await restore_counters(table, away)
    paid = (await judge.gql(query, input={"id": xp["id"]}))["retryFailedReward"]
    assert (paid["status"], paid["processedBy"]) == ("COMPLETED", judge.id)
    assert (await stats(bob))["experiencePoints"] == 100
    late = await judge.refused(query, input={"id": xp["id"]})
    assert late.code == "QUEST_STATUS"
    assert late.errors[0]["message"] == "This reward is paid already."
    assert (await stats(bob))["experiencePoints"] == 100


async def test_a_reward_that_somebody_is_at_is_not_retried(
    ada: Person, bob: Person, judge: Person, table: Gateway
) -> None:
    quest = await submitted(ada, bob)
    await remove_counters(table, bob)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    held = dataclasses.replace(
        (await owed(table, quest["id"]))["XP"],
        status=FailedRewardStatus.PROCESSING,
        next_attempt_at=AWSDateTime("2099-01-01T00:00:00.000Z"),
    )
    await table.write(Put(held))
    busy = await judge.refused(mutation("retryFailedReward", "id"), input={"id": held.id()})
    assert (busy.code, busy.info["status"]) == ("QUEST_STATUS", "PROCESSING")
    assert "2099-01-01" in busy.errors[0]["message"]
    assert (await owed(table, quest["id"]))["XP"] == held


async def test_what_was_paid_is_not_paid_again_whoever_asks_for_it(
    ada: Person, bob: Person, judge: Person, table: Gateway, clock: TestClock, resources: Resources
) -> None:
    """A row that says otherwise, from a backup say: the grant is what counts."""
    quest = await submitted(ada, bob)
    away = await remove_counters(table, bob)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    rows = await owed(table, quest["id"])
    await restore_counters(table, away)
    clock.move(seconds=75)
    await retry_failed_rewards(resources)
    earned = await stats(bob)
    assert earned["experiencePoints"] == 100
    await table.write(*(Put(row) for row in rows.values()))
    await retry_failed_rewards(resources)
    assert await stats(bob) == earned
    await table.write(*(Put(row) for row in rows.values()))
    retry = mutation("retryFailedReward", "status")
    for row in rows.values():
        paid = (await judge.gql(retry, input={"id": row.id()}))["retryFailedReward"]
        assert paid["status"] == "COMPLETED"
    assert await stats(bob) == earned


async def test_failed_rewards_in_pages(
    ada: Person, bob: Person, judge: Person, table: Gateway
) -> None:
    """Both rewards of a quest fail in one millisecond, and both are there."""
    quests = [await submitted(ada, bob) for _ in range(3)]
    away = await remove_counters(table, bob)
    for quest in quests:
        await do(ada, "attestQuest", questId=quest["id"], rating=5)
    expected = {(quest["id"], kind) for quest in quests for kind in ("REPUTATION", "XP")}
    for limit in (1, 2, 100):
        rows = await read(judge, FAILED, limit, "failedRewards", status="PENDING")
        mine = [(e["questId"], e["rewardType"]) for e in rows if e["userId"] == bob.id]
        assert len(mine) == 6
        assert set(mine) == expected
        assert len({each["id"] for each in rows}) == len(rows)
    await restore_counters(table, away)
    retry = mutation("retryFailedReward", "status")
    for each in await seen(judge, quests[1]["id"]):
        await judge.gql(retry, input={"id": each["id"]})
    for status, count in (("PENDING", 4), ("COMPLETED", 2), ("FAILED", 0), (None, 6)):
        rows = await read(judge, FAILED, 2, "failedRewards", status=status)
        assert sum(each["userId"] == bob.id for each in rows) == count


async def test_only_moderators_see_and_retry(ada: Person, bob: Person, judge: Person) -> None:
    assert (await ada.refused(FAILED)).code == "FORBIDDEN"
    retry = mutation("retryFailedReward", "id")
    assert (await bob.refused(retry, input={"id": "x"})).code == "FORBIDDEN"
    for absent in ("x", "a.XP.2026-01-01T00:00:00.000Z.b", "a#b.XP.2026.01.c", "....", ""):
        assert (await judge.refused(retry, input={"id": absent})).code == "NOT_FOUND"


async def test_many_workers_pay_once(
    ada: Person,
    bob: Person,
    judge: Person,
    table: Gateway,
    clock: TestClock,
    resources: Resources,
) -> None:
    quest = await submitted(ada, bob)
    away = await remove_counters(table, bob)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    await restore_counters(table, away)
    clock.move(seconds=75)
    xp = next(e for e in await seen(judge, quest["id"]) if e["rewardType"] == "XP")
    retry = mutation("retryFailedReward", "status")
    await asyncio.gather(
        *(retry_failed_rewards(resources) for _ in range(20)),
        *(judge.gql(retry, input={"id": xp["id"]}) for _ in range(5)),
        return_exceptions=True,
    )
    earned = await stats(bob)
    assert (earned["experiencePoints"], earned["reputation"]) == (100, 5)
    assert earned["questsCompleted"] == 1
    assert {e.status for e in (await owed(table, quest["id"])).values()} == {
        FailedRewardStatus.COMPLETED
    }


async def test_a_full_account_is_no_reason_to_lose_the_rest(
    ada: Person, bob: Person, table: Gateway
) -> None:
    """XP is at its upper end; the quest completes all the same, and nothing overflows."""
    quest = await submitted(ada, bob)
    away = await remove_counters(table, bob)
    away["experiencePoints"] = {"N": "1999999950"}
    await restore_counters(table, away)
    assert (await do(ada, "attestQuest", questId=quest["id"], rating=5))["status"] == "COMPLETE"
    assert set(await owed(table, quest["id"])) == {"XP", "REPUTATION"}
    assert (await stats(bob))["experiencePoints"] == 1_999_999_950


async def test_the_runner_knows_the_jobs(resources: Resources) -> None:
    await run_due(resources, "tester", JOBS)
    for job in JOBS:
        swept = await resources.table.get(sweep_of_job(job.name))
        assert swept is not None
    await asyncio.gather(*(run_due(resources, f"tester {n}", JOBS) for n in range(5)))


async def test_reading_a_quest_shows_what_the_job_will_write(
    ada: Person, clock: TestClock, table: Gateway
) -> None:
    quest = await create(ada, expiresAt=instant(clock.now() + timedelta(minutes=5)))
    clock.move(minutes=6)
    assert (await get(ada, quest["id"]))["status"] == "EXPIRED"
    assert (await stored(table, quest["id"])).status is QuestStatus.OPEN, "a reader writes nothing"


async def test_jobs_find_what_lies_in_shards(
    ada: Person, bob: Person, judge: Person, table: Gateway, clock: TestClock, resources: Resources
) -> None:
    """Written while there are shards; nothing of it is lost to those who read with more."""
    few, more = (
        dataclasses.replace(resources, settings=resources.settings.model_copy(update={"shards": n}))
        for n in (3, 5)
    )
    creator, performer = (Services(few, acting_for(person.id)) for person in (ada, bob))
    until = instant(clock.now() + timedelta(hours=1))
    quest = await creator.quests.create(quest_input(expires_at=until))
    assert quest.shard is not None
    paid = await creator.quests.create(quest_input())
    await performer.quest_claims.claim(ClaimQuestInput(quest_id=paid.id))
    await performer.quest_claims.submit(SubmitQuestInput(quest_id=paid.id, submission="Done"))
    away = await remove_counters(table, bob)
    await creator.quest_reviews.attest(AttestQuestInput(quest_id=paid.id, rating=5))
    await restore_counters(table, away)
    moderator = Services(
        more, Caller(access=Access.USER, id=judge.id, groups=frozenset({MODERATORS}))
    )
    rows = (await moderator.payouts.failed_rewards(None, limit=100, start=None)).items
    mine = [each for each in rows if each.quest_id == paid.id]
    assert len(mine) == 2
    by_hand = await moderator.payouts.retry_now(RetryFailedRewardInput(id=mine[0].id()))
    assert by_hand.status is FailedRewardStatus.COMPLETED
    clock.move(hours=2)
    await retry_failed_rewards(more)
    await expire_quests(more)
    assert (await stored(table, quest.id)).status is QuestStatus.EXPIRED
    assert sum((await grants(table, bob.id)).values()) == 105
