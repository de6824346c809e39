"""Deletions: no dangling links, and interrupted ones are finished."""

import dataclasses
from typing import Any

import pytest
from strawberry import ID

from app.domains.goals.inputs import DeleteGoalInput, DeleteTaskInput
from app.domains.goals.service import unfinished_removals
from app.jobs.goals import finish_removals
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Person
from tests.goals.interruptions import ServicesOf, Stopped, StoppingClient, services
from tests.goals.operations import balance, create, do, goal, project, read, refused, task
from tests.servers import RunningServer

__all__ = ["services"]


async def partition(table: Gateway, key: str) -> list[str]:
    return [each["SK"]["S"] async for each in table.partition(key)]


async def everything(table: Gateway, person: Person) -> str:
    """All that someone has, as text, without what passes by itself (ttl)."""
    found = []
    async for item in table.partition(f"USER#{person.id}"):
        kind, _, id = item["SK"]["S"].partition("#")
        if "ttl" not in item:
            found.append(str(item))
        if kind in ("GOAL", "TASK", "PROJECT", "METRIC", "HABIT"):
            found += [str(each) async for each in table.partition(f"{kind}#{id}")]
    return "\n".join(found)


async def test_a_deleted_task_leaves_no_items(ada: Person, table: Gateway) -> None:
    target, garden = await goal(ada), await project(ada)
    blocker = await task(ada, "blocker")
    doomed = await task(
        ada,
        "doomed",
        tags=["a"],
        goalIds=[target["id"]],
        projectIds=[garden["id"]],
        dependsOnIds=[blocker["id"]],
    )
    waits = await task(ada, "waits", dependsOnIds=[doomed["id"]])
    await do(ada, "addCriterion", goalId=target["id"], text="c", linkedTaskId=doomed["id"])
    gone = await do(ada, "deleteTask", id=doomed["id"])
    assert gone["id"] == doomed["id"]
    assert await read(ada, "task", doomed["id"]) is None
    assert await partition(table, f"TASK#{doomed['id']}") == []
    free = await read(ada, "task", waits["id"])
    assert (free["status"], free["dependsOnIds"]) == ("NotStarted", [])
    assert (await read(ada, "task", blocker["id"]))["blocksIds"] == []
    after = await read(ada, "goal", target["id"], "tasks { items { id } }")
    assert (after["tasks"]["items"], after["successCriteria"][0]["linkedTaskId"]) == ([], None)
    assert await do(ada, "recomputeGoalProgress", id=target["id"]) == {
        name: value for name, value in after.items() if name != "tasks"
    }
    assert (await read(ada, "project", garden["id"]))["cachedProgress"] == 0
    left = await everything(table, ada)
    told = [line for line in left.splitlines() if doomed["id"] in line]
    assert [line for line in told if "'GoalActivity'" not in line] == []
    assert await refused(ada, "deleteTask", id=doomed["id"]) == "NOT_FOUND"


async def test_points_are_kept_when_the_task_is_deleted(ada: Person) -> None:
    made = await task(ada, size=10, priority="P4", status="Done")
    await do(ada, "deleteTask", id=made["id"])
    assert await balance(ada) == 10


async def test_a_deleted_goal_leaves_no_items(ada: Person, table: Gateway) -> None:
    top = await goal(ada, "top")
    doomed = await goal(ada, "doomed", tags=["a"], parentGoalId=top["id"])
    children = [await goal(ada, "child", parentGoalId=doomed["id"]) for _ in range(2)]
    tasks = [await task(ada, str(i), goalIds=[doomed["id"]]) for i in range(30)]
    loose = await task(ada, "loose")
    garden = await project(ada, goalIds=[doomed["id"]])
    metric = await create(ada, "Metric", name="m", targetValue="1")
    habit = await create(ada, "Habit", name="h")
    id = doomed["id"]
    await do(ada, "linkToGoal", goalId=id, metricId=metric)
    await do(ada, "linkToGoal", goalId=id, habitId=habit)
    await do(ada, "addCriterion", goalId=id, text="c", linkedTaskId=loose["id"])
    await do(ada, "createMilestone", goalId=id, name="m", percentage=50)
    await do(ada, "deleteGoal", id=id)
    assert await read(ada, "goal", id) is None
    assert await partition(table, f"GOAL#{id}") == []
    for child in children:
        assert (await read(ada, "goal", child["id"]))["parentGoalId"] == top["id"]
    seen = await read(ada, "goal", top["id"], "children { items { id } } rollUp { goals }")
    assert {each["id"] for each in seen["children"]["items"]} == {c["id"] for c in children}
    assert seen["rollUp"] == {"goals": 2}
    assert (await read(ada, "task", tasks[-1]["id"]))["goalIds"] == []
    assert (await read(ada, "project", garden["id"]))["goalIds"] == []
    left = await everything(table, ada)
    told = [line for line in left.splitlines() if id in line]
    assert [line for line in told if "'GoalActivity'" not in line] == []
    await do(ada, "completeTask", id=loose["id"])


