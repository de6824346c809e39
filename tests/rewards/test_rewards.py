"""Rewards: redeemed within their limits, exactly once, and refunded."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.domains.rewards import keys
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.rewards.test_wallet import ADJUST, sums
from tests.servers import TestClock
from tests.travel import travel

FIELDS = """
  id version title description category pointCost icon imageUrl isAutomated automationInstructions
  cooldownHours maxRedemptionsPerDay status lastRedeemedAt redemptionCount nextAvailableAt createdAt
"""
CREATE = f"mutation ($input: CreateRewardInput!) {{ createReward(input: $input) {{ {FIELDS} }} }}"
UPDATE = f"mutation ($input: UpdateRewardInput!) {{ updateReward(input: $input) {{ {FIELDS} }} }}"
DELETE = "mutation ($id: ID!) { deleteReward(input: {id: $id}) { id } }"
REWARD = f"query ($id: ID!) {{ reward(id: $id) {{ {FIELDS} redemptions {{ items {{ id }} }} }} }}"
REWARDS = """
query ($status: RewardStatus, $category: String, $limit: Int, $nextToken: String) {
  rewards(status: $status, category: $category, limit: $limit, nextToken: $nextToken) {
    items { id title status } nextToken
  }
}
"""
REDEEM = """
mutation ($rewardId: ID!, $expectedCost: Int, $key: String) {
  redeemReward(input: {rewardId: $rewardId, expectedCost: $expectedCost, idempotencyKey: $key}) {
    id rewardId title cost redeemedAt refundedAt reward { redemptionCount } wallet { balance }
  }
}
"""
REFUND = """
mutation ($id: ID!, $key: String) {
  refundRedemption(input: {redemptionId: $id, idempotencyKey: $key}) {
    id refundedAt wallet { balance lifetimeSpent }
  }
}
"""
BUY_FREEZE = """
mutation ($expectedCost: Int, $key: String) {
  buyFreeze(input: {expectedCost: $expectedCost, idempotencyKey: $key}) {
    balance freezes freezeCost
  }
}
"""


async def new_reward(person: Person, **fields: object) -> dict[str, Any]:
    fields_sent = {"title": "Tea", "pointCost": 30} | fields
    made: dict[str, Any] = (await person.gql(CREATE, input=fields_sent))["createReward"]
    return made


async def rich(person: Person, points: int = 1000) -> None:
    await person.gql(ADJUST, amount=points, reason="To begin with")


async def redeem(person: Person, reward: dict[str, Any], **more: object) -> dict[str, Any]:
    got: dict[str, Any] = (await person.gql(REDEEM, rewardId=reward["id"], **more))["redeemReward"]
    return got


async def test_a_reward_has_every_field_of_the_document(ada: Person) -> None:
    fields = {
        "title": "Concert 🎻",
        "description": "Good seats",
        "category": "Weekly Reward",
        "pointCost": 500,
        "icon": "🎻",
        "imageUrl": "https://example.com/violin.png",
        "isAutomated": True,
        "automationInstructions": "Order two tickets",
        "cooldownHours": 168,
        "maxRedemptionsPerDay": 1,
        "status": "Active",
    }
    made = await new_reward(ada, **fields)
    assert {name: made[name] for name in fields} == fields
    assert (made["version"], made["redemptionCount"], made["lastRedeemedAt"]) == (1, 0, None)
    found = (await ada.gql(REWARD, id=made["id"]))["reward"]
    assert found["redemptions"] == {"items": []}


async def test_a_reward_is_stored_as_documented(ada: Person, table: Gateway) -> None:
    made = await new_reward(ada)
    items = {item["SK"]["S"]: item async for item in table.partition(f"USER#{ada.id}")}
    item = items[f"REWARD#{made['id']}"]
    assert item["entityType"] == {"S": "Reward"}
    assert item["GSI1SK"] == {"S": f"ENTITY#Reward#{made['createdAt']}"}
    assert item["GSI2PK"] == {"S": f"USER#{ada.id}#REWARD"}
    assert item["GSI2SK"] == {"S": f"Active#{made['createdAt']}"}
    assert "ttl" not in item


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": " "},
        {"pointCost": -1},
        {"pointCost": 1_000_001},
        {"cooldownHours": -1},
        {"maxRedemptionsPerDay": -1},
        {"category": ""},
        {"imageUrl": "no address"},
        {"imageUrl": "javascript:alert(1)"},
        {"imageUrl": "data:text/html,hello"},
    ],
)
async def test_invalid_input_is_refused(ada: Person, wrong: dict[str, object]) -> None:
    refused = await ada.refused(CREATE, input={"title": "Tea", "pointCost": 1} | wrong)
    assert refused.code == "BAD_INPUT"
    assert (await ada.gql(REWARDS))["rewards"]["items"] == []


async def test_updating_keeps_what_is_left_out_and_clears_what_is_null(ada: Person) -> None:
    made = await new_reward(ada, description="Green", cooldownHours=2)
    change = {"id": made["id"], "pointCost": 40, "description": None}
    after = (await ada.gql(UPDATE, input=change))["updateReward"]
    assert (after["pointCost"], after["description"], after["cooldownHours"]) == (40, None, 2)
    assert after["version"] == 2
    refused = await ada.refused(UPDATE, input={"id": made["id"], "title": None})
    assert refused.code == "BAD_INPUT"
    late = await ada.refused(
        UPDATE, input={"id": made["id"], "title": "Coffee", "expectedVersion": 1}
    )
    assert (late.code, late.info["currentVersion"]) == ("CONFLICT", 2)


async def test_lists_by_status_and_category_in_full_pages(ada: Person) -> None:
    for number in range(6):
        await new_reward(
            ada,
            title=f"T{number}",
            status="Active" if number % 2 else "Archived",
            category="Quick Treat" if number < 3 else "Daily Delight",
        )
    listed = (await ada.gql(REWARDS, status="Active", limit=2))["rewards"]
    assert [each["title"] for each in listed["items"]] == ["T1", "T3"]
    more = await ada.gql(REWARDS, status="Active", limit=2, nextToken=listed["nextToken"])
    assert [each["title"] for each in more["rewards"]["items"]] == ["T5"]
    assert more["rewards"]["nextToken"] is None
    treats = (await ada.gql(REWARDS, category=" Quick Treat"))["rewards"]["items"]
    assert [each["title"] for each in treats] == ["T0", "T1", "T2"]


async def test_redeeming_spends_and_is_remembered(ada: Person, table: Gateway) -> None:
    await rich(ada, 100)
    tea = await new_reward(ada)
    got = await redeem(ada, tea, expectedCost=30)
    assert (got["cost"], got["title"], got["refundedAt"]) == (30, "Tea", None)
    assert (got["wallet"]["balance"], got["reward"]["redemptionCount"]) == (70, 1)
    history = (await ada.gql(REWARD, id=tea["id"]))["reward"]["redemptions"]["items"]
    assert history == [{"id": got["id"]}]
    entries = await ada.gql(
        "{ wallet { transactions(limit: 1) { items { amount type reason rewardId reference } } } }"
    )
    assert entries["wallet"]["transactions"]["items"] == [
        {
            "amount": -30,
            "type": "spent",
            "reason": "Tea",
            "rewardId": tea["id"],
            "reference": got["id"],
        }
    ]
    after = await sums(table, ada.id)
    assert (after.balance, after.earned, after.spent) == (70, 100, 30)


async def test_too_few_points(ada: Person, table: Gateway) -> None:
    await rich(ada, 29)
    tea = await new_reward(ada, cooldownHours=1, maxRedemptionsPerDay=1)
    refused = await ada.refused(REDEEM, rewardId=tea["id"])
    assert (refused.code, refused.info["needed"], refused.info["balance"]) == (
        "INSUFFICIENT_POINTS",
        30,
        29,
    )
    assert await nothing_was_redeemed(ada, table, tea)


async def nothing_was_redeemed(person: Person, table: Gateway, reward: dict[str, Any]) -> bool:
    found = (await person.gql(REWARD, id=reward["id"]))["reward"]
    inside = [item["SK"]["S"] async for item in table.partition(f"REWARD#{reward['id']}")]
    return bool(found["version"] == reward["version"] and inside == ["OWNER"])


async def test_a_free_reward_changes_no_wallet(ada: Person, table: Gateway) -> None:
    free = await new_reward(ada, pointCost=0)
    assert (await redeem(ada, free))["cost"] == 0
    assert (await sums(table, ada.id)).transactions == []


async def test_an_archived_reward_cannot_be_redeemed(ada: Person, table: Gateway) -> None:
    await rich(ada)
    old = await new_reward(ada, status="Archived")
    assert (await ada.refused(REDEEM, rewardId=old["id"])).code == "NOT_ACTIVE"
    assert await nothing_was_redeemed(ada, table, old)


async def test_another_price_than_the_expected_is_refused(ada: Person, table: Gateway) -> None:
    await rich(ada)
    tea = await new_reward(ada)
    await ada.gql(UPDATE, input={"id": tea["id"], "pointCost": 300})
    refused = await ada.refused(REDEEM, rewardId=tea["id"], expectedCost=30)
    assert (refused.code, refused.info["currentCost"]) == ("CONFLICT", 300)
    assert (await sums(table, ada.id)).spent == 0
    assert (await redeem(ada, tea, expectedCost=300))["cost"] == 300


async def test_cooldown_ends_on_the_minute(ada: Person, table: Gateway, clock: TestClock) -> None:
    begin = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    clock.freeze(begin)
    person = await ada.api.sign_up()
    await rich(person)
    tea = await new_reward(person, cooldownHours=2)
    await redeem(person, tea)
    await travel(clock, begin + timedelta(hours=2, milliseconds=-1), person)
    refused = await person.refused(REDEEM, rewardId=tea["id"])
    assert refused.code == "COOLDOWN"
    assert refused.info["nextAvailableAt"] == "2026-03-01T14:00:00.000Z"
    seen = (await person.gql(REWARD, id=tea["id"]))["reward"]
    assert seen["nextAvailableAt"] == "2026-03-01T14:00:00.000Z"
    clock.freeze(begin + timedelta(hours=2))
    assert (await redeem(person, tea))["wallet"]["balance"] == 940
    await travel(clock, begin, person)
    assert (await person.refused(REDEEM, rewardId=tea["id"])).code == "COOLDOWN"


@pytest.mark.parametrize("cooldown", [None, 0])
async def test_no_cooldown_is_no_wait(ada: Person, cooldown: int | None) -> None:
    await rich(ada)
    tea = await new_reward(ada, cooldownHours=cooldown)
    for _ in range(3):
        last = await redeem(ada, tea)
    assert last["reward"]["redemptionCount"] == 3


@pytest.mark.parametrize(
    ("zone", "again"),
    [
        ("UTC", "2026-03-28T00:00:00.000Z"),
        ("Pacific/Auckland", "2026-03-28T11:00:00.000Z"),
        ("America/Los_Angeles", "2026-03-28T07:00:00.000Z"),
    ],
)
async def test_the_daily_limit_is_for_the_users_local_day(
    api: Api, clock: TestClock, zone: str, again: str
) -> None:
    clock.freeze(datetime(2026, 3, 27, 20, 0, tzinfo=UTC))
    person = await api.sign_up(timeZone=zone)
    await rich(person)
    tea = await new_reward(person, maxRedemptionsPerDay=2)
    await redeem(person, tea)
    await redeem(person, tea)
    refused = await person.refused(REDEEM, rewardId=tea["id"])
    assert (refused.code, refused.info["nextAvailableAt"]) == ("DAILY_LIMIT", again)
    await travel(clock, datetime.fromisoformat(again) - timedelta(milliseconds=1), person)
    assert (await person.refused(REDEEM, rewardId=tea["id"])).code == "DAILY_LIMIT"
    await travel(clock, datetime.fromisoformat(again), person)
    assert (await redeem(person, tea))["reward"]["redemptionCount"] == 3


async def test_a_day_of_23_hours(api: Api, clock: TestClock) -> None:
    """Europe/Lisbon, 29 March 2026: the clocks go forward."""
    clock.freeze(datetime(2026, 3, 29, 0, 30, tzinfo=UTC))
    person = await api.sign_up(timeZone="Europe/Lisbon")
    await rich(person)
    tea = await new_reward(person, maxRedemptionsPerDay=1)
    await redeem(person, tea)
    refused = await person.refused(REDEEM, rewardId=tea["id"])
    assert refused.info["nextAvailableAt"] == "2026-03-29T23:00:00.000Z"


async def test_a_limit_of_zero_is_never(ada: Person, table: Gateway) -> None:
    await rich(ada)
    tea = await new_reward(ada, maxRedemptionsPerDay=0)
    refused = await ada.refused(REDEEM, rewardId=tea["id"])
    assert (refused.code, refused.info["nextAvailableAt"]) == ("DAILY_LIMIT", None)
    assert await nothing_was_redeemed(ada, table, tea)


async def test_a_refund_gives_the_points_back_once(ada: Person, table: Gateway) -> None:
    await rich(ada, 100)
    tea = await new_reward(ada, maxRedemptionsPerDay=1)
    got = await redeem(ada, tea)
    back = (await ada.gql(REFUND, id=got["id"]))["refundRedemption"]
    assert back["wallet"] == {"balance": 100, "lifetimeSpent": 0}
    assert back["refundedAt"] is not None
    assert (await ada.refused(REFUND, id=got["id"])).code == "ALREADY_REFUNDED"
    assert (await sums(table, ada.id)).transactions == [30, -30, 100]
    assert (await ada.refused(REDEEM, rewardId=tea["id"])).code == "DAILY_LIMIT"


async def test_twenty_refunds_at_once_pay_once(ada: Person, table: Gateway) -> None:
    await rich(ada, 100)
    got = await redeem(ada, await new_reward(ada))
    answers = await asyncio.gather(
        *(ada.api.post(REFUND, headers=ada.headers, id=got["id"]) for _ in range(20))
    )
    assert sum("errors" not in each.json() for each in answers) == 1
    assert (await sums(table, ada.id)).balance == 100


@pytest.mark.parametrize(
    "id", ["x", "-", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "r-notaulid", "r-" + "Z" * 26]
)
async def test_a_refund_of_no_redemption_is_not_found(ada: Person, id: str) -> None:
    assert (await ada.refused(REFUND, id=id)).code == "NOT_FOUND"


async def test_fifty_at_once_spend_what_there_is(ada: Person, table: Gateway) -> None:
    await rich(ada, 100)
    tea = await new_reward(ada)
    answers = await asyncio.gather(
        *(ada.api.post(REDEEM, headers=ada.headers, rewardId=tea["id"]) for _ in range(50))
    )
    codes = [each.json() for each in answers]
    assert sum("errors" not in each for each in codes) == 3
    refused = {e["errors"][0]["extensions"]["code"] for e in codes if "errors" in e}
    assert refused == {"INSUFFICIENT_POINTS"}
    assert (await sums(table, ada.id)).balance == 10


@pytest.mark.parametrize(
    ("limits", "code"),
    [({"cooldownHours": 1}, "COOLDOWN"), ({"maxRedemptionsPerDay": 1}, "DAILY_LIMIT")],
)
async def test_limits_hold_when_raced(
    ada: Person, table: Gateway, limits: dict[str, int], code: str
) -> None:
    await rich(ada)
    tea = await new_reward(ada, **limits)
    answers = await asyncio.gather(
        *(ada.api.post(REDEEM, headers=ada.headers, rewardId=tea["id"]) for _ in range(20))
    )
    got = [each.json() for each in answers]
    assert sum("errors" not in each for each in got) == 1
    refused = {e["errors"][0]["extensions"]["code"] for e in got if "errors" in e}
    assert refused == {code}
    assert (await sums(table, ada.id)).spent == 30


async def test_one_key_redeems_once(ada: Person, table: Gateway) -> None:
    await rich(ada)
    tea = await new_reward(ada)
    answers = await asyncio.gather(*(redeem(ada, tea, key="once") for _ in range(20)))
    assert len({each["id"] for each in answers}) == 1
    assert (await sums(table, ada.id)).spent == 30
    other = await ada.refused(REDEEM, rewardId=tea["id"], expectedCost=30, key="once")
    assert other.code == "IDEMPOTENCY_MISMATCH"


async def test_redemptions_of_one_reward_in_pages(ada: Person) -> None:
    await rich(ada)
    tea, cake = await new_reward(ada), await new_reward(ada, title="Cake")
    made = [(await redeem(ada, tea))["id"] for _ in range(5)]
    await redeem(ada, cake)
    query = """query ($id: ID!, $nextToken: String) { reward(id: $id) {
      redemptions(limit: 2, nextToken: $nextToken) { items { id } nextToken } } }"""
    seen: list[str] = []
    token = None
    for _ in range(3):
        answer = await ada.gql(query, id=tea["id"], nextToken=token)
        page = answer["reward"]["redemptions"]
        seen += [each["id"] for each in page["items"]]
        token = page["nextToken"]
    assert (seen, token) == (made[::-1], None)


async def test_deleting_takes_the_history_and_leaves_the_wallet(
    ada: Person, table: Gateway
) -> None:
    await rich(ada)
    tea = await new_reward(ada)
    got = await redeem(ada, tea)
    assert (await ada.gql(DELETE, id=tea["id"]))["deleteReward"] == {"id": tea["id"]}
    assert await ada.gql(REWARD, id=tea["id"]) == {"reward": None}
    assert [item async for item in table.partition(f"REWARD#{tea['id']}")] == []
    assert (await sums(table, ada.id)).spent == 30
    assert (await ada.refused(REFUND, id=got["id"])).code == "NOT_FOUND"


async def test_others_rewards_do_not_exist(ada: Person, bob: Person, table: Gateway) -> None:
    await rich(ada)
    await rich(bob)
    tea = await new_reward(ada)
    got = await redeem(ada, tea)
    before = [item async for item in table.partition(f"REWARD#{tea['id']}")]
    assert await bob.gql(REWARD, id=tea["id"]) == {"reward": None}
    assert (await bob.gql(REWARDS))["rewards"]["items"] == []
    refusals = [
        await bob.refused(REDEEM, rewardId=tea["id"]),
        await bob.refused(REFUND, id=got["id"]),
        await bob.refused(DELETE, id=tea["id"]),
        await bob.refused(UPDATE, input={"id": tea["id"], "title": "Mine"}),
    ]
    assert [each.code for each in refusals] == ["NOT_FOUND"] * 4
    assert [item async for item in table.partition(f"REWARD#{tea['id']}")] == before
    assert (await sums(table, bob.id)).spent == 0
    assert (await sums(table, ada.id)).spent == 30


async def test_freezes_are_bought_and_at_most_two_are_held(ada: Person, table: Gateway) -> None:
    poor = await ada.refused(BUY_FREEZE)
    assert (poor.code, poor.info["needed"]) == ("INSUFFICIENT_POINTS", 200)
    await rich(ada, 1000)
    stale = await ada.refused(BUY_FREEZE, expectedCost=1)
    assert (stale.code, stale.info["currentCost"]) == ("CONFLICT", 200)
    one = (await ada.gql(BUY_FREEZE, expectedCost=200))["buyFreeze"]
    assert one == {"balance": 800, "freezes": 1, "freezeCost": 200}
    assert (await ada.gql(BUY_FREEZE))["buyFreeze"]["freezes"] == 2
    assert (await ada.refused(BUY_FREEZE)).code == "ENOUGH_FREEZES"
    assert (await sums(table, ada.id)).balance == 600


async def test_twenty_freezes_bought_at_once_are_two(ada: Person, table: Gateway) -> None:
    await rich(ada, 1000)
    answers = await asyncio.gather(
        *(ada.api.post(BUY_FREEZE, headers=ada.headers) for _ in range(20))
    )
    assert sum("errors" not in each.json() for each in answers) == 2
    wallet = await table.get(keys.wallet(ada.id))
    assert wallet is not None
    assert (wallet.freezes, (await sums(table, ada.id)).balance) == (2, 600)


async def test_rewards_stand_in_the_timeline(ada: Person) -> None:
    tea = await new_reward(ada)
    seen = await ada.gql('{ timeline(types: ["Reward"]) { items { __typename id } } }')
    assert seen["timeline"]["items"] == [{"__typename": "Reward", "id": tea["id"]}]
