"""What release 0.1 paid for milestones that no day has reached is taken back, once."""

import dataclasses
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from strawberry import ID

from app.core.caller import acting_for
from app.core.scalars import AWSDateTime
from app.domains.rewards.types import Earning
from app.domains.tracking import keys
from app.domains.tracking.types import Metric, MetricMilestone, MilestoneType
from app.migration.upgrades import needed_upgrades, upgrade
from app.services import Services
from app.table.gateway import Gateway
from app.table.writes import Put
from tests.api import Api, Person
from tests.rewards.test_wallet import ADJUST, WALLET, sums
from tests.rewards.test_wallet_machine import PowerCut, cut_at_call
from tests.servers import RunningServer, TestClock
from tests.tracking.test_metrics import DELETE_LOG, UPDATE, log, new_metric, won
from tests.travel import travel

START = datetime(2026, 1, 30, 12, 0, tzinfo=UTC)
WRONG = {"improvement-10": 200, "improvement-25": 500, "improvement-50": 1000}


@pytest.fixture
async def person(api: Api, clock: TestClock) -> Person:
    clock.freeze(START)
    return await api.sign_up()


class Old:
    """A metric as release 0.1 left it."""

    def __init__(self, server: RunningServer, table: Gateway, person: Person) -> None:
        self.resources = dataclasses.replace(server.app.state.resources, table=table)
        self.table, self.person = table, person

    @property
    def services(self) -> Services:
        return Services(self.resources, acting_for(self.person.id))

    async def metric(self, id: str) -> Metric:
        found = await self.table.get(keys.metric(self.person.id, id))
        assert found is not None
        return found

    async def pay(self, metric_id: str, *ids: str) -> None:
        """Milestones, as the log of this moment won them there."""
        metric = await self.metric(metric_id)
        now = AWSDateTime("2026-01-30T12:00:00.000Z")
        stamp: dict[str, Any] = {"created_at": now, "updated_at": now, "user_id": self.person.id}
        milestones, earnings = [], []
        for each in ids:
            kind, _, value = each.partition("-")
            points = WRONG.get(each, 200)
            place: dict[str, Any] = {"id": ID(each), "metric_id": ID(metric_id), "achieved_at": now}
            what: dict[str, Any] = {
                "type": MilestoneType(kind),
                "value": Decimal(value),
                "points_awarded": points,
            }
            milestones.append(MetricMilestone(**stamp, **place, **what))
            cause: dict[str, Any] = {
                "metric_id": ID(metric_id),
                "reference": each,
                "reason": "Water: better",
            }
            earnings.append(Earning(user_id=self.person.id, points=points, **cause))
        state = metric.state and dataclasses.replace(metric.state, first_day=None)
        before = dataclasses.replace(
            metric,
            state=state,
            milestone_ids=[*metric.milestone_ids, *ids],
            open_days=[],
            close_at=None,
            milestones_by_day=False,
        )
        writes = [Put(before), *map(Put, milestones), *self.services.wallets.earn(*earnings)]
        await self.table.write(*writes)

    async def repair(self, metric_id: str) -> Metric:
        """As the migration does it: until the metric is the one that it has read."""
        while True:
            found = await self.metric(metric_id)
            new = await upgrade(self.resources, found)
            if await self.metric(metric_id) == found:
                await self.table.write(Put(new))
                return new


@pytest.fixture
def old(server: RunningServer, table: Gateway, person: Person) -> Old:
    return Old(server, table, person)


async def glasses(person: Person, *values: object, **fields: object) -> dict[str, Any]:
    metric = await new_metric(person, name="Water", aggregation="sum", **fields)
    for value in values:
        await log(person, metric, value)
    return metric


async def entries(person: Person) -> list[tuple[int, str]]:
    found = (await person.gql(WALLET))["wallet"]["transactions"]["items"]
    return [(each["amount"], each["reason"]) for each in found]


async def test_the_second_glass_is_taken_back(person: Person, old: Old, table: Gateway) -> None:
    water = await glasses(person, 250, 250)
    await old.pay(water["id"], *WRONG)
    assert (await sums(table, person.id)).balance == 1700
    repaired = await old.repair(water["id"])
    assert (repaired.milestone_ids, repaired.milestones_by_day) == ([], True)
    assert await won(person, water) == {}
    paid = await sums(table, person.id)
    assert (paid.balance, paid.earned, sorted(paid.transactions)) == (
        0,
        0,
        [-1000, -500, -200, 200, 500, 1000],
    )
    assert (
        -200,
        "Correction of “Water: 10 % better than at first”: no day as a whole has reached this; "
        "it was paid by mistake.",
    ) in await entries(person)


