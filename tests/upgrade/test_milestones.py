"""Milestones that release 0.1 paid for single logs are taken back by the migration, once."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.api import Person
from tests.upgrade.conftest import upgraded
from tests.upgrade.dumps import Dump
from tests.upgrade.internals import Migration
from tests.upgrade.world import World

FILE = Path(__file__).parent / "wrong-milestones-0.1.jsonl.gz"
STATE = """
{ wallet { balance lifetimeEarned lifetimeSpent transactions(limit: 50) {
    items { amount type reason metricId reference } } }
  metrics { items { id name milestones { items { id pointsAwarded } } } } }
"""


@pytest.fixture
async def old_world(endpoint: str, tmp_path: Path) -> AsyncIterator[World]:
    async with upgraded(Dump(FILE), endpoint, tmp_path) as world:
        yield world


async def migrate(world: World) -> int:
    return (await world.server.run(Migration(world.resources).run())).counts["Metric"][1]


async def state_of(person: Person) -> tuple[dict[str, Any], dict[str, dict[str, int]]]:
    """The wallet, and the milestones of each metric."""
    found = await person.gql(STATE)
    milestones = {
        each["name"]: {e["id"]: e["pointsAwarded"] for e in each["milestones"]["items"]}
        for each in found["metrics"]["items"]
    }
    amounts = [each["amount"] for each in found["wallet"]["transactions"]["items"]]
    assert found["wallet"]["balance"] == sum(amounts)
    return found["wallet"], milestones


async def test_a_dry_run_counts_them_and_changes_nothing(old_world: World) -> None:
    rich = await old_world.sign_in("rich@example.com")
    before = await state_of(rich)
    report = await old_world.server.run(Migration(old_world.resources, dry_run=True).run())
    assert report.counts["Metric"][1] == 4
    assert await state_of(rich) == before


async def test_points_are_taken_back_and_the_wallet_says_why(old_world: World) -> None:
    rich = await old_world.sign_in("rich@example.com")
    before, _ = await state_of(rich)
    assert before["balance"] == 1700 + 200 + 400
    assert await migrate(old_world) == 4
    wallet, milestones = await state_of(rich)
    assert (wallet["balance"], wallet["lifetimeEarned"]) == (400, 400)
    assert milestones == {
        "Water": {},
        "Food": {},
        "Weight": {"improvement-10": 200, "target_reached-70": 200},
    }
    taken = [each for each in wallet["transactions"]["items"] if each["amount"] < 0]
    assert sorted((each["amount"], each["reference"]) for each in taken) == [
        (-1000, "improvement-50"),
        (-500, "improvement-25"),
        (-200, "improvement-10"),
        (-200, "target_reached-2000"),
    ]
    assert {each["type"] for each in taken} == {"earned"}
    assert [each["reason"] for each in taken if each["reference"] == "target_reached-2000"] == [
        "Correction of “Food: target 2000 reached”: no day as a whole has reached this; it was "
        "paid by mistake."
    ]
    assert await migrate(old_world) == 0
    assert await state_of(rich) == (wallet, milestones)


async def test_spent_points_stay_and_the_balance_is_not_negative(old_world: World) -> None:
    spender = await old_world.sign_in("spender@example.com")
    await asyncio.gather(migrate(old_world), migrate(old_world))
    wallet, milestones = await state_of(spender)
    assert (wallet["balance"], wallet["lifetimeSpent"]) == (0, 1600)
    assert milestones == {
        "Water": {"improvement-10": 100, "improvement-25": 500, "improvement-50": 1000}
    }
    corrections = [
        each["amount"]
        for each in wallet["transactions"]["items"]
        if each["reason"].startswith("Correction")
    ]
    assert sorted(corrections) == [-100, 0, 0]
