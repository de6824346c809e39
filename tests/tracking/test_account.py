"""What someone tracks goes with their account: all of it in the export, none of it left behind."""

import json

from app.table.gateway import Gateway
from tests.api import PASSWORD, Person
from tests.people.test_accounts import DELETE
from tests.rewards.test_rewards import new_reward, redeem, rich
from tests.tracking.test_habits import log as log_habit
from tests.tracking.test_habits import new_habit
from tests.tracking.test_logbook import save
from tests.tracking.test_metrics import log, new_metric


async def test_export_and_erasure_reach_everything(ada: Person, table: Gateway) -> None:
    metric = await new_metric(ada, targetValue=5, thresholdHigh=4)
    await log(ada, metric, 5)
    habit = await new_habit(ada)
    await log_habit(ada, habit)
    await rich(ada)
    reward = await new_reward(ada)
    await redeem(ada, reward)
    await save(ada, title="A day")
    exported = json.loads((await ada.gql("{ exportData }"))["exportData"])
    counts = {name: len(exported[name]) for name in EXPECTED}
    assert counts == EXPECTED
    assert exported["MetricLog"][0]["value"] == 5
    partitions = [
        f"METRIC#{metric['id']}",
        f"HABIT#{habit['id']}",
        f"REWARD#{reward['id']}",
        f"USER#{ada.id}",
    ]
    for partition in partitions:
        items = [item async for item in table.partition(partition)]
        assert items
        kept = {"Receipt", "SignedInSession", "ChangeNote", "ChangeList", "MetricInsight"}
        lasting = [item for item in items if item["entityType"]["S"] not in kept]
        assert not any("ttl" in item for item in lasting)
    await ada.gql(DELETE, nickname=ada.nickname, password=PASSWORD)
    left = [item["SK"]["S"] for each in partitions async for item in table.partition(each)]
    assert left == []


EXPECTED = {
    "Metric": 1,
    "MetricLog": 1,
    "MetricMilestone": 1,
    "MetricAlert": 1,
    "Habit": 1,
    "HabitLog": 1,
    "Reward": 1,
    "Redemption": 1,
    "RedemptionsOfDay": 1,
    "LogbookEntry": 1,
    "Wallet": 1,
    "WalletTransaction": 3,
}
