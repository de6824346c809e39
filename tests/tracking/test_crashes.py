"""Cut off before or after any call to the table and repeated, everything happens once."""

import dataclasses
from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import TypeVar

import pytest

from app.core.caller import acting_for
from app.domains.rewards.inputs import RedeemRewardInput, RefundRedemptionInput
from app.domains.tracking import keys
from app.domains.tracking.inputs import DeleteMetricInput, LogHabitInput, LogMetricInput
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.rewards.test_rewards import new_reward, redeem, rich
from tests.rewards.test_wallet import sums
from tests.rewards.test_wallet_machine import PowerCut, cut_at_call
from tests.servers import RunningServer
from tests.tracking.test_habits import kinds, new_habit
from tests.tracking.test_metrics import check_caches, log, logs, new_metric

T = TypeVar("T")


class Sweep:
    """Does the work for a new person each time, cut off one call later each time."""

    def __init__(self, server: RunningServer, table: Gateway, *, after: bool) -> None:
        self.resources = dataclasses.replace(server.app.state.resources, table=table)
        self.table = table
        self.after = after
        self.number = 0

    async def cut(
        self, person: Person, request: T, work: Callable[[Services, T], Awaitable[object]]
    ) -> bool:
        """Whether it was cut off; then it was done again."""
        self.number += 1
        try:
            with cut_at_call(self.table, self.number, after=self.after):
                await work(Services(self.resources, acting_for(person.id)), request)
        except PowerCut:
            await work(Services(self.resources, acting_for(person.id)), request)
            return True
        assert self.number > 2, "it was never cut"
        return False


@pytest.fixture(params=[False, True], ids=["before", "after"])
def sweep(request: pytest.FixtureRequest, server: RunningServer, table: Gateway) -> Sweep:
    return Sweep(server, table, after=request.param)


async def test_a_log_that_wins(api: Api, sweep: Sweep, table: Gateway) -> None:
    again = True
    while again:
        person = await api.sign_up()
        metric = await new_metric(person, targetValue=10, thresholdHigh=5)
        request = LogMetricInput(metric_id=metric["id"], value=Decimal(10), idempotency_key="once")
        again = await sweep.cut(person, request, lambda mine, r: mine.metric_logs.log(r))
        assert len(await logs(person, metric)) == 1
        assert (await sums(table, person.id)).transactions == [200]
        await check_caches(table, person, metric)


async def test_a_habits_log(api: Api, sweep: Sweep, table: Gateway) -> None:
    again = True
    while again:
        person = await api.sign_up()
        habit = await new_habit(person)
        request = LogHabitInput(habit_id=habit["id"])
        again = await sweep.cut(person, request, lambda mine, r: mine.habit_logs.log(r))
        assert list((await kinds(person, habit)).values()) == ["DONE"]
        stored = await table.get(keys.habit(person.id, habit["id"]))
        assert stored is not None
        assert stored.cached_streak == 1


async def test_a_redemption(api: Api, sweep: Sweep, table: Gateway) -> None:
    again = True
    while again:
        person = await api.sign_up()
        await rich(person, 100)
        tea = await new_reward(person, maxRedemptionsPerDay=1)
        request = RedeemRewardInput(reward_id=tea["id"], idempotency_key="once")
        again = await sweep.cut(person, request, lambda mine, r: mine.rewards.redeem(r))
        assert (await sums(table, person.id)).transactions == [-30, 100]
        inside = [item["SK"]["S"] async for item in table.partition(f"REWARD#{tea['id']}")]
        assert sum(key.startswith("REDEMPTION#") for key in inside) == 1


async def test_a_refund(api: Api, sweep: Sweep, table: Gateway) -> None:
    again = True
    while again:
        person = await api.sign_up()
        await rich(person, 100)
        got = await redeem(person, await new_reward(person))
        request = RefundRedemptionInput(redemption_id=got["id"], idempotency_key="once")
        again = await sweep.cut(person, request, lambda mine, r: mine.rewards.refund(r))
        assert (await sums(table, person.id)).transactions == [30, -30, 100]


async def test_a_deletion_begun_again_comes_to_its_end(
    api: Api, server: RunningServer, table: Gateway
) -> None:
    sweep = Sweep(server, table, after=False)
    again = True
    while again:
        person = await api.sign_up()
        metric = await new_metric(person)
        for value in range(3):
            await log(person, metric, value)
        request = DeleteMetricInput(id=metric["id"])
        again = await sweep.cut(person, request, lambda mine, r: mine.metrics.delete(r))
        assert await table.get(keys.metric(person.id, metric["id"])) is None
        assert [item async for item in table.partition(f"METRIC#{metric['id']}")] == []
