"""An action that points to a task: completing either completes both, or neither."""

import asyncio
from collections.abc import Callable

from app.domains.plans.inputs import CompleteActionInput
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Person
from tests.plans.faults import PowerCut, power_cut
from tests.plans.test_plans import COMPLETE, FRIDAY
from tests.plans.test_values import items
from tests.plans.tree import COMMIT, HEALTH, add, by_id, commit, revisions, tree

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


async def test_both_at_once(ada: Person) -> None:
    task = await linked(ada)
    tries = [ada.gql(COMPLETE_TASK, id=task) for _ in range(10)]
    tries += [ada.gql(COMPLETE, input={"actionId": "run", "date": FRIDAY}) for _ in range(10)]
    await asyncio.gather(*tries)
    found = await ada.gql(TASK, id=task)
    assert (found["task"]["status"], found["wallet"]["balance"]) == ("Done", 120)
    assert by_id(await tree(ada))["run"]["completedAt"] is not None
    assert len(await revisions(ada)) == 2


async def test_a_task_must_be_ones_own_and_serves_one_action(
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


async def test_a_branch_leaves_tasks_alone(ada: Person) -> None:
    task = await linked(ada)
    await ada.gql('mutation { createValuesBranch(input: {name: "b"}) { name } }')
    await commit(ada, {"complete": {"id": "run"}}, branch="b")
    assert (await ada.gql(TASK, id=task))["task"]["status"] == "NotStarted"


async def test_a_deleted_task_is_no_obstacle(ada: Person) -> None:
    task = await linked(ada)
    await ada.gql("mutation ($id: ID!) { deleteTask(input: {id: $id}) { id } }", id=task)
    await ada.gql(COMPLETE, input={"actionId": "run", "date": FRIDAY})
    await commit(ada, add("later", driverId="health"))
    assert by_id(await tree(ada))["run"]["completedAt"] is not None


async def test_cut_off_at_every_call_task_and_action_agree(
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
