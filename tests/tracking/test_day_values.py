"""Metrics with a day aggregation, through HTTP: what counts during the day, and what at its end."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.core.caller import acting_for
from app.domains.tracking import keys
from app.jobs.tracking import close_metric_days
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.rewards.test_wallet import sums
from tests.rewards.test_wallet_machine import PowerCut, cut_at_call
from tests.servers import RunningServer, TestClock
from tests.tracking.test_days import PROFILE
from tests.tracking.test_metrics import (
    DELETE_LOG,
    MORE,
    UPDATE,
    UPDATE_LOG,
    check_caches,
    log,
    new_metric,
    seen,
    won,
)
from tests.travel import travel

START = datetime(2026, 1, 30, 12, 0, tzinfo=UTC)
NEXT_DAY, DAY_AFTER = START + timedelta(days=1), START + timedelta(days=2)
MIDNIGHT = datetime(2026, 2, 1, 0, 0, 30, tzinfo=UTC)
INBOX = "{ notifications(limit: 50) { items { kind title body } } }"
GOAL = """
mutation ($id: ID!) {
  createGoal(input: {id: $id, title: "Drink"}) { id }
}
"""
LINK = """
mutation ($goal: ID!, $metric: ID!) {
  linkToGoal(input: {goalId: $goal, metricId: $metric}) { id }
}
"""
PROGRESS = "query ($id: ID!) { goal(id: $id) { cachedProgress progress { percent } } }"
Close = Callable[[], Awaitable[None]]


@pytest.fixture
async def person(api: Api, clock: TestClock) -> Person:
    """Someone in UTC, for whom it is noon on 30 January 2026."""
    clock.freeze(START)
    return await api.sign_up()


@pytest.fixture
def run_job(server: RunningServer) -> Close:
    async def run() -> None:
        await server.run(close_metric_days(server.app.state.resources))

    return run


async def alerts_of(person: Person, metric: dict[str, Any]) -> list[tuple[str, str]]:
    found = (await seen(person, metric, MORE))["alerts"]["items"]
    return sorted((each["kind"], each["value"]) for each in found)


async def messages(person: Person) -> list[str]:
    found = (await person.gql(INBOX))["notifications"]["items"]
    return [each["body"] for each in found if each["kind"] == "METRIC_ALERT"]


async def steps_won(person: Person, metric: dict[str, Any]) -> set[str]:
    return set(await won(person, metric))


ALL = {"improvement-10", "improvement-25", "improvement-50"}
SOME = {"improvement-10", "improvement-25"}


@pytest.mark.parametrize(
    ("direction", "aggregation", "values", "first", "second", "closed"),
    [
        ("Higher", "last", (40, 60), ALL, ALL, ALL),
        ("Higher", "sum", (40, 60), SOME, ALL, ALL),
        ("Higher", "sum", (-5, 105), set(), set(), ALL),
        ("Higher", "max", (40, 60), ALL, ALL, ALL),
        ("Higher", "min", (40, 60), set(), set(), ALL),
        ("Higher", "mean", (40, 60), set(), set(), ALL),
        ("Lower", "last", (4, 2), ALL, ALL, ALL),
        ("Lower", "sum", (4, 2), set(), set(), ALL),
        ("Lower", "min", (4, 2), ALL, ALL, ALL),
        ("Lower", "max", (4, 2), set(), set(), ALL),
        ("Lower", "mean", (4, 2), set(), set(), ALL),
        ("Target", "last", (60, 40), ALL, ALL, ALL),
        ("Target", "sum", (60, 40), set(), set(), ALL | {"target_reached-100"}),
        ("Target", "min", (60, 40), set(), set(), SOME),
        ("Target", "max", (60, 40), set(), set(), ALL),
        ("Target", "mean", (60, 40), set(), set(), SOME),
    ],
)
@pytest.mark.parametrize("closed_by", ["job", "log"])
async def test_improvement_for_every_direction_and_aggregation(
    person: Person,
    clock: TestClock,
    table: Gateway,
    run_job: Close,
    direction: str,
    aggregation: str,
    values: tuple[int, int],
    first: set[str],
    second: set[str],
    closed: set[str],
    closed_by: str,
) -> None:
    """The first day has 15 and 15."""
    target = {"targetValue": 100} if direction == "Target" else {}
    metric = await new_metric(person, direction=direction, aggregation=aggregation, **target)
    for _ in range(2):
        await log(person, metric, 15)
    assert await steps_won(person, metric) == set()
    await travel(clock, NEXT_DAY, person)
    await log(person, metric, values[0])
    assert await steps_won(person, metric) == first
    await log(person, metric, values[1])
    assert await steps_won(person, metric) == second
    await travel(clock, MIDNIGHT, person)
    if closed_by == "job":
        await run_job()
    else:
        # Worse than the base in every direction but Higher, where it is the base.
        await log(person, metric, 15 if direction != "Lower" else 40)
    assert await steps_won(person, metric) == closed
    await run_job()
    assert await steps_won(person, metric) == closed
    points = {"10": 200, "25": 500, "50": 1000, "100": 200}
    paid = sum(points[each.partition("-")[2]] for each in closed)
    assert (await sums(table, person.id)).balance == paid
    await check_caches(table, person, metric)


async def test_the_second_glass_of_water_pays_nothing(person: Person, table: Gateway) -> None:
    water = await new_metric(person, name="Water", aggregation="sum", targetValue=8)
    for _ in range(2):
        await log(person, water, 2)
    assert await won(person, water) == {}
    assert (await sums(table, person.id)).transactions == []


@pytest.mark.parametrize("closed_by", ["job", "log"])
async def test_breakfast_does_not_reach_a_target_for_the_day(
    person: Person, clock: TestClock, table: Gateway, run_job: Close, closed_by: str
) -> None:
    food = await new_metric(person, aggregation="sum", direction="Lower", targetValue=2000)
    for value in (500, 800, 800):
        await log(person, food, value)
    await travel(clock, NEXT_DAY, person)
    for value in (500, 700, 700):
        await log(person, food, value)
    assert await won(person, food) == {}
    await travel(clock, DAY_AFTER, person)
    if closed_by == "job":
        await run_job()
    else:
        await log(person, food, 2500)
    assert await won(person, food) == {"target_reached-2000": 200}
    await run_job()
    await log(person, food, 1)
    assert (await sums(table, person.id)).transactions == [200]


async def test_what_a_day_reaches_counts_for_goals(
    person: Person, clock: TestClock, run_job: Close
) -> None:
    water = await new_metric(person, aggregation="sum", targetValue=8)
    food = await new_metric(person, aggregation="sum", direction="Lower", targetValue=2000)
    for metric in (water, food):
        goal = f"goal-{metric['id']}"
        await person.gql(GOAL, id=goal)
        await person.gql(LINK, goal=goal, metric=metric["id"])

    async def shown(metric: dict[str, Any]) -> tuple[float, float]:
        found = (await person.gql(PROGRESS, id=f"goal-{metric['id']}"))["goal"]
        return found["cachedProgress"], found["progress"]["percent"]

    for value in (2, 2):
        await log(person, water, value)
    assert await shown(water) == (0, 0)
    await travel(clock, NEXT_DAY, person)
    for value in (3, 3):
        await log(person, water, value)
    assert await shown(water) == (50, 50)
    await log(person, food, 1900)
    assert await shown(food) == (0, 0)
    await travel(clock, MIDNIGHT, person)
    await run_job()
    assert await shown(food) == (100, 100)
    assert await shown(water) == (50, 50)


async def test_a_sum_rises_above_its_threshold_once_a_day(
    person: Person, clock: TestClock, run_job: Close
) -> None:
    coffee = await new_metric(person, name="Coffee", aggregation="sum", thresholdHigh=20)
    marks = [(await log(person, coffee, 15))["alert"] for _ in range(3)]
    assert marks == [None, "High", None]
    assert await alerts_of(person, coffee) == [("High", "30")]
    assert await messages(person) == ["Coffee: 30 count on 2026-01-30. Your threshold is 20 count."]
    await travel(clock, NEXT_DAY, person)
    await run_job()
    assert await alerts_of(person, coffee) == [("High", "30")]
    assert (await log(person, coffee, 21))["alert"] == "High"
    assert len(await messages(person)) == 2


@pytest.mark.parametrize("closed_by", ["job", "log"])
@pytest.mark.parametrize(
    ("aggregation", "values", "expected"),
    [
        ("sum", (1, 2), ("Low", "3")),
        ("mean", (30, 31), ("High", "30.5")),
        ("mean", (1, 2), ("Low", "1.5")),
        ("max", (1, 2), ("Low", "2")),
        ("min", (30, 40), ("High", "30")),
    ],
)
async def test_other_thresholds_are_checked_when_the_day_is_over(
    person: Person,
    clock: TestClock,
    run_job: Close,
    aggregation: str,
    values: tuple[int, int],
    expected: tuple[str, str],
    closed_by: str,
) -> None:
    metric = await new_metric(person, aggregation=aggregation, thresholdLow=5, thresholdHigh=20)
    for value in values:
        assert (await log(person, metric, value))["alert"] is None
    assert await alerts_of(person, metric) == []
    await run_job()
    assert await alerts_of(person, metric) == []
    await travel(clock, NEXT_DAY, person)
    if closed_by == "log":
        await log(person, metric, 10)
    for _ in range(2):
        await run_job()
    assert await alerts_of(person, metric) == [expected]
    assert len(await messages(person)) == 1


async def test_an_alert_of_a_day_goes_with_its_cause(person: Person) -> None:
    """And a corrected value raises it, as a new one would. The message is sent once a day."""
    coffee = await new_metric(person, aggregation="sum", thresholdHigh=20)
    await log(person, coffee, 15)
    second = await log(person, coffee, 15)
    which = {"metricId": coffee["id"], "id": second["id"]}
    await person.gql(UPDATE_LOG, input=which | {"value": 2})
    assert await alerts_of(person, coffee) == []
    await person.gql(UPDATE_LOG, input=which | {"value": 16})
    assert await alerts_of(person, coffee) == [("High", "31")]
    await person.gql(UPDATE_LOG, input=which | {"value": 6})
    assert await alerts_of(person, coffee) == [("High", "21")]
    await person.gql(DELETE_LOG, input=which)
    assert await alerts_of(person, coffee) == []
    assert (await log(person, coffee, 10))["alert"] == "High"
    assert len(await messages(person)) == 1


async def test_a_day_that_is_logged_late_is_closed_by_the_next_log_of_another(
    person: Person, run_job: Close, clock: TestClock
) -> None:
    food = await new_metric(
        person, aggregation="sum", direction="Lower", targetValue=2000, thresholdHigh=2300
    )
    for hour, value in enumerate((800, 900, 700), 8):
        await log(person, food, value, loggedAt=f"2026-01-29T{hour:02}:00:00Z")
        await run_job()
    assert (await won(person, food), await alerts_of(person, food)) == ({}, [])
    await log(person, food, 1)
    assert await won(person, food) == {}
    for hour, value in enumerate((800, 900), 8):
        await log(person, food, value, loggedAt=f"2026-01-28T{hour:02}:00:00Z")
    assert await won(person, food) == {}
    await log(person, food, 1)
    assert await won(person, food) == {"target_reached-2000": 200}
    assert await messages(person) == []


async def test_a_day_that_is_logged_late_is_closed_by_the_job_ten_minutes_later(
    person: Person, run_job: Close, clock: TestClock
) -> None:
    food = await new_metric(person, aggregation="sum", direction="Lower", targetValue=2000)
    await log(person, food, 1900, loggedAt="2026-01-29T08:00:00Z")
    await travel(clock, START + timedelta(minutes=9), person)
    await run_job()
    assert await won(person, food) == {}
    await travel(clock, START + timedelta(minutes=10), person)
    await run_job()
    assert await won(person, food) == {"target_reached-2000": 200}


async def test_deleted_and_edited_logs_of_a_day(
    person: Person, run_job: Close, clock: TestClock, table: Gateway
) -> None:
    food = await new_metric(person, aggregation="sum", direction="Lower", targetValue=2000)
    await log(person, food, 1500)
    typo = await log(person, food, 6000)
    await travel(clock, NEXT_DAY, person)
    await run_job()
    assert await won(person, food) == {}
    which = {"metricId": food["id"], "id": typo["id"]}
    await person.gql(UPDATE_LOG, input=which | {"value": 600})
    await travel(clock, NEXT_DAY + timedelta(minutes=10), person)
    await run_job()
    assert await won(person, food) == {}
    await person.gql(DELETE_LOG, input=which)
    await travel(clock, NEXT_DAY + timedelta(minutes=20), person)
    await run_job()
    assert await won(person, food) == {"target_reached-2000": 200}
    await check_caches(table, person, food)


async def test_moving_a_log_opens_both_days(
    person: Person, run_job: Close, clock: TestClock
) -> None:
    food = await new_metric(person, aggregation="sum", direction="Lower", targetValue=2000)
    await log(person, food, 1500)
    moved = await log(person, food, 1400)
    which = {"metricId": food["id"], "id": moved["id"]}
    await person.gql(UPDATE_LOG, input=which | {"loggedAt": "2026-01-29T08:00:00Z"})
    assert await won(person, food) == {}
    await travel(clock, START + timedelta(minutes=10), person)
    await run_job()
    assert await won(person, food) == {"target_reached-2000": 200}


async def test_the_day_ends_by_the_zone_and_hour_of_the_user(
    person: Person, run_job: Close, clock: TestClock
) -> None:
    """It is set back to the same day by a move to the west, and by a later start of the day."""
    food = await new_metric(person, aggregation="sum", direction="Lower", targetValue=2000)
    await log(person, food, 1500)
    await person.gql(PROFILE, input={"timeZone": "America/Los_Angeles"})
    for moment, expected in (
        ("2026-01-31T00:01", {}),
        ("2026-01-31T07:59", {}),
        ("2026-01-31T08:00", {"target_reached-2000": 200}),
    ):
        await travel(clock, datetime.fromisoformat(f"{moment}:00+00:00"), person)
        await run_job()
        assert await won(person, food) == expected, moment
    await person.gql(PROFILE, input={"timeZone": "UTC", "dayStartHour": 4})
    late = await new_metric(person, aggregation="mean", thresholdLow=5)
    await log(person, late, 1)
    for moment, count in (("2026-02-01T03:59", 0), ("2026-02-01T04:00", 1)):
        await travel(clock, datetime.fromisoformat(f"{moment}:00+00:00"), person)
        await run_job()
        assert len(await alerts_of(person, late)) == count, moment


async def test_job_and_logs_that_race_close_a_day_once(
    person: Person, run_job: Close, clock: TestClock, table: Gateway
) -> None:
    food = await new_metric(
        person, aggregation="sum", direction="Lower", targetValue=2000, thresholdLow=1800
    )
    await log(person, food, 1500)
    await travel(clock, NEXT_DAY, person)
    await asyncio.gather(
        *(run_job() for _ in range(5)), *(log(person, food, 1) for _ in range(5)),
        *(run_job() for _ in range(5)),
    )  # fmt: skip
    assert (await sums(table, person.id)).transactions == [200]
    assert await alerts_of(person, food) == [("Low", "1500")]
    assert len(await messages(person)) == 1
    await check_caches(table, person, food)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_job_that_dies_closes_a_day_once(
    person: Person, server: RunningServer, clock: TestClock, table: Gateway, after: bool
) -> None:
    resources = dataclasses.replace(server.app.state.resources, table=table)
    number, was_cut = 0, True
    while was_cut:
        number += 1
        clock.freeze(START)
        someone = await person.api.sign_up()
        bounds = {"targetValue": 2000, "thresholdLow": 1800}
        food = await new_metric(someone, aggregation="sum", direction="Lower", **bounds)
        await log(someone, food, 1500)
        await travel(clock, NEXT_DAY, someone)
        was_cut = False
        try:
            with cut_at_call(table, number, after=after):
                await Services(resources, acting_for(someone.id)).metric_days.close(food["id"])
        except PowerCut:
            was_cut = True
            await Services(resources, acting_for(someone.id)).metric_days.close(food["id"])
        assert (await sums(table, someone.id)).transactions == [200]
        assert await alerts_of(someone, food) == [("Low", "1500")]
        stored = await table.get(keys.metric(someone.id, food["id"]))
        assert stored is not None
        assert (stored.open_days, stored.close_at) == ([], None)
    assert number > 2


async def test_a_metric_that_gets_an_aggregation_has_its_day_closed(
    person: Person, run_job: Close, clock: TestClock
) -> None:
    food = await new_metric(person, direction="Lower", targetValue=2000)
    for value in (2500, 2400):
        await log(person, food, value)
    change = {"id": food["id"], "aggregation": "mean", "targetValue": 2450}
    await person.gql(UPDATE, input=change)
    assert await won(person, food) == {}
    await travel(clock, NEXT_DAY, person)
    await run_job()
    assert await won(person, food) == {"target_reached-2450": 200}
    await log(person, food, 1)
    await person.gql(UPDATE, input={"id": food["id"], "aggregation": "last"})
    assert await person.gql("query ($id: ID!) { metric(id: $id) { latestValue } }", id=food["id"])


async def test_a_deleted_metric_leaves_nothing_to_close(
    person: Person, run_job: Close, clock: TestClock
) -> None:
    food = await new_metric(person, aggregation="sum", thresholdLow=5)
    await log(person, food, 1)
    await person.gql("mutation ($id: ID!) { deleteMetric(input: {id: $id}) { id } }", id=food["id"])
    await travel(clock, NEXT_DAY, person)
    await run_job()
    assert await messages(person) == []


async def test_what_release_0_1_stored_is_folded_again(
    person: Person, clock: TestClock, table: Gateway
) -> None:
    """It had no first day, no open days and no mark."""
    water = await new_metric(person, aggregation="sum")
    for _ in range(2):
        await log(person, water, 2)
    at = {"PK": {"S": f"USER#{person.id}"}, "SK": {"S": f"METRIC#{water['id']}"}}
    await table.client.update_item(
        TableName=table.table,
        Key=at,
        UpdateExpression="REMOVE #s.firstDay, openDays, closeAt, milestonesByDay, GSI4PK, GSI4SK",
        ExpressionAttributeNames={"#s": "state"},
    )
    await travel(clock, NEXT_DAY, person)
    await log(person, water, 3)
    assert await won(person, water) == {}
    await log(person, water, 3)
    assert await steps_won(person, water) == ALL
    await check_caches(table, person, water)
