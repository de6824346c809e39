"""What a front end plans with: the open actions as a list, reopening, and the action of a block."""

import asyncio
from typing import Any

import pytest

from app.table.gateway import Gateway
from tests.api import Person
from tests.plans.faults import calls_of
from tests.plans.operations import HEALTH, add, by_id, commit, revisions, tree
from tests.plans.test_plans import COMPLETE, FRIDAY, SATURDAY, block, commit_plan, plan, todo
from tests.plans.test_task_links import TASK, linked
from tests.plans.test_values import items
from tests.servers import RunningServer

OPEN = """
query ($driverId: ID, $milestoneId: ID, $limit: Int, $nextToken: String) {
  openActions(driverId: $driverId, milestoneId: $milestoneId,
              limit: $limit, nextToken: $nextToken) {
    items { id title driverId parents { id } } nextToken
  }
}
"""
REOPEN = """
mutation ($input: ReopenActionInput!) {
  reopenAction(input: $input) {
    action { id completedAt } values { id source message }
    plans { date todos { actionId completedAt } }
  }
}
"""
BLOCKS = '{ dailyPlan(date: "2026-01-23") { blocks { id action { id title } } } }'


async def open_actions(person: Person, **more: object) -> list[str]:
    found = await person.gql(OPEN, **more)
    return [each["id"] for each in found["openActions"]["items"]]


async def reopen(person: Person, action: str = "run", **more: object) -> dict[str, Any]:
    wanted = {"actionId": action, **more}
    answer: dict[str, Any] = (await person.gql(REOPEN, input=wanted))["reopenAction"]
    return answer


async def test_open_actions_in_the_order_of_the_tree(ada: Person, bob: Person) -> None:
    assert await open_actions(ada) == []
    await commit(
        ada,
        *HEALTH,
        add("walk", driverId="health", parentMilestoneId="fitness"),
        add("work", "DRIVER"),
        add("mail", driverId="work"),
        add("old", driverId="work"),
        add("both", driverId="work", parentIds=["work", "fitness"]),
        {"complete": {"id": "walk"}},
        {"archive": {"id": "old"}},
        {"reorder": {"childIds": ["work", "health"]}},
    )
    assert await open_actions(ada) == ["mail", "both", "run", "sleep"]
    assert await open_actions(ada, driverId="health") == ["run", "sleep"]
    assert await open_actions(ada, milestoneId="fitness") == ["both", "run"]
    assert await open_actions(ada, driverId="work", milestoneId="fitness") == ["both"]
    assert await open_actions(ada, milestoneId="nobody") == []
    assert await open_actions(ada, driverId="nobody") == []
    assert await open_actions(bob) == []
    await commit(ada, {"reopen": {"id": "walk"}}, {"complete": {"id": "run"}})
    assert await open_actions(ada) == ["mail", "both", "walk", "sleep"]


async def test_pages_of_open_actions_are_of_one_revision(ada: Person, bob: Person) -> None:
    await commit(ada, add("d", "DRIVER"), *(add(f"a{i}", driverId="d") for i in range(5)))
    first = (await ada.gql(OPEN, limit=2))["openActions"]
    assert [each["id"] for each in first["items"]] == ["a0", "a1"]
    await commit(ada, {"complete": {"id": "a0"}}, {"complete": {"id": "a2"}})
    second = (await ada.gql(OPEN, limit=2, nextToken=first["nextToken"]))["openActions"]
    assert [each["id"] for each in second["items"]] == ["a2", "a3"], "none is left out"
    last = (await ada.gql(OPEN, limit=2, nextToken=second["nextToken"]))["openActions"]
    assert ([each["id"] for each in last["items"]], last["nextToken"]) == (["a4"], None)
    assert last["items"][0]["parents"] == [{"id": "d"}]
    refused = await bob.refused(OPEN, limit=2, nextToken=first["nextToken"])
    assert refused.code == "BAD_TOKEN"


@pytest.mark.parametrize("field", ["driverId", "milestoneId"])
async def test_an_empty_id_is_refused(ada: Person, field: str) -> None:
    refused = await ada.refused(OPEN, **{field: ""})
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", field)


async def test_open_actions_take_one_get_and_one_query(ada: Person, server: RunningServer) -> None:
    await commit(ada, *HEALTH)
    with calls_of(server.app.state.resources.table) as calls:
        await open_actions(ada)
    mine = [name for name, sent in calls if f"U#{ada.id}" in str(sent)]
    assert mine == ["get_item", "query"]


async def test_reopening_an_action_reopens_its_task_and_its_days(ada: Person) -> None:
    task = await linked(ada)
    for day in (FRIDAY, SATURDAY):
        await ada.gql(COMPLETE, input={"actionId": "run", "date": day})
    done = await reopen(ada)
    assert done["action"] == {"id": "run", "completedAt": None}
    assert (done["values"]["source"], done["values"]["message"]) == ("completion", "Reopen Run")
    opened = [{"actionId": "run", "completedAt": None}]
    assert done["plans"] == [{"date": day, "todos": opened} for day in (SATURDAY, FRIDAY)]
    found = await ada.gql(TASK, id=task)
    assert (found["task"]["status"], found["wallet"]["balance"]) == ("NotStarted", 0)
    commits = len(await revisions(ada))
    again = await reopen(ada)
    assert (again["plans"], again["values"]["id"]) == ([], done["values"]["id"])
    assert len(await revisions(ada)) == commits, "nothing to do"


async def test_the_same_key_reopens_once(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await ada.gql(COMPLETE, input={"actionId": "run", "date": FRIDAY})
    first = await reopen(ada, idempotencyKey="k")
    await ada.gql(COMPLETE, input={"actionId": "run", "date": FRIDAY})
    assert await reopen(ada, idempotencyKey="k") == first
    assert by_id(await tree(ada))["run"]["completedAt"] is not None


async def test_ten_reopen_at_once(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await ada.gql(COMPLETE, input={"actionId": "run", "date": FRIDAY})
    await asyncio.gather(*(reopen(ada) for _ in range(10)))
    assert len(await revisions(ada)) == 3
    assert (await plan(ada))["todos"][0]["completedAt"] is None


async def test_what_cannot_be_reopened(ada: Person, bob: Person, table: Gateway) -> None:
    await commit(ada, *HEALTH, {"complete": {"id": "sleep"}}, {"archive": {"id": "sleep"}})
    before = await items(table, ada)
    refusals = [("nobody", "NOT_FOUND"), ("fitness", "NOT_FOUND"), ("sleep", "ACTION_NOT_LIVE")]
    for action, code in refusals:
        assert (await ada.refused(REOPEN, input={"actionId": action})).code == code
    assert (await bob.refused(REOPEN, input={"actionId": "run"})).code == "NOT_FOUND"
    assert await items(table, ada) == before


async def test_the_action_of_a_block(ada: Person) -> None:
    await commit(ada, *HEALTH)
    work = block("09:00", "09:25", "POMODORO", id="p", actionId="run", pomodoroIndex=1)
    meeting = block("10:00", "11:00", id="m")
    await commit_plan(ada, todos=[todo("run")], blocks=[work, meeting])
    await commit(ada, {"update": {"id": "run", "title": "Walk"}})
    found = (await ada.gql(BLOCKS))["dailyPlan"]["blocks"]
    walk = {"id": "run", "title": "Walk"}
    assert found == [{"id": "p", "action": walk}, {"id": "m", "action": None}]
