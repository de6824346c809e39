"""Changing single todos and blocks of a day, without sending the day."""

import asyncio
from typing import Any

import pytest

from app.table.gateway import Gateway
from tests.api import Person
from tests.plans.operations import HEALTH, add, commit
from tests.plans.test_plans import (
    COMPLETE,
    CONTENT,
    FRIDAY,
    HISTORY,
    block,
    commit_plan,
    plan,
    planned,
    todo,
)
from tests.plans.test_values import items

CHANGE = "mutation ($input: ChangePlanInput!) { changePlan(input: $input) { ...Plan } }" + CONTENT
WORK = {"actionId": "run", "pomodoroIndex": 1}


async def change(person: Person, *operations: dict[str, Any], **more: object) -> dict[str, Any]:
    wanted = {"date": FRIDAY, "operations": list(operations), **more}
    done: dict[str, Any] = (await person.gql(CHANGE, input=wanted))["changePlan"]
    return done


async def prepared(person: Person) -> None:
    """Todos run, sleep; a pomodoro of run at nine, a meeting at ten; eat is not planned."""
    await commit(person, *HEALTH, add("eat", driverId="health"))
    await commit_plan(
        person,
        todos=[todo("run", notes="far"), todo("sleep")],
        blocks=[
            block("09:00", "09:25", "POMODORO", id="p", **WORK),
            block("10:00", "11:00", id="m", title="Stand-up"),
        ],
    )


async def test_a_first_todo_makes_the_plan(ada: Person) -> None:
    await commit(ada, *HEALTH)
    done = await change(ada, {"addTodo": todo("run")}, expectedHead=None)
    assert (planned(done), done["revision"]["reason"]) == (["run"], "morning_plan")
    later = await change(ada, {"addTodo": todo("sleep")})
    assert later["revision"]["reason"] == "midday_replan"
    assert later["revision"]["parentIds"] == [done["revision"]["id"]]


@pytest.mark.parametrize(
    ("operations", "order"),
    [
        ([{"addTodo": todo("eat")}], ["run", "sleep", "eat"]),
        ([{"addTodo": todo("eat", position=0)}], ["eat", "run", "sleep"]),
        ([{"addTodo": todo("eat", position=99)}], ["run", "sleep", "eat"]),
        ([{"moveTodo": todo("sleep", position=0)}], ["sleep", "run"]),
        ([{"moveTodo": todo("run", position=1)}], ["sleep", "run"]),
        ([{"moveTodo": todo("run", position=50)}], ["sleep", "run"]),
        ([{"moveTodo": todo("run", position=0)}], ["run", "sleep"]),
        ([{"removeTodo": todo("sleep")}], ["run"]),
        ([{"removeTodo": todo("run")}, {"addTodo": todo("eat", position=0)}], ["eat", "sleep"]),
    ],
)
async def test_the_order_of_the_todos(
    ada: Person, operations: list[dict[str, Any]], order: list[str]
) -> None:
    await prepared(ada)
    assert planned(await change(ada, *operations)) == order
    assert planned(await plan(ada)) == order


async def test_fields_of_a_todo_are_cleared_by_null_and_kept_by_absence(ada: Person) -> None:
    await prepared(ada)
    changed = {"actionId": "run", "classification": "urgent", "estimatedPomodoros": 3}
    first = (await change(ada, {"updateTodo": changed}))["todos"][0]
    facts = (first["classification"], first["estimatedPomodoros"], first["notes"])
    assert facts == ("urgent", 3, "far")
    cleared = await change(ada, {"updateTodo": {"actionId": "run", "notes": None}})
    assert (cleared["todos"][0]["notes"], cleared["todos"][0]["classification"]) == (None, "urgent")


async def test_what_is_done_stays_done(ada: Person) -> None:
    await prepared(ada)
    await ada.gql(COMPLETE, input={"actionId": "run", "date": FRIDAY})
    at = (await plan(ada))["todos"][0]["completedAt"]
    done = await change(
        ada,
        {"updateTodo": {"actionId": "run", "notes": "n"}},
        {"moveTodo": todo("run", position=1)},
    )
    assert (done["todos"][1]["completedAt"], done["warnings"]) == (at, [])


