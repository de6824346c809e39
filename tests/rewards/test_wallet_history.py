"""The wallet by day, and its transactions by day and type."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.domains.rewards import rules
from tests.api import Api, Person
from tests.rewards.test_rewards import new_reward, redeem
from tests.rewards.test_wallet import ADJUST
from tests.servers import TestClock
from tests.travel import travel

HISTORY = """
query ($from: AWSDate, $to: AWSDate, $type: TransactionType, $limit: Int, $nextToken: String) {
  wallet { transactions(from: $from, to: $to, type: $type, limit: $limit, nextToken: $nextToken) {
    items { amount type } nextToken } }
}
"""
BY_DAY = """
query ($from: AWSDate, $to: AWSDate) {
  wallet { pointsByDay(from: $from, to: $to) { date earned spent balanceChange } }
}
"""
REFUND = "mutation ($id: ID!) { refundRedemption(input: {redemptionId: $id}) { id } }"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
async def person(api: Api, clock: TestClock) -> Person:
    """In Los Angeles. Days end at 8:00 UTC there: +500 on 1 March, -30 +30 and -20 on 3 March."""
    clock.freeze(at("2026-03-02T07:59:59"))
    person = await api.sign_up(timeZone="America/Los_Angeles")
    await person.gql(ADJUST, amount=500, reason="Begin")
    await travel(clock, at("2026-03-03T08:00:00"), person)
    reward = await new_reward(person)
    redemption = await redeem(person, reward)
    await person.gql(REFUND, id=redemption["id"])
    await redeem(person, reward)
    await travel(clock, at("2026-03-04T07:59:59"), person)
    await person.gql(ADJUST, amount=-20, reason="Wrong")
    return person


async def amounts(person: Person, **arguments: object) -> list[int]:
    found = (await person.gql(HISTORY, **arguments))["wallet"]["transactions"]["items"]
    return [each["amount"] for each in found]


async def by_day(person: Person, **arguments: object) -> list[Any]:
    found: list[Any] = (await person.gql(BY_DAY, **arguments))["wallet"]["pointsByDay"]
    return found


async def test_points_of_each_day(person: Person) -> None:
    found = await by_day(person, **{"from": "2026-03-01", "to": "2026-03-03"})
    assert found == [
        {"date": "2026-03-01", "earned": 500, "spent": 0, "balanceChange": 500},
        {"date": "2026-03-02", "earned": 0, "spent": 0, "balanceChange": 0},
        {"date": "2026-03-03", "earned": 0, "spent": 50, "balanceChange": -50},
    ]
    usual = await by_day(person)
    assert (len(usual), usual[-1]["date"]) == (30, "2026-03-03")
    assert sum(each["balanceChange"] for each in usual) == 450


async def test_transactions_by_day_and_type(person: Person) -> None:
    assert await amounts(person) == [-20, -30, 30, -30, 500]
    assert await amounts(person, type="spent") == [-30, 30, -30]
    assert await amounts(person, **{"from": "2026-03-02"}) == [-20, -30, 30, -30]
    assert await amounts(person, to="2026-03-02") == [500]
    assert await amounts(person, **{"from": "2026-03-02", "to": "2026-03-02"}) == []
    assert await amounts(person, **{"from": "2026-03-03", "type": "manual"}) == [-20]
    assert await amounts(person, **{"from": "0001-01-01", "to": "9999-12-31"}) == [
        -20, -30, 30, -30, 500
    ]  # fmt: skip


async def test_a_filtered_list_in_pages(person: Person) -> None:
    first = (await person.gql(HISTORY, type="spent", limit=2))["wallet"]["transactions"]
    assert [each["amount"] for each in first["items"]] == [-30, 30]
    token = first["nextToken"]
    rest = await person.gql(HISTORY, type="spent", limit=2, nextToken=token)
    assert [each["amount"] for each in rest["wallet"]["transactions"]["items"]] == [-30]
    assert (await person.refused(HISTORY, type="manual", nextToken=token)).code == "BAD_TOKEN"


@pytest.mark.parametrize(
    ("since", "until"), [("2026-03-03", "2026-03-01"), ("2025-03-02", "2026-03-03")]
)
async def test_a_range_is_bounded(person: Person, since: str, until: str) -> None:
    refused = await person.refused(BY_DAY, **{"from": since, "to": until})
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "from")


async def test_the_transactions_of_a_range_are_bounded(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "MOST_TRANSACTIONS", 4)
    assert (await person.refused(BY_DAY)).code == "LIMIT_EXCEEDED"
    assert len(await by_day(person, **{"from": "2026-03-02"})) == 2
