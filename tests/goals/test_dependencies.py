"""Dependencies between tasks, through HTTP."""

import asyncio

from app.table.gateway import Gateway
from tests.api import Person
from tests.goals.operations import do, mutation, read, refused, task


async def depend(person: Person, waits: str, on: str) -> None:
    await do(person, "addTaskDependency", taskId=waits, dependsOnTaskId=on)


async def status(person: Person, id: str) -> str:
    return str((await read(person, "task", id))["status"])


async def test_both_directions_are_seen_and_stored(ada: Person, table: Gateway) -> None:
    a, b = await task(ada, "a"), await task(ada, "b")
    for _ in range(2):
        waits = await do(ada, "addTaskDependency", taskId=a["id"], dependsOnTaskId=b["id"])
    assert (waits["status"], waits["dependsOnIds"]) == ("Blocked", [b["id"]])
    more = "dependsOn { id } blocks { id }"
    assert (await read(ada, "task", a["id"], more))["dependsOn"] == [{"id": b["id"]}]
    assert (await read(ada, "task", b["id"], more))["blocks"] == [{"id": a["id"]}]
    links = [
        each["SK"]["S"]
        for id in (a["id"], b["id"])
        async for each in table.partition(f"TASK#{id}")
        if each["SK"]["S"] != "OWNER"
    ]
    assert links == [f"DEP#{b['id']}", f"BLOCKS#{a['id']}"]
    for _ in range(2):
        free = await do(ada, "removeTaskDependency", taskId=a["id"], dependsOnTaskId=b["id"])
    assert (free["status"], free["dependsOnIds"]) == ("NotStarted", [])
    assert (await read(ada, "task", b["id"]))["blocksIds"] == []


async def test_a_waiting_task_can_neither_be_started_nor_completed(ada: Person) -> None:
    b = await task(ada, "b")
    a = await task(ada, "a", dependsOnIds=[b["id"]])
    assert a["status"] == "Blocked"
    for name, more in (
        ("completeTask", {}),
        ("updateTask", {"status": "InProgress"}),
        ("updateTask", {"status": "Done"}),
    ):
        failed = await ada.refused(mutation(name), input={"id": a["id"], **more})
        assert (failed.code, failed.info["waitingFor"]) == ("DEPENDENCY_OPEN", [b["id"]])
    assert await read(ada, "task", a["id"]) == a
    assert (await do(ada, "updateTask", id=a["id"], status="NotStarted"))["status"] == "Blocked"
    assert (await do(ada, "updateTask", id=a["id"], status="OnHold"))["status"] == "OnHold"
    assert (await do(ada, "updateTask", id=a["id"], status="Cancelled"))["status"] == "Cancelled"


async def test_the_last_blocker_unblocks_exactly_the_tasks_that_waited_for_it(ada: Person) -> None:
    one, two, three = [await task(ada, title) for title in ("1", "2", "3")]
    a = await task(ada, "a", dependsOnIds=[one["id"], two["id"]])
    b = await task(ada, "b", dependsOnIds=[two["id"]])
    c = await task(ada, "c", dependsOnIds=[two["id"], three["id"]])
    started = await task(ada, "d", status="InProgress")
    await depend(ada, started["id"], two["id"])
    by_hand = await task(ada, "e", status="Blocked")
    await do(ada, "completeTask", id=one["id"])
    assert await status(ada, a["id"]) == "Blocked"
    await do(ada, "completeTask", id=two["id"])
    assert [await status(ada, each["id"]) for each in (a, b, c, started, by_hand)] == [
        "NotStarted",
        "NotStarted",
        "Blocked",
        "InProgress",
        "Blocked",
    ]