async def test_children_of_a_top_goal_become_top_goals(ada: Person) -> None:
    top = await goal(ada, "top")
    child = await goal(ada, "child", parentGoalId=top["id"])
    await do(ada, "deleteGoal", id=top["id"])
    assert (await read(ada, "goal", child["id"], "parent { id }"))["parentGoalId"] is None


async def test_a_deleted_project_leaves_no_items(ada: Person, table: Gateway) -> None:
    target = await goal(ada)
    doomed = await project(ada, goalIds=[target["id"]])
    tasks = [await task(ada, str(i), projectIds=[doomed["id"]]) for i in range(30)]
    await do(ada, "deleteProject", id=doomed["id"])
    assert await read(ada, "project", doomed["id"]) is None
    assert await partition(table, f"PROJECT#{doomed['id']}") == []
    assert (await read(ada, "task", tasks[0]["id"]))["projectIds"] == []
    assert (await read(ada, "goal", target["id"], "projects { id }"))["projects"] == []
    left = await everything(table, ada)
    told = [line for line in left.splitlines() if doomed["id"] in line]
    assert [line for line in told if "'GoalActivity'" not in line] == []


async def test_a_repeated_deletion_leaves_a_new_task_with_the_same_id(ada: Person) -> None:
    id = f"again-{ada.nickname}"
    request = {"id": id, "idempotencyKey": "delete"}
    await task(ada, "old", id=id)
    first = await do(ada, "deleteTask", **request)
    await task(ada, "new", id=id, tags=["kept"])
    assert await do(ada, "deleteTask", **request) == first
    found = await ada.gql('{ tasks(tag: "kept") { items { title } } }')
    assert found["tasks"]["items"] == [{"title": "new"}]


async def delete(services: Services, kind: str, id: str) -> bool:
    """False if it was interrupted."""
    try:
        if kind == "task":
            await services.removals.delete_task(DeleteTaskInput(id=ID(id)))
        else:
            await services.removals.delete_goal(DeleteGoalInput(id=ID(id)))
    except Stopped:
        return False
    return True


async def finish(services: Services, person: Person) -> None:
    for removal in await unfinished_removals(services.resources):
        if removal.user_id == person.id:
            await services.removals.finish(removal)


async def links_of(person: Person, work: Any, waits: Any, blocker: Any, child: Any) -> list[Any]:
    return [
        (await read(person, "task", waits["id"]))["dependsOnIds"],
        (await read(person, "task", blocker["id"]))["blocksIds"],
        (await read(person, "task", work["id"]) or {}).get("goalIds"),
        (await read(person, "goal", child["id"]))["parentGoalId"],
    ]


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("kind", ["task", "goal"])
async def test_a_deletion_can_be_finished_wherever_it_is_interrupted(
    ada: Person, table: Gateway, services: ServicesOf, kind: str, before: bool
) -> None:
    at, finished = 0, False
    while not finished and at < 60:
        at += 1
        target = await goal(ada, "target")
        child = await goal(ada, "child", parentGoalId=target["id"])
        blocker = await task(ada, "blocker")
        work = await task(ada, goalIds=[target["id"]], dependsOnIds=[blocker["id"]], tags=["t"])
        waits = await task(ada, "waits", dependsOnIds=[work["id"]])
        around = (work, waits, blocker, child)
        untouched = await links_of(ada, *around)
        doomed = work if kind == "task" else target
        interrupted = Gateway(StoppingClient(table.client, at, before=before), table.table)
        finished = await delete(services(ada, interrupted), kind, doomed["id"])
        await finish(services(ada, table), ada)
        if await read(ada, kind, doomed["id"]) is not None:
            assert await links_of(ada, *around) == untouched
            continue
        assert await partition(table, f"{kind.upper()}#{doomed['id']}") == []
        gone = [[], [], None, target["id"]] if kind == "task" else [*untouched[:2], [], None]
        assert await links_of(ada, *around) == gone
    assert finished
    assert at > 5


async def test_the_job_finishes_interrupted_deletions(
    ada: Person, table: Gateway, services: ServicesOf, server: RunningServer
) -> None:
    target = await goal(ada)
    work = await task(ada, goalIds=[target["id"]])
    interrupted = Gateway(StoppingClient(table.client, 4, before=True), table.table)
    assert not await delete(services(ada, interrupted), "goal", target["id"])
    assert (await read(ada, "task", work["id"]))["goalIds"] == [target["id"]]
    await finish_removals(dataclasses.replace(server.app.state.resources, table=table))
    assert (await read(ada, "task", work["id"]))["goalIds"] == []
    assert await partition(table, f"GOAL#{target['id']}") == []
