"""A wallet against a plain model: whatever is done to it, in whatever order."""

import asyncio
import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from app.core.caller import acting_for
from app.core.errors import AppError
from app.domains.rewards import keys
from app.domains.rewards.errors import InsufficientPoints
from app.domains.rewards.inputs import AdjustWalletInput
from app.domains.rewards.service import Wallets
from app.domains.rewards.types import Earning, Spending
from app.services import Services
from app.settings import Settings
from app.table.gateway import Gateway
from tests.conftest import REGION
from tests.servers import RunningServer

points = st.integers(0, 50)


class Model:
    """What the document says: three sums and a list."""

    def __init__(self) -> None:
        self.earned = self.spent = 0
        self.amounts: list[int] = []

    @property
    def balance(self) -> int:
        return self.earned - self.spent

    def move(self, *amounts: int, earned: int = 0, spent: int = 0) -> None:
        self.earned += earned
        self.spent += spent
        self.amounts += [amount for amount in amounts if amount]


class WalletMachine(RuleBasedStateMachine):
    """Runs on an event loop of its own; every step is a real transaction."""

    server: RunningServer
    settings_: Settings
    compared: int

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        opened = Gateway.open(
            table=self.settings_.table_name, region=REGION, endpoint=self.settings_.endpoint_url
        )
        self.opened = opened
        self.table = self.wait(opened.__aenter__())
        self.user = f"m{uuid4().hex}"
        resources = dataclasses.replace(self.server.app.state.resources, table=self.table)
        self.wallets: Wallets = Services(resources, acting_for(self.user)).wallets
        self.model = Model()

    def teardown(self) -> None:
        self.wait(self.opened.__aexit__(None, None, None))
        self.loop.close()

    def wait(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def goes_through(self, work: Any, *, should: bool) -> bool:
        """Whether it went through, which it must exactly if the model says so."""
        try:
            self.wait(work)
        except InsufficientPoints:
            assert not should
            return False
        assert should
        return True

    @rule(amounts=st.lists(points, min_size=1, max_size=3))
    def earn(self, amounts: list[int]) -> None:
        earnings = [
            Earning(user_id=self.user, points=amount, reason="earned") for amount in amounts
        ]
        self.wait(self.table.write(*self.wallets.earn(*earnings)))
        self.model.move(*amounts, earned=sum(amounts))

    @rule(amount=points)
    def take_back(self, amount: int) -> None:
        writes = self.wallets.take_back(Earning(user_id=self.user, points=amount, reason="undone"))
        if self.goes_through(self.table.write(*writes), should=amount <= self.model.balance):
            self.model.move(-amount, earned=-amount)

    @rule(amount=points)
    def spend(self, amount: int) -> None:
        writes = self.wallets.spend(Spending(user_id=self.user, points=amount, reason="spent"))
        if self.goes_through(self.table.write(*writes), should=amount <= self.model.balance):
            self.model.move(-amount, spent=amount)

    @rule(share=st.integers(0, 100))
    def refund(self, share: int) -> None:
        amount = self.model.spent * share // 100
        self.wait(
            self.table.write(
                *self.wallets.refund(Spending(user_id=self.user, points=amount, reason="refund"))
            )
        )
        self.model.move(amount, spent=-amount)

    @rule(amount=st.integers(-50, 50).filter(bool))
    def adjust(self, amount: int) -> None:
        request = AdjustWalletInput(amount=amount, reason="by hand")
        should = amount >= -self.model.balance
        if self.goes_through(self.wallets.adjust(request), should=should):
            self.model.move(amount, earned=max(amount, 0), spent=max(-amount, 0))

    @rule(amounts=st.lists(st.integers(-20, 20).filter(bool), min_size=2, max_size=6))
    def several_at_once(self, amounts: list[int]) -> None:
        """In an order that nobody knows: those that went through add up."""

        async def race() -> list[Any]:
            return await asyncio.gather(*map(self.move, amounts), return_exceptions=True)

        for amount, outcome in zip(amounts, self.wait(race()), strict=True):
            if outcome is None:
                self.model.move(amount, earned=max(amount, 0), spent=max(-amount, 0))
            else:
                assert isinstance(outcome, InsufficientPoints)
                assert amount < 0

    async def move(self, amount: int) -> None:
        if amount > 0:
            earning = Earning(user_id=self.user, points=amount, reason="raced")
            await self.table.write(*self.wallets.earn(earning))
        else:
            spending = Spending(user_id=self.user, points=-amount, reason="raced")
            await self.table.write(*self.wallets.spend(spending))

    @invariant()
    def the_table_says_what_the_model_says(self) -> None:
        wallet = self.wait(self.table.get(keys.wallet(self.user)))
        rows = self.wait(self.table.query(keys.transactions_of_wallet(self.user), limit=1000))
        seen = (
            (wallet.balance, wallet.lifetime_earned, wallet.lifetime_spent) if wallet else (0, 0, 0)
        )
        assert seen == (self.model.balance, self.model.earned, self.model.spent)
        assert seen[0] >= 0
        assert sorted(each.amount for each in rows.items) == sorted(self.model.amounts)
        WalletMachine.compared += bool(rows.items)


def test_wallet_machine(server: RunningServer, settings: Settings) -> None:
    WalletMachine.server, WalletMachine.settings_ = server, settings
    WalletMachine.compared = 0
    run_state_machine_as_test(WalletMachine, settings=_SETTINGS)
    assert WalletMachine.compared > _SETTINGS.max_examples


_SETTINGS = settings(
    max_examples=10,
    stateful_step_count=10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


class PowerCut(BaseException):
    """The process ends here, whatever it was doing."""


@contextmanager
def cut_at_call(table: Gateway, number: int, *, after: bool) -> Iterator[None]:
    real, seen = table._call, 0

    async def call(operation: str, **parameters: object) -> dict[str, Any]:
        nonlocal seen
        seen += 1
        if seen == number and not after:
            raise PowerCut
        answer = await real(operation, **parameters)
        if seen == number:
            raise PowerCut
        return answer

    with patch.object(table, "_call", call):
        yield


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_cut_off_at_any_call_and_repeated_it_happens_once(
    server: RunningServer, table: Gateway, after: bool
) -> None:
    resources = dataclasses.replace(server.app.state.resources, table=table)
    number = 0
    while True:
        number += 1
        user = f"c{uuid4().hex}"
        wallets = Services(resources, acting_for(user)).wallets
        request = AdjustWalletInput(amount=5, reason="Once", idempotency_key="same")
        cut = False
        try:
            with cut_at_call(table, number, after=after):
                await wallets.adjust(request)
        except PowerCut:
            cut = True
        await wallets.adjust(request)
        wallet = await table.get(keys.wallet(user))
        rows = await table.query(keys.transactions_of_wallet(user), limit=10)
        assert wallet is not None
        assert (wallet.balance, [each.amount for each in rows.items]) == (5, [5])
        if not cut:
            break
    assert number >= 3


def test_the_refusal_says_price_and_balance() -> None:
    assert isinstance(InsufficientPoints(2, 1), AppError)
    assert str(InsufficientPoints(2, 1)).startswith("This costs 2 points, and you have 1.")
