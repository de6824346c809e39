"""Transactions at their limit, and interrupted ones."""

import pytest
from strawberry import ID

from app.core.errors import Conflict
from app.domains.goals.inputs import CompleteTaskInput, CreateTaskInput, DeleteTaskInput
from app.domains.goals.service import unfinished_removals
from app.table.gateway import Gateway
from tests.api import Person
from tests.goals.interruptions import ServicesOf, Stopped, StoppingClient, services
from tests.goals.operations import balance, do, goal, payments, project, read, task

__all__ = ["services"]


@pytest.mark.parametrize(
    ("how", "fields"),
    [("completeTask", {}), ("updateTask", {"status": "Done", "dueDate": "2026-01-09"})],
    ids=["completed", "moved and completed"],
)
async def test_a_task_at_all_limits_can_be_completed(
    ada: Person, how: str, fields: dict[str, str]
) -> None:
    goals = [await goal(ada, str(i)) for i in range(10)]
    for each in goals[:3]:
        for percentage in range(0, 100, 5):
            await do(ada, "createMilestone", goalId=each["id"], name="m", percentage=percentage)
    projects = [await project(ada, str(i)) for i in range(5)]
    work = await task(
        ada,
        size=10,
        tags=[str(i) for i in range(10)],
        goalIds=[each["id"] for each in goals],
        projectIds=[each["id"] for each in projects],
        dueDate="2026-01-08",
        recurrenceRule={"frequency": "DAILY"},
    )
    for each in goals[:5]:
        await do(ada, "addCriterion", goalId=each["id"], text="c", linkedTaskId=work["id"])
    waiting = [await task(ada, str(i), dependsOnIds=[work["id"]]) for i in range(10)]
    done = await do(ada, how, id=work["id"], idempotencyKey="k", **fields)
    assert (done["status"], await balance(ada)) == ("Done", 15)
    for each in waiting:
        assert (await read(ada, "task", each["id"]))["status"] == "NotStarted"
    for each in goals[:3]:
        seen = await read(ada, "goal", each["id"], "milestones { achieved percentage }")
        reached = [m["percentage"] <= seen["cachedProgress"] for m in seen["milestones"]]
        assert [m["achieved"] for m in seen["milestones"]] == reached
    await do(ada, "deleteTask", id=work["id"])
    assert (await read(ada, "goal", goals[9]["id"]))["cachedProgress"] == 0


async def test_a_task_created_as_done_leaves_room_for_its_blockers(ada: Person) -> None:
    goals = [await goal(ada, str(i)) for i in range(2)]
    for each in goals:
        for percentage in range(5, 105, 5):
            await do(ada, "createMilestone", goalId=each["id"], name="m", percentage=percentage)
    done = [await task(ada, str(i), status="Done") for i in range(10)]
    await task(
        ada,
        status="Done",
        goalIds=[each["id"] for each in goals],
        dependsOnIds=[each["id"] for each in done],
    )
    for each in goals:
        seen = await read(ada, "goal", each["id"], "milestones { achieved }")
        assert [m["achieved"] for m in seen["milestones"]] == [True] * 20


@pytest.mark.parametrize("before", [True, False])
async def test_a_task_is_paid_once_wherever_its_completion_is_interrupted(
    ada: Person, table: Gateway, services: ServicesOf, before: bool
) -> None:
    paid, at, finished = 0, 0, False
    target = await goal(ada)
    while not finished and at < 40:
        at += 1
        work = await task(
            ada,
            size=10,
            priority="P4",
            goalIds=[target["id"]],
            dueDate="2026-01-08",
            recurrenceRule={"frequency": "DAILY"},
        )
        interrupted = Gateway(StoppingClient(table.client, at, before=before), table.table)
        request = CompleteTaskInput(id=ID(work["id"]), idempotency_key=f"k{at}")
        try:
            await services(ada, interrupted).tasks.complete(request)
            finished = True
        except Stopped:
            finished = False
        await services(ada, table).tasks.complete(request)
        paid += 10
        assert await balance(ada) == paid
        stored = await read(ada, "goal", target["id"])
        assert await do(ada, "recomputeGoalProgress", id=target["id"]) == stored
    assert finished
    assert len(await payments(ada)) == at
    assert at > 3


async def test_a_chosen_id_is_refused_while_its_former_task_is_being_removed(
    ada: Person, table: Gateway, services: ServicesOf
) -> None:
    id = f"chosen-{ada.nickname}"
    blocker = await task(ada)
    await task(ada, id=id, dependsOnIds=[blocker["id"]])
    interrupted = Gateway(StoppingClient(table.client, 5, before=True), table.table)
    with pytest.raises(Stopped):
        await services(ada, interrupted).removals.delete_task(DeleteTaskInput(id=ID(id)))
    mine = services(ada, table)
    with pytest.raises(Conflict):
        await mine.tasks.create(CreateTaskInput(title="again", id=ID(id)))
    for removal in await unfinished_removals(mine.resources):
        await mine.removals.finish(removal)
    assert (await task(ada, id=id))["dependsOnIds"] == []


async def test_deleting_an_account_deletes_its_goals_tasks_and_projects(
    ada: Person, table: Gateway
) -> None:
    target, garden = await goal(ada, tags=["a"]), await project(ada)
    work = await task(ada, tags=["a"], goalIds=[target["id"]], projectIds=[garden["id"]])
    exported = (await ada.gql("{ exportData }"))["exportData"]
    for each in (target, garden, work):
        assert each["id"] in exported
    query = "mutation ($input: DeleteAccountInput!) { deleteAccount(input: $input) { id } }"
    request = {"confirmNickname": ada.nickname, "password": "correct horse battery"}
    await ada.gql(query, input=request)
    for key in (f"GOAL#{target['id']}", f"PROJECT#{garden['id']}", f"TASK#{work['id']}"):
        assert [each async for each in table.partition(key)] == []