def times(shown: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {
        each["id"]: (each["startTimeIso"][11:16], each["endTimeIso"][11:16])
        for each in shown["blocks"]
    }


async def test_blocks_are_added_moved_renamed_and_removed(ada: Person) -> None:
    await prepared(ada)
    added = await change(ada, {"addBlock": block("12:00", "13:00", "BREAK", id="b")})
    assert times(added)["b"] == ("12:00", "13:00")
    at = f"{FRIDAY}T14:30:00Z"
    moved = await change(ada, {"moveBlock": {"id": "m", "startTimeIso": at}})
    assert times(moved)["m"] == ("14:30", "15:30"), "as long as it was"
    until = f"{FRIDAY}T17:00:00+01:00"
    longer = await change(ada, {"moveBlock": {"id": "m", "startTimeIso": at, "endTimeIso": until}})
    assert times(longer)["m"] == ("14:30", "16:00")
    named = await change(ada, {"updateBlock": {"id": "m", "title": "Retro"}})
    assert {each["id"]: each["title"] for each in named["blocks"]}["m"] == "Retro"
    bare = await change(ada, {"updateBlock": {"id": "m", "title": None}})
    assert {each["id"]: each["title"] for each in bare["blocks"]}["m"] is None
    assert set(times(await change(ada, {"removeBlock": {"id": "m"}}))) == {"p", "b"}
    assert planned(await plan(ada)) == ["run", "sleep"]


async def test_a_todo_takes_its_pomodoros_with_it(ada: Person) -> None:
    await prepared(ada)
    assert set(times(await change(ada, {"removeTodo": todo("run")}))) == {"m"}


OVERLAP = block("10:30", "11:30")
REFUSED: list[tuple[list[dict[str, Any]], str, str | None]] = [
    ([{"addTodo": todo("run")}], "ACTION_TWICE", "0.addTodo.actionId"),
    ([{"addTodo": todo("nobody")}], "ACTION_NOT_LIVE", "0.addTodo.actionId"),
    ([{"updateTodo": todo("eat", notes="n")}], "NOT_FOUND", "0.updateTodo"),
    (
        [{"updateTodo": todo("run", classification=None)}],
        "BAD_INPUT",
        "0.updateTodo.classification",
    ),
    ([{"moveTodo": todo("eat", position=0)}], "NOT_FOUND", "0.moveTodo"),
    ([{"removeTodo": todo("eat")}], "NOT_FOUND", "0.removeTodo"),
    ([{"removeBlock": {"id": "x"}}], "NOT_FOUND", "0.removeBlock"),
    ([{"updateBlock": {"id": "x", "title": "t"}}], "NOT_FOUND", "0.updateBlock"),
    ([{"addBlock": OVERLAP}], "BLOCKS_OVERLAP", None),
    ([{"addBlock": block("13:00", "12:00")}], "BAD_INPUT", "0.addBlock.endTimeIso"),
    (
        [{"addBlock": block("13:00", "13:25", "POMODORO", actionId="eat", pomodoroIndex=1)}],
        "NOT_IN_TODOS",
        "0.addBlock.actionId",
    ),
    (
        [
            {"updateTodo": todo("sleep", notes="n")},
            {"addBlock": block("13:00", "13:25", "POMODORO", **WORK)},
        ],
        "BAD_INPUT",
        "1.addBlock.pomodoroIndex",
    ),
    ([{}], "BAD_INPUT", "0"),
    ([{"removeTodo": todo("run"), "removeBlock": {"id": "m"}}], "BAD_INPUT", "0"),
]


@pytest.mark.parametrize(("operations", "code", "field"), REFUSED)
async def test_all_or_nothing(
    ada: Person, table: Gateway, operations: list[dict[str, Any]], code: str, field: str | None
) -> None:
    await prepared(ada)
    before = (await plan(ada), await items(table, ada, f"#PLAN#{FRIDAY}"))
    refused = await ada.refused(CHANGE, input={"date": FRIDAY, "operations": operations})
    assert refused.code == code
    if field:
        assert refused.info["field"] == f"input.operations.{field}"
        assert refused.info["operation"] == int(field[0])
    assert (await plan(ada), await items(table, ada, f"#PLAN#{FRIDAY}")) == before


async def test_a_change_without_operations_or_on_a_stale_head(ada: Person) -> None:
    await prepared(ada)
    head = (await plan(ada))["revision"]["id"]
    empty = await ada.refused(CHANGE, input={"date": FRIDAY, "operations": []})
    assert (empty.code, empty.info["field"]) == ("BAD_INPUT", "input.operations")
    await change(ada, {"addTodo": todo("eat")}, expectedHead=head)
    stale = {"date": FRIDAY, "operations": [{"removeTodo": todo("eat")}], "expectedHead": head}
    refused = await ada.refused(CHANGE, input=stale)
    current = (await plan(ada))["revision"]["id"]
    assert (refused.code, refused.info["currentHead"]) == ("CONFLICT", current)


async def test_a_day_holds_a_hundred_todos(ada: Person) -> None:
    actions = [add(f"a{number}", driverId="d") for number in range(101)]
    await commit(ada, add("d", "DRIVER"), *actions)
    await commit_plan(ada, todos=[todo(f"a{number}") for number in range(100)])
    wanted = {"date": FRIDAY, "operations": [{"addTodo": todo("a100")}]}
    assert (await ada.refused(CHANGE, input=wanted)).code == "LIMIT_EXCEEDED"
    swapped = await change(ada, {"removeTodo": todo("a0")}, {"addTodo": todo("a100")})
    assert (len(planned(swapped)), planned(swapped)[-1]) == (100, "a100")


async def test_changes_at_once_all_count(ada: Person) -> None:
    actions = [add(f"a{number}", driverId="d") for number in range(10)]
    await commit(ada, add("d", "DRIVER"), *actions)
    await asyncio.gather(*(change(ada, {"addTodo": todo(f"a{n}")}) for n in range(10)))
    assert sorted(planned(await plan(ada))) == [f"a{number}" for number in range(10)]
    history = (await ada.gql(HISTORY, date=FRIDAY, limit=100))["planHistory"]["items"]
    assert len(history) == 10


async def test_the_same_key_adds_once(ada: Person) -> None:
    await commit(ada, *HEALTH)
    first = await change(ada, {"addBlock": block("09:00", "10:00")}, idempotencyKey="k")
    assert await change(ada, {"addBlock": block("09:00", "10:00")}, idempotencyKey="k") == first
    assert len((await plan(ada))["blocks"]) == 1


async def test_the_plans_of_others_stay(ada: Person, bob: Person) -> None:
    await prepared(ada)
    wanted = {"date": FRIDAY, "operations": [{"removeTodo": todo("run")}]}
    assert (await bob.refused(CHANGE, input=wanted)).code == "NOT_FOUND"
    assert planned(await plan(ada)) == ["run", "sleep"]
