"""An action that points to a task: completing either completes both, or neither."""

import asyncio
import re
from collections.abc import Callable, Coroutine, Sequence
from typing import Any
from unittest.mock import patch

import pytest
import strawberry

from app.domains.goals.inputs import CompleteTaskInput
from app.domains.plans.inputs import (
    AddNodeInput,
    CommitValuesInput,
    CompleteActionInput,
    ValuesOperationInput,
)
from app.domains.plans.types import NodeType
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Person
from tests.plans.faults import Calls, PowerCut, calls_of, power_cut
from tests.plans.operations import COMMIT, HEALTH, add, by_id, commit, revisions, tree
from tests.plans.test_plans import COMPLETE, FRIDAY
from tests.plans.test_values import items

CREATE_TASK = """
mutation ($input: CreateTaskInput!) { createTask(input: $input) { id actionId } }
"""
COMPLETE_TASK = "mutation ($id: ID!) { completeTask(input: {id: $id}) { id status pointsAwarded } }"
REOPEN_TASK = "mutation ($id: ID!) { reopenTask(input: {id: $id}) { id status } }"
TASK = "query ($id: ID!) { task(id: $id) { status actionId } wallet { balance } }"


async def new_task(person: Person) -> str:
    wanted = {"title": "Run", "size": 60, "priority": "P2"}
    return str((await person.gql(CREATE_TASK, input=wanted))["createTask"]["id"])


async def linked(person: Person) -> str:
    task = await new_task(person)
    await commit(person, *HEALTH, {"update": {"id": "run", "taskId": task}})
    return task


async def test_the_link_goes_both_ways(ada: Person) -> None:
    task = await linked(ada)
    assert by_id(await tree(ada))["run"]["taskId"] == task
    assert (await ada.gql(TASK, id=task))["task"]["actionId"] == "run"
    await commit(ada, {"update": {"id": "run", "taskId": None}})
    assert (await ada.gql(TASK, id=task))["task"]["actionId"] is None


async def test_completing_the_action_completes_the_task(ada: Person) -> None:
    task = await linked(ada)
    await ada.gql(COMPLETE, input={"actionId": "run", "date": FRIDAY})
    found = await ada.gql(TASK, id=task)
    assert (found["task"]["status"], found["wallet"]["balance"]) == ("Done", 120)
    await commit(ada, {"reopen": {"id": "run"}})
    found = await ada.gql(TASK, id=task)
    assert (found["task"]["status"], found["wallet"]["balance"]) == ("NotStarted", 0)
    await commit(ada, {"complete": {"id": "run"}})
    assert (await ada.gql(TASK, id=task))["task"]["status"] == "Done"


async def test_completing_the_task_completes_the_action(ada: Person) -> None:
    task = await linked(ada)
    await ada.gql(COMPLETE_TASK, id=task)
    assert by_id(await tree(ada))["run"]["completedAt"] is not None
    log = await revisions(ada)
    assert (len(log), log[0]["source"], log[0]["message"]) == (2, "completion", "Complete Run")
    days = (await ada.gql("{ plannedDays { items { date } } }"))["plannedDays"]["items"]
    assert len(days) == 1
    await ada.gql(REOPEN_TASK, id=task)
    assert by_id(await tree(ada))["run"]["completedAt"] is None
    assert (await ada.gql(TASK, id=task))["wallet"]["balance"] == 0


async def test_task_and_action_completed_at_once(ada: Person) -> None:
    task = await linked(ada)
    tries = [ada.gql(COMPLETE_TASK, id=task) for _ in range(10)]
    tries += [ada.gql(COMPLETE, input={"actionId": "run"}) for _ in range(10)]
    await asyncio.gather(*tries)
    found = await ada.gql(TASK, id=task)
    assert (found["task"]["status"], found["wallet"]["balance"]) == ("Done", 120)
    assert by_id(await tree(ada))["run"]["completedAt"] is not None
    assert len(await revisions(ada)) == 2


