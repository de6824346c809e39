"""A performer sees what a completed quest has paid, and what it still owes."""

from datetime import timedelta
from typing import Any

import pytest

from app.jobs.quests import retry_failed_rewards
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.quests.missing_counters import remove_counters, restore_counters
from tests.quests.operations import create, do, get, resources_of, sign_in_again, submitted
from tests.servers import RunningServer, TestClock

MINE = """
query ($id: ID!) { quest(id: $id) { myRewards {
  rewardType amount status paidAt nextAttemptAt
} } }
"""


async def rewards(who: Person, quest_id: str) -> list[Any]:
    return list((await who.gql(MINE, id=quest_id))["quest"]["myRewards"])


def shown(found: list[Any]) -> list[tuple[str, int, str]]:
    return [(each["rewardType"], each["amount"], each["status"]) for each in found]


async def test_what_was_paid(ada: Person, bob: Person, cleo: Person) -> None:
    quest = await submitted(ada, bob)
    assert await rewards(bob, quest["id"]) == [], "not yet completed"
    done = await do(ada, "attestQuest", questId=quest["id"], rating=5)
    found = await rewards(bob, quest["id"])
    assert shown(found) == [("XP", 100, "PAID"), ("REPUTATION", 5, "PAID")]
    for each in found:
        assert each["paidAt"] >= done["completedAt"]
        assert each["nextAttemptAt"] is None
    for other in (ada, cleo):
        assert await rewards(other, quest["id"]) == []


async def test_a_reward_that_is_still_pending(
    ada: Person, bob: Person, table: Gateway, server: RunningServer, clock: TestClock
) -> None:
    quest = await submitted(ada, bob)
    away = await remove_counters(table, bob)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    found = await rewards(bob, quest["id"])
    assert shown(found) == [("XP", 100, "PENDING"), ("REPUTATION", 5, "PENDING")]
    completed = (await get(bob, quest["id"]))["completedAt"]
    assert all(each["nextAttemptAt"] > completed and not each["paidAt"] for each in found)
    await restore_counters(table, away)
    clock.move(seconds=75)
    await retry_failed_rewards(resources_of(server, table))
    assert shown(await rewards(bob, quest["id"])) == [
        ("XP", 100, "PAID"),
        ("REPUTATION", 5, "PAID"),
    ]


async def test_a_reward_that_was_given_up(
    ada: Person, bob: Person, table: Gateway, server: RunningServer, clock: TestClock
) -> None:
    quest = await submitted(ada, bob)
    await remove_counters(table, bob)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    clock.freeze(clock.now())
    for _ in range(5):
        clock.freeze(clock.now() + timedelta(minutes=20))
        await retry_failed_rewards(resources_of(server, table))
    await sign_in_again(bob)
    found = await rewards(bob, quest["id"])
    assert shown(found) == [("XP", 100, "FAILED"), ("REPUTATION", 5, "FAILED")]
    assert all(each["nextAttemptAt"] is None for each in found)
    clock.reset()


@pytest.mark.parametrize("shards", [1, 3])
async def test_each_of_a_team_sees_the_own_share(
    api: Api,
    ada: Person,
    bob: Person,
    cleo: Person,
    table: Gateway,
    server: RunningServer,
    shards: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server.settings, "shards", shards)
    quest = await create(ada, maxPerformers=2, rewardXp=101, rewardReputation=3)
    for person in (bob, cleo):
        await do(person, "claimQuest", questId=quest["id"])
    await do(bob, "submitQuest", questId=quest["id"], submission="Done together.")
    await remove_counters(table, cleo)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    assert shown(await rewards(bob, quest["id"])) == [("XP", 51, "PAID"), ("REPUTATION", 2, "PAID")]
    assert shown(await rewards(cleo, quest["id"])) == [
        ("XP", 50, "PENDING"),
        ("REPUTATION", 1, "PENDING"),
    ]
