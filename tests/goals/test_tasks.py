"""Tasks, through HTTP: fields, points, completion and reopening."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.goals.operations import balance, do, goal, mutation, payments, read, refused, task
from tests.servers import TestClock


async def test_keeps_every_field(ada: Person) -> None:
    made = await task(
        ada,
        "Review Q1 financials",
        id="task-xyz-789",
        description="Analyze quarterly spending",
        extendedDescription="Long",
        area="Wealth",
        subCategory="Income",
        priority="P2",
        status="InProgress",
        size=60,
        dueDate="2026-01-15",
        scheduledDate="2026-01-14",
        notes="n",
        nlpPlan="first this, then that",
        tags=["#Deep Work", "deep-work", "q1"],
    )
    assert made["pointValue"] == 120
    expected = {
        "id": "task-xyz-789",
        "title": "Review Q1 financials",
        "description": "Analyze quarterly spending",
        "extendedDescription": "Long",
        "area": "Wealth",
        "subCategory": "Income",
        "priority": "P2",
        "status": "InProgress",
        "size": 60,
        "dueDate": "2026-01-15",
        "dueAt": "2026-01-15T00:00:00.000Z",
        "scheduledDate": "2026-01-14",
        "completedDate": None,
        "isRecurring": False,
        "recurrenceRule": None,
        "pointsAwarded": False,
        "notes": "n",
        "nlpPlan": "first this, then that",
        "tags": ["deep-work", "q1"],
        "goalIds": [],
        "projectIds": [],
        "done": False,
        "version": 1,
    }
    assert {name: made[name] for name in expected} == expected
    assert await read(ada, "task", "task-xyz-789") == made


async def test_only_a_title_is_needed(ada: Person) -> None:
    made = await task(ada, "  🌱 Ünïcode  ")
    assert made["title"] == "🌱 Ünïcode"
    assert (made["priority"], made["status"], made["size"]) == ("P3", "NotStarted", None)
    assert made["pointValue"] == 45


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", ""),
        ("title", "   "),
        ("title", "x" * 201),
        ("size", -1),
        ("size", 10**9),
        ("size", 1.5),
        ("dueDate", "2026-02-30"),
        ("dueDate", "0001-01-01"),
        ("dueAt", "2026-01-15"),
        ("dueAt", "9999-12-31T23:59:59Z"),
        ("priority", "P5"),
        ("status", "done"),
        ("area", "a#b"),
        ("area", ""),
        ("id", "a#b"),
        ("id", "x" * 65),
        ("extendedDescription", "x" * 400_000),
        ("nlpPlan", "x" * 20_001),
        ("tags", [str(i) for i in range(11)]),
        ("goalIds", [str(i) for i in range(11)]),
        ("isRecurring", True),
        ("pointValue", 1_000),
        ("pointsAwarded", True),
        ("userId", "somebody"),
    ],
)
async def test_invalid_input_is_refused(ada: Person, field: str, value: object) -> None:
    assert await refused(ada, "createTask", **{"title": "x", field: value}) == "BAD_INPUT"
    assert (await ada.gql("{ tasks { items { id } } }"))["tasks"]["items"] == []


async def test_null_clears_and_absent_keeps(ada: Person) -> None:
    made = await task(ada, area="Health", notes="n", size=10, dueDate="2026-01-15", tags=["a"])
    after = await do(ada, "updateTask", id=made["id"], notes=None, dueDate=None)
    assert (after["notes"], after["dueDate"], after["dueAt"]) == (None, None, None)
    assert (after["area"], after["size"], after["tags"]) == ("Health", 10, ["a"])
    assert (after["version"], after["createdAt"]) == (2, made["createdAt"])


@pytest.mark.parametrize("field", ["title", "priority", "status", "tags", "goalIds", "projectIds"])
async def test_required_fields_cannot_be_null(ada: Person, field: str) -> None:
    made = await task(ada)
    assert await refused(ada, "updateTask", id=made["id"], **{field: None}) == "BAD_INPUT"
    assert await read(ada, "task", made["id"]) == made


@pytest.mark.parametrize(
    ("size", "priority", "points"),
    [
        (60, "P1", 180),
        (60, "P2", 120),
        (60, "P3", 90),
        (60, "P4", 60),
        (25, "P3", 38),
        (None, "P2", 60),
        (None, "P3", 45),
        (0, "P1", 0),
        (1, "P3", 2),
    ],
)
async def test_point_value(ada: Person, size: int | None, priority: str, points: int) -> None:
    assert (await task(ada, size=size, priority=priority))["pointValue"] == points


async def test_the_point_value_follows_size_and_priority_until_it_is_paid(ada: Person) -> None:
    made = await task(ada, size=60, priority="P2")
    changed = await do(ada, "updateTask", id=made["id"], priority="P1")
    assert changed["pointValue"] == 180
    await do(ada, "completeTask", id=made["id"])
    assert (await do(ada, "updateTask", id=made["id"], size=1))["pointValue"] == 180
    reopened = await do(ada, "reopenTask", id=made["id"])
    assert reopened["pointValue"] == 3
    assert await balance(ada) == 0


async def test_completing_pays_once_and_reopening_takes_back_once(ada: Person) -> None:
    made = await task(ada, size=60, priority="P2")
    for _ in range(2):
        done = await do(ada, "completeTask", id=made["id"])
        assert (done["status"], done["done"], done["pointsAwarded"]) == ("Done", True, True)
        assert done["completedDate"] is not None
        assert await balance(ada) == 120
    for _ in range(2):
        again = await do(ada, "reopenTask", id=made["id"])
        assert (again["status"], again["done"], again["pointsAwarded"]) == (
            "NotStarted",
            False,
            False,
        )
        assert again["completedDate"] is None
        assert await balance(ada) == 0
    assert await payments(ada) == [
        {"amount": -120, "type": "earned", "taskId": made["id"]},
        {"amount": 120, "type": "earned", "taskId": made["id"]},
    ]


async def test_the_status_alone_completes_and_reopens(ada: Person) -> None:
    made = await task(ada, size=10, priority="P4")
    done = await do(ada, "updateTask", id=made["id"], status="Done")
    assert (done["pointsAwarded"], await balance(ada)) == (True, 10)
    back = await do(ada, "updateTask", id=made["id"], status="OnHold")
    assert (back["status"], back["completedDate"], await balance(ada)) == ("OnHold", None, 0)


async def test_a_task_created_as_done_is_paid(ada: Person) -> None:
    made = await task(ada, size=10, priority="P4", status="Done")
    assert (made["pointsAwarded"], await balance(ada)) == (True, 10)


async def test_a_task_of_size_0_writes_no_payment(ada: Person) -> None:
    made = await task(ada, size=0)
    done = await do(ada, "completeTask", id=made["id"])
    assert (done["pointsAwarded"], await balance(ada), await payments(ada)) == (True, 0, [])


async def test_points_that_are_spent_cannot_be_taken_back(ada: Person) -> None:
    made = await task(ada, size=10, priority="P4")
    await do(ada, "completeTask", id=made["id"])
    adjust = "mutation ($input: AdjustWalletInput!) { adjustWallet(input: $input) { balance } }"
    await ada.gql(adjust, input={"amount": -1, "reason": "spent"})
    before = await read(ada, "task", made["id"])
    failed = await ada.refused(mutation("reopenTask"), input={"id": made["id"]})
    assert failed.code == "INSUFFICIENT_POINTS"
    message = "Reopening takes back 10 points, and you have 9. Earn more points first."
    assert failed.errors[0]["message"] == message
    assert await read(ada, "task", made["id"]) == before
    assert await balance(ada) == 9


async def test_fifty_concurrent_completions_pay_once(ada: Person) -> None:
    target = await goal(ada)
    made = await task(ada, size=60, priority="P2", goalIds=[target["id"]])
    query = mutation("completeTask")
    answers = await asyncio.gather(
        *(ada.api.post(query, headers=ada.headers, input={"id": made["id"]}) for _ in range(50))
    )
    assert {answer.json()["data"]["completeTask"]["status"] for answer in answers} == {"Done"}
    assert (await balance(ada), len(await payments(ada))) == (120, 1)
    after = await read(ada, "goal", target["id"], "activity { items { type } }")
    kinds = [each["type"] for each in after["activity"]["items"]]
    assert (after["cachedProgress"], kinds.count("task_completed")) == (100, 1)


async def test_the_wallet_adds_up_after_fifty_concurrent_completions_and_reopenings(
    ada: Person,
) -> None:
    made = await task(ada, size=60, priority="P2")
    names = ["completeTask", "reopenTask"] * 25
    await asyncio.gather(
        *(
            ada.api.post(mutation(name), headers=ada.headers, input={"id": made["id"]})
            for name in names
        )
    )
    after = await read(ada, "task", made["id"])
    assert await balance(ada) == (120 if after["done"] else 0)
    assert sum(each["amount"] for each in await payments(ada)) == await balance(ada)


async def test_thirty_concurrent_completions_of_one_goal_all_count(ada: Person) -> None:
    target = await goal(ada)
    made = [await task(ada, str(i), size=10, goalIds=[target["id"]]) for i in range(30)]
    answers = await asyncio.gather(
        *(
            ada.api.post(mutation("completeTask"), headers=ada.headers, input={"id": each["id"]})
            for each in made[:20]
        )
    )
    assert [answer.json()["data"] for answer in answers if "errors" in answer.json()] == []
    after = await read(ada, "goal", target["id"], "progress { parts { name count total } }")
    assert after["progress"]["parts"][1] == {"name": "tasks", "count": 20, "total": 30}
    assert after["cachedProgress"] == 67
    assert await balance(ada) == 20 * 15


async def test_a_repeated_idempotency_key_completes_once_with_the_same_answer(ada: Person) -> None:
    made = await task(ada, size=60, priority="P2")
    first = await do(ada, "completeTask", id=made["id"], idempotencyKey="k")
    await do(ada, "reopenTask", id=made["id"])
    assert await do(ada, "completeTask", id=made["id"], idempotencyKey="k") == first
    assert await balance(ada) == 0
    other = await task(ada)
    code = await refused(ada, "completeTask", id=other["id"], idempotencyKey="k")
    assert code == "IDEMPOTENCY_MISMATCH"


async def test_a_repeated_idempotency_key_creates_one_task(ada: Person) -> None:
    answers = await asyncio.gather(
        *(
            ada.api.post(
                mutation("createTask"),
                headers=ada.headers,
                input={"title": "once", "idempotencyKey": "make"},
            )
            for _ in range(20)
        )
    )
    made = {answer.json()["data"]["createTask"]["id"] for answer in answers}
    assert len(made) == 1
    assert len((await ada.gql("{ tasks { items { id } } }"))["tasks"]["items"]) == 1


async def test_a_conflict_names_the_current_version(ada: Person) -> None:
    made = await task(ada)
    await do(ada, "updateTask", id=made["id"], title="Two", expectedVersion=1)
    for name in ("updateTask", "completeTask", "deleteTask"):
        request = {"id": made["id"], "expectedVersion": 1}
        failed = await ada.refused(mutation(name), input=request)
        assert (failed.code, failed.info["currentVersion"]) == ("CONFLICT", 2)
    assert (await read(ada, "task", made["id"]))["title"] == "Two"


async def test_concurrent_changes_of_different_fields_are_all_kept(ada: Person) -> None:
    made = await task(ada)
    fields: list[dict[str, Any]] = [
        {"notes": "n"},
        {"area": "Health"},
        {"size": 5},
        {"description": "d"},
        {"subCategory": "s"},
        {"dueDate": "2026-05-01"},
    ]
    await asyncio.gather(*(do(ada, "updateTask", id=made["id"], **each) for each in fields))
    after = await read(ada, "task", made["id"])
    assert (after["notes"], after["area"], after["size"]) == ("n", "Health", 5)
    assert (after["description"], after["subCategory"]) == ("d", "s")
    assert (after["dueDate"], after["version"]) == ("2026-05-01", 7)


async def test_a_chosen_id_can_be_used_once_by_one_user(ada: Person, bob: Person) -> None:
    made = await task(ada, id="mine-1-" + ada.nickname)
    assert await refused(ada, "createTask", title="x", id=made["id"]) == "CONFLICT"
    assert await refused(bob, "createTask", title="x", id=made["id"]) == "CONFLICT"
    await do(ada, "deleteTask", id=made["id"])
    assert (await task(bob, id=made["id"]))["id"] == made["id"]


async def test_due_dates_are_in_the_users_time_zone(api: Api, clock: TestClock) -> None:
    clock.set(datetime(2026, 1, 10, 12, 0, tzinfo=UTC))
    eva = await api.sign_up(timeZone="Pacific/Auckland")
    made = await task(eva, dueDate="2026-01-11")
    assert made["dueAt"] == "2026-01-10T11:00:00.000Z"
    moment = await task(eva, dueAt="2026-01-10T12:30:00Z")
    assert (moment["dueAt"], moment["dueDate"]) == ("2026-01-10T12:30:00.000Z", "2026-01-11")
    board = await eva.gql("{ dashboard { date due { id } overdue { id } } }")
    assert board["dashboard"] == {
        "date": "2026-01-11",
        "due": [{"id": made["id"]}, {"id": moment["id"]}],
        "overdue": [],
    }


async def test_the_item_is_stored_as_documented(ada: Person, table: Gateway) -> None:
    made = await task(
        ada, area="Wealth", status="InProgress", dueDate="2026-01-15", tags=["q1"], size=60
    )
    items = [each async for each in table.partition(f"USER#{ada.id}")]
    item = next(each for each in items if each["SK"]["S"] == f"TASK#{made['id']}")
    created = made["createdAt"]
    keys = {name: value["S"] for name, value in item.items() if name.startswith("GSI")}
    assert keys == {
        "GSI1PK": f"USER#{ada.id}",
        "GSI1SK": f"ENTITY#Task#{created}",
        "GSI2PK": f"USER#{ada.id}#TASK",
        "GSI2SK": f"InProgress#{created}",
        "GSI3PK": f"USER#{ada.id}#AREA#wealth",
        "GSI3SK": f"TASK#{created}",
        "GSI4PK": "DUE#20260115",
        "GSI4SK": f"2026-01-15T00:00:00.000Z#TASK#{made['id']}",
        "GSI5PK": f"USER#{ada.id}#OPEN",
        "GSI5SK": f"2026-01-15T00:00:00.000Z#{made['id']}",
        "GSI6PK": f"USER#{ada.id}#DUE",
        "GSI6SK": f"2026-01-15T00:00:00.000Z#{made['id']}",
    }
    assert (item["entityType"], item["userId"]) == ({"S": "Task"}, {"S": ada.id})
    assert "ttl" not in item
    inner = {each["SK"]["S"]: each async for each in table.partition(f"TASK#{made['id']}")}
    assert inner["TAG#q1"]["GSI5PK"] == {"S": f"USER#{ada.id}#TAG#q1"}
    assert inner["TAG#q1"]["GSI5SK"] == {"S": f"Task#{made['id']}"}
    await do(ada, "completeTask", id=made["id"])
    items = [each async for each in table.partition(f"USER#{ada.id}")]
    done = next(each for each in items if each["SK"]["S"] == f"TASK#{made['id']}")
    assert "GSI4PK" not in done
    assert done["GSI5PK"] == {"S": f"USER#{ada.id}#DONE"}


@pytest.mark.parametrize("id", ["nobody", "01ARZ3NDEKTSV4RRFFQ69G5FAV"])
async def test_a_missing_task_is_null_or_not_found(ada: Person, id: str) -> None:
    assert await read(ada, "task", id) is None
    for name in ("updateTask", "completeTask", "reopenTask", "deleteTask", "skipOccurrence"):
        assert await refused(ada, name, id=id) == "NOT_FOUND"
    for field in ("goalIds", "projectIds", "dependsOnIds"):
        assert await refused(ada, "createTask", title="x", **{field: [id]}) == "NOT_FOUND"
    assert (await ada.gql("{ tasks { items { id } } }"))["tasks"]["items"] == []


async def test_a_due_date_and_a_due_moment_must_agree(ada: Person) -> None:
    contradiction = {"dueDate": "2026-01-01", "dueAt": "2026-05-05T10:00:00Z"}
    assert await refused(ada, "createTask", title="When?", **contradiction) == "BAD_INPUT"
    agreed = await do(
        ada, "createTask", title="Then", dueDate="2026-05-05", dueAt="2026-05-05T10:00:00Z"
    )
    assert agreed["dueDate"] == "2026-05-05"
    assert await refused(ada, "updateTask", id=agreed["id"], **contradiction) == "BAD_INPUT"


# Done or not, by one mutation.


async def test_toggling_completes_and_reopens_once(ada: Person) -> None:
    made = await task(ada, size=10, priority="P4")
    for _ in range(2):
        on = await do(ada, "toggleTask", id=made["id"], done=True)
        assert (on["status"], on["done"], await balance(ada)) == ("Done", True, 10)
    for _ in range(2):
        off = await do(ada, "toggleTask", id=made["id"], done=False)
        assert (off["status"], off["done"], await balance(ada)) == ("NotStarted", False, 0)
    assert off["completedDate"] is None


async def test_a_toggle_with_a_stale_version_changes_nothing(ada: Person, bob: Person) -> None:
    made = await task(ada)
    late = {"id": made["id"], "done": True, "expectedVersion": made["version"] + 1}
    assert await refused(ada, "toggleTask", **late) == "CONFLICT"
    assert await refused(bob, "toggleTask", id=made["id"], done=True) == "NOT_FOUND"
    assert await read(ada, "task", made["id"]) == made
