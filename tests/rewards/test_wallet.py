"""The wallet: its sums, its transactions, and that they always agree."""

import asyncio
import dataclasses
from dataclasses import dataclass
from functools import partial

import pytest
from strawberry import ID

from app.core.caller import acting_for
from app.core.errors import AppError
from app.domains.rewards import keys
from app.domains.rewards.errors import InsufficientPoints
from app.domains.rewards.service import Wallets
from app.domains.rewards.types import Earning, PointsMovement, Spending
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.servers import RunningServer

WALLET = """
query ($limit: Int, $nextToken: String) {
  wallet {
    balance lifetimeEarned lifetimeSpent
    transactions(limit: $limit, nextToken: $nextToken) {
      items { id amount type reason taskId metricId rewardId reference createdAt }
      nextToken
    }
  }
}
"""
ADJUST = """
mutation ($amount: Int!, $reason: String!, $key: String) {
  adjustWallet(input: {amount: $amount, reason: $reason, idempotencyKey: $key}) {
    balance lifetimeEarned lifetimeSpent
  }
}
"""


@dataclass
class Sums:
    balance: int
    earned: int
    spent: int
    transactions: list[int]


async def sums(table: Gateway, user_id: str) -> Sums:
    """Read from the table, and checked: the wallet and its transactions agree."""
    wallet = await table.get(keys.wallet(user_id))
    assert wallet is not None
    query = keys.transactions_of_wallet(user_id)
    amounts = [each.amount async for each in table.query_all(query)]
    assert wallet.balance == wallet.lifetime_earned - wallet.lifetime_spent == sum(amounts)
    assert wallet.balance >= 0
    return Sums(wallet.balance, wallet.lifetime_earned, wallet.lifetime_spent, amounts)


def wallets_of(server: RunningServer, table: Gateway, person: Person) -> Wallets:
    resources = dataclasses.replace(server.app.state.resources, table=table)
    return Services(resources, acting_for(person.id)).wallets


@pytest.fixture
def wallets(server: RunningServer, table: Gateway, ada: Person) -> Wallets:
    return wallets_of(server, table, ada)


async def test_sign_up_creates_an_empty_wallet(ada: Person, table: Gateway) -> None:
    items = {each["SK"]["S"]: each async for each in table.partition(f"USER#{ada.id}")}
    item = items["WALLET"]
    assert item["entityType"] == {"S": "Wallet"}
    assert item["userId"] == {"S": ada.id}
    assert (item["balance"], item["version"]) == ({"N": "0"}, {"N": "1"})
    assert "ttl" not in item
    wallet = (await ada.gql(WALLET))["wallet"]
    assert wallet == {
        "balance": 0,
        "lifetimeEarned": 0,
        "lifetimeSpent": 0,
        "transactions": {"items": [], "nextToken": None},
    }


async def test_earning_counts_and_says_why(ada: Person, table: Gateway, wallets: Wallets) -> None:
    await table.write(
        *wallets.earn(Earning(user_id=ada.id, points=120, reason="Finished", task_id=ID("t1")))
    )
    wallet = (await ada.gql(WALLET))["wallet"]
    assert (wallet["balance"], wallet["lifetimeEarned"], wallet["lifetimeSpent"]) == (120, 120, 0)
    (entry,) = wallet["transactions"]["items"]
    assert (entry["amount"], entry["type"], entry["reason"]) == (120, "earned", "Finished")
    assert (entry["taskId"], entry["metricId"], entry["rewardId"]) == ("t1", None, None)


async def test_several_earnings_are_one_change_and_several_transactions(
    ada: Person, table: Gateway, wallets: Wallets
) -> None:
    earnings = [
        Earning(user_id=ada.id, points=200, reason="Target", metric_id=ID("m")),
        Earning(user_id=ada.id, points=0, reason="Nothing"),
        Earning(user_id=ada.id, points=350, reason="Streak", metric_id=ID("m")),
    ]
    await table.write(*wallets.earn(*earnings))
    after = await sums(table, ada.id)
    assert (after.balance, sorted(after.transactions)) == (550, [200, 350])


async def test_no_points_are_no_writes(ada: Person, wallets: Wallets) -> None:
    assert wallets.earn(Earning(user_id=ada.id, points=0, reason="-")) == []
    assert wallets.take_back(Earning(user_id=ada.id, points=0, reason="-")) == []
    assert wallets.spend(Spending(user_id=ada.id, points=0, reason="-")) == []
    assert wallets.refund(Spending(user_id=ada.id, points=0, reason="-")) == []