async def test_a_task_must_be_the_users_own_and_has_one_action(
    ada: Person, bob: Person, table: Gateway
) -> None:
    theirs, mine = await new_task(bob), await linked(ada)
    before = await items(table, ada)
    for wanted in (theirs, "nothing"):
        operations = [{"update": {"id": "sleep", "taskId": wanted}}]
        assert (await ada.refused(COMMIT, input={"operations": operations})).code == "NOT_FOUND"
    twice = {"operations": [{"update": {"id": "sleep", "taskId": mine}}]}
    assert (await ada.refused(COMMIT, input=twice)).code == "BAD_INPUT"
    assert await items(table, ada) == before
    assert (await bob.gql(TASK, id=theirs))["task"]["actionId"] is None


async def test_a_commit_on_a_branch_does_not_change_tasks(ada: Person) -> None:
    task = await linked(ada)
    await ada.gql('mutation { createValuesBranch(input: {name: "b"}) { name } }')
    await commit(ada, {"complete": {"id": "run"}}, branch="b")
    assert (await ada.gql(TASK, id=task))["task"]["status"] == "NotStarted"


async def test_an_action_with_a_deleted_task_can_be_completed(ada: Person) -> None:
    task = await linked(ada)
    await ada.gql("mutation ($id: ID!) { deleteTask(input: {id: $id}) { id } }", id=task)
    await ada.gql(COMPLETE, input={"actionId": "run", "date": FRIDAY})
    await commit(ada, add("later", driverId="health"))
    assert by_id(await tree(ada))["run"]["completedAt"] is not None


async def test_interrupted_at_every_call_task_and_action_agree(
    ada: Person, table: Gateway, services: Callable[[Person], Services]
) -> None:
    task = await linked(ada)
    cuts = 0
    while True:
        wanted = CompleteActionInput(
            action_id="run",  # type: ignore[arg-type]
            date=FRIDAY,  # type: ignore[arg-type]
            idempotency_key=f"cut-{cuts}",
        )
        try:
            with power_cut(table, cuts, carried_out=True):
                await services(ada).completion.complete_action(wanted)
            break
        except PowerCut:
            cuts += 1
        done = by_id(await tree(ada))["run"]["completedAt"] is not None
        found = await ada.gql(TASK, id=task)
        assert (found["task"]["status"] == "Done") == done
        assert found["wallet"]["balance"] == (120 if done else 0)
        if done:
            break
    assert cuts >= 8


SIDE_BY_SIDE = 8
WRITING = ("transact_write_items", "put_item", "update_item", "delete_item")


async def linked_actions(person: Person) -> dict[str, str]:
    """The task of each action: all under one driver."""
    tasks = {f"a{number}": await new_task(person) for number in range(SIDE_BY_SIDE)}
    actions = [add(name, driverId="health", taskId=task) for name, task in tasks.items()]
    await commit(person, add("health", "DRIVER"), *actions)
    return tasks


def snapshot_partitions(calls: Calls, person: Person) -> set[str]:
    """Every snapshot that was begun: U#<user>#VALUES#<revision>, U#<user>#PLAN#<day>#<revision>."""
    puts = [
        write["Put"]["Item"]["PK"]["S"]
        for _, parameters in calls
        for write in parameters.get("TransactItems", ())
        if "Put" in write
    ]
    return {each for each in puts if re.match(rf"U#{person.id}#(VALUES|PLAN#[\d-]+)#", each)}


async def orphans(table: Gateway, person: Person, calls: Calls) -> set[str]:
    """The snapshots of which something is left though no revision names them."""
    values = [each["id"] for each in await revisions(person, limit=100)]
    known = {f"U#{person.id}#VALUES#{each}" for each in values}
    days = (await person.gql("{ plannedDays { items { date } } }"))["plannedDays"]["items"]
    for date in (each["date"] for each in days):
        log = await items(table, person, f"#PLAN#{date}")
        found = (item["revId"]["S"] for key, item in log.items() if key.startswith("REV#"))
        known |= {f"U#{person.id}#PLAN#{date}#{each}" for each in found}
    unknown = snapshot_partitions(calls, person) - known
    return {each for each in unknown if [item async for item in table.partition(each)]}


