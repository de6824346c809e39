"""Whoever deletes may say which version they have seen; a later one is not lost unseen."""

from typing import Any

import pytest

from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.goals.operations import do as change
from tests.goals.operations import goal, project, task
from tests.rewards.test_rewards import new_reward, redeem, rich

DAY = "2026-01-08"


def mutation(name: str) -> str:
    kind = f"{name[0].upper()}{name[1:]}Input"
    return f"mutation ($input: {kind}!) {{ {name}(input: $input) {{ version }} }}"


async def ask(person: Person, name: str, **fields: object) -> dict[str, Any]:
    answer: dict[str, Any] = (await person.gql(mutation(name), input=fields))[name]
    return answer


async def made(person: Person, kind: str, **fields: object) -> str:
    query = f"mutation ($input: Create{kind}Input!) {{ create{kind}(input: $input) {{ id }} }}"
    return str((await person.gql(query, input=fields))[f"create{kind}"]["id"])


async def metric_log(person: Person) -> dict[str, object]:
    metric = await made(person, "Metric", name="Weight")
    query = 'mutation ($id: ID!) { logMetric(input: {metricId: $id, value: "1"}) { id } }'
    log = (await person.gql(query, id=metric))["logMetric"]["id"]
    return {"metricId": metric, "id": log}


async def metric(person: Person) -> dict[str, object]:
    return {"id": (await metric_log(person))["metricId"]}


async def habit_log(person: Person) -> dict[str, object]:
    habit = await made(person, "Habit", name="Walk", startDate=DAY)
    query = "mutation ($input: LogHabitInput!) { logHabit(input: $input) { date } }"
    await person.gql(query, input={"habitId": habit, "date": DAY})
    return {"habitId": habit, "date": DAY}


async def habit(person: Person) -> dict[str, object]:
    return {"id": (await habit_log(person))["habitId"]}


async def logbook_entry(person: Person) -> dict[str, object]:
    await ask(person, "saveLogbookEntry", date=DAY, title="A day")
    return {"date": DAY}


async def reward(person: Person) -> dict[str, object]:
    tea = await new_reward(person)
    await redeem(person, tea)
    return {"id": tea["id"]}


async def milestone(person: Person) -> dict[str, object]:
    owner = await goal(person)
    mark = await change(person, "createMilestone", goalId=owner["id"], name="m", percentage=50)
    return {"id": mark["id"]}


async def one(person: Person, make: Any) -> dict[str, object]:
    return {"id": (await make(person))["id"]}


MAKERS: dict[str, Any] = {
    "deleteMetric": metric,
    "deleteMetricLog": metric_log,
    "deleteHabit": habit,
    "deleteHabitLog": habit_log,
    "deleteLogbookEntry": logbook_entry,
    "deleteReward": reward,
    "deleteMilestone": milestone,
    "deleteGoal": lambda person: one(person, goal),
    "deleteTask": lambda person: one(person, task),
    "deleteProject": lambda person: one(person, project),
}


@pytest.fixture
async def owner(api: Api) -> Person:
    person = await api.sign_up()
    await rich(person, 100)
    return person


async def everything(table: Gateway, person: Person) -> dict[tuple[str, str], Any]:
    """All that someone has, as stored."""
    found = [item async for item in table.partition(f"USER#{person.id}")]
    for item in list(found):
        kind, _, id = item["SK"]["S"].partition("#")
        if kind in ("GOAL", "TASK", "PROJECT", "METRIC", "HABIT", "REWARD"):
            found += [each async for each in table.partition(f"{kind}#{id}")]
    return {(item["PK"]["S"], item["SK"]["S"]): item for item in found}


@pytest.mark.parametrize("name", MAKERS)
async def test_a_stale_version_deletes_nothing(owner: Person, table: Gateway, name: str) -> None:
    fields = await MAKERS[name](owner)
    before = await everything(table, owner)
    query = mutation(name)
    failed = await owner.refused(query, input={**fields, "expectedVersion": 99})
    now = failed.info["currentVersion"]
    assert failed.code == "CONFLICT"
    assert await everything(table, owner) == before
    assert (await ask(owner, name, **fields, expectedVersion=now))["version"] == now
    assert (await owner.refused(query, input=fields)).code == "NOT_FOUND"