async def test_points_below_zero_are_a_mistake_of_the_caller(ada: Person, wallets: Wallets) -> None:
    earning = Earning(user_id=ada.id, points=-1, reason="-")
    spending = Spending(user_id=ada.id, points=-1, reason="-")
    for build in (
        partial(wallets.earn, earning),
        partial(wallets.take_back, earning),
        partial(wallets.spend, spending),
        partial(wallets.refund, spending),
    ):
        with pytest.raises(ValueError, match="from 0"):
            build()


async def test_taking_back_reduces_lifetime_earned(
    ada: Person, table: Gateway, wallets: Wallets
) -> None:
    await table.write(
        *wallets.earn(Earning(user_id=ada.id, points=120, reason="Finished", task_id=ID("t1")))
    )
    await table.write(
        *wallets.take_back(Earning(user_id=ada.id, points=120, reason="Reopened", task_id=ID("t1")))
    )
    after = await sums(table, ada.id)
    assert (after.balance, after.earned, after.spent) == (0, 0, 0)
    assert after.transactions == [-120, 120]


async def test_spending_and_its_refund(ada: Person, table: Gateway, wallets: Wallets) -> None:
    await table.write(*wallets.earn(Earning(user_id=ada.id, points=100, reason="Finished")))
    await table.write(
        *wallets.spend(Spending(user_id=ada.id, points=30, reason="Tea", reward_id=ID("r")))
    )
    assert (await sums(table, ada.id)).spent == 30
    await table.write(
        *wallets.refund(Spending(user_id=ada.id, points=30, reason="No tea", reward_id=ID("r")))
    )
    after = await sums(table, ada.id)
    assert (after.balance, after.earned, after.spent) == (100, 100, 0)
    assert after.transactions == [30, -30, 100]


@pytest.mark.parametrize(("build", "kind"), [("spend", Spending), ("take_back", Earning)])
async def test_more_than_the_balance_cannot_leave(
    ada: Person, table: Gateway, wallets: Wallets, build: str, kind: type[PointsMovement]
) -> None:
    await table.write(*wallets.earn(Earning(user_id=ada.id, points=99, reason="Finished")))
    movement = kind(user_id=ada.id, points=100, reason="Too much")
    with pytest.raises(AppError) as refused:
        await table.write(*getattr(wallets, build)(movement))
    assert refused.value.code == "INSUFFICIENT_POINTS"
    assert refused.value.info == {"needed": 100, "balance": 99}
    assert (await sums(table, ada.id)).transactions == [99]


async def test_the_first_earning_creates_an_absent_wallet(
    api: Api, table: Gateway, wallets: Wallets
) -> None:
    stranger = f"x{(await api.sign_up()).id}"
    with pytest.raises(AppError):
        await table.write(*wallets.spend(Spending(user_id=stranger, points=1, reason="-")))
    await table.write(*wallets.earn(Earning(user_id=stranger, points=5, reason="First")))
    wallet = await table.get(keys.wallet(stranger))
    assert wallet is not None
    assert (wallet.user_id, wallet.balance, wallet.version) == (stranger, 5, 1)


async def test_adjusting_has_a_reason_and_a_sign(ada: Person, table: Gateway) -> None:
    up = (await ada.gql(ADJUST, amount=50, reason="Birthday"))["adjustWallet"]
    assert up == {"balance": 50, "lifetimeEarned": 50, "lifetimeSpent": 0}
    down = (await ada.gql(ADJUST, amount=-20, reason="Typing mistake"))["adjustWallet"]
    assert down == {"balance": 30, "lifetimeEarned": 50, "lifetimeSpent": 20}
    items = (await ada.gql(WALLET))["wallet"]["transactions"]["items"]
    assert [(e["amount"], e["type"], e["reason"]) for e in items] == [
        (-20, "manual", "Typing mistake"),
        (50, "manual", "Birthday"),
    ]
    await sums(table, ada.id)