async def test_it_is_taken_back_once_and_can_be_won_again(
    person: Person, old: Old, table: Gateway, clock: TestClock
) -> None:
    water = await glasses(person, 250, 250)
    await old.pay(water["id"], "improvement-10")
    for _ in range(3):
        await old.repair(water["id"])
    assert (await sums(table, person.id)).transactions == [-200, 200]
    assert needed_upgrades(await old.metric(water["id"])) == []
    await travel(clock, datetime(2026, 1, 31, 12, tzinfo=UTC), person)
    await log(person, water, 560)
    assert await won(person, water) == {"improvement-10": 200}
    assert (await sums(table, person.id)).transactions == [200, -200, 200]


@pytest.mark.parametrize(
    ("spent", "taken", "kept"),
    [(0, [-1000, -500, -200], {}), (400, [-600, -500, -200], {"improvement-50": 400}),
     (1650, [-50, 0, 0], {"improvement-10": 150, "improvement-25": 500, "improvement-50": 1000})],
)  # fmt: skip
async def test_points_that_are_spent_stay(
    person: Person, old: Old, table: Gateway, spent: int, taken: list[int], kept: dict[str, int]
) -> None:
    """The balance does not fall below 0, and what was kept is never paid again."""
    water = await glasses(person, 250, 250)
    await old.pay(water["id"], *WRONG)
    if spent:
        await person.gql(ADJUST, amount=-spent, reason="Tea")
    for _ in range(2):
        await old.repair(water["id"])
    paid = await sums(table, person.id)
    assert (paid.balance, paid.spent) == (0, spent)
    found = [each for each in await entries(person) if each[1].startswith("Correction")]
    assert sorted(amount for amount, _ in found) == taken
    assert await won(person, water) == kept
    assert set((await old.metric(water["id"])).milestone_ids) == set(kept)
    if spent == 400:
        assert any(
            reason.endswith("400 of its 1000 points are spent: you keep them.")
            for _, reason in found
        )


async def test_what_a_day_has_reached_stays(person: Person, old: Old, table: Gateway) -> None:
    water = await new_metric(person, name="Water", aggregation="sum")
    await log(person, water, 100, loggedAt="2026-01-29T12:00:00Z")
    for value in (60, 66):
        await log(person, water, value)
    before = await won(person, water)
    assert before == {"improvement-10": 200, "improvement-25": 500}
    await old.pay(water["id"], "improvement-50", "target_reached-126", "target_reached-127")
    await old.repair(water["id"])
    assert await won(person, water) == before | {"target_reached-126": 200}
    assert (await sums(table, person.id)).balance == 900


async def test_what_nobody_can_tell_any_more_stays(
    person: Person, old: Old, table: Gateway, clock: TestClock
) -> None:
    """The log that won it is deleted."""
    water = await glasses(person, 250)
    await travel(clock, datetime(2026, 1, 30, 13, tzinfo=UTC), person)
    await log(person, water, 1)
    await old.pay(water["id"], "improvement-10")
    first = (await old.table.query(keys.logs_of_metric(water["id"]), limit=1)).items[0]
    await person.gql(DELETE_LOG, input={"metricId": water["id"], "id": first.id})
    await old.repair(water["id"])
    assert await won(person, water) == {"improvement-10": 200}


async def test_a_metric_of_single_values_is_left_alone(person: Person, old: Old) -> None:
    """Also once it gets a day aggregation: its milestones were won by other rules."""
    weight = await new_metric(person)
    for value in (10, 20):
        await log(person, weight, value)
    stored = await old.metric(weight["id"])
    unmarked = dataclasses.replace(stored, milestones_by_day=False)
    await old.table.write(Put(unmarked))
    assert needed_upgrades(unmarked) == []
    await person.gql(UPDATE, input={"id": weight["id"], "aggregation": "sum"})
    assert needed_upgrades(await old.metric(weight["id"])) == []
    await old.repair(weight["id"])
    assert set(await won(person, weight)) == set(WRONG)


async def test_the_present_day_is_closed_afterwards(person: Person, old: Old) -> None:
    water = await glasses(person, 250, 250)
    await old.pay(water["id"], "improvement-10")
    repaired = await old.repair(water["id"])
    assert [each.day.total for each in repaired.open_days] == [Decimal(500)]
    assert repaired.close_at == "2026-01-31T00:00:00.000Z"


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_cut_off_at_any_call_and_repeated_it_is_taken_back_once(
    person: Person, server: RunningServer, table: Gateway, after: bool
) -> None:
    number, was_cut = 0, True
    while was_cut:
        number += 1
        someone = await person.api.sign_up()
        old = Old(server, table, someone)
        water = await glasses(someone, 250, 250)
        await old.pay(water["id"], *WRONG)
        was_cut = False
        try:
            with cut_at_call(table, number, after=after):
                await old.repair(water["id"])
        except PowerCut:
            was_cut = True
            await old.repair(water["id"])
        assert_taken_back((await sums(table, someone.id)).transactions)
        assert await won(someone, water) == {}
    assert number > 5


def assert_taken_back(transactions: Sequence[int]) -> None:
    assert sorted(transactions) == [-1000, -500, -200, 200, 500, 1000]