async def test_a_task_that_its_owner_blocked_stays_blocked(ada: Person) -> None:
    one, two = await task(ada, "1"), await task(ada, "2")
    before = await task(ada, "before", status="Blocked")
    await depend(ada, before["id"], one["id"])
    with_it = await task(ada, "with it", status="Blocked", dependsOnIds=[one["id"]])
    between = await task(ada, "between", dependsOnIds=[two["id"]])
    await do(ada, "updateTask", id=between["id"], status="OnHold")
    await do(ada, "completeTask", id=two["id"])
    await do(ada, "updateTask", id=between["id"], status="Blocked")
    await depend(ada, between["id"], one["id"])
    machine = await task(ada, "machine", dependsOnIds=[one["id"]])
    for turn in ("completeTask", "reopenTask", "completeTask"):
        await do(ada, turn, id=one["id"])
    mine = (before, with_it, between)
    assert [await status(ada, each["id"]) for each in mine] == ["Blocked"] * 3
    assert await status(ada, machine["id"]) == "NotStarted"
    for each in mine:
        assert (await do(ada, "completeTask", id=each["id"]))["status"] == "Done"


async def test_reopening_a_blocker_blocks_open_tasks_again(ada: Person) -> None:
    one = await task(ada, "1")
    a = await task(ada, "a", dependsOnIds=[one["id"]])
    b = await task(ada, "b", dependsOnIds=[one["id"]])
    await do(ada, "completeTask", id=one["id"])
    await do(ada, "completeTask", id=b["id"])
    await do(ada, "reopenTask", id=one["id"])
    assert [await status(ada, each["id"]) for each in (a, b)] == ["Blocked", "Done"]
    assert (await do(ada, "reopenTask", id=b["id"]))["status"] == "Blocked"


async def test_two_last_blockers_completed_concurrently_unblock_the_task(ada: Person) -> None:
    for _ in range(5):
        one, two = await task(ada, "1"), await task(ada, "2")
        a = await task(ada, "a", dependsOnIds=[one["id"], two["id"]])
        await asyncio.gather(*(do(ada, "completeTask", id=each["id"]) for each in (one, two)))
        assert await status(ada, a["id"]) == "NotStarted"


async def test_cycles_are_refused(ada: Person) -> None:
    a, b, c = [await task(ada, title) for title in "abc"]
    await depend(ada, a["id"], b["id"])
    await depend(ada, b["id"], c["id"])
    for waits, on in ((a, a), (b, a), (c, a), (c, b)):
        request = {"taskId": waits["id"], "dependsOnTaskId": on["id"]}
        assert await refused(ada, "addTaskDependency", **request) == "CIRCULAR"
    await depend(ada, a["id"], c["id"])
    assert (await read(ada, "task", c["id"]))["dependsOnIds"] == []


async def test_concurrent_edges_cannot_close_a_cycle(ada: Person) -> None:
    for _ in range(4):
        a, b, c, d = [await task(ada, title) for title in "abcd"]
        await depend(ada, b["id"], c["id"])
        await depend(ada, d["id"], a["id"])
        edges = [(a, b), (c, d)]
        await asyncio.gather(
            *(
                ada.api.post(
                    mutation("addTaskDependency"),
                    headers=ada.headers,
                    input={"taskId": x["id"], "dependsOnTaskId": y["id"]},
                )
                for x, y in edges
            )
        )
        made = [bool((await read(ada, "task", x["id"]))["dependsOnIds"]) for x, _ in edges]
        assert made.count(True) == 1


async def test_a_task_waits_for_at_most_ten_others(ada: Person) -> None:
    a = await task(ada, "a")
    for i in range(10):
        await depend(ada, a["id"], (await task(ada, str(i)))["id"])
    request = {"taskId": a["id"], "dependsOnTaskId": (await task(ada, "x"))["id"]}
    assert await refused(ada, "addTaskDependency", **request) == "BAD_INPUT"
    hub = await task(ada, "hub")
    for i in range(10):
        await task(ada, str(i), dependsOnIds=[hub["id"]])
    assert await refused(ada, "createTask", title="x", dependsOnIds=[hub["id"]]) == "BAD_INPUT"


async def test_a_missing_task_is_not_found(ada: Person) -> None:
    a = await task(ada)
    for request in (
        {"taskId": a["id"], "dependsOnTaskId": "nobody"},
        {"taskId": "nobody", "dependsOnTaskId": a["id"]},
    ):
        for name in ("addTaskDependency", "removeTaskDependency"):
            assert await refused(ada, name, **request) == "NOT_FOUND"