@pytest.mark.parametrize("amount", [0, 1_000_001, -1_000_001])
async def test_adjusting_has_bounds(ada: Person, table: Gateway, amount: int) -> None:
    assert (await ada.refused(ADJUST, amount=amount, reason="x")).code == "BAD_INPUT"
    assert (await sums(table, ada.id)).transactions == []


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
async def test_adjusting_needs_a_reason(ada: Person, table: Gateway, reason: str) -> None:
    assert (await ada.refused(ADJUST, amount=5, reason=reason)).code == "BAD_INPUT"
    assert (await sums(table, ada.id)).transactions == []


async def test_adjusting_never_goes_below_zero(ada: Person, table: Gateway) -> None:
    await ada.gql(ADJUST, amount=10, reason="x")
    assert (await ada.refused(ADJUST, amount=-11, reason="x")).code == "INSUFFICIENT_POINTS"
    assert (await sums(table, ada.id)).transactions == [10]


async def test_one_key_adjusts_once_even_when_raced(ada: Person, table: Gateway) -> None:
    answers = await asyncio.gather(
        *(ada.gql(ADJUST, amount=7, reason="Once", key="k-1") for _ in range(20))
    )
    assert {each["adjustWallet"]["balance"] for each in answers} == {7}
    assert (await sums(table, ada.id)).transactions == [7]
    refused = await ada.refused(ADJUST, amount=8, reason="Once", key="k-1")
    assert refused.code == "IDEMPOTENCY_MISMATCH"


async def test_a_wallet_has_an_upper_limit(ada: Person, table: Gateway, wallets: Wallets) -> None:
    await table.write(
        *wallets.earn(Earning(user_id=ada.id, points=2_000_000_000, reason="All of it"))
    )
    assert (await ada.refused(ADJUST, amount=1, reason="x")).code == "LIMIT_EXCEEDED"
    assert (await ada.gql(WALLET))["wallet"]["balance"] == 2_000_000_000


async def test_transactions_come_in_pages_newest_first(ada: Person) -> None:
    for amount in range(1, 8):
        await ada.gql(ADJUST, amount=amount, reason=f"number {amount}")
    seen: list[int] = []
    token: str | None = None
    while True:
        wallet = (await ada.gql(WALLET, limit=3, nextToken=token))["wallet"]
        seen += [each["amount"] for each in wallet["transactions"]["items"]]
        token = wallet["transactions"]["nextToken"]
        if token is None:
            break
    assert seen == [7, 6, 5, 4, 3, 2, 1]


async def test_a_page_token_of_another_user_is_refused(ada: Person, bob: Person) -> None:
    for person in (ada, bob):
        for amount in (1, 2):
            await person.gql(ADJUST, amount=amount, reason="x")
    token = (await ada.gql(WALLET, limit=1))["wallet"]["transactions"]["nextToken"]
    assert (await bob.refused(WALLET, limit=1, nextToken=token)).code == "BAD_TOKEN"


async def test_a_wallet_is_for_its_owner(api: Api) -> None:
    answer = (await api.post("{ wallet { balance } }")).json()
    assert answer["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"


async def test_the_last_points_are_spent_once(
    ada: Person, table: Gateway, wallets: Wallets
) -> None:
    await table.write(*wallets.earn(Earning(user_id=ada.id, points=100, reason="All there is")))

    async def spend() -> bool:
        try:
            await table.write(*wallets.spend(Spending(user_id=ada.id, points=30, reason="Tea")))
        except InsufficientPoints:
            return False
        return True

    done = await asyncio.gather(*(spend() for _ in range(50)))
    assert sum(done) == 3
    assert (await sums(table, ada.id)).balance == 10


async def test_a_thousand_at_once_lose_nothing(
    ada: Person, table: Gateway, wallets: Wallets
) -> None:
    """Credits and debits of one wallet, all at the same time and in the same milliseconds."""
    refused = 0

    async def move(number: int) -> int:
        nonlocal refused
        points = number % 7 + 1
        reason = f"number {number}"
        if number % 2:
            writes = wallets.earn(Earning(user_id=ada.id, points=points, reason=reason))
        else:
            writes = wallets.spend(Spending(user_id=ada.id, points=points, reason=reason))
        try:
            await table.write(*writes)
        except InsufficientPoints:
            refused += 1
            return 0
        return points if number % 2 else -points

    moved = await asyncio.gather(*(move(number) for number in range(1000)))
    after = await sums(table, ada.id)
    assert after.balance == sum(moved)
    assert len(after.transactions) == 1000 - refused
    assert sorted(after.transactions) == sorted(amount for amount in moved if amount)