async def complete_side_by_side(
    person: Person,
    services: Callable[[Person], Services],
    table: Gateway,
    *,
    tasks: Sequence[str] = (),
    actions: Sequence[str] = (),
) -> Calls:
    """Each as a request of its own, all at once."""
    work: list[Coroutine[Any, Any, object]] = []
    for task in tasks:
        work.append(services(person).tasks.complete(CompleteTaskInput(id=strawberry.ID(task))))
    for action in actions:
        wanted = CompleteActionInput(action_id=strawberry.ID(action))
        work.append(services(person).completion.complete_action(wanted))
    with calls_of(table) as calls:
        await asyncio.gather(*work)
    return calls


def writing(calls: Calls) -> int:
    return len([name for name, _ in calls if name in WRITING])


async def test_tasks_of_different_actions_completed_at_once_leave_no_snapshot_behind(
    ada: Person, bob: Person, table: Gateway, services: Callable[[Person], Services]
) -> None:
    """They take no more transactions than the actions themselves."""
    tasks, theirs = await linked_actions(ada), await linked_actions(bob)
    by_task = await complete_side_by_side(ada, services, table, tasks=[*tasks.values()])
    by_action = await complete_side_by_side(bob, services, table, actions=[*theirs])
    assert writing(by_task) <= writing(by_action) + SIDE_BY_SIDE
    assert await orphans(table, ada, by_task) == set()
    assert await orphans(table, bob, by_action) == set()
    for person in (ada, bob):
        assert not [key for key in await items(table, person) if key.startswith("DRAFT#")]
        nodes = by_id(await tree(person))
        assert all(nodes[name]["completedAt"] for name in tasks)
        assert len(await revisions(person)) == 1 + SIDE_BY_SIDE
        assert (await person.gql("{ wallet { balance } }"))["wallet"]["balance"] == 120 * 8


async def test_one_task_completed_eight_times_at_once_leaves_no_snapshot_behind(
    ada: Person, bob: Person, table: Gateway, services: Callable[[Person], Services]
) -> None:
    task, theirs = await linked(ada), await linked(bob)
    by_task = await complete_side_by_side(ada, services, table, tasks=[task] * SIDE_BY_SIDE)
    by_action = await complete_side_by_side(bob, services, table, actions=["run"] * SIDE_BY_SIDE)
    assert writing(by_task) <= writing(by_action) + SIDE_BY_SIDE
    assert await orphans(table, ada, by_task) == set()
    assert await orphans(table, bob, by_action) == set()
    for person, wanted in ((ada, task), (bob, theirs)):
        assert not [key for key in await items(table, person) if key.startswith("DRAFT#")]
        found = await person.gql(TASK, id=wanted)
        assert (found["task"]["status"], found["wallet"]["balance"]) == ("Done", 120)
        assert len(await revisions(person)) == 2


@pytest.mark.parametrize("change", ["complete", "reopen"])
async def test_a_task_changes_to_the_end_though_its_client_leaves(
    ada: Person, table: Gateway, services: Callable[[Person], Services], change: str
) -> None:
    """While the snapshot of the action is being written."""
    task = await linked(ada)
    if change == "reopen":
        await ada.gql(COMPLETE_TASK, id=task)
    put, begun, left = table.items.put, asyncio.Event(), asyncio.Event()

    async def put_and_wait(items: Sequence[Any]) -> None:
        await put(items)
        begun.set()
        await left.wait()

    with patch.object(table.items, "put", put_and_wait):
        tasks = services(ada).tasks
        work = asyncio.create_task(
            getattr(tasks, change)(CompleteTaskInput(id=strawberry.ID(task)))
        )
        await begun.wait()
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        left.set()
        # A user's commits wait for each other, so this one begins after the other has ended.
        await services(ada).values.commit_values(wished_driver())
    done = change == "complete"
    assert (by_id(await tree(ada))["run"]["completedAt"] is not None) == done
    found = await ada.gql(TASK, id=task)
    assert (found["task"]["status"] == "Done", found["wallet"]["balance"]) == (done, 120 * done)
    assert not [key for key in await items(table, ada) if key.startswith("DRAFT#")]


def wished_driver() -> CommitValuesInput:
    driver = AddNodeInput(id="later", node_type=NodeType.DRIVER, title="Later")  # type: ignore[arg-type]
    return CommitValuesInput(operations=[ValuesOperationInput(add=driver)]).validate()
